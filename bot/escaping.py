"""Text from outside -> the same text, safe to draw on a terminal, in Slack and on Discord.

What would be obeyed rather than shown stands as its code: control characters (they colour, ring and forge lines), the
turns of direction (they show words in another order), and halves of characters (nothing can send them).
Everything else stays, the marks of right-to-left copy among it.

What somebody typed -> the same without the marks of emphasis and of lists: "*words*", "_words_", "2. words".

They are how words look, and no part of them. An article may hold such marks itself, so what is to be compared with one
is compared as it was typed first.
"""

from __future__ import annotations

import re

# Category Cc but for the line feed, category Cs, and what turns the direction of writing (UAX #9).
_OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile(r"[\n\u2028\u2029]")


def escape_controls(text: str) -> str:
    """Return ``text`` with what would be obeyed shown as its code; line feeds stay."""
    return _OBEYED.sub(_code, text)


def escape_line(text: str) -> str:
    """Return ``text`` on one line: what would break it is shown as its code too."""
    return _BREAKS.sub(_code, escape_controls(text))


def _code(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]):02x}"


# before a word or behind one; "2*3" and "snake_case" keep theirs
_EMPHASIS = re.compile(
    r"(?<![\w*_~`])[*_~`]{1,6}(?=[\w\"“„‘'«(\[$£€])|(?<=[\w\"”’'».,;:!?…)\]%])[*_~`]{1,6}(?![\w*_~`])"
)
_LISTED = re.compile(r"^[ \t]*(?:[-*+•◦▪‣·–]|\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)


def without_marks(text: str) -> str:
    """Return ``text`` without marks of emphasis around words and of lists before lines."""
    return _EMPHASIS.sub("", _LISTED.sub("", text))
