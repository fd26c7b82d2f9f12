"""The rows of a lasting archive -> all that it holds, as another archive is filled with it.

Names are joined in the file already, so that no more than a few articles are held at once, however many there are.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Iterator

from retrieval.archive.lasting import name_lookups, name_store, versions
from retrieval.archive.lasting.database import ArchiveFile, Run
from retrieval.archive.transfer import Batch, DatedReading
from retrieval.errors import NoArticlesError, StaleIndexError
from retrieval.names.entities import with_names

TOGETHER = 100  # articles whose names are looked up at once

log = logging.getLogger(__name__)


class Contents:
    """All that is in an archive's file, but what is under an embargo."""

    def __init__(self, file: ArchiveFile) -> None:
        self._file = file

    def batches(self) -> Generator[Batch, None, None]:
        """Yield every article that is searched, with its versions, as all were at one moment.

        Raises ``NoArticlesError`` where there is none, and ``StaleIndexError`` where what was read in one cannot be
        read any more; an earlier version of which that is so is left out, and named in the log.
        """
        with self._file.reading() as run:
            rows = versions.as_put(run)
            if not (some := rows.fetchmany(TOGETHER)):
                raise NoArticlesError(f"There is no article in {self._file.path} that can be asked.")
            while some:
                yield _batch(run, [article_id for (article_id,) in some])
                some = rows.fetchmany(TOGETHER)


def _batch(run: Run, ids: list[str]) -> Batch:
    own = [tuple(_versions(run, article_id)) for article_id in ids]
    called = name_store.called(run, (version.reading for held in own for version in held))
    joined = tuple(
        tuple(DatedReading(with_names(version.reading, called), version.since, version.days) for version in held)
        for held in own
    )
    named = {
        mention.name
        for held in joined
        for version in held
        for passage in version.reading.passages
        for mention in passage.mentions
    }
    return Batch(joined, name_lookups.called(run, named))


def _versions(run: Run, article_id: str) -> Iterator[DatedReading]:
    *earlier, newest = versions.in_order(run, article_id)
    for row in earlier:
        try:
            yield _dated(run, *row)
        except ValueError:
            log.warning("an earlier version of %r cannot be read any more, and is left out", article_id)
    try:
        yield _dated(run, *newest)
    except ValueError as error:
        raise StaleIndexError(
            f"What was read in the article {article_id!r} cannot be read any more: `stet reindex` reads it anew."
        ) from error


def _dated(run: Run, number: int, since: float, days: str) -> DatedReading:
    return DatedReading(versions.numbered(run, number).reading, since, json.loads(days))
