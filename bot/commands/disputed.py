"""``disputed``: what somebody denies, verbatim, with no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bot import messages
from bot.command import Holdings
from bot.commands.listed_passages import extracts, matching
from bot.model import Listing, Message, Section
from retrieval import DENIAL, Archive

DENIALS = 5


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that somebody denies."""
    if not words:
        return Message(messages.DISPUTED_WHAT)
    archive = holdings.archive
    wanted = matching(archive, words, (DENIAL,))
    denials = tuple(islice(_denials(archive, wanted), DENIALS))
    if not denials:
        return Message(messages.undisputed(words))
    return Listing(messages.disputed(words), denials)


def _denials(archive: Archive, wanted: frozenset[tuple[str, int]]) -> Iterator[Section]:
    """Yield each denial that is about the words, as its sentence stands."""
    for article in archive.synopses({article_id for article_id, _ in wanted}):
        for place in article.denials:
            if (article.article_id, place) in wanted:
                yield Section(messages.DENIAL, extracts(archive, article.article_id, (place,)))
