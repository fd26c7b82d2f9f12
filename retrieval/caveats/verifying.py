"""The words in which news English says that something was, or was not, stood up: closed classes, in small letters."""

from __future__ import annotations

from retrieval.lexicon.word_classes import classes

# An article, or a sentence, without any of these holds no trigger; looked for before anything is taken apart.
STEMS = (
    *("verif", "confirm", "corroborat", "authentic", "substantiat", "geolocat", "independently", "vouch", "veracity"),
    *("accuracy", "truth", "genuine", "not seen", "not viewed", "not reviewed", "n't seen", "n’t seen"),
)

BASE = classes("verifying_verbs")
DONE = classes("verifying_participles")
DOING = classes("verifying_gerunds")
NOUNS = classes("verifying_nouns")
UNDONE = classes("unverified")

# Words that speak of standing something up only together with "independently", or with its truth.
WEAK_BASE = classes("checking_verbs")
SEEN = classes("viewing_participles")
WEAK_DONE = classes("checking_participles") | {"reviewed", "examined"}
TRUTH = classes("truth", "true")

NEGATIONS = classes("negations", "inability_of_things", "inability_of_people") | {"nt", "cannot", "rarely", "seldom"}
IMPERSONAL = classes("inability_of_things") | {"possible", "easy"}
BEING = classes("forms_of_be", "clitic_s") - {"am"}
HAVING = classes("forms_of_have", "clitics_of_have")
AUXILIARIES = (
    (classes("auxiliaries", "additive_adverbs", "so") - classes("forms_of_get", "clitic_modals", "clitic_d"))
    | {"ca", "far", "yet"}
    | {"still"}
)
LINKS = (
    BEING
    | BASE
    | DONE
    | classes(
        "day_adverbs", "parts_of_day", "weekdays", "additive_adverbs", "focus_adverbs", "time_adverbs", "there", "so"
    )
    | (classes("distributives", "duals", "basic_prepositions", "as_conjunctions", "coordinators") - {"by", "from"})
    | (classes("articles", "demonstratives") - {"the", "these", "those"})
    | {"point", "time", "week"}
    | {"yet", "far", "once"}
    | frozenset("able position possible easy , go fully".split())
    | {"immediately"}
)
NOUN_LINKS = classes("confirming_adjectives") | {"such", "any"}
LACKING = classes("lacking") | {"no", "little", "without"}
NEGATIVE_SUBJECTS = classes("nones") | {"neither", "nor"} | {"nothing", "nobody"} | {"little", "few"}
HAMPERING = classes("hindering_verbs")
GETTING = classes("getting_verbs") | {"have", "find", "finding"}
MEANS = (
    classes("clitic_s", "possessives")
    | {"'", "’"}
    | {"ability", "attempts", "efforts"}
    | {"reporters", "journalists", "media"}
)
TRYING = classes("trying")
REMAINING = classes("remaining")
