"""What somebody typed -> the same without the marks of emphasis and of lists: "*words*", "_words_", "2. words".

They are how words look, and no part of them. An article may hold such marks itself, so what is to be compared with one
is compared as it was typed first.
"""

from __future__ import annotations

import re

# before a word or behind one; "2*3" and "snake_case" keep theirs
_EMPHASIS = re.compile(
    r"(?<![\w*_~`])[*_~`]{1,6}(?=[\w\"“„‘'«(\[$£€])|(?<=[\w\"”’'».,;:!?…)\]%])[*_~`]{1,6}(?![\w*_~`])"
)
_LISTED = re.compile(r"^[ \t]*(?:[-*+•◦▪‣·–]|\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)


def without_marks(text: str) -> str:
    """Return ``text`` without marks of emphasis around words and of lists before lines."""
    return _EMPHASIS.sub("", _LISTED.sub("", text))
