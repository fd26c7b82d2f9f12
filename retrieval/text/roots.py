"""A text -> the roots of its long words: their beginnings, by which "Russia" and "Russian" are one.

Search terms are cut by Snowball, which keeps a people apart from its country; the sentences of one article, which deny
one another or go on from one another, are compared by roots.
"""

from __future__ import annotations

import re

_LETTERS = 5
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def root(word: str) -> str:
    """Return the beginning of ``word``, in small letters."""
    return word[:_LETTERS].lower()


def long_words(text: str) -> list[str]:
    """Return the words of ``text`` that have a root: those of four letters and more, as they are spelt."""
    return _LONG_WORD.findall(text)
