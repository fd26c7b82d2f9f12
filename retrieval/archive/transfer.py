"""What one archive gives another: articles with all their versions and the entities they name, a few at a time."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Protocol

from retrieval.archive.corrections import Days
from retrieval.model import Entity, Reading


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


class Transferable(Protocol):
    """All that an archive holds."""

    def batches(self) -> Generator[Batch, None, None]:
        """Yield every article once, as all were at one moment; closed, it lets go of that."""
