"""The only door by which an article's words reach a reply.

The guarantee, in full, since everything rests on it:

    What stands in ``Extract.text`` is ``Article.text`` at ``Citation.span``, with runs of white space shown as one
    space, and nothing else changed. The same holds of a caveat's and a notice's words.

It is kept by four things.

1.  No other module makes an ``Extract``, a ``Citation``, a ``QuotedCaveat`` or a ``Notice``
    (a test reads the source of all the others).
2.  The words are never handed in. The door takes an article's id and the index of a sentence, goes to the
    archive for the article, and cuts them out there. All it takes is of one state of the archive: that of the
    question, where that has a snapshot (``Archive.snapshot``).
3.  Before it cuts, it compares: the stored text is hashed afresh, and the hash must be the one that the text had
    when its sentences were read, and when the sentence was found. An article that was changed in between gives
    ``StaleIndexError``: it can disappear from a reply, it cannot be misquoted.
4.  What must travel with a sentence is fetched by the same step from the same reading: who can build an extract
    without its caveat cannot build one at all.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from bot.model import Citation, Extract, Notice, NoticeReason, QuotedCaveat
from retrieval import Article, Caveat, DamagedArticleError, Passage, Reading, Span, StaleIndexError, version_key

if TYPE_CHECKING:
    from retrieval import Archive


log = logging.getLogger(__name__)

OPENING = 60  # characters of the opening words that stand for a missing title
T = TypeVar("T")


def collapse(text: str) -> str:
    """Return ``text`` with each run of white space as one space, and nothing else changed."""
    return " ".join(text.split())


def extract(archive: Archive, article_id: str, index: int, *, before: bool = False, digest: str = "") -> Extract | None:
    """Return one sentence with its citation and its caveats; with ``before``, the sentence before it inside.

    None, with a line in the log, where the article is gone, has changed since it was read, or has no such sentence;
    with the ``digest`` of the text in which it was found, where it is another by now.
    """
    return _guarded(archive, lambda: _extract(archive, article_id, index, before=before, digest=digest), article_id)


def addressed(archive: Archive, key: str, index: int) -> Extract | None:
    """Return a sentence of the version of an article that ``key`` stands for, as ``extract`` does of the newest.

    What was shown once can be opened again; where a later version took its place, the citation says so.
    """
    return _guarded(archive, lambda: _addressed(archive, key, index), key)


def as_shown(archive: Archive, article_id: str, digest: str, start: int) -> Extract | None:
    """Return the sentence that begins at ``start`` in the version of an article with that digest, as ``addressed``."""
    key = version_key(article_id, digest)
    return _guarded(archive, lambda: _addressed(archive, key, _index(archive, key, start)), article_id)


def article(archive: Archive, article_id: str, digest: str = "", report: Span | None = None) -> Citation | None:
    """Return the citation of an article as a whole, as ``extract`` does of a sentence.

    Who knows what was read in it knows the ``digest`` of that text, and the first sentence of its ``report``: then that
    is not looked up again.
    """
    return _guarded(archive, lambda: _whole(archive, article_id, digest, report), article_id)


def reading(archive: Archive, article_id: str) -> Reading | None:
    """Return what was read in an article, for who shows it as a whole; None as for ``extract``."""
    return _guarded(archive, lambda: _reading(archive, article_id), article_id)


def version(archive: Archive, article_id: str, digest: str) -> Reading | None:
    """Return the same of one version of an article, superseded or not."""
    return _guarded(archive, lambda: _version(archive, version_key(article_id, digest)), article_id)


def _guarded(archive: Archive, make: Callable[[], T], article_id: str) -> T | None:
    try:
        with archive.snapshot():
            return make()
    except (StaleIndexError, DamagedArticleError) as error:
        log.warning("%s is left out: %s", article_id, error)
        return None


def _reading(archive: Archive, article_id: str) -> Reading:
    """Return what was read in an article, if its stored text is still the one that was read."""
    stored = _stored(archive, article_id)
    try:
        return _unchanged(stored, archive.reading(article_id))
    except KeyError as error:
        raise StaleIndexError("it is no longer stored") from error


def _stored(archive: Archive, article_id: str) -> Article:
    try:
        return archive.article(article_id)
    except KeyError as error:
        raise StaleIndexError("it is no longer stored") from error


def _compared(archive: Archive, article_id: str, digest: str) -> Article:
    """Return the stored article, if its text still has this digest."""
    return _compare(_stored(archive, article_id), digest)


def _unchanged(stored: Article, reading: Reading) -> Reading:
    _compare(stored, reading.article.digest)
    return reading


def _compare(stored: Article, digest: str) -> Article:
    if hashlib.sha256(stored.text.encode("utf-8", "surrogatepass")).hexdigest() != digest:
        raise StaleIndexError("its text has changed since it was read")
    return stored


def _index(archive: Archive, key: str, start: int) -> int:
    passages = _version(archive, key).passages
    index = next((p.sentence.index for p in passages if p.sentence.span.start == start), None)
    if index is None:
        raise StaleIndexError("it is no longer stored")
    return index


def _version(archive: Archive, key: str) -> Reading:
    reading = archive.addressed(key)
    if reading is None:
        raise StaleIndexError("it is no longer stored")
    return _unchanged(reading.article, reading)


def _addressed(archive: Archive, key: str, index: int) -> Extract:
    reading = _version(archive, key)
    found = _made(reading, index)
    try:
        newest = archive.article(reading.article.id)
    except KeyError:
        newest = None
    if newest and newest.key == key:
        return _extract(archive, newest.id, index, before=False)
    return replace(found, citation=replace(found.citation, superseded=True))


def _extract(archive: Archive, article_id: str, index: int, *, before: bool, digest: str = "") -> Extract:
    reading = _reading(archive, article_id)
    if digest not in ("", reading.article.digest):
        raise StaleIndexError("its text has changed since the sentence was found")
    found = _made(reading, index)
    return replace(
        found,
        citation=replace(found.citation, corrected=archive.history(article_id)[-1].corrections.get(index)),
        before=_extract(archive, article_id, index - 1, before=False) if before and index else None,
    )


def _made(reading: Reading, index: int) -> Extract:
    passage = _passage(reading, index)
    return Extract(
        text=collapse(passage.sentence.span.of(reading.article.text)),
        citation=_cited(reading, passage.sentence.span),
        index=index,
        speaker=passage.speaker,
        voice=passage.voice,
        manner=passage.attribution.manner if passage.attribution else None,
        caveats=tuple(_caveat(reading, caveat) for caveat in passage.caveats),
        notices=_notices(reading, passage),
    )


def _passage(reading: Reading, index: int) -> Passage:
    if not 0 <= index < len(reading.passages):
        raise StaleIndexError(f"it has no sentence {index}")
    return reading.passages[index]


def _cited(reading: Reading, span: Span) -> Citation:
    return _cite(reading.article, span, "" if reading.article.title else opening(reading))


def _cite(article: Article, span: Span, known_by: str) -> Citation:
    return Citation(
        article_id=article.id,
        path=article.path,
        digest=article.digest,
        span=span,
        title=article.title,
        opening=known_by,
        source=article.source,
        published=article.published,
        url=article.url,
    )


def opening(reading: Reading) -> str:
    """Return the words that an article is known by where it has no title: those its report begins with.

    What stands before the first sentence of the report (a date, a caption, a way to other pages) says nothing of it.
    """
    report = (p.sentence.span for p in reading.passages if p.sentence.boilerplate is None)
    return _opening(reading.article, next(report, Span(0, len(reading.article.text))))


def _opening(article: Article, report: Span) -> str:
    words = collapse(report.of(article.text))
    if len(words) <= OPENING:
        return words
    return words[: OPENING + 1].rsplit(" ", 1)[0].rstrip(" ,;:–—-") + " …"


def _whole(archive: Archive, article_id: str, digest: str, report: Span | None) -> Citation:
    article = _compared(archive, article_id, digest) if digest else None
    if article and (article.title or report):
        known_by = _opening(article, report) if report and not article.title else ""
    else:  # what it is known by stands in the reading
        reading = _reading(archive, article_id)
        article, known_by = reading.article, opening(reading)
    return _cite(article, Span(0, len(article.text)), known_by)


def _caveat(reading: Reading, caveat: Caveat) -> QuotedCaveat:
    span = reading.passages[caveat.sentence].sentence.span
    text = collapse(span.of(reading.article.text))
    return QuotedCaveat(text, caveat.kind, caveat.verifier, _cited(reading, span))


def _notices(reading: Reading, passage: Passage) -> tuple[Notice, ...]:
    """Return the caveats on the article as a whole, and those that may cover this sentence."""
    whole = (_notice(reading, caveat, NoticeReason.ARTICLE) for caveat in reading.notices)
    return (
        *whole,
        *(
            _notice(reading, caveat, NoticeReason.POSSIBLE)
            for caveat in passage.possible_caveats
            if not caveat.is_notice
        ),
    )


def _notice(reading: Reading, caveat: Caveat, why: NoticeReason) -> Notice:
    quoted = _caveat(reading, caveat)
    return Notice(quoted.text, caveat.kind, caveat.verifier, quoted.citation, why)
