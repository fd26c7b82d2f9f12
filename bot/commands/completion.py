"""What is typed so far into a command -> what it may become: names and articles; of nothing typed, the likeliest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from bot import citing, verbatim
from retrieval import Archive, Article, Kind, fold

SPELLINGS = 4  # looked at for each name that is offered


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is offered: ``label`` is shown, ``value`` is what the command gets."""

    label: str
    value: str


@dataclass(frozen=True)
class Completion:
    """Completes from what ``archive`` holds; what it works out once, it keeps."""

    archive: Archive

    def names(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return names that go on as typed, one for each bearer; of nothing typed, who is named most."""
        if not typed.strip():
            return tuple(Suggestion(name, name) for name in self.people[:limit])
        found: dict[str, str] = {}
        for spelling in self.archive.names(typed.strip(), limit * SPELLINGS):
            meant = self.archive.register().meant(spelling)
            full = meant.name if meant else spelling
            # a platform's own filter keeps what holds the letters typed: the whole name, or else this spelling of it
            found.setdefault(full, full if fold(typed.strip()) in fold(full) else spelling)
        return tuple(Suggestion(name, name) for name in list(found.values())[:limit])

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The people, most named first."""
        named = Counter(
            mention.name
            for article in self.archive.articles()
            for passage in self.archive.reading(article.id).passages
            for mention in passage.mentions
            if mention.kind is Kind.PERSON
        )
        return tuple(sorted(named, key=lambda name: (-named[name], name)))

    def articles(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return articles whose title or id holds what is typed, newest first."""
        wanted = fold(typed.strip())
        held = sorted(self.archive.articles(), key=_newest)
        found = (article for article in held if wanted in fold(f"{article.title or ''} {article.id}"))
        labelled = ((verbatim.article(self.archive, article.id), article) for article in islice(found, limit))
        return tuple(Suggestion(citing.titled(cited), article.id) for cited, article in labelled if cited)


def _newest(article: Article) -> tuple[int, str]:
    return (-article.published.toordinal() if article.published else 0, article.id)
