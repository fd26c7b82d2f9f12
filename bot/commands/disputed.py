"""``disputed``: what somebody denies, beside the claim where it is told; each verbatim, with no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bot import messages
from bot.command import Holdings
from bot.commands.listed_passages import extracts, matching
from bot.model import Extract, Listing, Message, Section
from retrieval import DENIAL, Archive

PAIRS = 5


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that somebody denies."""
    if not words:
        return Message(messages.DISPUTED_WHAT)
    archive = holdings.archive
    wanted = matching(archive, words, (DENIAL,))
    pairs = tuple(islice(_pairs(archive, wanted), PAIRS))
    if not pairs:
        return Message(messages.undisputed(words))
    return Listing(messages.disputed(words), pairs)


def _pairs(archive: Archive, wanted: frozenset[tuple[str, int]]) -> Iterator[Section]:
    """Yield each denial with its claim, where either is about the words; a denial of something unsaid stands alone."""
    for article in archive.synopses({article_id for article_id, _ in wanted}):
        for sentence, of in article.denials:
            places = (sentence,) if of in (None, sentence) else (of, sentence)
            if any((article.article_id, place) in wanted for place in places):
                heading = messages.CLAIM_AND_DENIAL if len(places) > 1 else messages.DENIAL
                yield Section(heading, tuple(map(_alone, extracts(archive, article.article_id, places))))


def _alone(extract: Extract) -> Extract:
    """Return an extract without its denials, which are shown beside it already."""
    return replace(extract, denials=())
