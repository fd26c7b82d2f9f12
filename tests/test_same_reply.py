"""A question gets the same bytes: on every run, in any order of loading, alone or in a batch."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from adapters import answering, machine
from bot.desk import Desk
from bot.model import Question
from retrieval.annotate import read_all
from retrieval.model import Article
from tests.shelf import FIXTURES, PROJECT, SEEDS, Shelf, desk, golden, readings, stock

SHELVES = pytest.mark.parametrize("shelf", [SEEDS, FIXTURES], ids=["seeds", "fixtures"])
Order = Callable[[Sequence[Article]], Sequence[Article]]


def _turned(articles: Sequence[Article]) -> Sequence[Article]:
    return articles[::-1]


def _shuffled(articles: Sequence[Article]) -> Sequence[Article]:
    return random.Random(7).sample(articles, len(articles))  # noqa: S311 - a shuffle that is the same each time


def _replies(held: Desk, shelf: Shelf) -> dict[str, str]:
    """Return the reply to every golden question as ``--json`` prints it, by the question's id."""
    asked = {each.id: Question(each.question, each.previous) for each in golden(shelf)}
    return {name: machine.line(machine.reply(held.answer(question))) for name, question in asked.items()}


@cache
def _expected(shelf: Shelf) -> dict[str, str]:
    return _replies(desk(readings(shelf)), shelf)


@SHELVES
def test_the_same_desk_gives_the_same_reply_again(shelf: Shelf) -> None:
    """What was asked in between leaves no trace."""
    held = desk(readings(shelf))
    assert _replies(held, shelf) == _replies(held, shelf) == _expected(shelf)


@SHELVES
@pytest.mark.parametrize("order", [_turned, _shuffled])
def test_the_order_of_loading_makes_no_difference(shelf: Shelf, order: Order) -> None:
    """Articles are read, named and taken in in another order, and the bytes are the same."""
    assert _replies(desk(read_all(order(stock(shelf)))), shelf) == _expected(shelf)


@SHELVES
def test_an_article_that_is_taken_in_again_makes_no_difference(shelf: Shelf) -> None:
    """It stands in its own place, not beside itself."""
    held = desk(readings(shelf))
    archive = held.holdings.archive
    archive.remove(stock(shelf)[0].id)
    for reading in readings(shelf)[:2]:
        archive.put(reading)
    assert _replies(held, shelf) == _expected(shelf)


@SHELVES
@pytest.mark.parametrize("seed", ["0", "4242"])
def test_another_run_gives_the_same_reply_in_a_batch_as_alone(shelf: Shelf, seed: str, tmp_path: Path) -> None:
    """A process of its own, in which sets are in another order, answers the whole file with the same bytes."""
    rows = [{"id": each.id, "question": each.question, "previous": each.previous} for each in golden(shelf)]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = [sys.executable, "-m", "adapters", "ask", "--batch", str(batch), "--articles", str(shelf.folder)]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, encoding="utf-8", check=True)
    printed = dict(zip(_expected(shelf), done.stdout.splitlines(), strict=True))
    assert printed == {name: _with_id(name, line) for name, line in _expected(shelf).items()}


@SHELVES
def test_a_question_prints_the_same_alone_as_in_a_batch(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    """But for its id, which only a batch has."""
    held = desk(readings(shelf))
    for each in golden(shelf):
        answering.answer(held, each.question, each.previous, as_json=True, explain=False)
    assert capsys.readouterr().out.splitlines() == list(_expected(shelf).values())


def _with_id(name: str, line: str) -> str:
    return f"{{{json.dumps('id')}: {json.dumps(name)}, {line[1:]}"
