"""A pattern of words and classes of words -> where it matches among a sentence's tokens.

``AUX* not|never LINK{0,8}`` is a row of tokens: each item is a word, or several between ``|``, or a class in capitals,
with ``?``, ``*``, ``+`` or ``{m,n}`` behind it as in regular expressions. ``ANY`` is any token, ``PLAIN`` any that
separates no two clauses, ``BREAK`` one that does, or the sentence's start. ``(name … )`` names a part, ``(?= … )``
looks ahead. What is before ``~`` must precede the match and is no part of it. A pattern becomes one regular expression
over the sentence's words, so that a look at a token costs no call.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from retrieval.text.tokens import FARTHEST, Tokens

_BREAKING = "\N{BROKEN BAR}"  # precedes a token that separates two clauses
_CLASSES = {"ANY": rf"{_BREAKING}?\S+", "PLAIN": rf"(?!{_BREAKING})\S+"}
_OFTEN = re.compile(r"(?:[*+?]|\{\d+,\d+\})\??$")  # how often an item occurs


def one_of(words: Iterable[str], *endings: str) -> str:
    """Make a class, for patterns, of ``words`` and of all words with these endings."""
    return "|".join([*map(re.escape, sorted(words)), *(rf"\S*{ending}" for ending in endings)])


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A sentence as patterns read it: its words, and where each begins in ``text``."""

    text: str
    places: tuple[int, ...]


def line_of(tokens: Tokens) -> TokenLine:
    words = [f"{_BREAKING * tokens.breaks(i)}{word} " for i, word in enumerate(tokens.lower)]
    return TokenLine("".join(words), tuple(accumulate(map(len, words), initial=0)))


class TokenPattern:
    """A pattern that can be matched before a token or from it on."""

    def __init__(self, notation: str, classes: Mapping[str, str]) -> None:
        known = {**_CLASSES, **classes}
        context, _, matched = notation.rpartition("~")
        before, inside = ("".join([_compiled(item, known) for item in part.split()]) for part in (context, matched))
        self._regex = re.compile(rf"(?<!\S){before}(?P<match>{inside})")
        self._at_end = re.compile(rf"{self._regex.pattern}\Z")

    def before(self, line: TokenLine, i: int) -> dict[str, range] | None:
        """Return the parts of the longest match that ends right before token ``i``; all of it is called ``match``."""
        return _parts(line, self._at_end.search(line.text, line.places[max(0, i - FARTHEST)], line.places[i]))

    def after(self, line: TokenLine, i: int) -> dict[str, range] | None:
        """Return the parts of the match that begins with token ``i``."""
        return _parts(line, self._regex.match(line.text, line.places[i]))


def _compiled(item: str, classes: Mapping[str, str]) -> str:
    if item[0] in "()":
        return f"(?P<{item[1:]}>" if item[1:].isalpha() else item
    if item == "BREAK":
        return rf"(?:\A|{_BREAKING}\S+ )"
    words = _OFTEN.sub("", item)
    often = item.removeprefix(words)
    meant = "|".join([classes[word] if word.isupper() else re.escape(word) for word in words.split("|")])
    mark = "" if words in _CLASSES else f"{_BREAKING}?"
    return f"(?:{mark}(?:{meant}) ){often}"


def _parts(line: TokenLine, match: re.Match[str] | None) -> dict[str, range] | None:
    if match is None:
        return None
    spans = {name: match.span(name) for name, part in match.groupdict().items() if part is not None}
    return {
        name: range(bisect_left(line.places, start), bisect_left(line.places, end))
        for name, (start, end) in spans.items()
    }
