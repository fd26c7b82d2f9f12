"""What teaches a reader of windows: the lists it is given, and that it ends with a model."""

import json
import sys
from pathlib import Path

import pytest

from bot.ask.rank import WORDS
from bot.command import Library
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from training.questions import QuestionSet
from training.reading_lists import ReadingList, reading_lists, write

FERRY = "The ferry Odette ran aground off Lisewood on Monday. Lifeboats took 48 passengers ashore."
LATER = " ".join(f"The mayor of Lisewood spoke of pier number {number} at some length." for number in range(20))
ASKED = {
    "question": "how many were taken off the ferry",
    "answers": [{"doc": "ferry", "must_contain": "48 passengers"}],
}
NOWHERE = {"question": "and who paid for it", "previous": "what ran aground off Lisewood", "answers": []}


@pytest.fixture
def lists(tmp_path: Path) -> tuple[ReadingList, ...]:
    file = tmp_path / "questions.jsonl"
    file.write_text(f"{json.dumps(ASKED)}\n{json.dumps(NOWHERE)}\n", encoding="utf-8")
    article = Article("ferry", f"{FERRY} {LATER}", title="Aground", source="The Courier")
    asking = Library(open_archive(read_separately([article])))
    return tuple(reading_lists(QuestionSet("own", file, file, read=4), [ASKED, NOWHERE], asking))


def test_a_window_has_what_its_sentences_are_read_with(lists: tuple[ReadingList, ...]) -> None:
    first, second = lists[0].windows[:2]
    assert first.head == "The Courier · Aground"
    assert (first.before, first.sentences[:2]) == ("", tuple(FERRY.replace(". ", ".|").split("|")))
    assert first.right == (False, True, *[False] * (len(first.sentences) - 2))
    assert second.before == first.sentences[-1]
    assert all(sum(len(text.split()) for text in window.sentences) <= WORDS for window in lists[0].windows)


def test_a_question_stands_with_what_the_one_before_it_told(lists: tuple[ReadingList, ...]) -> None:
    assert lists[1].question == "and who paid for it ran aground lisewood"
    assert not lists[1].answerable
    assert lists[1].windows
    assert not any(any(window.right) for window in lists[1].windows)


def test_a_reader_is_taught_and_written(
    lists: tuple[ReadingList, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("torch", "transformers"):
        pytest.importorskip(library, reason="needed for training a reader alone, and no dependency")
    from training import reader  # noqa: PLC0415 - only where it can be imported

    trunk, written = _trunk(tmp_path), tmp_path / "lists.jsonl.gz"
    write(written, lists)
    given = ["reader", str(written), str(trunk), str(tmp_path / "model"), *"--courses 1 --steps 2".split()]
    monkeypatch.setattr(sys, "argv", given)
    reader.main()
    assert (tmp_path / "model" / "reader.onnx").stat().st_size


def _trunk(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: PLC0415
    from transformers import BertConfig, BertModel  # noqa: PLC0415

    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "ferry": 103}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    shape = {"hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    BertModel(BertConfig(vocab_size=104, **shape)).save_pretrained(folder)
    return folder
