"""How many names and spellings are told where nobody says how many: as many as a list of choices takes, and three."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.interface import Archive
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Scope

GULL, DAY = "The Gull", date(2031, 5, 9)
FIRST = "Ab Bo Cor Dag Ed Fin Gus Han Iv Jon Kar Lar Max Nil Ol".split()
CREWS = " ".join(f"Mr Ada {first}son Lund left. Mr Ada {first}son Berg left." for first in FIRST)
ARTICLES = (
    Article("crews", CREWS, source=GULL, published=DAY),
    Article("words", "The liner, the miner, the diner, the finger and the winer.", source=GULL, published=DAY),
)
VIEWS: tuple[Callable[[Archive], Archive], ...] = (
    lambda whole: whole,
    lambda whole: whole.scoped(Scope(frozenset({GULL}))),
    lambda whole: whole.scoped(Scope(since=DAY)),
)


def _check(archive: Archive) -> None:
    assert len(archive.register().beginning("Ada", 30)) == 30
    assert len(archive.register().beginning("Ada")) == 25
    assert len(archive.vocabulary().spellings("finer", 5)) == 5
    assert len(archive.vocabulary().spellings("finer")) == 3


@pytest.mark.parametrize("view", VIEWS, ids=["all", "some sources", "some days"])
def test_twenty_five_names_and_three_spellings_are_told(view: Callable[[Archive], Archive]) -> None:
    _check(view(open_archive(read_separately(ARTICLES))))


def test_an_archive_that_lasts_tells_as_many(tmp_path: Path) -> None:
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as lasting:
        for article in ARTICLES:
            lasting.add([read_one(article)])
        _check(lasting)
