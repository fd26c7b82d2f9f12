"""Article -> its denials, and what each denies.

A denial is a sentence in which a party rejects what is said of it; a refusal to confirm or comment is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from retrieval.layout import Layout
from retrieval.model import Attribution, Denial, Mention, Sentence, Voice

_BACK = 40  # sentences a denial reaches back
_FORWARD = 3  # and on, for "X denied it. Y had accused X of …"
_DENYING = re.compile(
    r"\b(?:den(?:y|ies|ied|ying)|reject(?:s|ed|ing)?|refut(?:es?|ed|ing)|rebut(?:s|ted|ting)?|disput(?:es|ed|ing)"
    r"|disavow(?:s|ed|ing)?|repudiat(?:es?|ed|ing)|dismiss(?:es|ed|ing)?)\b",
    re.IGNORECASE,
)
# What is denied, where the verb alone does not tell: one rejects a claim, and also a plan or a lover.
_CHARGE = re.compile(
    r"\b(?:claims?|allegations?|accusations?|charges?|reports?|suggestions?|responsib\w+|involvement|wrongdoing|guilt"
    r"|blame|that|any|it|the idea|this|as|having|being|targeting|killing|ever|criticism|criticisms|assertions?)\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\b(?:(?:not|n['’]t|never|neither|nor|cannot|no one|nobody)\s+(?:\w+\s+){0,3}?(?:den(?:y|ied)|dispute[ds]?|reject|dismiss)"
    r"|confirm(?:ed)?\s+(?:n?or)\s+den\w+|den(?:y|ied|ies|ying)\s+(?:them|him|her|us|people|\w+s)\s+(?:\w+\s+)?(?:access|entry"
    r"|visas?|bail|asylum|the right|medical|food|aid)|(?:was|were|is|are|be|been|being)\s+(?:\w+ly\s+)?(?:denied|dismissed"
    r"|rejected)\s+(?:entry|access|bail|from|a|an|the|by))\b",
    re.IGNORECASE,
)
_FAKERY = (
    r"(?:fakes?|faked|fabricat\w+|staged?|staging|provocations?|hoax\w*|lies?|liars?|baseless|groundless|unfounded|false"
    r"|falsehoods?|untrue|fiction|nonsense|propaganda|disinformation|smears?|slander\w*|rigged|invent(?:ed|ions?)"
    r"|absurd|ridiculous|ludicrous|preposterous|made[ -]up|set[ -]up|witch hunt|concocted|orchestrated)"
)
_CALLED_FAKE = re.compile(
    rf"\b(?:call|describ|dismiss|denounc|brand|label|paint|portray|claim|say|said|insist|alleg|stat|argu|maintain|assert"
    rf"|accus)\w*\b[^.!?\n]{{0,120}}?\b{_FAKERY}\b",
    re.IGNORECASE,
)
_NOTHING_DONE = re.compile(
    r"\b(?:sa(?:id|ys?)|saying|insist(?:s|ed|ing)?|maintain(?:s|ed)?|assert(?:s|ed)|claim(?:s|ed)?|stat(?:es|ed))\b"
    r"[,:]?\s+(?:that\s+)?[“\"‘]?(?:no\s+\w+|none|neither|never|nobody|there (?:was|were|is|are|has been|have been) no"
    r"|(?:it|he|she|they|its|his|their|the)\s+(?:\w+\s+){0,3}?(?:had|have|has|did|do|does|was|were|is|are)"
    r"(?:\s+(?:not|never|nothing)|n['’]t|\s+no\b))",
    re.IGNORECASE,
)
_ACCUSING = re.compile(
    r"\b(?:accus\w+|alleg\w+|blam\w+|claim\w*|charg\w+|war crimes?|guilty|responsib\w+|behind|massacre\w*|murder\w*|kill\w*"
    r"|tortur\w*|atrocit\w+|genocide|fraud\w*|abus\w+|brib\w+|attack\w*|shot|executed|stole|violat\w+)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_EMPTY = frozenset(
    ["denied", "denies", "deny", "denying", "rejected", "dismissed", "claims", "claim", "claimed", "said", "says", "that"]
    + ["allegations", "allegation", "accusations", "reports", "responsibility", "repeatedly", "with", "from", "which"]
    + ["have", "been", "were", "their", "they", "also", "such", "this", "those", "these", "about", "against", "being"]
)
_SPOKEN = frozenset((Voice.NAMED, Voice.UNNAMED))


@dataclass(frozen=True, slots=True)
class _Found:
    """A denial without what it denies; ``at`` is where in the sentence its words begin."""

    at: int
    rule: str


def find_denials(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
) -> tuple[Denial | None, ...]:
    """Return for each sentence the denial it makes, if it makes one."""
    found: list[Denial | None] = []
    for i, sentence in enumerate(layout.sentences):
        denial = _denial(layout, sentence, attributions[i])
        if denial is None:
            found.append(None)
            continue
        speaker = _denier(layout, mentions[i], sentence, attributions[i], denial)
        found.append(Denial(speaker, _denied(layout, mentions, attributions, i, speaker), denial.rule))
    return tuple(found)
