"""The closed classes of English by which news copy tells who says a thing: sets of lower-case words.

And what the rules of speech hand to one another: who is said to speak, and the cue that tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from retrieval.lexicon.reporting_verbs import (
    FINDING as FINDING,
    HEARSAY,
    INVERTING as INVERTING,
    NOUNS_TOO as NOUNS_TOO,
    PARTICLED as PARTICLED,
    PARTICLES as PARTICLES,
)
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.model import Mention

# What may stand between a subject and its verb.
HAVING = classes("forms_of_have", "clitics_of_have", "clitic_s", "clitic_d") | {"having"}
BEING = classes("forms_of_be", "clitics_of_be", "forms_of_get")
MODALS = classes("modals", "clitic_modals")
AUXILIARIES = classes("auxiliaries") - classes("forms_of_get")
NEGATIONS = classes("negations")
ADVERBS = (
    (classes("adverbs", "reflexives", "so") - classes("there", "approximators")) | {"first", "though"} | {"all", "both"}
)
WEEKDAYS = classes("weekdays")
MONTHS = classes("months", "short_months", "house_months") | {
    f"{month}." for month in classes("short_months", "house_months")
}
# The words of a date that may slip in between: "on Sunday", "late last week", "this year".
TIMES = WEEKDAYS | MONTHS | nouns("parts_of_day", "time_units") | {"early", "late", "ago"} | {"last", "this", "next"}
PRONOUNS = classes("third_persons", "first_persons")
RELATIVES = classes("relatives") | {"that"}
DETERMINERS = classes("determiners", "units") | nouns("round_numbers")
PREPOSITIONS = classes("prepositions") | {"after", "before", "since"}
# Words that open a clause or join one to another: no noun phrase reaches across them.
CLAUSE_OPENERS = (classes("clause_words", "conjunctions") - {"and", "nor"}) | {"that"}
SUBORDINATORS = classes(
    "time_conjunctions", "causal_conjunctions", "conditional_conjunctions", "concessives"
) | frozenset("as when if".split())
CLAUSE_STARTS = PRONOUNS | DETERMINERS | classes("interrogatives", "whether", "second_persons") | {"that", "there", ":"}
CLOSING_MARKS = frozenset(("”", '"', "’", "»", "''", "'", "“"))
COMMAS = frozenset([",", "-", "--", "–", "—", "―", "(", ")", "[", "]", ";"])

# Newsrooms that go by what they are, and for one named before.
PRESS = classes("airwaves") | {"broadcaster", "newspaper", "tabloid"}
OUTLETS = classes("outlets") | {"site", "daily", "agency"}

# Speakers that "it" stands for; nouns that stand for a body named before.
BODIES_AT_LARGE = (classes("associations", "organizations", "chief_associations", "firms") - {"bank", "team"}) | {
    "group",
    "agency",
    "watchdog",
}
BODIES = classes(
    "chief_bodies", "chief_associations", "parties", "parliaments", "firms", "organizations", "seats"
) | frozenset("state city".split())
# Nouns for people and bodies that speak without being named; their plurals speak, too.
SPEAKERS = (
    classes("people", "indefinite_persons", "quantifiers", "duals", "media", "seats")
    | nouns(
        "roles",
        "persons",
        "women",
        "men",
        "bystanders",
        "sides",
        "chief_bodies",
        "public_bodies",
        "parliaments",
        "firms",
    )
    | nouns("chief_associations", "associations", "parties", "organizations", "sources")
    | {"one", "chorus", "majority"}
    | {"state", "city"}
)
# Things that are written and speak for whoever wrote them.
DOCUMENTS = (
    nouns("reports", "inquiries", "publications", "documents", "messages", "writings", "datasets")
    | frozenset("complaint story website paper magazine newspaper video clip figures".split())
    | {"statement", "statements", "post"}
)
WITNESSING = classes("witnessing_verbs") | {"heard", "observed"}
IMPERSONAL_ADVERBS = classes("impersonal_adverbs")
IMPERSONAL_PARTICIPLES = HEARSAY | {"understood", "rumoured", "rumored"}
FEMALE = classes("kin_women", "women", "royal_women", "women_in_office") | frozenset(
    "mrs ms miss mrs. ms. spokeswoman businesswoman actress lady".split()
)
MALE = classes("kin_men", "men", "royal_men", "men_in_office") | frozenset(
    "mr mr. spokesman businessman actor sir".split()
)
# After a past form they show a passive: "accused of", "condemned by".
AGENT_MARKS = {"by", "of"} | {"for", "as"}
# A clause they open is not the sentence's own.
HINDERING = (
    classes("time_conjunctions", "causal_conjunctions", "conditional_conjunctions", "whether", "interrogatives")
    - {"once", "till"}
) | {"who"}
# Such a clause, where it ends a sentence, is as good as one beside it: "the pier was shut after police said …".
TELLING_WHEN = frozenset(("after", "because", "since"))
# Nouns that a verb of saying follows without their speaking.
NEVER_SPEAK = nouns("works", "rules") | {"what", "which", "it"} | {"all", "bodies", "saying"} | {"contract", "sign"}
# Nouns that stand for a person named before. Offices are none of them: there is a president in every story.
CALLINGS = classes(
    *("spokespeople", "businesspeople", "lawyers", "scholars", "medics", "reporters", "writers", "partisans", "trades"),
    "occupations",
)
# Determiners that are a subject by themselves: "some said", "many say".
STANDING_ALONE = classes("quantifiers") | nouns("round_numbers") | {"all", "one", "both"} | {"another", "others"}
PLURALS = (
    classes("collectives", "quantifiers")
    | {"people", "men", "women"}
    | {"both", "data", "media"}
    | {"children", "police"}
)
CLAUSE_WORDS = classes("third_persons", "first_persons", "interrogatives", "whether", "there") | {"that", ":", "who"}
STATE_MEDIA = frozenset(("state television", "state tv", "state media", "state radio", "news agency", "local media"))
# A clause they open stands beside the main one: its speaker is taken where the main clause has none.
JOINING = (classes("concessives") - {"whereas", "whilst"}) | {"but"}
ASIDES = JOINING | {"that", "as"} | {"which", "whom"}
# "issued a statement", "made an appeal": what is issued, and how.
ISSUING = classes("issuing_verbs")
STATEMENTS = nouns("claims", "charges", "addresses", "accounts", "avowals") | {"letter", "details"}
# What somebody is said to have said, before "that".
CLAIMS = nouns("claims", "charges", "avowals") | {"fears", "report", "reports"}
# They may stand between "and" and a name.
TITLES = (
    {f"{title.lower()}{stop}" for title in classes("courtesy_titles", "cut_titles") for stop in ("", ".")}
    | classes("royal_women", "royal_men")
    | {"miss", "sir", "lord", "lady", "president", "senator"}
)
NOUNS_IN_LY = frozenset(
    "family ally assembly supply reply bully anomaly monopoly homily fly july italy".split(),
)
# Verbs before "to" with which somebody does say it: "went on to claim", "sought to assure".
SETTING_OUT = frozenset(
    "went goes continued continues sought seeks tried tries attempted attempts began begins took takes rose".split()
)


# How surely a cue is the sentence's own: its main clause, a clause beside it, or none of its own at all.
MAIN, ASIDE, BELOW = 2, 1, 0


class Shape(Enum):
    """How a source is given."""

    NAME = auto()
    PHRASE = auto()
    PRONOUN = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """Who is said to speak: tokens ``first`` to ``last`` (inclusive), ``head`` its chief word in lower case.

    ``mention`` is there for a name only.
    """

    shape: Shape
    first: int
    last: int
    head: str
    mention: Mention | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """That a sentence tells of speech: the tokens ``cue`` to ``last`` are the cue, ``source`` who speaks.

    Without a source it is hearsay ("is believed to"). ``observed`` where the source saw and does not speak.
    ``rank`` orders the cues of one sentence; ``rule`` found it; ``lemma`` is the verb's. It is ``sure`` where
    whoever it tells of can be shown.
    """

    source: Source | None
    cue: int
    last: int
    rank: int
    rule: str
    lemma: str = ""
    observed: bool = False
    sure: bool = True
