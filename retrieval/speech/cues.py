"""The closed classes of English by which news copy tells who says a thing: sets of lower-case words."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Forms that are nouns as often as verbs: "claims", "the report", "calls for": they need a clause or a quotation.
NOUNS_TOO = _words(
    """
    claim claims report reports call calls demand demands state states note notes comment comments tweet
    tweets estimate estimates question questions charge charges attack attacks promise promises threat pledge
    pledges vow vows challenge challenges reply replies answer answers appeal appeals post posts show shows
    quote quotes rule rules record records remark remarks joke jokes point points text texts email log counter
    blame praise thanks thank detail details document documents forecast forecasts highlight highlights stress
    brand brands label labels ridicule warning finding findings showing saying reading meaning posting rebuke
    salute dispute disputes signal signals echo echoes welcome advance doubt doubts worry worries hope hopes
    fear fears regret regrets feeling
    """
)

# Verbs that can stand before their subject: "…," said X.
INVERTING = _words(
    """
    say add write explain ask reply respond answer note tweet continue declare recall argue remark warn
    observe insist conclude announce exclaim quip joke admit claim comment lament shout stress complain
    testify allege acknowledge concede predict
    """
)

# What may stand between a subject and its verb.
AUXILIARIES = _words(
    """
    has have had 's 've 'd ’s ’ve ’d is are was were be been being am 're ’re 'm ’m will would could can may
    might must should shall do does did 'll ’ll
    """
)
BEING = _words("is are was were be been being am 're ’re 'm ’m get gets got")
NEGATIONS = _words("not n't n’t never")
ADVERBS = _words(
    """
    also then later earlier again still already repeatedly reportedly previously publicly recently now just
    once often today yesterday tonight tomorrow simply further famously angrily bluntly quickly immediately
    initially consistently frequently specifically privately openly strongly flatly categorically vehemently
    long even only always sometimes afterwards instead subsequently separately first all both himself herself
    themselves itself too so jokingly however meanwhile therefore nevertheless nonetheless moreover likewise
    conversely though
    """
)
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
MONTHS = _words(
    """
    january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec.
    """
)
# The words of a date that may slip in between: "on Sunday", "late last week", "this year".
TIMES = (
    WEEKDAYS
    | MONTHS
    | _words(
        """
    morning afternoon evening night week month year early late last this next ago hours days weeks
    """
    )
)

PRONOUNS = _words("he she they it we i")
RELATIVES = _words("who which that whom whose")
DETERMINERS = _words(
    """
    a an the this these those that some many several most all one two three four five six seven eight nine ten
    both another other no any each every his her their its our my more few dozens hundreds thousands
    """
)
PREPOSITIONS = _words(
    """
    of in on at by for from with about against to into over after before under during since through between
    among near inside outside across around behind beyond despite without within upon via amid following per
    including like
    """
)
# Words that open a clause or join one to another: no noun phrase reaches across them.
CLAUSE_OPENERS = _words(
    """
    that but while as after because when where if although though whether since before until unless who which
    whom whose why how what than whereas so yet or
    """
)
SUBORDINATORS = _words(
    """
    as after because when if although though since before until unless while whereas
    """
)
CLAUSE_STARTS = (
    PRONOUNS | DETERMINERS | _words("that how why whether what there he she it they we you i : his her their its if")
)
OPENING_MARKS = _words(
    """
    “ " ‘ « „ `` ' ”
    """
)
CLOSING_MARKS = _words(
    """
    ” " ’ » '' ' “
    """
)
COMMAS = frozenset([",", "-", "--", "–", "—", "―", "(", ")", "[", "]", ";"])

# Nouns for people and bodies that speak without being named.
SPEAKERS = _words(
    """
    one proponent proponents advocate advocates backer backers detractor detractors member members everyone anyone
    someone nobody majority chorus rival rivals counterpart organiser organisers organizer organizers
    official officials witness witnesses resident residents source sources police authorities authority
    spokesman spokeswoman spokesperson spokesmen spokespeople researcher researchers scientist scientists
    analyst analysts expert experts activist activists campaigner campaigners group groups government
    governments ministry minister ministers department agency office officer officers prosecutor prosecutors
    lawyer lawyers attorney attorneys president chancellor premier governor mayor senator congressman
    congresswoman lawmaker lawmakers lieutenant general colonel captain soldier soldiers commander diplomat
    diplomats ambassador envoy negotiator negotiators critic critics opponent opponents supporter supporters
    aide aides adviser advisers advisor advisors ally allies leader leaders rebel rebels militant militants
    investigator investigators judge court man men woman women boy girl mother father son daughter wife
    husband brother sister parent parents relative relatives friend friends family families neighbour
    neighbours neighbor neighbors doctor doctors nurse nurses teacher teachers student students driver worker
    workers volunteer volunteers survivor survivors victim victims refugee refugees villager villagers people
    local locals protester protesters demonstrator demonstrators voter voters economist economists professor
    academic academics author authors historian historians observer observers monitor monitors inspector
    inspectors company firm union unions organisation organization charity campaign committee commission
    council parliament military army navy embassy team party director chief chairman chairwoman chair
    executive manager head boss deputy secretary candidate nominee businessman farmer farmers firefighter
    firefighters rescuer rescuers pastor priest bishop coach player pilot journalist journalists reporter
    reporters correspondent editor narrator moderator agencies ministries companies firms courts judges
    insiders insider veteran veterans democrats republicans conservatives others some many most both owner
    owners founder co-founder consultant strategist pollster administration service watchdog regulator
    regulators bank department's city state kremlin pentagon
    """
)
# Things that are written and speak for whoever wrote them.
DOCUMENTS = _words(
    """
    statement report study survey poll letter post tweet message article story filing complaint lawsuit
    document documents memo email website release paper book survey statements reports studies polls petition
    ruling indictment affidavit transcript brief briefing review analysis findings results data figures
    records magazine newspaper headline caption ad commercial clip video notice response editorial column
    """
)
WITNESSING = _words(
    """
    saw see sees watched watches witnessed witness witnesses filmed films counted counts visited visits heard
    observed photographed spotted
    """
)

IMPERSONAL_ADVERBS = _words("reportedly allegedly purportedly supposedly")
IMPERSONAL_PARTICIPLES = _words(
    """
    said believed thought reported alleged claimed understood rumoured rumored suspected estimated feared
    """
)
# "according to" these is no speech.
RULES_NOT_SPEAKERS = _words(
    """
    law laws rules plan plans schedule custom tradition constitution size age rank taste need needs
    """
)

FEMALE = _words(
    """
    mrs ms miss mrs. ms. mother wife woman daughter sister girl spokeswoman chairwoman queen princess actress
    congresswoman businesswoman aunt grandmother widow lady councilwoman
    """
)
MALE = _words(
    """
    mr mr. father husband man son brother boy spokesman chairman king prince actor congressman businessman
    uncle grandfather widower councilman sir
    """
)

MODALS = _words("will would could can may might must should shall 'll ’ll")
HAVING = _words("has have had 've ’ve 's ’s 'd ’d having")
# After a past form they show a passive: "accused of", "condemned by".
AGENT_MARKS = _words("by of for as")
# A clause they open is not the sentence's own.
HINDERING = _words("after because when if before until since unless whether where who how why what")
# Nouns that a verb of saying follows without their speaking.
NEVER_SPEAK = _words("what which it all bodies law laws rule rules constitution proverb saying contract treaty sign")
# Verbs that only with their particle tell of speech, and verbs that may have one.
PARTICLES = frozenset(
    tuple(pair.split("_"))
    for pair in _words(
        """
        point_out point_to call_for call_on hit_back fire_back hit_out shoot_back spell_out lash_out speak_of speak_out
        ask_for warn_of warn_against complain_about lay_out put_it take_aim
        """
    )
)
# Speakers that "it" stands for.
BODIES = _words(
    """
    group government ministry department agency office company firm union organisation organization charity
    campaign committee commission council parliament military army navy embassy team party administration
    service watchdog regulator bank state court city kremlin pentagon
    """
)
# Determiners that are a subject by themselves: "some said", "many say".
STANDING_ALONE = _words(
    """
    some many several most all one both another others few dozens hundreds thousands
    """
)
PLURALS = _words("people police men women children some others many most both authorities")
CLAUSE_WORDS = _words("that : how why whether it he she they there we")
STATE_MEDIA = frozenset(("state television", "state tv", "state media", "state radio", "news agency", "local media"))
# A clause they open stands beside the main one: its speaker is taken where the main clause has none.
ASIDES = _words("that which whom as while but though although")
# "issued a statement", "made an appeal": what is issued, and how.
ISSUING = _words(
    """
    issued issues released releases made makes gave gives published posted delivered offered sent
    """
)
STATEMENTS = _words(
    """
    statement statements comment comments remark remarks plea appeal call speech address announcement
    allegation allegations accusation accusations apology denial warning pledge promise prediction assessment
    """
)
# Newsrooms that go by what they are.
PRESS = _words("television tv radio broadcaster newspaper tabloid")
# What is said may stand before them, and where it was written behind: "…, the office wrote on its website".
WRITING = _words("write add explain")
JOINING = _words("but while though although")
# What a study does where a person speaks.
FINDING = _words("show find suggest indicate reveal estimate conclude")
# They may stand between "and" and a name.
TITLES = _words(
    """
    mr mr. mrs mrs. ms ms. miss dr dr. sen. rep. gov. prof. sir lord lady president senator
    """
)
NOUNS_IN_LY = _words("family ally assembly supply reply bully anomaly monopoly homily fly july italy")
