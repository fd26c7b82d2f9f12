"""Sentences that were posted -> what they are by now: as they were, corrected, or taken down with their article.

A posted reply is gone through again from the places that it cites, never from its words: each sentence is fetched
from the version that was shown, and beside it what stands in its place in the newest. Where nothing in it is
different, neither its words nor its speaker and caveats, it counts as it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot import verbatim
from bot.model import Citation, Extract, Notice, Revision
from retrieval import Archive, counterpart, version_key


class Fate(StrEnum):
    """What became of a place that was cited."""

    SAME = "same"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"  # its article was taken down
    UNKNOWN = "unknown"  # this archive never held it, or holds it no more and was not told to take it down


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands that was posted: its article, the digest of the version, and the offset in it."""

    article_id: str
    digest: str
    start: int

    @property
    def key(self) -> str:
        """What stands for the version."""
        return version_key(self.article_id, self.digest)


def is_taken_down(archive: Archive, key: str) -> bool:
    """Return whether the version that ``key`` stands for was taken down, and not put in again."""
    retirements = archive.retirements
    return retirements is not None and retirements.is_removed(key) and archive.addressed(key) is None


@dataclass(slots=True)
class Review:
    """Fetches what one posted reply cites, and notes what became of each place, in order.

    ``digests`` are those of the versions that were looked into: as soon as one is retired, it is different again.
    """

    archive: Archive
    notes: list[tuple[Fate, Hashable]] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)

    def extract(self, place: Place, before: Place | None = None) -> Extract | None:
        """Return a sentence with the one ``before`` inside, where that was shown too; None where it is not held."""
        if is_taken_down(self.archive, place.key):
            self.notes.append((Fate.WITHDRAWN, None))
            return None
        was = verbatim.as_shown(self.archive, place.article_id, place.digest, place.start)
        if was is None:
            self.notes.append((Fate.UNKNOWN, None))
            return None
        ahead = verbatim.as_shown(self.archive, before.article_id, before.digest, before.start) if before else None
        now = self._now(place, was, ahead)
        was = replace(was, before=ahead)
        self.digests |= {each.citation.digest for each in (was, now) if each}
        if now is not None and _told(now) == _told(was):
            self.notes.append((Fate.SAME, None))
            return now
        self.notes.append((Fate.CHANGED, _told(now) if now else None))
        return replace(was, revision=Revision(now))

    def citation(self, place: Place) -> Citation | None:
        """Return the citation of the newest version of an article; None where it is not held."""
        if is_taken_down(self.archive, place.key):
            self.notes.append((Fate.WITHDRAWN, None))
            return None
        found = verbatim.article(self.archive, place.article_id)
        if found is None:
            self.notes.append((Fate.UNKNOWN, None))
            return None
        self.digests.add(found.digest)
        self.notes.append((Fate.SAME, None))
        return found

    def _now(self, place: Place, was: Extract, ahead: Extract | None) -> Extract | None:
        if not was.citation.superseded:
            return replace(was, before=ahead)
        now = self._counterpart(place, was)
        return replace(now, before=self._counterpart(place, ahead)) if now and ahead else now

    def _counterpart(self, place: Place, was: Extract) -> Extract | None:
        shown = self.archive.addressed(place.key)
        newest = verbatim.reading(self.archive, place.article_id)
        index = counterpart(shown, was.index, newest) if shown and newest else None
        return None if index is None else verbatim.extract(self.archive, place.article_id, index)

    @property
    def fates(self) -> frozenset[Fate]:
        """What became of the places, each fate once."""
        return frozenset(fate for fate, _ in self.notes)

    @property
    def mark(self) -> str:
        """What tells this outcome from any other; empty where all is as it was posted."""
        if self.fates <= {Fate.SAME}:
            return ""
        return hashlib.sha256(repr(self.notes).encode("utf-8", "surrogatepass")).hexdigest()


def _told(extract: Extract) -> Hashable:
    """Return all that a reader is told of an extract, but for where it stands."""
    noted = {_noted(n) for n in extract.notices}
    return (
        extract.text,
        extract.speaker,
        str(extract.voice),
        str(extract.manner),
        tuple(caveat.text for caveat in extract.caveats),
        tuple(sorted(noted)),
        _told(extract.before) if extract.before else None,
    )


def _noted(notice: Notice) -> tuple[str, str]:
    return str(notice.why), notice.text
