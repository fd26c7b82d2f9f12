"""Two shelves of articles with golden questions on each: what the program comes with, and what the tests do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.desk import Desk
from bot.golden import Golden, load
from bot.holdings import Holdings
from bot.mark import Mark, mark
from bot.model import Question
from retrieval.annotate import read_all
from retrieval.archive.archive import open_archive
from retrieval.intake import articles
from retrieval.model import Article, Reading

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of articles, and the file of golden questions on them."""

    folder: Path
    questions: Path


SEEDS = Shelf(PROJECT / "seeds", PROJECT / "seeds" / "questions.toml")
FIXTURES = Shelf(PROJECT / "tests" / "fixtures" / "articles", PROJECT / "tests" / "fixtures" / "questions.toml")


@cache
def stock(shelf: Shelf) -> tuple[Article, ...]:
    """Return the articles of a shelf as they are loaded."""
    return articles.load([shelf.folder]).articles


@cache
def readings(shelf: Shelf) -> tuple[Reading, ...]:
    """Return the articles of a shelf, read."""
    return read_all(stock(shelf))


@cache
def golden(shelf: Shelf) -> tuple[Golden, ...]:
    """Return the golden questions of a shelf."""
    return load(shelf.questions)


def desk(held: Iterable[Reading]) -> Desk:
    """Return a desk that answers from what was read, taken in in that order."""
    return Desk(Holdings(open_archive(tuple(held))))


@cache
def marks(shelf: Shelf) -> Sequence[Mark]:
    """Return what becomes of every golden question of a shelf."""
    answering = desk(readings(shelf))
    archive = answering.holdings.archive
    return tuple(
        mark(each, answering.answer(Question(each.question, each.previous)), archive) for each in golden(shelf)
    )
