"""What a command is: a row of the desk's table, what it takes, and what it looks into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.ask.model import DEFAULT, SearchContext, Thresholds
from bot.model import Extract, Reply
from retrieval import EVERYTHING, NO_ALIASES, QUESTION, Aliases, Meaning, Scope

if TYPE_CHECKING:
    from retrieval import Archive


@dataclass(frozen=True, slots=True)
class Holdings:
    """The archive, the hand-written names, and the files that were left out, each with the reason in words.

    ``meaning`` compares sentences with a question; without it words alone are compared. ``scope`` is that of the
    articles that are asked.
    """

    archive: Archive
    aliases: Aliases = NO_ALIASES
    left_out: tuple[tuple[str, str], ...] = ()
    meaning: Meaning | None = None
    thresholds: Thresholds = DEFAULT
    scope: Scope = EVERYTHING

    @property
    def since(self) -> date | None:
        """The day from which on articles are asked, where not all are."""
        return self.scope.since

    @property
    def asking(self) -> SearchContext:
        """What a question is asked of."""
        return SearchContext(self.archive, self.meaning, self.aliases.shorthand, self.thresholds)

    def within(self, scope: Scope) -> Holdings:
        """Return the same with the articles within ``scope`` alone; a file that was left out is of no known source."""
        left_out = self.left_out if scope.sources is None else ()
        return replace(self, archive=self.archive.scoped(scope), left_out=left_out, scope=self.scope.narrowed(scope))


@dataclass(frozen=True, slots=True)
class Found:
    """At least one extract, each made when it is taken: who shows a page of them makes no more."""

    extracts: Iterator[Extract]
    looked_for: tuple[str, ...]


class Argument(StrEnum):
    """What a command takes after its name."""

    NOTHING = "nothing"
    NAME = "name"  # a name, which platforms may complete
    WORDS = "words"
    QUOTE = "quote"
    STATE = "state"
    ARTICLE = "article"  # an article's id, or how it begins
    COMMAND = "command"  # the name of one


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table; ``longest`` is what it takes, in characters."""

    name: str
    usage: str
    help: str
    run: Callable[[Holdings, str], Reply | Found] = field(repr=False)
    argument: Argument = Argument.WORDS
    longest: int = QUESTION
