"""The words by which outlets say what they could not verify: ``cues.toml``."""

from __future__ import annotations

from importlib.resources import files

from retrieval.lexicon.word_classes import WordSets, ordered

cues = WordSets(files(__package__) / "cues.toml")

# An article, or a sentence, without any of these holds no trigger; looked for before anything is parsed.
STEMS = (
    *"verif confirm corroborat authentic substantiat geolocat independently vouch veracity determine".split(),
    *"establish ascertain accuracy truth genuine".split(),
    *("not seen", "not viewed", "not reviewed", "n't seen", "n’t seen"),
)
# What one thing may be called, in the singular.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ordered("videos"),
    ordered("images"),
    (*ordered("sounds"), "call"),
    (*ordered("messages"), "post", "comment"),
    (*ordered("documents"), *ordered("writings"), "paper"),
    ordered("datasets"),
)
PICTURED = frozenset((0, 1, 2))  # the families of what is seen or heard
# Endings of nouns for saying or happening.
SPEECH_ENDINGS = ("tion", "ment", "sion", "ance", "ence")
