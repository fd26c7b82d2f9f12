"""``sources`` and ``article``: what is held, by outlet; and one article at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from rapidfuzz import process

from bot import citing, messages, verbatim
from bot.command import Holdings
from bot.model import Citation, Listing, Message, Section
from bot.references import extracts
from retrieval import Kind, Listed, Reading, origins_of, terms

if TYPE_CHECKING:
    from retrieval import Archive


ARTICLES = 5  # named under each outlet
OPENING = 3  # sentences shown of an article
PEOPLE = 12
COMPARED = 2_000  # articles that are compared with each other at the most: more would keep everybody waiting


def sources(holdings: Holdings, words: str) -> Listing | Message:
    """Return the articles held by outlet, newest first; with ``words``, those that have something on them."""
    archive = holdings.archive
    held = archive.listed(dict.fromkeys(terms(words)))
    if not held:
        return Message(messages.no_article(words))
    today = datetime.now(UTC).date()
    awaited = {each.source for each in archive.outlets() if each.is_awaited(today)} if not words else set()
    sections = (
        *_since(holdings, held),
        *_outlets(archive, held, today, awaited),
        *_copies(archive, held),
        *_left_out(holdings),
    )
    return Listing(messages.article_count(len(held), words), sections)


def _since(holdings: Holdings, held: Sequence[Listed]) -> Iterator[Section]:
    if holdings.since:
        undated = sum(article.published is None for article in held)
        yield Section("", lines=(messages.searched_since(holdings.since, undated),))


def _outlets(archive: Archive, held: Sequence[Listed], today: date, awaited: set[str]) -> Iterator[Section]:
    ordered = sorted(held, key=lambda article: (article.source or "", article.id))
    for source, group in groupby(ordered, key=lambda article: article.source or ""):
        articles = sorted(group, key=lambda a: (a.published is None, a.published and -a.published.toordinal(), a.id))
        lines, cited = _lines(archive, articles[:ARTICLES])
        if len(articles) > ARTICLES:
            lines += (messages.and_more(len(articles) - ARTICLES, "article"),)
        days = [article.published for article in articles if article.published]
        span = (days[-1], days[0]) if days else None
        heading = messages.outlet(source, len(articles), span, today if source in awaited else None)
        yield Section(heading, lines=lines, cited=cited)


def _lines(archive: Archive, articles: Sequence[Listed]) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """Return a line for each article, and what the lines cite: so they can be withdrawn."""
    found = [(each.id, verbatim.article(archive, each.id, each.digest)) for each in articles]
    lines = (citing.titled(citation) if citation else messages.changed(name) for name, citation in found)
    return tuple(lines), tuple(citation for _, citation in found if citation)


def _copies(archive: Archive, held: Sequence[Listed]) -> Iterator[Section]:
    """Yield the stories that stand in several articles, with the caveats that some of them dropped."""
    if len(held) > COMPARED:
        return
    by_id = {article.id: article for article in held}
    for origin in origins_of(by_id, archive.copies(by_id), partial(verbatim.reading, archive)):
        if len(origin.articles) > 1:
            names, cited = _lines(archive, [by_id[article_id] for article_id in origin.articles])
            lost = tuple(messages.lost_caveat(lost.article_id, lost.carried_by) for lost in origin.lost)
            shown = {(lost.carried_by, lost.caveat.sentence) for lost in origin.lost}
            quoted = tuple(e for article_id, index in sorted(shown) for e in extracts(archive, article_id, (index,)))
            yield Section(messages.one_story(len(origin.articles)), quoted, (*names, *lost), cited=cited)


def _left_out(holdings: Holdings) -> Iterator[Section]:
    if holdings.left_out:
        # where they lie on the machine is nobody's business in a channel
        lines = tuple(f"{PurePath(path).name}: {why}" for path, why in holdings.left_out)
        yield Section(messages.LEFT_OUT_FILES, lines=lines)


def article(holdings: Holdings, article_id: str) -> Listing | Message:
    """Return an article at a glance: source, date, caveats, names in it, its first sentences, the way to the page."""
    archive = holdings.archive
    held = [listed.id for listed in archive.listed()]
    begun = [i for i in held if article_id and i.startswith(article_id)]
    if article_id not in held and len(begun) != 1:
        near = process.extract(article_id, held, limit=3) if article_id else ()
        return Message(messages.no_such_article(article_id, tuple(name for name, _, _ in near)))
    article_id = article_id if article_id in held else begun[0]
    citation = verbatim.article(archive, article_id)
    if citation is None:
        return Message(messages.CHANGED)
    reading = archive.reading(article_id)
    facts = [
        part for part in (citing.source(citation), citation.url, messages.names_line(_people(reading), PEOPLE)) if part
    ]
    return Listing(
        citing.title(citation),
        (
            Section("", lines=tuple(facts)),
            Section(messages.BEGINS, extracts(archive, article_id, _first(reading)), cited=(citation,)),
            *_caveats(archive, reading),
        ),
    )


def _first(reading: Reading) -> tuple[int, ...]:
    report = [p.sentence.index for p in reading.passages if p.sentence.boilerplate is None]
    return tuple(report[:OPENING])


def _people(reading: Reading) -> tuple[str, ...]:
    mentions = (mention for passage in reading.passages for mention in passage.mentions)
    # "Russian" is no name beside "Russia"
    return tuple(dict.fromkeys(mention.name for mention in mentions if mention.kind is not Kind.GROUP))


def _caveats(archive: Archive, reading: Reading) -> Iterator[Section]:
    if reading.caveats:
        indexes = dict.fromkeys(caveat.sentence for caveat in reading.caveats)
        yield Section(messages.CAVEATS, extracts(archive, reading.article.id, indexes))
