"""``unverified`` and ``disputed``: outlets' caveats with the sentences they cover, and what somebody denies."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from bot import messages, source_lines, verbatim
from bot.command import Library
from bot.model import Listing, Message, Section
from retrieval import CAVEAT, DENIAL, Archive, Caveat, terms

CAVEATS, DENIALS = 8, 5  # in one reply
COVERED = 3  # sentences shown of each caveat

Place = tuple[str, int]  # the id of an article, the index of a sentence


def matching_places(archive: Archive, words: str, facets: Collection[str]) -> frozenset[Place]:
    """Return the sentences that contain every term of ``words``, in articles with one of ``facets``."""
    return frozenset(archive.holding(dict.fromkeys(terms(words)), facets))


def unverified(library: Library, words: str) -> Listing | Message:
    """Return the caveats of all articles, newest first; with ``words``, those on sentences that contain them."""
    archive = library.archive
    wanted = matching_places(archive, words, (CAVEAT,)) if words else None
    every = archive.readings(facets=(CAVEAT,)) if wanted is None else archive.readings({each for each, _ in wanted})
    caveats = [
        (reading.article.id, caveat)
        for reading in every
        for caveat in reading.caveats
        if caveat.by_outlet
        if wanted is None
        or any((reading.article.id, i) in wanted for i in (caveat.sentence, *caveat.covers, *caveat.possible))
    ]
    if not caveats:
        return Message(messages.no_caveat(messages.about(words)))
    sections = (section for pair in caveats[:CAVEATS] for section in _sections(archive, *pair, wanted or frozenset()))
    rest = (Section("", lines=left),) if (left := messages.and_more(len(caveats) - CAVEATS, "caveat")) else ()
    return Listing(f"{messages.count(len(caveats), 'caveat')}{messages.about(words)}", (*sections, *rest))


def disputed(library: Library, words: str) -> Listing | Message:
    if not words:
        return Message(messages.DISPUTED_USAGE)
    archive = library.archive
    wanted = matching_places(archive, words, (DENIAL,))
    places = (
        (reading.article.id, index)
        for reading in archive.readings({article_id for article_id, _ in wanted})
        for index, passage in enumerate(reading.passages)
        if passage.denial and (reading.article.id, index) in wanted
    )
    denials = tuple(Section(messages.DENIAL, tuple(verbatim.at(archive, [place]))) for place in islice(places, DENIALS))
    about = messages.about(words)
    return Listing(f"Disputed{about}", denials) if denials else Message(messages.undisputed(about))


def _sections(archive: Archive, article_id: str, caveat: Caveat, wanted: frozenset[Place]) -> Iterator[Section]:
    """Yield what a caveat clearly covers, and under its own heading what it may cover.

    Where it clearly covers something, the latter is only counted, except for what was asked for (``wanted``).
    """
    citation = verbatim.article(archive, article_id)
    heading = source_lines.source(citation) if citation else article_id
    asked = tuple(index for index in caveat.possible if (article_id, index) in wanted)
    possible = asked or (() if caveat.covers else caveat.possible)
    if not caveat.covers:
        own = verbatim.extracts(archive, article_id, (caveat.sentence,))
        # a caveat of one word ("unverified files") covers its own sentence only
        whole = any(notice.citation.span == each.citation.span for each in own for notice in each.notices)
        yield Section(heading, own, lines=(messages.WHOLE_ARTICLE,) if whole and not possible else ())
    else:
        more = len(caveat.possible) - len(possible)
        further = messages.also_may_cover(messages.count(more, "more sentence"))
        lines = (*_counted(caveat.covers), *((further,) if more else ()))
        yield Section(heading, verbatim.extracts(archive, article_id, caveat.covers[:COVERED]), lines)
    if possible:
        shown = verbatim.extracts(archive, article_id, possible[:COVERED])
        label = messages.MAY_ALSO_COVER if caveat.covers else messages.MAY_COVER
        yield Section(f"{label} · {heading}", shown, _counted(possible, surely=False))


def _counted(indexes: tuple[int, ...], *, surely: bool = True) -> tuple[str, ...]:
    covers = messages.covers if surely else messages.may_cover
    return (covers(len(indexes)),) if len(indexes) > COVERED else ()
