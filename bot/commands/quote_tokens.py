"""Text -> its words as a comparison of quotations sees them: typography gone, everything else kept.

Quotation marks, white space and the kind of a dash do not count; letters, digits, stops and commas do. These are not
the tokens that articles are read by: what is pasted is no copy (marks are lost, "don't" has a typewriter's apostrophe),
and a word must be the same on both sides whatever marks stand around it, so marks never decide where it is cut.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DOTS = r"(?:…|\.\s?\.\s?\.)"
# words with their inner apostrophes, hyphens and digits; an ellipsis, in brackets or not; any other mark by itself
_WORD = re.compile(rf"\w+(?:['’.,\-‐‑]\w+)*|\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS}|[^\w\s]")
_ELLIPSIS = re.compile(rf"[\[(]?\s*{_DOTS}\s*[\])]?")
_MARKS = frozenset("\"“”„‟«»‘’'‚‛`´")
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_ENDS = frozenset(".,;:!?…")
_PUNCTUATION = _ENDS | frozenset("-()[]{}/")
_PLAIN = str.maketrans({"’": "'", "‐": "-", "‑": "-"})


class Word(NamedTuple):
    """A word at its place; ``form`` is what it is compared by, ``cased`` the same with its capitals."""

    form: str
    cased: str
    start: int
    end: int

    @property
    def is_punctuation(self) -> bool:
        """Whether it is a stop, a comma, a dash, a bracket or the like."""
        return self.form in _PUNCTUATION


def quote_words(text: str) -> tuple[Word, ...]:
    """Return the words of ``text``, with stops and commas, without quotation marks."""
    return tuple([_word(match) for match in _WORD.finditer(text) if match[0] not in _MARKS])


def _word(match: re.Match[str]) -> Word:
    cased = match[0]
    if not cased.isalnum():
        cased = "…" if _ELLIPSIS.fullmatch(cased) else _DASHES.get(cased, cased).translate(_PLAIN)
    return Word(cased.casefold(), cased, *match.span())


def trimmed(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the tokens without stops and commas at either end: a quotation is cut there to fit its new sentence."""
    start, end = 0, len(words)
    while end and words[end - 1].form in _ENDS:
        end -= 1
    while start < end and words[start].form in _ENDS:
        start += 1
    return words[start:end]
