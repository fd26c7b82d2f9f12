"""What `make weights` runs, each tried on next to nothing: it ends, and writes what the program can read."""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from retrieval.logistic import read_logistic
from retrieval.names import gazetteer
from tests.retrieval.caveat_passages import PASSAGES
from training import denials, places, ranking, reading_lists, scope

pytestmark = pytest.mark.rest

CASES = 12


def test_the_order_of_answers_and_their_sureness_are_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the project's own questions, where no further set is there."""
    monkeypatch.setattr(ranking, "FEW", 12)
    monkeypatch.setattr(sys, "argv", ["ranking", str(tmp_path), str(tmp_path / "archives"), "--to", str(tmp_path)])
    ranking.main()
    found = {path.stem: read_logistic(path).weights for path in tmp_path.glob("*.toml")}
    assert found.keys() == {path.stem for path in ranking.WEIGHTS.glob("*.toml")}
    assert tuple(found["ranking"]) == ranking.WORDS
    assert tuple(found["ranking-meaning-reader"]) == (*ranking.NEAR, "reader")
    assert {"margin", "new"} <= found["confidence-meaning-reader"].keys()


def test_the_reader_gets_lists_to_learn_from(tmp_path: Path) -> None:
    """From the project's own questions, where no further set is there: each with its windows, the right ones marked."""
    reading_lists.main(tmp_path, tmp_path, tmp_path / "lists.jsonl.gz")
    with gzip.open(tmp_path / "lists.jsonl.gz", "rt", encoding="utf-8") as file:
        lists = [json.loads(line) for line in file]
    assert {each["set"] for each in lists} == {"own seeds", "own fixtures"}
    assert any(any(window["right"]) for each in lists for window in each["windows"])


def test_the_tables_of_names_are_what_the_packages_say() -> None:
    assert (gazetteer.words(), gazetteer.us_states()) == (places.plain_words(), places.states())
    assert gazetteer.cities() == places.cities()
    assert gazetteer._spellings() == sorted(f"{other}\t{city}" for other, city in places.spellings().items())
    parts = {
        "it25": "Lombardy",
        "gbess": "Essex",
        "ruvla": "Vladimir",
        "ca-x": "Prague 12",
        "gbeaw": "England and Wales",
    }
    found = places.regions(parts)
    assert found <= gazetteer.regions()
    assert found & {*parts.values()} == {"Lombardy", "Essex"}
    assert places.peoples(gazetteer.regions()) <= gazetteer.peoples()


def test_whether_words_deny_is_learned() -> None:
    """From the passages written for it, with one of them called no denial, where nobody judged any other."""
    first, *others = denials.own_passages()
    assert "verb: deny" in denials.learn((replace(first, denial=False), *others)).weights


def test_what_a_caveat_covers_is_learned(tmp_path: Path) -> None:
    """From a few passages laid out as the development data is."""
    data = tmp_path / "data"
    data.mkdir()
    cases = [_case(name, marked(passage)) for name, passage in PASSAGES.items() if marked(passage)["="]][:CASES]
    (data / "caveat_scope_dev.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    (data / "caveats_dev.jsonl").write_text("", encoding="utf-8")
    scope.main(tmp_path, tmp_path / "scope.toml")
    assert read_logistic(tmp_path / "scope.toml").weights


def marked(passage: str) -> dict[str, list[str]]:
    """Return the lines of a passage by their mark."""
    lines = [line for line in dedent(passage).strip().splitlines() if line]
    return {mark: [line[2:] for line in lines if mark in ("", line[0])] for mark in ("", "+", "-", "=")}


def _case(name: str, lines: dict[str, list[str]]) -> dict[str, object]:
    return {
        "url": name,
        "found_in": name,
        "outlet": "",
        "passage": " ".join(lines[""]),
        "caveat": lines["="][0],
        "covers": lines["+"],
        "not_covered": lines["-"],
    }
