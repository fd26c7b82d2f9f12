"""The nouns by which outlets name what they could not stand up: closed classes, in small letters.

A noun that stands in none of them falls to a class by its shape (see ``objects``), never to nothing.
"""

from __future__ import annotations

from retrieval.lexicon.word_classes import classes, nouns, ordered, plural

# What one thing is called by turns, in the singular.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ordered("videos"),
    ordered("images"),
    (*ordered("sounds"), "call"),
    (*ordered("messages"), "post", "comment"),
    (*ordered("documents"), *ordered("writings"), "paper"),
    ordered("datasets"),
)
PICTURED = frozenset({0, 1, 2})  # the families of what is seen or heard
FIGURES = nouns("figures") | {"estimate", "estimates", "data"} | {"victims"}
ACCOUNTS = nouns("accounts")
CLAIMS = frozenset(plural(noun) for noun in classes("claims", "charges", "tellings")) | {"reports"}
CLAIM = classes("claims", "charges", "tellings") | {"report", "version"}
CHARGES = nouns("charges") | {"misconduct"}
REPORTS = nouns("reports") | classes("coverage") | {"story", "stories", "reporting"}
POINTERS = classes("demonstratives") | {"it", "they", "them"} | {"such", "which"}
SEVERAL = {"these", "those"} | {"they", "them"}
POSSESSIVES = classes("possessives")
SIDES = classes("duals") | {"sides", "two", "none"}
DEFINITE = (
    classes("demonstratives", "possessives", "distributives", "duals", "nones") - {"every", "all", "no"}
) | frozenset("the such some".split())
# How a noun ends that tells of saying or of happening.
TOLD = ("tion", "ment", "sion", "ance", "ence")
OFTEN = (
    (classes("frequency_adverbs") - {"sometimes", "repeatedly", "twice"}) | {"most", "many"} | {"routinely", "largely"}
)
HARD = classes("inability_of_things") | {"rarely", "often", "frequently"}
PREPOSITIONS = classes("basic_prepositions", "particle_prepositions", "relatives", "coordinators") | {"that", "as"}
EMPTY = (
    DEFINITE
    | classes("basic_prepositions", "relatives", "identifying_particulars", "other_particulars", "truth", "clitic_s")
    | classes("articles", "nones", "coordinators", "whether", "distributives", "duals")
    | {"one", "two", "'", "’", ",", "independently", "immediately"}
)
# People who are named so vaguely that the words find no speaker.
ANYBODY = nouns("women", "men", "onlookers", "persons", "parties") | classes("quantifiers", "duals") | {"one", "local"}
ONLOOKERS = nouns("onlookers", "bystanders")  # who tell what they saw
# Those whose the claims are that are said to be "of" them, though their names are no names.
BODIES = (
    nouns("women", "men", "onlookers", "bystanders", "sides", "spokespeople", "organizations", "parties", "partisans")
    | classes("chief_bodies")
    | {"officials", "minister", "opposition", "users"}
)
