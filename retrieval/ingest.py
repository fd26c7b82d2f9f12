"""Articles -> an archive: what is new or has changed is read and put in, and the rest costs nothing.

Some articles at a time are put in together: who is killed has lost no more than these, and reads them again.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from retrieval.archive.archive import PersistentArchive, WritableArchive
from retrieval.archive.vectors import texts
from retrieval.cache import program_version
from retrieval.errors import ArchiveError, ArticleError, NoArticlesError, UnreadArticleError, fault_of
from retrieval.model import Article, Reading
from retrieval.search import Codes, Meaning

if TYPE_CHECKING:
    from retrieval.intake.articles import Loaded
    from retrieval.intake.metadata import Rejected
    from retrieval.pipeline import Advance, OnError

REREAD_AT_ONCE = 1_024  # articles whose texts are in memory when all are read again
ENCODED_AT_ONCE = 16  # articles whose vectors are stored together: a few seconds of work


class IngestResult(NamedTuple):
    """What became of articles, by their ids: new ones, new versions, and unchanged ones."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]


def ingest_articles(
    archive: PersistentArchive, articles: Sequence[Article], advance: Advance, on_error: OnError
) -> IngestResult:
    """Put articles into the archive, each under the id that it has there already.

    ``advance`` is called after each article, ``on_error`` with each that could not be read.
    """
    left, unchanged = _sorted_out(archive, archive.identified(articles), advance)
    before = {article.id for article in left if archive.versions(article.id)}
    put = _put(archive, left, advance, on_error)
    return IngestResult(
        added=tuple(article_id for article_id in put if article_id not in before),
        changed=tuple(article_id for article_id in put if article_id in before),
        unchanged=unchanged,
    )


def _sorted_out(
    archive: WritableArchive, articles: Sequence[Article], advance: Advance
) -> tuple[list[Article], tuple[str, ...]]:
    """Return the articles that are to be read, and the ids of those that the archive has just so."""
    known = list(zip(articles, archive.known(articles), strict=True))
    unchanged = tuple(article.id for article, is_known in known if is_known)
    for _ in unchanged:
        advance()
    return [article for article, is_known in known if not is_known], unchanged


def sync_folder(archive: WritableArchive, loaded: Loaded, advance: Advance, on_error: OnError) -> None:
    """Have the archive hold just what was loaded, each article under its own id; the rest is as in ``ingest_articles``.

    What it holds and is frozen stays as it is, and keeps its id.
    """
    stored = archive.articles() if loaded.frozen else ()
    frozen = {article.id for article in stored if loaded.is_frozen(article)}
    articles = [article for article in loaded.articles if article.id not in frozen]
    wanted = frozen.union(article.id for article in articles)
    if stale := [listed.id for listed in archive.listed() if listed.id not in wanted]:
        archive.remove(*stale)
    left, _ = _sorted_out(archive, articles, advance)
    put = _put(archive, left, advance, on_error)
    # what cannot be read any more is not shown as it was
    if unread := [article.id for article in left if article.id not in put and archive.versions(article.id)]:
        archive.remove(*unread)
    if stale or left:
        archive.clear_change_log()


def _put(archive: WritableArchive, left: Sequence[Article], advance: Advance, on_error: OnError) -> tuple[str, ...]:
    if not left:
        return ()
    from retrieval.pipeline import read_in_batches  # noqa: PLC0415 - loads every rule

    reader = program_version()
    put: set[str] = set()

    def keep(readings: Sequence[Reading]) -> None:
        try:
            archive.add(readings, reader, more=True)
        except ArchiveError:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, it must not take the others with it
            if len(readings) == 1:
                [reading] = readings
                on_error(UnreadArticleError(reading.article.id, reading.article.path, "index", *fault_of(fault)))
                return
            for each in readings:
                keep([each])
            return
        put.update(reading.article.id for reading in readings)

    with archive.adding():
        read_in_batches(left, keep, advance, on_error)
    return tuple(article.id for article in left if article.id in put)


def reparse(article: Article) -> Reading:
    from retrieval.pipeline import read_one  # noqa: PLC0415 - as above

    return read_one(article)


