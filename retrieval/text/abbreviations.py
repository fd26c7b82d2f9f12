"""Closed classes of words that decide what a full stop means."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import INVERTING, VERBS, Force, Form
from retrieval.lexicon.word_classes import capitalized, classes

# A stop after one of these never ends a sentence: a name follows.
TITLES = (classes("courtesy_titles", "cut_titles", "other_cut_titles") - {"Del"}) | {"Sir"}

# A stop after one of these ends a sentence only before a word that begins sentences.
SHORTENED = (capitalized("short_months", "house_months") - {"May"}) | classes("cut_words") | {"Del"}

# The same, but only after a comma: "Salem, Mass. police", for most of them are words as well.
STATES = classes("cut_states")

# What is told apart by letters, so that the letter is no initial: "vitamin C. Doctors say".
LETTERED = classes("lettered")

# A stop after one of these does not end a sentence before a figure.
NUMBERING = classes("numbering")

# Words that begin sentences, and seldom follow an abbreviation inside one.
STARTERS = (
    (
        classes("determiners", "pronouns", "clause_words", "auxiliaries", "negation", "prepositions", "conjunctions")
        - {"via"}
    )
    | classes("connective_adverbs", "day_adverbs", "time_adverbs", "then", "focus_adverbs", "additive_adverbs", "there")
    | {"asked", "speaking", "let"}
)

# What may follow "6 p.m." within the sentence.
AFTER_THE_HOUR = classes(
    *("time_zones", "zone_names", "weekdays", "short_weekdays", "house_weekdays"),
    *("months", "short_months", "house_months"),
)

# Verbs that name the speaker after a quotation that ends in a question or exclamation mark.
ASKING = "|".join(
    sorted(
        word
        for word, verb in VERBS.items()
        if (verb.force is Force.SAYING or verb.lemma in INVERTING) and verb.form in (Form.THIRD, Form.PAST)
    )
)
