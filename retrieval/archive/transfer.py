"""What one archive gives another: articles with all their versions and the entities they name, a few at a time."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from retrieval.archive.corrections import Days
from retrieval.model import Entity, Reading
from retrieval.search import Archive


@dataclass(frozen=True, slots=True)
class DatedReading:
    """A version of an article, with names as they are joined over the archive.

    ``since`` is when it came (seconds since 1970), ``days`` those on which its sentences were changed.
    """

    reading: Reading
    since: float
    days: Days


@dataclass(frozen=True, slots=True)
class Batch:
    """Some articles, of each its versions, the newest last; and what they name, by name, with all its spellings."""

    articles: tuple[tuple[DatedReading, ...], ...]
    entities: Mapping[str, Entity]


class Readings(Mapping[str, Reading]):
    """What was read in the articles of an archive, by their ids; each is asked for anew, so that none is held."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._ids = tuple(listed.id for listed in archive.listed())

    def __getitem__(self, article_id: str) -> Reading:
        return self._archive.reading(article_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class Transferable(Protocol):
    """All that an archive holds."""

    def batches(self) -> Generator[Batch, None, None]:
        """Yield every article once, as all were at one moment; closed, it lets go of that."""
