"""The versions in an archive that another program has read -> what this one reads in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retrieval.archive.lasting import growth, versions
from retrieval.archive.lasting.database import ArchiveFile
from retrieval.model import Article, Reading
from retrieval.names.aliases import Aliases


class Rereading:
    """What was read in an archive, by whom, and how it is put anew."""

    def __init__(self, file: ArchiveFile, aliases: Aliases) -> None:
        self._file, self._aliases = file, aliases

    def stale(self, reader: str) -> tuple[int, ...]:
        """Return the numbers of the versions that are searched, or will be, and that ``reader`` has not read."""
        with self._file.reading() as run:
            return tuple(versions.stale(run, reader))

    def damaged(self) -> tuple[int, ...]:
        """Return the numbers of those that a bad disk has changed, and whose texts are whole."""
        with self._file.reading() as run:
            found = versions.damaged(run)
            return tuple([version.number for version in found if version.article.digest == version.digest])

    def numbered(self, numbers: Iterable[int]) -> tuple[Article, ...]:
        """Return versions by their numbers; ``KeyError`` where there is none."""
        with self._file.reading() as run:
            return tuple([versions.numbered(run, number).article for number in numbers])

    def put(self, readings: Sequence[Reading], reader: str) -> None:
        """Put what ``reader`` has read in the place of what was read before, in articles that are held as they are."""
        with self._file.writing() as run:
            growth.reread(run, readings, reader, self._aliases)
        growth.tend(self._file)
