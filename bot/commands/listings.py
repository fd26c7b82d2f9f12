"""``sources``, ``article``, ``unverified``, ``disputed``: articles, caveats with what they cover, and denials."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby, islice
from pathlib import PurePath

from rapidfuzz import process

from bot import messages, source_lines, verbatim
from bot.command import Library
from bot.model import Citation, Listing, Message, Section
from retrieval import CAVEAT, DENIAL, Archive, Caveat, Kind, Listed, origins_of, places_with, terms

ARTICLES = 5  # listed under each outlet
OPENING = 3  # sentences shown of an article
HEAD = ("outlet", "title", "published", "address", "article")
PEOPLE = 12
COMPARED = 2_000  # articles at most that are compared with each other; more would take too long
CAVEATS, DENIALS = 8, 5  # in one reply
COVERED = 3  # sentences shown of each caveat

Place = tuple[str, int]  # the id of an article, the index of a sentence


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
    for origin in origins_of(articles, partial(verbatim.reading, archive)):
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
    if (citation := verbatim.article(archive, article_id)) is None:
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


def matching_places(archive: Archive, words: str, facets: Collection[str]) -> frozenset[Place]:
    """Return the sentences that contain every term of ``words``, in articles with one of ``facets``."""
    return frozenset(places_with(archive, dict.fromkeys(terms(words)), facets))


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
    sections = (section for pair in caveats[:CAVEATS] for section in _caveat_sections(archive, *pair, wanted or ()))
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


def _caveat_sections(archive: Archive, article_id: str, caveat: Caveat, wanted: Collection[Place]) -> Iterator[Section]:
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
