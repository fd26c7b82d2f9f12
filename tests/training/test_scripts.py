"""What `make weights` runs, each tried on next to nothing: it ends, and writes what the program can read."""

import gzip
import json
import sys
import tomllib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.logistic import Logistic
from retrieval.names import gazetteer
from tests import shelf
from tests.encoders import Fixed
from tests.stock import BRIDGE, FERRY
from tests.support.nightly import NIGHTLY
from training import confidence, denials, places, ranking, reading_lists, statements

pytestmark = pytest.mark.rest


def _weights(path: Path) -> Mapping[str, float]:
    return Logistic(**tomllib.loads(path.read_text(encoding="utf-8"))).weights


@pytest.mark.soak
def test_the_order_of_answers_and_their_sureness_are_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "FEW", 12)
    monkeypatch.setattr(sys, "argv", ["ranking", str(tmp_path), str(tmp_path / "archives"), "--to", str(tmp_path)])
    ranking.main()
    monkeypatch.setattr(confidence, "MOST", 12)
    monkeypatch.setattr(sys, "argv", ["confidence", *sys.argv[1:]])
    confidence.main()
    found = {path.stem: _weights(path) for path in tmp_path.glob("*.toml")}
    assert found.keys() == {path.stem for path in ranking.WEIGHTS.glob("*.toml")}
    assert tuple(found["ranking"]) == ranking.WORDS
    assert tuple(found["ranking-meaning-reader"]) == (*ranking.NEAR, "reader")
    assert {"margin", "reader"} <= found["confidence-meaning-reader"].keys()


def test_the_reader_gets_lists_to_learn_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not NIGHTLY:  # the models take seconds for each set, and so does reading what other tests have read
        monkeypatch.setattr(reading_lists, "MeaningOnDemand", lambda: Fixed("the"))
        for each in (shelf.SEEDS, shelf.FIXTURES):
            name = f"{each.folder.parent.name}-{each.folder.stem}.sqlite"
            with closing(PersistentArchive(tmp_path / name)) as archive:
                archive.add(shelf.readings(each))
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


def test_a_first_name_is_told_where_many_bear_it_and_nearly_all_are_of_one_gender() -> None:
    known = {"jens": (29, 27000, 0.0, 3), "ines": (20, 9000, 1.0, 3), "kim": (30, 90000, 0.7, 3)}
    rare = {"orlaith": (2, 900, 1.0, 3), "tove": (9, 20, 1.0, 3), "j.": (9, 900, 0.0, 3), "élodie": (9, 900, 1.0, 3)}
    assert places.first_names(known | rare) == {"jens": "he", "ines": "she"}


def test_whether_words_deny_is_learned() -> None:
    first, *others = denials.own_passages()
    assert "verb: deny" in denials.learn((replace(first, denial=False), *others)).weights


def test_whether_two_sentences_state_the_same_is_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    articles, pairs = tmp_path / "articles.jsonl", tmp_path / "pairs.jsonl"
    texts = (FERRY.text, BRIDGE.text)
    articles.write_text("\n".join(json.dumps({"id": f"{n}", "text": text}) for n, text in enumerate(texts)))
    drafts = (
        {"draft": "The ship struck rocks after its crew had left the bridge.", "article": "0", "sentences": [1]},
        {"draft": "The old bridge at Oxley closes for 18 months.", "article": "1", "sentences": [0]},
        {"draft": "The mayor of Oxley left the ship on Saturday.", "article": "1", "sentences": []},
    )
    pairs.write_text("\n".join(map(json.dumps, drafts)))
    monkeypatch.setattr(statements, "WEIGHTS", tmp_path)
    monkeypatch.setenv("STET_ENCODER", "none")
    statements.main(str(articles), pairs)
    assert tuple(_weights(tmp_path / "statements.toml")) == statements.WORDS
