"""A cluster that is filled from an archive in a file answers as the file does, of every version."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import copy_to_opensearch, fill_opensearch, open_opensearch
from retrieval.errors import NoArticlesError, StaleIndexError
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Scope
from tests import shelf
from tests.retrieval.archive.clock import MORNING, Clock

FERRY = Article(
    "ferry",
    "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun.",
    source="The Oxley Bell",
    url="https://bell.example/ferry",
    published=date(2024, 3, 1),
)
CORRECTED = replace(FERRY, text=FERRY.text.replace("12 people", "14 people"))
LONGER = replace(CORRECTED, text="Mayor Roe will resign. " + CORRECTED.text)
STORM = Article("storm", "A storm is coming, Roe said. The port is closed.")
SAME_SCORE = 0.01  # as where the cluster is held against memory
SAME_CANDIDATES = 0.9
LISTED = 25  # entities whose articles are told


@pytest.fixture
def file(tmp_path: Path, clock: Clock) -> Iterator[LastingArchive]:
    """Return an archive in a file, with an article in three versions, each of its day."""
    archive = LastingArchive(tmp_path / "archive.sqlite", now=clock)
    for version in (FERRY, CORRECTED, LONGER):
        archive.put(read_one(version))
        clock.moment += timedelta(days=1)
    archive.put(read_one(STORM))
    yield archive
    archive.close()


def copied(address: str, file: LastingArchive) -> OpenSearchArchive:
    """Return the archive in a cluster that holds what the one in a file does."""
    return copy_to_opensearch(address, Credentials(), file.contents)


def compare(held: OpenSearchArchive, file: LastingArchive) -> None:
    """Fail where the two hold or tell anything otherwise of an article."""
    assert held.articles() == file.articles()
    assert held.size() == file.size()
    assert held.outlets() == file.outlets()
    assert held.entities() == file.entities()
    for since in (date(2024, 3, 1), date(2024, 3, 2), date(2024, 3, 5)):
        assert held.articles(Scope(since=since)) == file.articles(Scope(since=since))
    for article in file.articles():
        assert held.reading(article.id) == file.reading(article.id)
        assert held.searchable(article.id) == file.searchable(article.id)
        assert held.history(article.id) == file.history(article.id)
        for index in range(len(file.reading(article.id).passages)):
            assert held.corrected(article.id, index) == file.corrected(article.id, index)
        versions = held.versions(article.id)
        assert [each.article.digest for each in versions] == [each.digest for each in file.history(article.id)]
        for version in (*versions, *file.versions(article.id)):  # in the file, those under an embargo too
            assert held.addressed(version.article.key) == file.addressed(version.article.key)


def test_every_version_is_told_as_the_file_tells_it(address: str, file: LastingArchive) -> None:
    """When each came, what was corrected, and how names are joined in it."""
    held = copied(address, file)
    compare(held, file)
    days = [date(2024, 3, day) for day in (1, 2, 3)]
    assert [version.since for version in held.history("ferry")] == days
    assert [held.corrected("ferry", index) for index in range(4)] == [None, None, date(2024, 3, 2), None]
    assert held.register().meant("mayor roe") == file.register().meant("mayor roe")


def test_an_article_without_a_day_counts_for_the_one_it_came_on(address: str, file: LastingArchive) -> None:
    """The day of its first version, whichever is the newest."""
    file.put(read_one(replace(STORM, text=STORM.text + " Nobody was hurt.")))
    held = copied(address, file)
    compare(held, file)
    assert [article.id for article in held.articles(Scope(since=date(2024, 3, 4)))] == ["storm"]
    assert held.articles(Scope(since=date(2024, 3, 5))) == ()


def test_the_same_is_found_and_named(address: str, file: LastingArchive) -> None:
    """Over a shelf of articles, each added to the file by itself."""
    for article in shelf.stock(shelf.FIXTURES):
        file.put(read_one(article))
    held = copied(address, file)
    compare(held, file)
    shared: list[float] = []
    for golden in shelf.golden(shelf.FIXTURES):
        query = understand(Question(golden.question, golden.previous), file).query
        ours, theirs = (
            {(hit.article_id, hit.passage.sentence.index): hit for hit in each.search(query, 30)}
            for each in (held, file)
        )
        both = ours.keys() & theirs.keys()
        assert [ours[place].passage for place in both] == [theirs[place].passage for place in both]
        assert [ours[place].sentence for place in both] == pytest.approx(
            [theirs[place].sentence for place in both], rel=SAME_SCORE
        )
        shared.append(len(both) / max(len(theirs), 1) if theirs else float(not ours))
    assert sum(shared) / len(shared) >= SAME_CANDIDATES
    for entity in file.entities()[:60]:
        typed = entity.name.lower()
        assert held.register().find(typed)[:LISTED] == file.register().find(typed)[:LISTED]
        assert held.register().beginning(typed[:3]) == file.register().beginning(typed[:3])


def test_what_is_under_an_embargo_stays_out_until_its_hour(address: str, file: LastingArchive, clock: Clock) -> None:
    """The version before it is asked until then, and is opened after."""
    until = MORNING + timedelta(days=5)
    file.put(read_one(replace(LONGER, text=LONGER.text + " Nobody was hurt.", embargo=until)))
    file.put(read_one(Article("secret", "The mill at Oxley will close.", embargo=until)))
    compare(copied(address, file), file)
    assert {article.id for article in file.articles()} == {"ferry", "storm"}
    clock.moment = until
    file.release()
    held = copied(address, file)
    compare(held, file)
    assert held.article("ferry").text.endswith("Nobody was hurt.")
    assert held.history("ferry")[-1].since == until.date()
    assert held.article("secret")


def test_what_the_cluster_held_and_the_file_does_not_is_gone(address: str, file: LastingArchive) -> None:
    """With every version; and what was taken out of the file goes with the next copy."""
    other = Article("mill", "The mill at Oxley burned down.")
    earlier = replace(FERRY, text="A ferry is late.")
    fill_opensearch(address, Credentials(), {each.id: read_one(each) for each in (other, earlier)})
    held = copied(address, file)
    compare(held, file)
    assert held.addressed(other.key) is None
    assert held.addressed(earlier.key) is None
    file.remove("ferry")
    held = copied(address, file)
    compare(held, file)
    assert held.articles() == (STORM,)
    assert held.addressed(CORRECTED.key) is None


def spoil(file: LastingArchive, state: str) -> None:
    """Make what was read in the versions of an article in a state unreadable."""
    with closing(sqlite3.connect(file.path)) as connection:
        connection.execute(
            "UPDATE versions SET reading = CAST('[1]' AS BLOB) WHERE id = 'ferry' AND state = ?", (state,)
        )
        connection.commit()


def test_what_cannot_be_read_ends_it_in_words(address: str, file: LastingArchive) -> None:
    """And what the cluster held before is asked."""
    copied(address, file)
    spoil(file, "current")
    with pytest.raises(StaleIndexError, match=r"'ferry' cannot be read any more: `stet reindex`"):
        copied(address, file)
    assert open_opensearch(address, Credentials()).article("ferry") == LONGER


def test_an_earlier_version_that_cannot_be_read_is_left_out(
    address: str, file: LastingArchive, caplog: pytest.LogCaptureFixture
) -> None:
    """And named in the log; the others go along."""
    spoil(file, "superseded")
    with caplog.at_level(logging.WARNING):
        held = copied(address, file)
    assert [reading.article for reading in held.versions("ferry")] == [LONGER]
    assert held.articles() == (LONGER, STORM)
    assert [record.getMessage() for record in caplog.records] == [
        "an earlier version of 'ferry' cannot be read any more, and is left out"
    ] * 2


def test_a_file_without_an_article_fills_nothing(address: str, file: LastingArchive, tmp_path: Path) -> None:
    """It is more likely to be the wrong one, and what the cluster held stays."""
    held = copied(address, file)
    with closing(LastingArchive(tmp_path / "other.sqlite")) as empty, pytest.raises(NoArticlesError, match=r"other\."):
        copied(address, empty)
    assert len(held.articles()) == 2
