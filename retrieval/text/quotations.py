"""A text -> its quotations, and the part each quotation mark plays.

Copy comes with marks that are missing, doubled, glued to the next word or the wrong way round,
so a mark is read by its neighbours; which way it leans decides only where they leave it open.
An apostrophe is no quotation mark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from retrieval.model import Quotation, Span

_DOUBLE = re.compile(r"''|``|[\"“”„‟«»]")
_LEANS_OPEN = frozenset(("“", "„", "‟", "«", "``"))
_LEANS_CLOSED = frozenset("”»")
_OPENS_AFTER = frozenset("([{—–-‘'/")
_CLOSES_BEFORE = frozenset(".,;:!?)]}—–…’'\"“”")
_STOP = re.compile(r"[.!?…](?=\s|$)")
_LINE = re.compile(r"\S.*")
_BEGINS_PARAGRAPH = frozenset("-*•>\"“„«‘'")
_ENDS_PARAGRAPH = frozenset('.!?"”’»')

_SINGLE = re.compile(r"[‘’'‹›]")
# Words that English writes with an apostrophe at the front.
_ELISION = re.compile(r"(?:\d0s|\d\d|tis|twas|em|cause|til|till|n|bout|round|cos)\b", re.IGNORECASE)
_SINGLE_OPENS_AFTER = frozenset('([{—–-"“”/|')
_STRONG_BEFORE = frozenset(".,!?…)]%")
# A shorter word before a capital is a name: O'Brien, D'Souza, L'Oréal.
_PREFIX = re.compile(r"\b\w{1,2}$")


@dataclass(frozen=True, slots=True)
class Marks:
    """The quotations of a text, none inside another, and where marks open and close (by their first character).

    ``ends`` maps the start of a closing mark to its end; a stray closing mark is among them.
    """

    quotations: tuple[Quotation, ...]
    opens: frozenset[int]
    ends: dict[int, int]


def quoted_spans(text: str) -> tuple[Span, ...]:
    """Return what is in quotation marks in ``text``, marks included; not what is within another quotation."""
    return tuple(quotation.span for quotation in find_marks(text, tuple(_paragraphs(text))).quotations)


def _paragraphs(text: str) -> Iterator[Span]:
    """Yield the paragraphs of a pasted text, whose lines may be broken anywhere.

    One ends at a blank line, at a line that ends a sentence or a quotation, and before one that opens with a mark.
    """
    lines = [*_LINE.finditer(text)]
    start: int | None = None
    for line, following in zip_longest(lines, lines[1:]):
        start = line.start() if start is None else start
        end = line.start() + len(line[0].rstrip())
        if (
            following is None
            or text[end - 1] in _ENDS_PARAGRAPH
            or following[0][0] in _BEGINS_PARAGRAPH
            or text.count("\n", line.end(), following.start()) > 1
        ):
            yield Span(start, end)
            start = None


def find_marks(text: str, blocks: tuple[Span, ...]) -> Marks:
    """Find the quotations; one may continue where the next block opens with a mark again."""
    double = _DoubleMarks(text)
    for i, block in enumerate(blocks):
        for match in _DOUBLE.finditer(text, block.start, block.end):
            double.add(match.group(), match.start(), match.end(), block)
        if double.open_at >= 0 and not (i + 1 < len(blocks) and _begins_with_mark(text, blocks[i + 1])):
            double.close_unclosed(block)
    singles = [span for block in blocks for span in _single_quotations(text, block)]
    opens = double.opens.union(span.start for span in singles)
    ends = double.ends | {span.end - 1: span.end for span in singles}
    return Marks(_outermost(text, [*double.spans, *singles]), frozenset(opens), ends)


class _DoubleMarks:
    """One walk over the double marks: the quotation now open (-1 for none) and those before it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.spans: list[Span] = []
        self.opens: set[int] = set()
        self.ends: dict[int, int] = {}
        self.open_at = -1

    def add(self, mark: str, start: int, end: int, block: Span) -> None:
        if not self._is_opening(mark, start, end, block):
            self.ends[start] = end
            if self.open_at >= 0:
                self.spans.append(Span(self.open_at, end))
                self.open_at = -1
            return
        self.opens.add(start)
        if self.open_at >= 0:
            before = self._text[max(block.start, start - 4) : start].rstrip()
            if before and before[-1] not in ".!?…":  # else a new paragraph of the same quotation
                # the other quotation ends with its sentence; it is dropped where that has no end
                if stop := _STOP.search(self._text, self.open_at, start):
                    self.spans.append(Span(self.open_at, stop.end()))
                self.open_at = -1
        if self.open_at < 0:
            self.open_at = start

    def _is_opening(self, mark: str, start: int, end: int, block: Span) -> bool:
        before = self._text[start - 1] if start > block.start else " "
        after = self._text[end] if end < block.end else " "
        # what a mark straight after an opening one does depends on the state alone
        may_open = (before.isspace() or before in _OPENS_AFTER) and not after.isspace() and after not in ".,;:!?)]}"
        may_close = not before.isspace() and (after.isspace() or after in _CLOSES_BEFORE)
        if may_open != may_close:
            return may_open
        if mark in _LEANS_OPEN or mark in _LEANS_CLOSED:
            return mark in _LEANS_OPEN
        return self.open_at < 0

    def close_unclosed(self, block: Span) -> None:
        """Close the open quotation: at the end of its block if it opens the block, else of its sentence."""
        stop = None if self.open_at <= block.start else _STOP.search(self._text, self.open_at, block.end)
        end = stop.end() if stop else self.open_at + len(self._text[self.open_at : block.end].rstrip())
        self.spans.append(Span(self.open_at, end))
        self.open_at = -1


