"""What a command is: a row of the table of commands, the argument it takes, and what it searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from bot.ask.model import DEFAULT, Thresholds
from bot.model import Extract, Reply
from retrieval import EVERYTHING, NO_ALIASES, QUESTION, Aliases, Archive, Meaning, Scope


@dataclass(frozen=True, slots=True)
class Library:
    """What questions and commands search: the archive, within ``scope``, and what helps to search it.

    ``left_out`` are files that could not be read, each with the reason. Without ``meaning``, only words are compared.
    """

    archive: Archive
    meaning: Meaning | None = None
    aliases: Aliases = NO_ALIASES
    left_out: tuple[tuple[str, str], ...] = ()
    thresholds: Thresholds = DEFAULT
    scope: Scope = EVERYTHING

    def within(self, scope: Scope) -> Library:
        """Return the same within a narrower scope; unreadable files have no source, so a list of sources hides them."""
        left_out = self.left_out if scope.sources is None else ()
        return replace(self, archive=self.archive.scoped(scope), left_out=left_out, scope=self.scope.narrowed(scope))


@dataclass(frozen=True, slots=True)
class ExtractStream:
    """At least one extract, each made only when it is taken."""

    extracts: Iterator[Extract]
    looked_for: tuple[str, ...]

    @classmethod
    def of(cls, extracts: Iterator[Extract], name: str) -> ExtractStream | None:
        first = next(extracts, None)
        return cls(chain((first,), extracts), (name,)) if first else None


class Argument(StrEnum):
    NAME = "name"
    WORDS = "words"
    QUOTE = "quote"
    PHRASE = "phrase"
    STATE = "state"
    ARTICLE = "article"  # an article's id, or the beginning of one
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table; ``longest`` is its argument's limit in characters, ``rows`` give the reply as a table."""

    name: str
    usage: str
    help: str
    run: Callable[[Library, str], Reply | ExtractStream] = field(repr=False)
    argument: Argument = Argument.WORDS
    longest: int = QUESTION
    rows: Callable[[Library, str], Iterable[Sequence[object]]] | None = field(default=None, repr=False)
