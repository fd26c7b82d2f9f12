"""A laid-out article -> windows of tokens with a mark before each sentence, as the source model reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.model import Boilerplate, Sentence
from retrieval.models.loading import CLS, MARK, SEP
from retrieval.text.blocks import Layout

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PARAGRAPH_MARK = 2  # "[unused1]": a sentence begins, and a paragraph with it
MAX_TOKENS = 448  # of a window
MAX_SENTENCE_TOKENS = 160
MAX_SENTENCES = 2_000  # of an article: in a longer one only those that may report somebody are read
BEFORE_TOKENS = 120  # of context that a window repeats from the one before it
AFTER_TOKENS = 40  # at the end of a window, whose sentences the next one reads with more context

_CUES = frozenset((":", "according", "per"))
_READ = (None, Boilerplate.HEADING, Boilerplate.TITLE)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence in tokens; ``starts`` and ``ends`` are code points of the article, ``quoted`` is 1 in a quotation."""

    sentence: int
    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    quoted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """Some sentences together. ``marks`` are the positions of their marks, ``sentences`` their indexes.

    Decisions are taken from ``core``, places in ``sentences``: the others have too little context here.
    """

    ids: tuple[int, ...]
    quoted: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    marks: tuple[int, ...]
    sentences: tuple[int, ...]
    core: range


def may_report(layout: Layout, sentence: Sentence) -> bool:
    """Return whether a sentence is read for who says it."""
    tokens = layout.tokens
    return sentence.boilerplate in _READ and (
        len(tokens.sentences) <= MAX_SENTENCES
        or any(
            tokens.quoted[t] or tokens.lower[t] in VERBS or tokens.lower[t] in _CUES
            for t in tokens.sentences[sentence.index]
        )
    )


def lines_of(tokenizer: Tokenizer, layout: Layout, is_read: Callable[[Sentence], bool]) -> list[Line]:
    """Cut the sentences that are read into tokens, each with its mark."""
    opened = [quotation.span.start for quotation in layout.quotations]
    lines = []
    before: Sentence | None = None
    for sentence in filter(is_read, layout.sentences):
        text = layout.text(sentence).encode("utf-8", "replace").decode()  # half a character cannot be cut
        encoded = tokenizer.encode(text, add_special_tokens=False)
        gap = layout.article.text[before.span.end : sentence.span.start] if before else "\n"
        mark = PARAGRAPH_MARK if "\n" in gap else MARK
        start = sentence.span.start
        starts = [start, *(start + first for first, _ in encoded.offsets)][:MAX_SENTENCE_TOKENS]
        ends = [start, *(start + last for _, last in encoded.offsets)][:MAX_SENTENCE_TOKENS]
        quoted = []
        for at in starts:
            nearest = bisect_right(opened, at) - 1
            quoted.append(int(nearest >= 0 and at < layout.quotations[nearest].span.end))
        ids = (mark, *encoded.ids)[:MAX_SENTENCE_TOKENS]
        lines.append(Line(sentence.index, tuple(ids), tuple(starts), tuple(ends), tuple(quoted)))
        before = sentence
    return lines


def windows_of(lines: Sequence[Line], most: int = MAX_TOKENS) -> Iterator[SourceWindow]:
    """Join lines to windows of at most ``most`` tokens; each line is in the core of exactly one."""
    first = 0  # of the core
    while first < len(lines):
        start, used = first, 2
        while start and used + len(lines[start - 1].ids) <= BEFORE_TOKENS:
            start -= 1
            used += len(lines[start].ids)
        stop = first
        while stop < len(lines) and (stop == first or used + len(lines[stop].ids) <= most):
            used += len(lines[stop].ids)
            stop += 1
        core = stop
        if stop < len(lines):
            after = 0
            while core - 1 > first and after + len(lines[core - 1].ids) <= AFTER_TOKENS:
                core -= 1
                after += len(lines[core].ids)
        yield _join(lines[start:stop], range(first - start, core - start))
        first = core


def _join(lines: Sequence[Line], core: range) -> SourceWindow:
    ids, quoted, starts, ends, marks = [CLS], [0], [0], [0], []
    for line in lines:
        marks.append(len(ids))
        ids += line.ids
        quoted += line.quoted
        starts += line.starts
        ends += line.ends
    return SourceWindow(
        (*ids, SEP), (*quoted, 0), (*starts, 0), (*ends, 0), tuple(marks), tuple(line.sentence for line in lines), core
    )
