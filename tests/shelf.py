"""Two shelves of articles with golden questions on each: what the program comes with, and what the tests do.

What is read is kept in ``.venv/readings`` for the next module, process and run: one is taken where the same program,
with the same models, read the same article. `make nightly` takes none.
"""

import hashlib
import os
import pickle
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from adapters.articles import read_articles
from adapters.settings import load as load_settings
from bot.command import Library
from bot.evaluation.evaluate import Grade, grade
from bot.evaluation.golden import Golden, load
from bot.model import Question
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.cache import program_version
from retrieval.ingest import encode
from retrieval.intake import articles
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.search import Meaning
from tests.encoders import Remembering
from tests.support.nightly import NIGHTLY

PROJECT = Path(__file__).resolve().parent.parent
KEPT = PROJECT / ".venv" / "readings"


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of articles, and the file of golden questions on them."""

    folder: Path
    questions: Path


SEEDS = Shelf(PROJECT / "seeds", PROJECT / "seeds" / "questions.toml")
FIXTURES = Shelf(PROJECT / "tests" / "fixtures" / "articles", PROJECT / "tests" / "fixtures" / "questions.toml")


@cache
def _kept() -> Path:
    """Return the folder of the readings by this program; those by another are deleted."""
    folder = KEPT / program_version()
    for other in {*KEPT.glob("*")} - {folder}:
        shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def read(article: Article) -> Reading:
    """Return the reading of an article by itself."""
    if NIGHTLY:
        return read_one(article)
    file = _kept() / hashlib.sha256(repr(article).encode("utf-8", "surrogatepass")).hexdigest()
    if not file.exists():
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(pickle.dumps(read_one(article)))
        new.replace(file)  # whole at once: other processes look for it
    kept: Reading = pickle.loads(file.read_bytes())  # noqa: S301 - written by these tests
    return kept


@cache
def _samples() -> Path:
    """Return a cache of the program that holds the readings of the sample articles, and is kept as these are."""
    folder = _kept() / "samples"
    if not folder.exists():
        new = folder.with_suffix(f".{os.getpid()}")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(new))
            read_articles(load_settings({}, new / "no .env"))[0].close()
        with suppress(OSError):  # another process was sooner
            new.replace(folder)
    return folder


def put_samples(cache_home: Path) -> None:
    """Have the program find the sample articles read, as from its second start on; `make nightly` does without."""
    if not NIGHTLY:
        shutil.copytree(_samples(), cache_home, dirs_exist_ok=True)


@cache
def stock(shelf: Shelf) -> tuple[Article, ...]:
    return articles.load_articles([shelf.folder]).articles


@cache
def readings(shelf: Shelf) -> tuple[Reading, ...]:
    return tuple(map(read, stock(shelf)))


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
