"""Which boilerplate may answer: none, unless the credit, the by-line, the picture or the date is asked for."""

from __future__ import annotations

import re

from retrieval import Boilerplate

_ASKED = (
    (
        re.compile(
            r"\b(?:who (?:wrote|reported|contributed|filed|edited)|helped (?:with|report|write)|contributors?"
            r"|by-?lines?|credit(?:s|ed)?|authors? of (?:the|this)|journalists? (?:on|behind))\b",
            re.IGNORECASE,
        ),
        frozenset({Boilerplate.CREDIT, Boilerplate.BYLINE}),
    ),
    (
        re.compile(r"\b(?:photos?|pictures?|images?|pix|pics?|photographers?|captions?)\b", re.IGNORECASE),
        frozenset({Boilerplate.CREDIT, Boilerplate.CAPTION}),
    ),
    (
        re.compile(r"\b(?:published|publication date|datelines?|dated|filed)\b", re.IGNORECASE),
        frozenset({Boilerplate.DATELINE}),
    ),
)


def boilerplate_asked(text: str) -> frozenset[Boilerplate]:
    """Return the kinds of boilerplate that may answer the question ``text``."""
    return frozenset().union(*(kinds for pattern, kinds in _ASKED if pattern.search(text)))
