"""Who counts as a newsroom: agencies, papers, broadcasters and sites by name, and the words their names are made of.

Names stand without "The"; how one is told in a sentence is the business of ``outlets``.
"""

from __future__ import annotations

from retrieval.lexicon.word_classes import classes, nouns

AGENCIES = classes("agencies")
NAMES = classes("newsroom_names")

# By itself, with "The" before it, each of these is a paper.
SHORT = classes("paper_kinds", "paper_bodies", "paper_words")

# A capitalised name that ends so is a newsroom's, whoever it is; "Press" and "Mail" by themselves are not.
SHAPES = classes("paper_kinds", "newsroom_endings")
SHAPE_PAIRS = classes("newsroom_pairs")

# What a newsroom is called when it is not named.
COMMON = nouns("outlets", "newsrooms") | classes("media")

# Those who work for one; their inability is the newsroom's.
STAFF = nouns("reporters") | classes("media") | {"newsmen", "newsrooms", "fact-checkers"}
