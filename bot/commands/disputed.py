"""``disputed``: claim and denial side by side, and figures that differ; each verbatim, with no verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from bot import messages
from bot.command import Holdings
from bot.commands.counted_figures import figures
from bot.commands.listed_passages import extracts, matching, readings
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive, Passage, Reading

PAIRS = 5
FIGURES = 6


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that somebody denies, or that is told with different figures."""
    if not words:
        return Message(messages.DISPUTED_WHAT)
    archive = holdings.archive
    wanted = matching(archive, words)
    pairs = [pair for reading in readings(archive) for pair in _pairs(archive, reading, wanted)]
    figures = _figures(archive, wanted)
    if not pairs and not figures:
        return Message(messages.undisputed(words))
    return Listing(messages.disputed(words), (*pairs[:PAIRS], *figures))


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


def _figures(archive: Archive, wanted: frozenset[tuple[str, int]]) -> tuple[Section, ...]:
    """Return the sentences about the words that give different figures for one thing."""
    told: dict[str, dict[float, Extract]] = defaultdict(dict)
    for article_id, index in sorted(wanted):
        for extract in extracts(archive, article_id, (index,)):
            for counted, value in figures(extract.text):
                told[counted].setdefault(value, extract)
    differing = (by_value.values() for _, by_value in sorted(told.items()) if len(by_value) > 1)
    found = dict.fromkeys(extract for each in differing for extract in each)
    return (Section(messages.FIGURES, tuple(found)[:FIGURES]),) if len(found) > 1 else ()
