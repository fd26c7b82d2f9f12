"""An article's tokens, marked with what is known of each: in quotation marks, part of a name, of which sentence."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from retrieval.model import Mention, Span
from retrieval.press.outlets import Press, press_of
from retrieval.text.layout import Layout

Mentions = tuple[tuple[Mention, ...], ...]

GLUE = "\N{HYPHEN}"


@dataclass(frozen=True, slots=True)
class Galley:
    """An article's tokens; every token of a sentence begins in it.

    ``quoted[i]`` is 1 inside quotation marks (the marks themselves included); ``named[i]`` inside a name.
    ``ending`` and ``opening`` find a mention by its last and first token; ``lines`` are the sentences' tokens.
    ``press`` knows the newsrooms.
    """

    text: str
    words: tuple[str, ...]
    lower: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    quoted: bytearray
    named: bytearray
    ending: dict[int, tuple[int, Mention]]
    opening: dict[int, tuple[int, Mention]]
    lines: tuple[range, ...]
    press: Press

    def word(self, i: int) -> str:
        """Return the token ``i`` in lower case, and nothing before the first and after the last."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def is_quoted(self, i: int) -> bool:
        """Return whether the token ``i`` stands in quotation marks; none before the first and after the last does."""
        return 0 <= i < len(self.quoted) and bool(self.quoted[i])

    def span(self, first: int, last: int) -> Span:
        """Return the place of the tokens ``first`` to ``last``, inclusive."""
        return Span(self.starts[first], self.ends[last])

    def between(self, first: int, last: int) -> str:
        """Return the words from ``first`` to ``last``, white space collapsed."""
        return " ".join(self.text[self.starts[first] : self.ends[last]].split())

    def within(self, span: Span) -> range:
        """Return the tokens that begin in ``span``."""
        return range(bisect_left(self.starts, span.start), bisect_left(self.starts, span.end))


def prepare(layout: Layout, mentions: Mentions) -> Galley:
    """Return the article's tokens with the names and the quotation marks told."""
    words, starts, ends = _split_at_sentences(layout)
    galley = Galley(
        text=layout.article.text,
        words=words,
        lower=_lowered(words, starts, ends),
        starts=starts,
        ends=ends,
        quoted=bytearray(len(words)),
        named=bytearray(len(words)),
        ending={},
        opening={},
        lines=tuple(
            range(bisect_left(starts, s.span.start), bisect_left(starts, s.span.end)) for s in layout.sentences
        ),
        press=press_of(layout.article),
    )
    for quotation in layout.quotations:
        tokens = galley.within(quotation.span)
        galley.quoted[tokens.start : tokens.stop] = b"\x01" * len(tokens)
    for mention in (m for found in mentions for m in found):
        tokens = galley.within(mention.span)
        if tokens:
            galley.ending[tokens[-1]] = (tokens[0], mention)
            galley.named[tokens.start : tokens.stop] = b"\x01" * len(tokens)
            galley.opening[tokens[0]] = (tokens[-1], mention)
    return galley


def _lowered(words: tuple[str, ...], starts: tuple[int, ...], ends: tuple[int, ...]) -> tuple[str, ...]:
    """Return the words in lower case; a hyphen inside a word becomes ``GLUE``, so that it parts nothing."""
    lower = [word.lower() for word in words]
    for i, word in enumerate(lower):
        if word == "-" and 0 < i < len(lower) - 1 and ends[i - 1] == starts[i] and ends[i] == starts[i + 1]:
            lower[i] = GLUE
    return tuple(lower)


def _split_at_sentences(layout: Layout) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Return words, starts and ends, a token that runs over a sentence's start ("church.About") cut there."""
    doc = layout.doc
    if not doc.starts:
        return (), (), ()
    known = set(doc.starts)
    cuts = [s.span.start for s in layout.sentences if s.span.start not in known]
    if not cuts:
        return doc.words, doc.starts, doc.ends
    words, starts, ends = list(doc.words), list(doc.starts), list(doc.ends)
    for cut in reversed(cuts):
        i = bisect_left(starts, cut) - 1
        if i >= 0 and starts[i] < cut < ends[i]:
            at = cut - starts[i]
            words[i : i + 1] = [words[i][:at], words[i][at:]]
            starts[i : i + 1] = [starts[i], cut]
            ends[i : i + 1] = [cut, ends[i]]
    return tuple(words), tuple(starts), tuple(ends)
