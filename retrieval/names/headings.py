"""Headings, where every word has a capital: only names known from the article's prose count there."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.model import Mention, Span
from retrieval.names.linking import Known
from retrieval.names.runs import Word

_LONGEST_NAME = 6  # words
_FEWEST = 4  # words by which a line in capitals can be told
_SHARE = 0.9  # of the longer words have a capital in a heading
_SHORT = 4  # letters: "of", "the", "from" stay small


def is_heading(words: list[Word], text: str) -> bool:
    """Return whether a sentence stands on lines of its own, and nearly every longer word has a capital."""
    if not words or not _stands_alone(words, text):
        return False
    longer = [word for word in words if len(word.text) > _SHORT and word.text[0].isalpha()]
    if len(longer) < _FEWEST:
        return False
    return sum(word.capital for word in longer) >= len(longer) * _SHARE


def _stands_alone(words: list[Word], text: str) -> bool:
    before, after = text[max(words[0].start - 2, 0) : words[0].start], text[words[-1].end : words[-1].end + 2]
    return before.rstrip(" ")[-1:] in ("", "\n") and after.lstrip(" ")[:1] in ("", "\n")


def known_in(words: list[Word], known: Known) -> Iterator[Mention]:
    """Yield the known names in a heading, the longest first at each place."""
    i = 0
    while i < len(words):
        end = _longest(words, i, known) if words[i].capital else None
        if end is None:
            i += 1
            continue
        name = " ".join(word.text for word in words[i:end])
        kind = known.kind(name)
        if kind is not None:
            yield Mention(kind, known.fullest(name), Span(words[i].start, words[end - 1].end), None, "heading")
        i = end


def _longest(words: list[Word], first: int, known: Known) -> int | None:
    for end in range(min(first + _LONGEST_NAME, len(words)), first, -1):
        if known.kind(" ".join(word.text for word in words[first:end])) is not None:
            return end
    return None
