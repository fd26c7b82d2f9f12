"""What is typed so far into a command -> what it may become: names and articles; of nothing typed, the likeliest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from bot import citing, verbatim
from retrieval import Kind, Listed, fold

if TYPE_CHECKING:
    from retrieval import Archive


SPELLINGS = 4  # looked at for each name that is offered


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is offered: ``label`` is shown, ``value`` is what the command gets."""

    label: str
    value: str


@dataclass
class Completion:
    """Completes from what ``archive`` holds; what it works out once, it keeps for as long as that stays the same."""

    archive: Archive
    _people: tuple[object, tuple[str, ...]] | None = None
    _titles: tuple[object, tuple[tuple[str, Listed], ...]] | None = None

    def names(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return names that go on as typed, one for each bearer; of nothing typed, who is in most articles."""
        if not typed.strip():
            return tuple(Suggestion(name, name) for name in self.people[:limit])
        found: dict[str, str] = {}
        for spelling in self.archive.register().beginning(typed.strip(), limit * SPELLINGS):
            if len(found) == limit:
                break
            meant = self.archive.register().meant(spelling)
            full = meant.name if meant else spelling
            # a platform's own filter keeps what holds the letters typed: the whole name, or else this spelling of it
            found.setdefault(full, full if fold(typed.strip()) in fold(full) else spelling)
        return tuple(Suggestion(name, name) for name in found.values())

    @property
    def people(self) -> tuple[str, ...]:
        """The people, who is in most articles first; told anew once something was put in or removed."""
        revision = self.archive.revision()
        if self._people is None or self._people[0] != revision:
            people = (entity for entity in self.archive.register().entities() if entity.kind is Kind.PERSON)
            ordered = sorted(people, key=lambda entity: (-len(entity.articles), entity.name))
            self._people = (revision, tuple([entity.name for entity in ordered]))
        return self._people[1]

    def articles(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return articles whose title or id holds what is typed, newest first."""
        wanted = fold(typed.strip())
        found = (article for words, article in self._titled() if wanted in words)
        labelled = ((verbatim.article(self.archive, article.id), article) for article in islice(found, limit))
        return tuple(Suggestion(citing.titled(cited), article.id) for cited, article in labelled if cited)

    def _titled(self) -> tuple[tuple[str, Listed], ...]:
        """Return every article by what is looked for in it, newest first."""
        revision = self.archive.revision()
        if self._titles is None or self._titles[0] != revision:
            ordered = sorted(self.archive.listed(), key=_newest)
            self._titles = (revision, tuple([(fold(f"{each.title or ''} {each.id}"), each) for each in ordered]))
        return self._titles[1]


def _newest(article: Listed) -> tuple[int, str]:
    return (-article.published.toordinal() if article.published else 0, article.id)