def reparse_stale(archive: PersistentArchive, advance: Advance, on_error: OnError) -> int:
    """Read again what another version of the program has read, and what is damaged; return how many articles that is.

    What cannot be read any more stays as it was read. The rest is as in ``ingest_articles``.
    """
    from retrieval.pipeline import read_in_batches  # noqa: PLC0415 - as above

    numbers = sorted({*archive.stale(), *archive.unreadable()})
    with archive.adding():
        for start in range(0, len(numbers), REREAD_AT_ONCE):
            articles = archive.numbered(numbers[start : start + REREAD_AT_ONCE])
            read_in_batches(articles, archive.replace_readings, advance, on_error)
    return len(numbers)


@dataclass(frozen=True, slots=True)
class Renewal:
    """What became of articles whose files were read again, by their ids; those ``left`` as they are by the reason."""

    renewed: list[str] = field(default_factory=list)
    left: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    rejected: list[Rejected] = field(default_factory=list)


def renew_from_files(archive: PersistentArchive, zone: tzinfo | None, advance: Advance, on_error: OnError) -> Renewal:
    """Read the files of articles again, and renew what this version of the program reads otherwise in the same file.

    Nothing is added or removed, and no article is corrected by it. The rest is as in ``ingest_articles``.
    """
    from retrieval.pipeline import read_in_batches  # noqa: PLC0415 - as above

    renewal = Renewal()
    numbers, articles = dict[str, int](), list[Article]()

    def keep(readings: Sequence[Reading]) -> None:
        archive.renew([(numbers[reading.article.id], reading) for reading in readings])
        renewal.renewed.extend(reading.article.id for reading in readings)

    with archive.adding():
        for path, own in archive.by_path().items():
            for number, article in zip(own, _again(archive.numbered(own), path, zone, renewal), strict=True):
                if article is None:
                    advance()
                else:
                    numbers[article.id] = number
                    articles.append(article)
            if len(articles) >= REREAD_AT_ONCE:
                read_in_batches(articles, keep, advance, on_error)
                articles.clear()
        read_in_batches(articles, keep, advance, on_error)
    return renewal


def _again(stored: Sequence[Article], path: str, zone: tzinfo | None, renewal: Renewal) -> Iterator[Article | None]:
    """Yield for each article of a file how it is read now; None where it stays as it is."""
    from retrieval.intake.articles import load_articles  # noqa: PLC0415 - as above

    fresh: tuple[Article, ...] = ()
    if is_file := Path(path).is_file():
        try:
            loaded = load_articles([Path(path)], zone)
            renewal.rejected.extend(loaded.rejected)
            fresh = loaded.articles
        except NoArticlesError as error:
            renewal.rejected.append((path, ArticleError(str(error))))
    for article in stored:
        # in a folder, an id may have begun with the way to its file
        same = (own for own in fresh if f"/{article.id}".endswith(f"/{own.id}") or (own.url or "") == article.url)
        reason, now = "", next(same, fresh[0] if len(stored) == len(fresh) == 1 else None)
        if not is_file:
            reason = "it came from no file" if "://" in path or not path else "the file is gone"
        elif now is None:
            reason = "the file does not give it any more"
        elif not article.origin or article.origin != now.origin:
            reason = "the file was changed since: `stet add` takes that in"
        elif article.embargo != now.embargo:
            reason = "the file has another embargo: `stet add` takes that in"
        if reason:
            renewal.left[reason].append(article.id)
        renewed = now and replace(now, id=article.id, path=article.path)
        yield None if reason or renewed == article else renewed


def encode(
    archive: WritableArchive, meaning: Meaning, advance: Advance, stop: Event | None = None, threads: int = 0
) -> None:
    """Make and store the vectors of the articles that have none, a few at a time, until ``stop`` is set.

    ``threads`` 0 means one for each processor, 1 this thread alone. Nothing is stored where the encoder fails.
    """
    numbers = archive.unencoded()
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        each = map if threads == 1 else pool.map
        for start in range(0, len(numbers), ENCODED_AT_ONCE):
            if stop and stop.is_set():
                return
            some = numbers[start : start + ENCODED_AT_ONCE]
            whole = {n: reading for n in some if (reading := archive.stored_reading(n))}  # else it is damaged
            codes = each(lambda reading: _codes(reading, meaning), whole.values())
            archive.put_vectors([(n, whole[n], own) for n, own in zip(whole, codes, strict=True) if own is not None])
            for _ in some:
                advance()


def _codes(reading: Reading, meaning: Meaning) -> Codes | None:
    title, *sentences = texts(reading)
    alone, in_context = meaning.passages(sentences), meaning.in_context(title, sentences)
    return None if alone is None or in_context is None else np.stack((alone, in_context))
