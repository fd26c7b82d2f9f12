"""A text -> its blocks: paragraphs, headings, captions, whatever has lines of its own.

Blocks are separated by a blank line or a literal backslash-n, which belongs to none of them.
A single line break separates them only where the writer ended the line, not where it was full.

Also ``Layout``, what the sentence stage hands on: an article with its tokens, quotations and sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from operator import attrgetter

from retrieval.model import Article, Mention, Quotation, Sentence, Span
from retrieval.text.tokens import Tokens

_GAP = re.compile(r"\n[^\S\n]*\n|\\n")
_LINE = re.compile(r"\S[^\n]*")

# A copy is wrapped by hand where this share of its inner line breaks come before a lower-case letter.
_WRAPPED_SHARE = 0.15
_FEWEST_WRAPPED = 2
# A line that still had room for the next word within this share of the width was ended on purpose.
_FULL_SHARE = 0.75

# A line that ends so cannot be the end of a block.
_UNFINISHED = re.compile(
    r"(?:[,;–—-]|\b(?:the|a|an|of|to|in|on|at|by|for|with|from|and|or|but|that|its|his|her|their))$"
)

# A quotation signed on its last line: “It was old.” — Ann Bell
_SIGNED = re.compile(r"[\"”’'] ?(?:--|[–—―-]) ?[A-Z][\w.’' -]+$")
_LONGEST_SIGNATURE = 60  # characters


@dataclass(frozen=True, slots=True)
class _BlockLine:
    """A line without the white space around it; ``first`` where a blank line (or the start) comes before it."""

    span: Span
    text: str
    first: bool


def find_blocks(text: str) -> tuple[Span, ...]:
    """Find the blocks in order, white space at both ends excluded."""
    lines = tuple(_lines(text))
    inner = [(a, b) for a, b in pairwise(lines) if not b.first]
    wrapped = [len(a.text) for a, b in inner if b.text[0].islower()]
    # of a full line, where the copy is wrapped by hand
    width = max(wrapped) if len(wrapped) >= max(_FEWEST_WRAPPED, _WRAPPED_SHARE * len(inner)) else 0
    blocks: list[Span] = []
    for i, line in enumerate(lines):
        if line.first or _is_end_of_block(lines[i - 1], line, width):
            blocks.append(line.span)
        else:
            blocks[-1] = Span(blocks[-1].start, line.span.end)
    return tuple(blocks)


def _lines(text: str) -> Iterator[_BlockLine]:
    start = 0
    for end, after in [*((m.start(), m.end()) for m in _GAP.finditer(text)), (len(text), len(text))]:
        first = True
        for match in _LINE.finditer(text, start, end):
            words = match.group().rstrip()
            yield _BlockLine(Span(match.start(), match.start() + len(words)), words, first)
            first = False
        start = after


def _is_end_of_block(line: _BlockLine, following: _BlockLine, width: int) -> bool:
    if _SIGNED.search(line.text[-_LONGEST_SIGNATURE:]):
        return True
    if following.text[0].islower() or _UNFINISHED.search(line.text[-12:]):
        return False
    word = following.text[: width + 1].split(maxsplit=1)[0] if width else ""
    return not width or len(line.text) + 1 + len(word) <= _FULL_SHARE * width


def touching(spans: Sequence[Span], place: Span) -> range:
    """Return the indexes of the ``spans``, which are in order and don't overlap, that have a character in ``place``."""
    first = bisect_right(spans, place.start, key=attrgetter("end"))
    return range(first, bisect_left(spans, place.end, first, key=attrgetter("start")))


Mentions = tuple[tuple[Mention, ...], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """An article laid out: every later stage reads this, and none changes it.

    ``sentences`` are in order and never overlap; ``quotations`` are in order of where they open. ``mentions`` are the
    names of each sentence, once they are known.
    """

    article: Article
    tokens: Tokens
    quotations: tuple[Quotation, ...]
    sentences: tuple[Sentence, ...]
    mentions: Mentions = ()

    def text(self, sentence: Sentence) -> str:
        return sentence.span.of(self.article.text)

    def with_names(self, mentions: Mentions) -> Layout:
        tokens = self.tokens.with_names(chain.from_iterable(mentions))
        return replace(self, tokens=tokens, mentions=mentions)
