"""A reply -> the caveats that must be told below it: on an article as a whole, or on an extract possibly.

They come out of the extracts themselves, so that no command can forget them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.model import Answer, Card, Check, Clipping, Extract, Listing, Notice, Reply


def with_notices(reply: Reply) -> Reply:
    """Return ``reply`` with the notices of all that it shows."""
    match reply:
        case Answer() | Card() | Check() | Listing() | Clipping():
            return replace(reply, notices=notices(shown(reply)))
    return reply


def shown(reply: Answer | Card | Check | Listing | Clipping) -> Iterator[Extract]:
    """Yield the extracts of a reply in the order they are read."""
    match reply:
        case Answer():
            yield from reply.extracts
        case Card():
            yield from (*reply.roles, *reply.said, *reply.about)
        case Check():
            yield from (match.extract for match in reply.matches)
        case Listing():
            yield from (extract for section in reply.sections for extract in section.extracts)
        case Clipping():
            yield reply.extract


def notices(extracts: Iterable[Extract]) -> tuple[Notice, ...]:
    """Return what must be told of ``extracts``, of those before them and of their denials, each caveat once."""
    return tuple(dict.fromkeys(notice for extract in extracts for notice in _of(extract)))


def _of(extract: Extract) -> Iterator[Notice]:
    if extract.before:
        yield from _of(extract.before)
    yield from extract.notices
    for denial in extract.denials:
        yield from denial.notices
    if extract.newest is not extract:
        yield from _of(extract.newest)
