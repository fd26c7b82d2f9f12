"""``disputed``: claim and denial side by side, and figures that differ; each verbatim, with no verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.counted_figures import figures
from bot.commands.listed_passages import extracts, matching
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive

Place = tuple[str, int]  # the id of an article, the index of a sentence

PAIRS = 5
FIGURES = 6


def disputed(holdings: Holdings, words: str) -> Listing | Message:
    """Return what the articles have on ``words`` that somebody denies, or that is told with different figures."""
    if not words:
        return Message(messages.DISPUTED_WHAT)
    archive = holdings.archive
    wanted = matching(archive, words)
    pairs = tuple(islice(_pairs(archive, wanted), PAIRS))
    figures = _figures(archive, wanted)
    if not pairs and not figures:
        return Message(messages.undisputed(words))
    return Listing(messages.disputed(words), (*pairs, *figures))


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


def _figures(archive: Archive, wanted: frozenset[tuple[str, int]]) -> tuple[Section, ...]:
    """Return the sentences about the words that give different figures for one thing."""
    told: dict[str, dict[float, Place]] = defaultdict(dict)
    for synopsis in archive.synopses({article_id for article_id, _ in wanted}):
        text = verbatim.text(archive, synopsis.article_id, synopsis.digest)
        for noted in synopsis.sentences if text else ():
            place = synopsis.article_id, noted.at
            if place in wanted:
                for counted, value in figures(verbatim.collapse(text[noted.start : noted.end])):
                    told[counted][value] = min(place, told[counted].get(value, place))
    differing = (sorted(by_value.values()) for _, by_value in sorted(told.items()) if len(by_value) > 1)
    places = list(dict.fromkeys(place for each in differing for place in each))
    found = tuple(extract for i, index in places[:FIGURES] for extract in extracts(archive, i, (index,)))
    return (Section(messages.FIGURES, found),) if len(found) > 1 else ()
