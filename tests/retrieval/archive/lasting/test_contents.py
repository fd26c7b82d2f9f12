"""All that an archive in a file holds, as it is given to another: a few articles at a time, as they were at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.lasting import contents
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.model import Article
from retrieval.pipeline import read_one

pytestmark = pytest.mark.rest

FERRY = Article("ferry", "The ferry to Lisbon sank. Ines Roe, the mayor of Lisbon, asked for an inquiry.")
BRIDGE = Article("bridge", "The bridge at Oxley will close. Repairs are slow, said Tomas Brandt.")
STORM = Article("storm", "A storm is coming. Mayor Roe closed the port.")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[LastingArchive]:
    """Return an archive of three articles."""
    with closing(LastingArchive(tmp_path / "archive.sqlite")) as held:
        held.add([read_one(article) for article in (FERRY, BRIDGE, STORM)])
        yield held


def test_a_batch_has_its_own_articles_and_whom_they_name(
    archive: LastingArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every spelling that an entity has anywhere, and nobody else: what is held does not grow."""
    monkeypatch.setattr(contents, "TOGETHER", 1)
    batches = {
        version.reading.article.id: batch for batch in archive.contents.batches() for [version] in batch.articles
    }
    assert [*batches] == ["ferry", "bridge", "storm"]
    assert {article_id: set(batch.entities) for article_id, batch in batches.items()} == {
        "ferry": {"Ines Roe", "Lisbon"},
        "bridge": {"Oxley", "Tomas Brandt"},
        "storm": {"Ines Roe"},
    }
    assert batches["storm"].entities["Ines Roe"].variants == ("Ines Roe", "Roe")
    [[storm]] = batches["storm"].articles
    assert storm.reading == archive.reading("storm")


def test_what_is_put_in_meanwhile_is_not_among_them(archive: LastingArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may go on writing, and all of them are as they were when the first was given."""
    monkeypatch.setattr(contents, "TOGETHER", 1)
    with closing(LastingArchive(archive.path)) as other:
        given = archive.contents.batches()
        first = next(given)
        other.put(read_one(Article("storm", "The storm is over, said Roe.")))
        other.put(read_one(Article("mill", "The mill at Oxley burned down.")))
        other.remove("bridge")
        rest = list(given)
    texts = [held[-1].reading.article.text for batch in (first, *rest) for held in batch.articles]
    assert texts == [FERRY.text, BRIDGE.text, STORM.text]
    again = [held[-1].reading.article.id for batch in archive.contents.batches() for held in batch.articles]
    assert again == ["ferry", "storm", "mill"]


def test_who_takes_no_more_lets_go_of_the_file(archive: LastingArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is put in after is found at once."""
    monkeypatch.setattr(contents, "TOGETHER", 1)
    with closing(archive.contents.batches()) as given:
        next(given)
    with closing(LastingArchive(archive.path)) as other:
        other.put(read_one(Article("mill", "The mill at Oxley burned down.")))
    assert archive.article("mill")
