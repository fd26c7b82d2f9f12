"""The closed classes of English by which news copy tells who says a thing: sets of lower-case words."""

from __future__ import annotations

from retrieval.tables import listed

# Forms that are nouns as often as verbs: "claims", "the report", "calls for": they need a clause or a quotation.
NOUNS_TOO = listed(
    """
    claim claims report reports call calls demand demands state states note notes comment comments tweet
    tweets estimate estimates question questions charge charges attack attacks promise promises threat pledge
    pledges vow vows challenge challenges reply replies answer answers appeal appeals post posts show shows
    quote quotes rule rules record records remark remarks joke jokes point points text texts email log counter
    blame praise thanks thank detail details document documents forecast forecasts highlight highlights stress
    brand brands label labels ridicule warning finding findings showing saying reading meaning posting rebuke
    ruling salute dispute disputes signal signals echo echoes welcome advance doubt doubts worry worries hope hopes
    fear fears regret regrets feeling protest protests request requests advances blast blasts boast boasts hint hints
    """
)

# Verbs that can stand before their subject: "…," said X.
INVERTING = listed(
    """
    say add write explain ask reply respond answer note tweet continue declare recall argue remark warn
    observe insist conclude announce exclaim quip joke admit claim comment lament shout stress complain
    testify allege acknowledge concede predict
    """
)

# What may stand between a subject and its verb.
AUXILIARIES = listed(
    """
    has have had 's 've 'd ’s ’ve ’d is are was were be been being am 're ’re 'm ’m will would could can may
    might must should shall do does did 'll ’ll
    """
)
BEING = listed("is are was were be been being am 're ’re 'm ’m get gets got")
NEGATIONS = listed("not n't n’t never")
ADVERBS = listed(
    """
    also then later earlier again still already repeatedly reportedly previously publicly recently now just
    once often today yesterday tonight tomorrow simply further famously angrily bluntly quickly immediately
    initially consistently frequently specifically privately openly strongly flatly categorically vehemently
    long even only always sometimes afterwards instead subsequently separately first all both himself herself
    themselves itself too so jokingly however meanwhile therefore nevertheless nonetheless moreover likewise
    conversely though
    """
)
WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
MONTHS = listed(
    """
    january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec.
    """
)
# The words of a date that may slip in between: "on Sunday", "late last week", "this year".
TIMES = (
    WEEKDAYS
    | MONTHS
    | listed(
        """
    morning afternoon evening night week month year early late last this next ago hours days weeks
    """
    )
)

PRONOUNS = listed("he she they it we i")
RELATIVES = listed("who which that whom whose")
DETERMINERS = listed(
    """
    a an the this these those that some many several most all one two three four five six seven eight nine ten
    both another other no any each every his her their its our my more few dozens hundreds thousands
    """
)
PREPOSITIONS = listed(
    """
    of in on at by for from with about against to into over after before under during since through between
    among near inside outside across around behind beyond despite without within upon via amid following per
    including like
    """
)
# Words that open a clause or join one to another: no noun phrase reaches across them.
CLAUSE_OPENERS = listed(
    """
    that but while as after because when where if although though whether since before until unless who which
    whom whose why how what than whereas so yet or
    """
)
SUBORDINATORS = listed(
    """
    as after because when if although though since before until unless while whereas
    """
)
CLAUSE_STARTS = (
    PRONOUNS | DETERMINERS | listed("that how why whether what there he she it they we you i : his her their its if")
)
CLOSING_MARKS = listed(
    """
    ” " ’ » '' ' “
    """
)
COMMAS = frozenset([",", "-", "--", "–", "—", "―", "(", ")", "[", "]", ";"])

# Nouns for people and bodies that speak without being named.
SPEAKERS = listed(
    """
    one proponent proponents advocate advocates backer backers detractor detractors member members everyone anyone
    someone nobody majority chorus rival rivals counterpart organiser organisers organizer organizers
    official officials witness witnesses eyewitness resident residents source sources police authorities authority
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
    regulators media bank department's city state kremlin pentagon
    """
)
# Things that are written and speak for whoever wrote them.
DOCUMENTS = listed(
    """
    statement report study survey poll letter post tweet message article story filing complaint lawsuit
    document documents documentary research investigation inquiry probe audit census autopsy test tests memo
    email website release paper book survey statements reports
    studies polls polling petition
    ruling indictment affidavit transcript brief briefing review analysis findings results data figures
    records magazine newspaper headline caption ad commercial clip video notice response editorial column
    """
)
WITNESSING = listed(
    """
    saw see sees watched watches witnessed witness witnesses filmed films counted counts visited visits heard
    observed photographed spotted
    """
)

