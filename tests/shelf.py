"""Two shelves of articles with golden questions on each: what the program comes with, and what the tests do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.command import Library
from bot.evaluation.evaluate import Grade, grade
from bot.evaluation.golden import Golden, load
from bot.model import Question
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.ingest import encode
from retrieval.intake import articles
from retrieval.model import Article, Reading
from retrieval.pipeline import read_separately
from retrieval.search import Meaning
from tests.encoders import Remembering

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
    return articles.load_articles([shelf.folder]).articles


@cache
def readings(shelf: Shelf) -> tuple[Reading, ...]:
    return tuple(read_separately(stock(shelf)))


@cache
def golden(shelf: Shelf) -> tuple[Golden, ...]:
    return load(shelf.questions)


def service(held: Iterable[Reading], meaning: Meaning | None = None) -> QuestionService:
    """Return what answers from these readings, added in that order; by words alone without ``meaning``."""
    archive = open_archive(tuple(held))
    if meaning:
        encode(archive, meaning, lambda: None, threads=1)
    return QuestionService(Library(archive, meaning=meaning))


WORDS, ENCODER = "words", "encoder"  # how sentences are compared with a question


_meaning = cache(Remembering)


def compared(by: str) -> Meaning | None:
    return _meaning() if by == ENCODER else None


@cache
def grades(shelf: Shelf, by: str) -> Sequence[Grade]:
    held = service(readings(shelf), compared(by))
    archive = held.library.archive
    return tuple(grade(each, held.answer(Question(each.question, each.previous)), archive) for each in golden(shelf))
