"""``disputed``: what somebody denies, beside the claim where it is told; each verbatim, with no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot import messages
from bot.command import Holdings
from bot.commands.listed_passages import extracts, matching, readings
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive, Passage, Reading

PAIRS = 5


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that somebody denies."""
    if not words:
        return Message(messages.DISPUTED_WHAT)
    archive = holdings.archive
    wanted = matching(archive, words)
    pairs = [pair for reading in readings(archive) for pair in _pairs(archive, reading, wanted)]
    if not pairs:
        return Message(messages.undisputed(words))
    return Listing(messages.disputed(words), tuple(pairs[:PAIRS]))


def _pairs(archive: Archive, reading: Reading, wanted: frozenset[tuple[str, int]]) -> Iterator[Section]:
    """Yield each denial with its claim, where either is about the words; a denial of something unsaid stands alone."""
    for passage in reading.passages:
        places = _places(passage)
        if places and any((reading.article.id, place) in wanted for place in places):
            heading = messages.CLAIM_AND_DENIAL if len(places) > 1 else messages.DENIAL
            yield Section(heading, tuple(map(_alone, extracts(archive, reading.article.id, places))))


def _places(passage: Passage) -> tuple[int, ...]:
    """Return the indexes of the claim, where it is told, and of the denial."""
    if not passage.denial:
        return ()
    index = passage.sentence.index
    return (index,) if passage.denial.of in (None, index) else (passage.denial.of, index)


def _alone(extract: Extract) -> Extract:
    """Return an extract without its denials, which are shown beside it already."""
    return replace(extract, denials=())
