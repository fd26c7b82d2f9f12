"""``sources`` and ``article``: the articles by outlet, and one article at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from pathlib import PurePath

from rapidfuzz import process

from bot import messages, source_lines, verbatim
from bot.command import Library
from bot.model import Citation, Listing, Message, Section
from retrieval import Archive, Kind, Listed, origins_of, terms

ARTICLES = 5  # listed under each outlet
OPENING = 3  # sentences shown of an article
HEAD = ("outlet", "title", "published", "address", "article")
PEOPLE = 12
COMPARED = 2_000  # articles at most that are compared with each other; more would take too long


def sources(library: Library, words: str) -> Listing | Message:
    """Return the articles by outlet, newest first; with ``words``, those that contain them."""
    archive = library.archive
    articles = archive.listed(dict.fromkeys(terms(words)))
    if not articles:
        return Message(f"No article{messages.about(words)}.")
    today = datetime.now(UTC).date()
    awaited = {each.source for each in archive.outlets() if each.is_awaited(today)} if not words else set()
    sections = [*_outlets(archive, articles, today, awaited), *_copies(archive, articles)]
    if library.scope.since:
        undated = sum(article.published is None for article in articles)
        sections.insert(0, Section("", lines=(messages.searched_since(library.scope.since, undated),)))
    if library.left_out:
        # without the folder, which is private
        lines = tuple(f"{PurePath(path).name}: {why}" for path, why in library.left_out)
        sections.append(Section(messages.LEFT_OUT_FILES, lines=lines))
    return Listing(f"{messages.count(len(articles), 'article')}{messages.about(words)}", tuple(sections))


def rows(library: Library, words: str) -> Iterator[Sequence[object]]:
    """Yield the articles as a table, its head first."""
    yield HEAD
    for each in library.archive.listed(dict.fromkeys(terms(words))):
        yield each.source or "", each.title or "", each.published or "", each.url or "", each.id


def _outlets(archive: Archive, articles: Sequence[Listed], today: date, awaited: set[str]) -> Iterator[Section]:
    ordered = sorted(articles, key=lambda article: (article.source or "", article.id))
    for source, group in groupby(ordered, key=lambda article: article.source or ""):
        of_outlet = sorted(group, key=lambda a: (a.published is None, a.published and -a.published.toordinal(), a.id))
        lines, cited = _lines(archive, of_outlet[:ARTICLES])
        lines += messages.and_more(len(of_outlet) - ARTICLES, "article")
        days = [article.published for article in of_outlet if article.published]
        span = (days[-1], days[0]) if days else None
        heading = messages.outlet(source, len(of_outlet), span, today if source in awaited else None)
        yield Section(heading, lines=lines, cited=cited)


def _lines(archive: Archive, articles: Sequence[Listed]) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """Return a line for each article, and the citations by which the lines can be withdrawn."""
    cited = [verbatim.article(archive, listed.id, listed.digest) for listed in articles]
    lines = (
        source_lines.titled(citation) if citation else messages.changed(listed.id)
        for listed, citation in zip(articles, cited, strict=True)
    )
    return tuple(lines), tuple(filter(None, cited))


def _copies(archive: Archive, articles: Sequence[Listed]) -> Iterator[Section]:
    """Yield the stories that several articles have, with the caveats that some of them dropped."""
    if len(articles) > COMPARED:
        return
    by_id = {article.id: article for article in articles}
    copies = [pair for pair in archive.copies(by_id) if by_id.keys() >= {*pair}]
    for origin in origins_of(by_id, copies, partial(verbatim.reading, archive)):
        if len(origin.articles) > 1:
            names, cited = _lines(archive, [by_id[article_id] for article_id in origin.articles])
            lost = tuple(messages.lost_caveat(lost.article_id, lost.carried_by) for lost in origin.lost)
            quoted = tuple(verbatim.at(archive, sorted({(n.carried_by, n.caveat.sentence) for n in origin.lost})))
            yield Section(messages.one_story(len(origin.articles)), quoted, (*names, *lost), cited=cited)


def article(library: Library, article_id: str) -> Listing | Message:
    archive = library.archive
    ids = [listed.id for listed in archive.listed()]
    begun = [name for name in ids if article_id and name.startswith(article_id)]
    if article_id not in ids and len(begun) != 1:
        near = process.extract(article_id, ids, limit=3) if article_id else ()
        return Message(messages.no_such_article(article_id, tuple(name for name, _, _ in near)))
    article_id = article_id if article_id in ids else begun[0]
    citation = verbatim.article(archive, article_id)
    if citation is None:
        return Message(messages.CHANGED)
    reading = archive.reading(article_id)
    mentions = (mention for passage in reading.passages for mention in passage.mentions)
    # "Russian" adds nothing to "Russia"
    names = tuple(dict.fromkeys(mention.name for mention in mentions if mention.kind is not Kind.GROUP))
    facts = (source_lines.source(citation), citation.url, messages.names_line(names, PEOPLE))
    report = [p.sentence.index for p in reading.passages if p.sentence.boilerplate is None]
    sections = [
        Section("", lines=tuple(filter(None, facts))),
        Section(messages.BEGINS, verbatim.extracts(archive, article_id, report[:OPENING]), cited=(citation,)),
    ]
    if reading.caveats:
        indexes = dict.fromkeys(caveat.sentence for caveat in reading.caveats)
        sections.append(Section(messages.CAVEATS, verbatim.extracts(archive, article_id, indexes)))
    return Listing(source_lines.title(citation), tuple(sections))
