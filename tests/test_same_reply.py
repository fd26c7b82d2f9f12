"""A question gets the same bytes: on every run, in any order of loading, alone or in a batch; by words or meaning."""

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from adapters import json_contract
from adapters.terminal import asking
from bot.model import Question
from bot.service import QuestionService
from retrieval.ingest import encode
from retrieval.model import Reading
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import join_names, raise_error
from tests.shelf import ENCODER, FIXTURES, PROJECT, SEEDS, WORDS, Shelf, compared, golden, readings, service, stock
from tests.support.nightly import examples

pytestmark = [pytest.mark.rest, pytest.mark.no_cover]  # the same code as the tests of golden questions

# With the encoder one shelf is enough: its articles take some ten times as long as words alone.
# By words, every third question is asked; `make nightly` asks all.
CASES = pytest.mark.parametrize(
    ("shelf", "by"),
    [(SEEDS, WORDS), (FIXTURES, WORDS), (FIXTURES, ENCODER)],
    ids=["seeds", "fixtures", "fixtures-encoder"],
)
ASKED = {WORDS: slice(None, None, examples(3, 1)), ENCODER: slice(None, None, 16)}


@cache
def _shuffled(shelf: Shelf) -> tuple[Reading, ...]:
    held = readings(shelf)  # in what order they are read makes no difference either: tests/test_corpus.py
    shuffled = random.Random(7).sample(held, len(held))  # noqa: S311 - a shuffle that is the same each time
    return join_names(shuffled, NO_ALIASES, raise_error)


def _replies(held: QuestionService, shelf: Shelf, which: slice) -> dict[str, str]:
    asked = {each.id: Question(each.question, each.previous) for each in golden(shelf)[which]}
    return {name: json_contract.line(json_contract.reply(held.answer(question))) for name, question in asked.items()}


@cache
def _expected(shelf: Shelf, by: str) -> dict[str, str]:
    return _replies(service(readings(shelf), compared(by)), shelf, ASKED[by])


@CASES
def test_the_same_service_replies_the_same_again_as_printed_and_once_an_article_is_taken_in_again(
    shelf: Shelf, by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    held = service(readings(shelf), compared(by))
    assert _replies(held, shelf, ASKED[by]) == _expected(shelf, by)
    for each in golden(shelf)[ASKED[by]]:
        asking.show(held.answer(Question(each.question, each.previous)), as_json=True)
    assert capsys.readouterr().out.splitlines() == list(_expected(shelf, by).values())
    archive = held.library.archive
    archive.remove(stock(shelf)[0].id)
    for reading in readings(shelf)[:2]:
        archive.add([reading])
    if meaning := held.library.meaning:
        encode(archive, meaning, lambda: None)
    assert _replies(held, shelf, ASKED[by]) == _expected(shelf, by)


@CASES
def test_the_order_of_loading_makes_no_difference(shelf: Shelf, by: str) -> None:
    assert _replies(service(_shuffled(shelf), compared(by)), shelf, ASKED[by]) == _expected(shelf, by)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a cache for all cases: what is read for questions by words is there for those with the encoder."""
    return str(tmp_path_factory.mktemp("kept"))


@CASES
def test_another_run_gives_the_same_reply_in_a_batch_as_alone(shelf: Shelf, by: str, tmp_path: Path, kept: str) -> None:
    asked = golden(shelf)[ASKED[by]]
    rows = [{"id": each.id, "question": each.question, "previous": each.previous} for each in asked]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = [sys.executable, "-m", "adapters", "ask", "--batch", str(batch), "--articles", str(shelf.folder)]
    environment = {**os.environ, "STET_ENCODER": "e5" if by == ENCODER else "none", "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONHASHSEED"] = "0"  # of the order of sets; in this process it is drawn
    environment["XDG_CACHE_HOME"] = kept
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, encoding="utf-8", check=True)
    printed = dict(zip(_expected(shelf, by), done.stdout.splitlines(), strict=True))
    assert printed == {name: f'{{"id": {json.dumps(name)}, {line[1:]}' for name, line in _expected(shelf, by).items()}
