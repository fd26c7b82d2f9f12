"""``disputed``: what somebody denies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.unverified import matching_places
from bot.model import Listing, Message, Section
from retrieval import DENIAL, Archive

DENIALS = 5  # in one reply


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that anybody denies."""
    if not words:
        return Message(messages.DISPUTED_USAGE)
    denials = tuple(islice(_denials(holdings.archive, words), DENIALS))
    return Listing(messages.disputed(words), denials) if denials else Message(messages.undisputed(words))


def _denials(archive: Archive, words: str) -> Iterator[Section]:
    wanted = matching_places(archive, words, (DENIAL,))
    for article in archive.synopses({article_id for article_id, _ in wanted}):
        for place in article.denials:
            if (article.article_id, place) in wanted:
                yield Section(messages.DENIAL, verbatim.extracts(archive, article.article_id, (place,)))
