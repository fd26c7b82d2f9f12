"""Closed classes of words that tell what a name is the name of: titles, roles, heads of bodies, places and events."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import capitalized, classes, plural


def _with_stop(words: frozenset[str]) -> frozenset[str]:
    """Return words that are cut short as they are written with a full stop and without."""
    return words | {f"{word}." for word in words}


# Words a name may have inside it in lower case.
PARTICLES = classes("name_particles")

# Before a name, never a part of it.
HONORIFICS = (
    _with_stop(classes("courtesy_titles"))
    | classes("forms_of_address")
    | (capitalized("high_clergy") - {"Patriarch"})
    | {"Father", "Sister", "Brother", "Rabbi", "Ayatollah"}
)

# Before a first name standing alone they are part of what its bearer is called.
REGAL = capitalized("royal_women", "royal_men") | {"Saint", "St.", "St", "Patriarch"}

ABBREVIATED_TITLES = _with_stop(classes("cut_titles")) | classes("initialled_titles")

# Nouns that say what a person is; lower-case here, matched in any case, singular.
ROLES = classes("roles")

# Before a role, in lower or upper case, part of it: "deputy prime", "acting", "vice".
ROLE_MODIFIERS = (
    classes("role_modifiers", "portfolios", "ranks", "then")
    | {"assistant", "attorney", "deputy"}
    | {"chief", "executive", "secretary"}
    | frozenset("principal army senate campaign district house party under".split())
    | {"police", "staff"}
    | {"first", "late"}
    | {"lance", "petty", "warrant"}
)

# The last word of what a body is called.
BODIES = (
    (capitalized("bodies", "airwaves", "media", "outlets") - capitalized("seats"))
    | classes("paper_kinds", "paper_bodies", "newsroom_endings")
    | frozenset(plural(word).capitalize() for word in classes("learning", "firms"))
    | {"Group", "Party", "Monitor"}
    | frozenset(
        (
            "Brigades Courts Departments Executive Forces Guard Hospitals Wire Prosecutors Reporter Schools Services "
            "Unions Workers"
        ).split()
    )
)

# Of these the word itself is a body only where another capital word stands before or "of" follows.
SITES = capitalized("sites", "surname_sites", "leading_sites", "territories")

# Before the name of a place.
SITE_OPENERS = capitalized("leading_sites") | {"Mt", "Mt.", "Lake", "Port", "Lac", "Rio", "Cabo"}

EVENTS = capitalized("events")

# Days and months, cut short or not, zones and parts of the day.
CALENDAR = (
    (capitalized("weekdays", "months", "house_months", "short_months") - {"Mar", "Jun"})
    | {f"{day}s" for day in capitalized("weekdays")}
    | (capitalized("short_weekdays", "house_weekdays") - {"Mon", "Sat", "Sun"})
    | {f"{word}." for word in capitalized("short_weekdays", "house_weekdays", "short_months", "house_months")}
    | {zone.upper() for zone in classes("time_zones")}
    | {"AM", "PM", "a.m.", "p.m.", "A.M.", "P.M."}
)

# Capital words that name no one: forms of address, ranks without a name, credits.
NAMELESS = (
    classes("acronyms", "suffixes_of_names", "page_furniture")
    | {f"I{clitic}" for clitic in ("'m", "'ve", "'d", "'ll")}
    | {"Lord", "I", "CEO", "CFO", "COO"}
)

# Words that open a sentence, or stand in capitals at a heading's start, and are no names.
OPENERS = (
    classes("determiners", "pronouns", "clause_words", "auxiliaries", "negation", "prepositions", "conjunctions")
    | classes("adverbs", "contractions", "interjections", "number_words")
    | {word for word, verb in VERBS.items() if verb.lemma in ("say", "tell", "ask", "speak")}
    | frozenset(
        (
            "according given former current retired newly senior top new old dozens hundreds thousands millions "
            "then-president let"
        ).split()
    )
)

# Behind these "of" goes on with the name, though they are neither bodies nor sites by themselves.
LINKING_HEADS = (
    capitalized("offices", "heads", "men_in_office", "women_in_office", "high_clergy", "leading_sites")
    | frozenset("Duke Duchess Prince Princess Church Museum Bill Tower Sea Editor Dean Master Knights".split())
    | frozenset("Daughters Sons Doctors Reporters Sisters Mothers Friends".split())
    | {"Declaration", "Voice"}
)

# Bodies whose "of" or "for" may take two matters, and adjectives that open the name of a public body.
PUBLIC = (
    capitalized("chief_bodies", "public_bodies", "parliaments", "chambers", "organizations")
    | frozenset("National International European Royal American British Public Standards Securities Customs".split())
    | {"Centers", "Centre", "Center"}
    | {"Institute", "Secretary", "Minister"}
    | {"Federal", "Central", "State"}
    | {"Immigration"}
)

# A possessive of these may stand inside a name.
POSSESSORS = (
    capitalized("offices", "royal_women", "royal_men")
    | {
        plural(word).capitalize()
        for word in classes("persons", "women", "men", "bystanders", "lawyers", "medics", "reporters", "trades")
    }
    | {"General", "Attorney", "Prosecutor"}
    | {"Mother", "Father", "Valentine"}
    | {"Ladies", "Lord", "Peoples"}
    | {"Veterans"}
)

# What a state's offices are over: the complement of a title ("Secretary of State", "Chief of Staff").
OFFICES = capitalized("portfolios", "fields_of_state", "chambers", "parliaments") | frozenset(
    "Human Police Services Staff Treasury Veterans War".split()
)

# Before the name of an event.
EVENT_OPENERS = capitalized("storms") | {"Operation", "Battle", "Siege"}

# Bodies called by one word.
STANDING_BODIES = (
    (capitalized("parliaments", "seats") - {"Vatican"}) | {"Interpol", "Europol", "Eurojust"} | {"Treasury"}
)

# The last word of what a law, a plan or a work is called: no kind of ours.
LAWS = capitalized("works", "reports")

# In what a craft or a ware is called: no kind of ours.
CRAFT = classes("craft")

# Before the name of a place, a part of it: "South Asia".
DIRECTIONS = capitalized("directions") | {"N.", "S.", "E.", "W."}

# A centre, a district or a station with one of these in its name is a body rather than a site.
BODILY = capitalized("portfolios", "fields_of_state", "fields_of_work", "airwaves", "media") | frozenset(
    "for on Information School Tax News Data".split()
)

# Sites that are surnames as well.
SURNAME_SITES = capitalized("surname_sites") | {"Marsh", "Fields", "Berg"}
