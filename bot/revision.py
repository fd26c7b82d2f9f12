"""A posted reply -> what became of the sentences it cites: unchanged, corrected, or taken down with their article.

Each sentence is fetched again from the place cited, in the version that was posted, and compared with its counterpart
in the newest version. It counts as unchanged where its words, speaker and caveats are the same.
"""

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot import verbatim
from bot.model import Citation, Extract, Revision
from retrieval import Archive, counterpart, version_key


class Fate(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"  # its article was taken down
    UNKNOWN = "unknown"  # the archive has no such version, and no record of taking it down


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A posted sentence: its article, the digest of the version, and the offset where it starts."""

    article_id: str
    digest: str
    start: int

    @property
    def key(self) -> str:
        return version_key(self.article_id, self.digest)


def is_taken_down(archive: Archive, key: str) -> bool:
    """Return whether the version with this key was taken down, and not added again."""
    retirements = archive.retirements
    return retirements is not None and retirements.is_removed(key) and archive.addressed(key) is None


@dataclass(slots=True)
class Review:
    """Fetches what one posted reply cites, and records the fate of each place, in order.

    ``digests`` are those of the versions it depends on: when one of them is retired, the reply must be reviewed again.
    """

    archive: Archive
    notes: list[tuple[Fate, Hashable]] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)

    def extract(self, place: SentencePlace, before: SentencePlace | None = None) -> Extract | None:
        """Return a sentence, with the one ``before`` it where that was shown too; None where it is gone."""
        is_gone = is_taken_down(self.archive, place.key)
        posted = None if is_gone else self._posted(place)
        if posted is None:
            self.notes.append((Fate.WITHDRAWN if is_gone else Fate.UNKNOWN, None))
            return None
        posted = replace(posted, before=self._posted(before) if before else None)
        current: Extract | None = posted
        if posted.citation.superseded:
            current = self._counterpart(place, posted)
            if current and posted.before:
                current = replace(current, before=self._counterpart(place, posted.before))
        self.digests |= {one.citation.digest for one in (posted, current) if one}
        if current and _content(current) == _content(posted):
            self.notes.append((Fate.SAME, None))
            return current
        self.notes.append((Fate.CHANGED, _content(current) if current else None))
        return replace(posted, revision=Revision(current))

    def citation(self, place: SentencePlace) -> Citation | None:
        """Return the citation of the newest version of an article; None where it is gone."""
        is_gone = is_taken_down(self.archive, place.key)
        cited = None if is_gone else verbatim.article(self.archive, place.article_id)
        if cited:
            self.digests.add(cited.digest)
        self.notes.append((Fate.SAME if cited else Fate.WITHDRAWN if is_gone else Fate.UNKNOWN, None))
        return cited

    def _posted(self, place: SentencePlace) -> Extract | None:
        return verbatim.as_shown(self.archive, place.article_id, place.digest, place.start)

    def _counterpart(self, place: SentencePlace, posted: Extract) -> Extract | None:
        shown = self.archive.addressed(place.key)
        newest = verbatim.reading(self.archive, place.article_id)
        index = counterpart(shown, posted.index, newest) if shown and newest else None
        return None if index is None else verbatim.extract(self.archive, place.article_id, index)

    @property
    def fates(self) -> frozenset[Fate]:
        return frozenset(fate for fate, _ in self.notes)

    @property
    def mark(self) -> str:
        """A digest of the outcome; empty where everything is as posted."""
        if self.fates <= {Fate.SAME}:
            return ""
        return hashlib.sha256(repr(self.notes).encode("utf-8", "surrogatepass")).hexdigest()


def _content(extract: Extract) -> Hashable:
    """Return what a reader is shown of an extract, without its place."""
    return (
        extract.text,
        extract.speaker,
        str(extract.voice),
        str(extract.manner),
        tuple(caveat.text for caveat in extract.caveats),
        tuple(sorted({(str(notice.why), notice.text) for notice in extract.notices})),
        _content(extract.before) if extract.before else None,
    )
