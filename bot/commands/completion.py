"""Suggestions for the argument of a command: names and articles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from bot import source_lines, verbatim
from retrieval import Archive, Listed, fold

SPELLINGS = 4  # read for each name that is suggested


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``label`` is shown, ``value`` is what the command gets."""

    label: str
    value: str


@dataclass
class Completion:
    """Caches the titles while the archive stays the same."""

    archive: Archive
    _titles: tuple[object, tuple[tuple[str, Listed], ...]] | None = None

    def names(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return names that begin as typed, one for each entity; with nothing typed, the people in most articles."""
        if not typed.strip():
            return tuple(Suggestion(name, name) for name in self.archive.register().people(limit))
        found: dict[str, str] = {}
        for spelling in self.archive.register().beginning(typed.strip(), limit * SPELLINGS):
            if len(found) == limit:
                break
            meant = self.archive.register().meant(spelling)
            full = meant.name if meant else spelling
            # platforms filter by the letters typed, so the value must contain them: the full name or this spelling
            found.setdefault(full, full if fold(typed.strip()) in fold(full) else spelling)
        return tuple(Suggestion(name, name) for name in found.values())

    def articles(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return articles whose title or id contains what is typed, newest first."""
        wanted = fold(typed.strip())
        found = (article for words, article in self._titled() if wanted in words)
        labelled = ((verbatim.article(self.archive, article.id), article) for article in islice(found, limit))
        return tuple(Suggestion(source_lines.titled(cited), article.id) for cited, article in labelled if cited)

    def _titled(self) -> tuple[tuple[str, Listed], ...]:
        revision = self.archive.revision()
        if self._titles is None or self._titles[0] != revision:
            ordered = sorted(
                self.archive.listed(), key=lambda one: (-one.published.toordinal() if one.published else 0, one.id)
            )
            self._titles = (revision, tuple([(fold(f"{one.title or ''} {one.id}"), one) for one in ordered]))
        return self._titles[1]