IMPERSONAL_ADVERBS = listed("reportedly allegedly purportedly supposedly")
IMPERSONAL_PARTICIPLES = listed(
    """
    said believed thought reported alleged claimed understood rumoured rumored suspected estimated feared
    """
)

FEMALE = listed(
    """
    mrs ms miss mrs. ms. mother wife woman daughter sister girl spokeswoman chairwoman queen princess actress
    congresswoman businesswoman aunt grandmother widow lady councilwoman
    """
)
MALE = listed(
    """
    mr mr. father husband man son brother boy spokesman chairman king prince actor congressman businessman
    uncle grandfather widower councilman sir
    """
)

MODALS = listed("will would could can may might must should shall 'll ’ll")
HAVING = listed("has have had 've ’ve 's ’s 'd ’d having")
# After a past form they show a passive: "accused of", "condemned by".
AGENT_MARKS = listed("by of for as")
# A clause they open is not the sentence's own.
HINDERING = listed("after because when if before until since unless whether where who how why what")
# Such a clause, where it ends a sentence, is as good as one beside it: "the pier was shut after police said …".
TELLING_WHEN = listed("after because since")
# Nouns that a verb of saying follows without their speaking.
NEVER_SPEAK = listed("what which it all bodies law laws rule rules constitution proverb saying contract treaty sign")
# Verbs that only with their particle tell of speech, and verbs that may have one.
PARTICLES = frozenset(
    tuple(pair.split("_"))
    for pair in listed(
        """
        point_out point_to call_for call_on hit_back fire_back hit_out shoot_back spell_out lash_out speak_of speak_out
        ask_for warn_of warn_against complain_about lay_out put_it take_aim
        """
    )
)
# Speakers that "it" stands for.
BODIES = listed(
    """
    group government ministry department agency office company firm union organisation organization charity
    campaign committee commission council parliament military army navy embassy team party administration
    service watchdog regulator bank state court city kremlin pentagon
    """
)
# Nouns that stand for a body named before, and for a newsroom named before.
BODIES_AT_LARGE = listed(
    """
    group organisation organization charity company firm agency union movement association watchdog
    """
)
# Nouns that stand for a person named before. Offices are none of them: there is a president in every story.
CALLINGS = listed(
    """
    activist actor ambassador analyst artist attorney author blogger businessman businesswoman campaigner coach
    columnist congressman congresswoman diplomat doctor economist envoy expert farmer historian judge journalist
    lawmaker lawyer nurse physician player pilot priest professor psychologist researcher scientist senator singer
    surgeon teacher academic commander mayor scholar investigator engineer director spokesman spokeswoman spokesperson
    """
)
OUTLETS = listed("newspaper paper magazine broadcaster network channel website site outlet daily tabloid agency")
# Determiners that are a subject by themselves: "some said", "many say".
STANDING_ALONE = listed(
    """
    some many several most all one both another others few dozens hundreds thousands
    """
)
PLURALS = listed("people police men women children some others many most both authorities data media")
CLAUSE_WORDS = listed("that : how why whether what where when who it he she they there we")
STATE_MEDIA = frozenset(("state television", "state tv", "state media", "state radio", "news agency", "local media"))
# A clause they open stands beside the main one: its speaker is taken where the main clause has none.
ASIDES = listed("that which whom as while but though although")
# "issued a statement", "made an appeal": what is issued, and how.
ISSUING = listed(
    """
    issued issues released releases made makes gave gives published posted shared delivered offered sent
    """
)
STATEMENTS = listed(
    """
    statement statements claim claims comment comments remark remarks plea appeal call speech address announcement
    allegation allegations accusation accusations apology denial warning pledge promise prediction assessment
    advice criticism praise tweets letter explanation account details ultimatum rebuke complaint testimony
    """
)
# What somebody is said to have said, before "that".
CLAIMS = listed(
    """
    claim claims allegation allegations accusation accusations assertion assertions contention argument
    statement statements warning warnings suggestion suggestions insistence belief announcement admission
    acknowledgement acknowledgment prediction predictions complaint complaints promise promises pledge vow threat
    assurance assurances denial denials report reports estimate estimates remark remarks comment comments fears
    """
)
# Newsrooms that go by what they are.
PRESS = listed("television tv radio broadcaster newspaper tabloid")
JOINING = listed("but while though although")
# What a study does where a person speaks.
FINDING = listed("show find suggest indicate reveal estimate conclude underline underscore highlight confirm signal")
# Verbs that report beside a quotation or with their particle only.
PARTICLED = listed("put take hit fire lay speak sing hear learn read")
# They may stand between "and" and a name.
TITLES = listed(
    """
    mr mr. mrs mrs. ms ms. miss dr dr. sen. rep. gov. prof. sir lord lady president senator
    """
)
NOUNS_IN_LY = listed("family ally assembly supply reply bully anomaly monopoly homily fly july italy")
