"""A text -> what stands between quotation marks, and the part each mark plays.

Copy comes with marks that are missing, doubled, glued to the next word or the wrong way round,
so a mark is judged by what stands around it; which way it leans decides only where that is open.
An apostrophe is no quotation mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from retrieval.model import Quotation, Span
from retrieval.text.single_marks import find_single

_DOUBLE = re.compile(r"''|``|[\"“”„‟«»]")
_LEANS_OPEN = frozenset("“„‟«") | {"``"}
_LEANS_CLOSED = frozenset("”»")
_OPENS_AFTER = frozenset("([{—–-‘'/")
_CLOSES_BEFORE = frozenset(".,;:!?)]}—–…’'\"“”")
_STOP = re.compile(r"[.!?…](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Marks:
    """The quotations of a text, none inside another, and where marks open and close (by their first character).

    ``ends`` maps the place of a closing mark to the place after it; a stray closing mark is among them.
    """

    quotations: tuple[Quotation, ...]
    opens: frozenset[int]
    ends: dict[int, int]


@dataclass(slots=True)
class _Pass:
    """One walk over the double marks: the quotation now open (-1 for none) and what was found before it."""

    text: str
    spans: list[Span] = field(default_factory=list)
    opens: set[int] = field(default_factory=set)
    ends: dict[int, int] = field(default_factory=dict)
    opened: int = -1


def find_marks(text: str, blocks: tuple[Span, ...]) -> Marks:
    """Return the quotations of ``text``; one may run on where the next block opens with a mark again."""
    walk = _Pass(text)
    for i, block in enumerate(blocks):
        for match in _DOUBLE.finditer(text, block.start, block.end):
            _take(walk, match.group(), match.start(), match.end(), block)
        if walk.opened >= 0 and not (i + 1 < len(blocks) and _opens(text, blocks[i + 1])):
            _give_up(walk, block.end, at_block_start=_starts_block(walk, block))
    singles = find_single(text, blocks)
    walk.opens.update(span.start for span in singles)
    walk.ends.update((span.end - 1, span.end) for span in singles)
    return Marks(_outermost(text, [*walk.spans, *singles]), frozenset(walk.opens), walk.ends)


def _take(walk: _Pass, mark: str, start: int, end: int, block: Span) -> None:
    """Record the part that a mark plays, given whether a quotation is open."""
    opening = _is_opening(walk, mark, start, end, block)
    if not opening:
        walk.ends[start] = end
        if walk.opened >= 0:
            walk.spans.append(Span(walk.opened, end))
            walk.opened = -1
        return
    walk.opens.add(start)
    if walk.opened >= 0 and not _may_reopen(walk.text, start, block):
        _take_back(walk, start)
    if walk.opened < 0:
        walk.opened = start


def _is_opening(walk: _Pass, mark: str, start: int, end: int, block: Span) -> bool:
    before = walk.text[start - 1] if start > block.start else " "
    after = walk.text[end] if end < block.end else " "
    # a mark straight after another that opened is told by the state alone
    may_open = (before.isspace() or before in _OPENS_AFTER) and not after.isspace() and after not in ".,;:!?)]}"
    may_close = not before.isspace() and (after.isspace() or after in _CLOSES_BEFORE)
    if may_open != may_close:
        return may_open
    if mark in _LEANS_OPEN or mark in _LEANS_CLOSED:
        return mark in _LEANS_OPEN
    return walk.opened < 0


def _may_reopen(text: str, start: int, block: Span) -> bool:
    """Return whether a mark inside an open quotation begins a new paragraph of it."""
    before = text[max(block.start, start - 4) : start].rstrip()
    return not before or before[-1] in ".!?…"


def _opens(text: str, block: Span) -> bool:
    match = _DOUBLE.match(text, block.start, block.end)
    return match is not None and match.end() < block.end and not text[match.end()].isspace()


def _starts_block(walk: _Pass, block: Span) -> bool:
    return walk.opened <= block.start


def _give_up(walk: _Pass, limit: int, *, at_block_start: bool) -> None:
    """Close an unclosed quotation: at the end of its block if it opens the block, else of its sentence."""
    stop = None if at_block_start else _STOP.search(walk.text, walk.opened, limit)
    end = stop.end() if stop else walk.opened + len(walk.text[walk.opened : limit].rstrip())
    walk.spans.append(Span(walk.opened, end))
    walk.opened = -1


def _take_back(walk: _Pass, limit: int) -> None:
    """Close a quotation in which another opens at the end of its sentence; drop it where that has not ended."""
    stop = _STOP.search(walk.text, walk.opened, limit)
    if stop:
        walk.spans.append(Span(walk.opened, stop.end()))
    walk.opened = -1


def _outermost(text: str, spans: list[Span]) -> tuple[Quotation, ...]:
    found: list[Quotation] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if found and span.start < found[-1].span.end:
            continue
        if any(map(str.isalnum, span.of(text))):
            found.append(Quotation(len(found), span))
    return tuple(found)
