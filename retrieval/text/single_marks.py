"""A text -> what stands between single quotation marks, told from apostrophes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.model import Span

_MARK = re.compile(r"[‘’'‹›]")
# Words that English writes with an apostrophe for their beginning.
_ELISION = re.compile(r"(?:\d0s|\d\d|tis|twas|em|cause|til|till|n|bout|round|cos)\b", re.IGNORECASE)
_OPENS_AFTER = frozenset('([{—–-"“”/|')
_STRONG_BEFORE = frozenset(".,!?…)]%")
# A shorter word before a capital is a name: O'Brien, D'Souza, L'Oréal.
_PREFIX = re.compile(r"\b\w{1,2}$")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark that may open or close; ``sure`` where a closing mark cannot be a plural's apostrophe."""

    at: int
    opens: bool
    sure: bool = True


def find_single(text: str, blocks: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the places between single marks in order, the marks included; none leaves its block."""
    return tuple(span for block in blocks for span in _pairs(_candidates(text, block)))


def _candidates(text: str, block: Span) -> list[_Mark]:
    found = (_judge(text, match.start(), block) for match in _MARK.finditer(text, block.start, block.end))
    return [mark for mark in found if mark]


def _judge(text: str, at: int, block: Span) -> _Mark | None:
    before = text[at - 1] if at > block.start else " "
    after = text[at + 1] if at + 1 < block.end else " "
    if (before.isspace() or before in _OPENS_AFTER) and (after.isalnum() or after in "[($£€#@.…"):
        return None if _ELISION.match(text, at + 1) else _Mark(at, opens=True)
    if before.isspace() or "'" in (before, after):
        return None
    if after.isalnum():
        glued = before.islower() and after.isupper() and not _PREFIX.search(text[max(0, at - 3) : at])
        return _Mark(at, opens=False) if glued else None
    plural = before == "s" and after.isspace() and text[at + 2 : at + 3].islower()
    return _Mark(at, opens=False, sure=before in _STRONG_BEFORE or not plural)


def _pairs(marks: list[_Mark]) -> list[Span]:
    """Return every opening mark with the first that surely closes it, else with the first that may."""
    sure, maybe = _next_closing(marks, sure=True), _next_closing(marks, sure=False)
    found: list[Span] = []
    i = 0
    while i < len(marks):
        close = _choose(marks, sure[i], maybe[i]) if marks[i].opens else -1
        if close >= 0:
            found.append(Span(marks[i].at, marks[close].at + 1))
            i = close
        i += 1
    return found


def _choose(marks: list[_Mark], sure: int, maybe: int) -> int:
    """Return the sure closing mark, unless another quotation opens between the possible one and it."""
    if maybe < 0 or sure < 0:
        return maybe
    reopened = maybe != sure and marks[maybe + 1].opens
    return maybe if reopened else sure


def _next_closing(marks: list[_Mark], *, sure: bool) -> list[int]:
    """Return for each mark the index of the next closing one after it, -1 where there is none."""
    found, latest = [-1] * len(marks), -1
    for i in range(len(marks) - 1, -1, -1):
        found[i] = latest
        if not marks[i].opens and (marks[i].sure or not sure):
            latest = i
    return found
