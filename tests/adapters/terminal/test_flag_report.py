"""``stet feedback``: what readers of the page flagged, listed, and as gold of the reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.page.flag_form import flag
from adapters.storage.records import Flag
from adapters.storage.store import Store
from retrieval.pipeline import read_all
from tests.adapters.terminal.test_feedback_report import told
from tests.gold import load_gold
from tests.read import Read
from tests.stock import FERRY

CAVEAT_AT, SAID, DENIAL = 4, 2, 5
(READING,) = read_all([FERRY])


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return the store that the command reads."""
    path = tmp_path / "state.sqlite"
    monkeypatch.setenv("STET_STATE", str(path))
    return Store(path)


def sent(index: int, **fields: str) -> Flag:
    """Return what a reader's form makes."""
    return flag(READING, index, fields)


def test_flags_are_listed(store: Store) -> None:
    """The sentence, what was read, what a reader says; nothing in it is obeyed."""
    store.record_flag(sent(SAID, wrong="speaker", speaker="Ole Berg", note="see \x1b[31mbelow"))
    shown = told()
    assert f"flagged  {FERRY.id}, sentence {SAID}" in shown
    assert "read: Marta Lindqvist; under the caveat of sentence 4; a reader: Ole Berg says it" in shown
    assert "\x1b" not in shown
    row = json.loads(told("--json").splitlines()[-1])
    assert (row["verdict"], row["wrong"], row["right"], row["sentence"]) == ("flagged", "speaker", "Ole Berg", SAID)


def gold(folder: Path) -> Read:
    """Return what the command exports, loaded as the gold of the reading is, beside the reading."""
    (folder / "gold.toml").write_text(told("--as-reading-gold"), encoding="utf-8")
    (article,) = load_gold(folder)
    return Read(article, READING)


def test_flags_become_gold_of_the_reading(store: Store, tmp_path: Path) -> None:
    """As the tests load and judge it: what was read rightly holds out, what was flagged rightly does not."""
    store.record_flag(sent(SAID, wrong="speaker", speaker="marta lindqvist"))
    store.record_flag(sent(SAID, wrong="covered", caveat=str(CAVEAT_AT)))
    store.record_flag(sent(DENIAL, wrong="speaker", speaker="Ole Berg"))  # read as "Norfar"
    store.record_flag(sent(1, wrong="uncovered"))
    store.record_flag(sent(0, wrong="outlet"))
    read = gold(tmp_path)
    assert [verdict.right for verdict in read.speakers()] == [True, False]
    assert [verdict.right for verdict in read.covered()] == [True]
    assert [verdict.right for verdict in read.uncovered()] == [False]
    assert [verdict.right for verdict in read.voices()] == [False]


def test_what_readers_differ_on_is_left_out(store: Store, tmp_path: Path) -> None:
    """Two names for one sentence; what they agree on stays, and so does the sentence's caveat."""
    store.record_flag(sent(SAID, wrong="speaker", speaker="Ole Berg"))
    store.record_flag(sent(SAID, wrong="outlet"))
    store.record_flag(sent(SAID, wrong="uncovered"))
    store.record_flag(sent(SAID, wrong="uncovered", note="another reader"))
    (row,) = gold(tmp_path).gold.sentences
    assert (row.speakers, row.voices, row.uncovered) == ((), (), True)


def test_without_flags_there_is_no_gold(store: Store) -> None:
    """And nothing is printed."""
    store.close()
    assert told("--as-reading-gold") == ""
