"""A reply -> the same reply, each extract with the address where it is shown in its article."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model import Answer, Card, Check, Citation, Clipping, Extract, Listing, Reply, Revision

Pages = Callable[[Citation, int], str]


def with_pages(reply: Reply, pages: Pages) -> Reply:
    """Return ``reply`` with the addresses that ``pages`` gives."""

    def led(extract: Extract) -> Extract:
        return replace(
            extract,
            page=pages(extract.citation, extract.index),
            before=led(extract.before) if extract.before else None,
            revision=extract.revision if extract.newest is extract else Revision(led(extract.newest)),
        )

    def all_led(extracts: tuple[Extract, ...]) -> tuple[Extract, ...]:
        return tuple(led(extract) for extract in extracts)

    match reply:
        case Answer():
            return replace(reply, extracts=all_led(reply.extracts))
        case Card():
            said, about = all_led(reply.said), all_led(reply.about)
            return replace(reply, roles=all_led(reply.roles), said=said, about=about)
        case Check():
            return replace(reply, matches=tuple(replace(m, extract=led(m.extract)) for m in reply.matches))
        case Listing():
            return replace(reply, sections=tuple(replace(s, extracts=all_led(s.extracts)) for s in reply.sections))
        case Clipping():
            return replace(reply, extract=led(reply.extract))
    return reply