def _begins_with_mark(text: str, block: Span) -> bool:
    match = _DOUBLE.match(text, block.start, block.end)
    return match is not None and match.end() < block.end and not text[match.end()].isspace()


def _outermost(text: str, spans: list[Span]) -> tuple[Quotation, ...]:
    quotations: list[Quotation] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if quotations and span.start < quotations[-1].span.end:
            continue
        if any(map(str.isalnum, span.of(text))):
            quotations.append(Quotation(len(quotations), span))
    return tuple(quotations)


@dataclass(frozen=True, slots=True)
class _SingleMark:
    """A mark that opens or closes; not ``sure`` where a closing mark may be a plural's apostrophe."""

    at: int
    opens: bool
    sure: bool = True


def _single_quotations(text: str, block: Span) -> list[Span]:
    """Pair every opening mark with the first that surely closes it, else with the first that may."""
    candidates = (_single_mark(text, match.start(), block) for match in _SINGLE.finditer(text, block.start, block.end))
    marks = [mark for mark in candidates if mark]
    sure, possible = _next_closing(marks, sure=True), _next_closing(marks, sure=False)
    spans: list[Span] = []
    i = 0
    while i < len(marks):
        # the sure one, unless another quotation opens between the possible one and it
        may_close = sure[i] < 0 or (possible[i] != sure[i] and marks[possible[i] + 1].opens)
        close = possible[i] if may_close else sure[i]
        if marks[i].opens and close >= 0:
            spans.append(Span(marks[i].at, marks[close].at + 1))
            i = close
        i += 1
    return spans


def _single_mark(text: str, at: int, block: Span) -> _SingleMark | None:
    before = text[at - 1] if at > block.start else " "
    after = text[at + 1] if at + 1 < block.end else " "
    if (before.isspace() or before in _SINGLE_OPENS_AFTER) and (after.isalnum() or after in "[($£€#@.…"):
        return None if _ELISION.match(text, at + 1) else _SingleMark(at, opens=True)
    if before.isspace() or "'" in (before, after):
        return None
    if after.isalnum():
        glued = before.islower() and after.isupper() and not _PREFIX.search(text[max(0, at - 3) : at])
        return _SingleMark(at, opens=False) if glued else None
    plural = before == "s" and after.isspace() and text[at + 2 : at + 3].islower()
    return _SingleMark(at, opens=False, sure=before in _STRONG_BEFORE or not plural)


def _next_closing(marks: list[_SingleMark], *, sure: bool) -> list[int]:
    """For each mark the index of the next closing one after it, -1 where there is none."""
    indices, latest = [-1] * len(marks), -1
    for i in range(len(marks) - 1, -1, -1):
        indices[i] = latest
        if not marks[i].opens and (marks[i].sure or not sure):
            latest = i
    return indices
