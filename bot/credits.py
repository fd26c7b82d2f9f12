"""Which sentences may answer: boilerplate never does, unless the credit, the by-line or the date is asked for."""

from __future__ import annotations

import re

from retrieval.model import Boilerplate, Passage
from retrieval.search import Query

_ASKED = (
    (
        re.compile(
            r"\b(?:who (?:wrote|reported|contributed|filed|edited)|helped (?:with|report|write)|reporting|contributors?"
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


def may_show(passage: Passage, query: Query) -> bool:
    """Tell whether ``passage`` may answer ``query``."""
    kind = passage.sentence.boilerplate
    return kind is None or any(kind in kinds for pattern, kinds in _ASKED if pattern.search(query.text))
