"""How news English words a denial, and a charge: compiled patterns, to be searched in one sentence."""

from __future__ import annotations

import re

from retrieval.lexicon.word_classes import nouns


def _pattern(words: str) -> re.Pattern[str]:
    """Return the verbose pattern: white space in it counts for nothing, ``_`` stands for any."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


DENYING = _pattern(
    r"""\b(?: den(?:y|ies|ied|ying) | reject(?:s|ed|ing)? | refut(?:es?|ed|ing) | rebut(?:s|ted|ting)?
        | disput(?:es?|ed|ing) | disavow(?:s|ed|ing)? | repudiat(?:es?|ed|ing) | dismiss(?:es|ed|ing)? )\b"""
)
# What is held against somebody or put forward: what a denial rejects. One rejects a claim, and also a plan or an offer.
_CHARGES = "|".join(sorted(nouns("charges", "accounts", "claims", "reports")))
CHARGE = _pattern(
    rf"""\b(?: {_CHARGES} | suggestions? | notion | criticisms? | rumou?rs? | responsib\w+ | involvement | wrongdoing
        | guilt | blame | charactari[sz]ations? )\b"""
)

# A sentence without any of these (in lower case) cannot match: the pattern is slow, and most sentences deny nothing.
DENYING_STEMS = ("deny", "denie", "reject", "refut", "rebut", "disput", "disavow", "repudiat", "dismiss")
