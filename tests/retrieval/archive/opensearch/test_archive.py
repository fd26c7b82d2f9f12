"""An archive in a cluster answers as the one it was filled from does, in every copy of it, of every version."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from retrieval.archive.opensearch.log import Entry, Log

from retrieval.archive import indexing
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.opensearch import archive as following
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.archive import ClusterArchive, open_cluster, open_log
from retrieval.archive.versions import Record
from retrieval.errors import ArchiveError, NoArticlesError, StaleIndexError, UnreachableArchiveError
from retrieval.model import Article
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.pipeline import read_one
from retrieval.search import Query, Scope
from retrieval.text.terms import terms
from tests import shelf
from tests.retrieval.archive.clock import MORNING, Clock
from tests.servers.relay import Relay

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
NOBODY = Credentials()

Copy = Callable[[], ClusterArchive]


@pytest.fixture
def file(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    """Return an archive in a file, with an article in three versions, each of its day."""
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=clock)
    for version in (FERRY, CORRECTED, LONGER):
        archive.add([read_one(version)])
        clock.moment += timedelta(days=1)
    archive.add([read_one(STORM)])
    yield archive
    archive.close()


@pytest.fixture
def log(address: str) -> Log:
    """Return the log of an empty cluster."""
    return open_log(address, NOBODY)


@pytest.fixture
def copy(log: Log, tmp_path: Path) -> Iterator[Copy]:
    """Return what opens one copy more of what the log tells, as on another machine."""
    opened: list[ClusterArchive] = []

    def open_one() -> ClusterArchive:
        opened.append(open_cluster(log, tmp_path / f"copy-{len(opened)}.sqlite", read_one))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def fill(log: Log, file: PersistentArchive, *, aliases: Aliases = NO_ALIASES, keep: bool = False) -> None:
    """Have what a file holds in the cluster."""
    with closing(file.contents()) as contents:
        log.fill(contents, aliases, keep=keep)


def entries(log: Log) -> list[Entry]:
    """Return all that whoever follows is told."""
    head = log.head()
    assert head
    return [*log.entries(head)]


def compare(held: ClusterArchive, file: PersistentArchive) -> None:
    """Fail where the two hold or tell anything otherwise."""
    assert held.articles() == file.articles()
    assert held.vocabulary().size() == file.vocabulary().size()
    assert held.outlets() == file.outlets()
    assert held.register().entities() == file.register().entities()
    for since in (date(2024, 3, 1), date(2024, 3, 2), date(2024, 3, 5)):
        assert held.articles(Scope(since=since)) == file.articles(Scope(since=since))
    for article in file.articles():
        assert held.reading(article.id) == file.reading(article.id)
        assert held.history(article.id) == file.history(article.id)
        for index in range(len(file.reading(article.id).passages)):
            assert held.history(article.id)[-1].corrections.get(index) == file.history(article.id)[-1].corrections.get(
                index
            )
        for version in file.versions(article.id):
            assert held.addressed(version.article.key) == file.addressed(version.article.key)


def test_every_version_is_told_as_the_file_tells_it(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """When each came, what was corrected, and how names are joined."""
    fill(log, file)
    held = copy()
    compare(held, file)
    assert [version.since for version in held.history("ferry")] == [date(2024, 3, day) for day in (1, 2, 3)]
    assert [held.history("ferry")[-1].corrections.get(index) for index in range(4)] == [
        None,
        None,
        date(2024, 3, 2),
        None,
    ]


def test_the_same_is_found_with_the_same_scores(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """Over a shelf of articles, of which the cluster got some before, and some that are others by now."""
    fill(log, file)
    early = copy()
    articles = shelf.stock(shelf.FIXTURES)
    file.add([read_one(article) for article in articles])
    fill(log, file)
    early.follow()
    file.add([read_one(replace(articles[0], text=articles[0].text + " Nobody was hurt."))])
    file.remove(articles[1].id)
    fill(log, file)
    early.follow()
    for held in (early, copy()):
        compare(held, file)
        for golden in shelf.golden(shelf.FIXTURES):
            query = Query(tuple((term, 1.0) for term in terms(golden.question)))
            assert held.search(query, 30) == file.search(query, 30)


def test_what_is_there_already_is_not_sent_again(log: Log, file: PersistentArchive) -> None:
    """One entry for each version that is new; and what is filled with nothing new tells nothing."""
    fill(log, file)
    before = entries(log)
    fill(log, file)
    assert entries(log) == before
    file.add([read_one(replace(STORM, text=STORM.text + " Nobody was hurt."))])
    fill(log, file)
    assert [entry.article_id for entry in entries(log)[len(before) :]] == ["storm"]
    assert log.articles() == 2


def test_an_article_that_is_read_anew_takes_the_place_of_itself(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """With other particulars, too: it is no new version."""
    fill(log, file)
    held = copy()
    file.add([read_one(replace(STORM, title="Port closed"))])
    fill(log, file)
    held.follow()
    compare(held, file)
    assert held.article("storm").title == "Port closed"
    assert len(held.history("storm")) == 1


def test_numbers_are_the_same_in_every_copy(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """Whenever it was made: who has told people of what arrived goes on in another copy."""
    fill(log, file)
    early = copy()
    file.add([read_one(Article("mill", "The mill at Oxley burned down."))])
    file.add([read_one(replace(STORM, text="The storm is over."))])
    fill(log, file)
    early.follow()
    late = copy()
    seen = early.arrivals.after(0)[-3].number  # before the second fill
    assert early.arrivals.identity() == late.arrivals.identity()
    assert early.arrivals.after(seen) == late.arrivals.after(seen)
    assert [arrived.article_id for arrived in late.arrivals.after(seen)] == ["mill", "storm"]
    assert late.retirements.after(early.retirements.after(0)[0].number)[-1].key == STORM.key


def test_what_is_under_an_embargo_stays_out_until_its_hour(
    log: Log, file: PersistentArchive, copy: Copy, clock: Clock
) -> None:
    """The version before it is asked until then, and is opened after."""
    until = MORNING + timedelta(days=5)
    file.add([read_one(replace(LONGER, text=LONGER.text + " Nobody was hurt.", embargo=until))])
    file.add([read_one(Article("secret", "The mill at Oxley will close.", embargo=until))])
    fill(log, file)
    held = copy()
    assert [article.id for article in held.articles()] == ["ferry", "storm"]
    assert held.article("ferry") == LONGER
    clock.moment = until
    file.publish_due()
    fill(log, file)
    held.follow()
    compare(held, file)
    assert held.history("ferry")[-1].since == until.date()


def test_what_the_file_holds_no_more_is_gone(log: Log, file: PersistentArchive, copy: Copy, address: str) -> None:
    """With every version, from the copies and from the cluster; who was shown it is told, in a new copy too."""
    fill(log, file)
    held = copy()
    file.remove("ferry")
    fill(log, file)
    held.follow()
    assert held.articles() == (STORM,)
    for each in (held, copy()):
        compare(each, file)
        assert each.addressed(FERRY.key) is None
        assert each.retirements.is_removed(LONGER.key)
        assert {gone.key for gone in each.retirements.unfinished()} >= {FERRY.key, CORRECTED.key, LONGER.key}
    assert "Zoltberg" not in everything(address)
    file.add([read_one(CORRECTED)])
    fill(log, file)
    held.follow()
    compare(held, file)
    assert len(held.history("ferry")) == 1


def everything(address: str) -> str:
    """Return all that is found in a cluster's log."""
    log = open_log(address, NOBODY)
    return str(log._client.search(index=log._index, body={"size": 1000}))


def test_a_version_that_was_taken_out_of_the_file_takes_its_article_with_it(
    log: Log, file: PersistentArchive, copy: Copy
) -> None:
    """And the article comes back with those that are there."""
    fill(log, file)
    held = copy()
    file.remove("ferry")
    file.add([read_one(LONGER)])
    fill(log, file)
    held.follow()
    compare(held, file)
    assert held.addressed(FERRY.key) is None
    assert held.retirements.is_removed(FERRY.key)


def test_an_article_may_keep_the_versions_that_the_cluster_has(
    log: Log, file: PersistentArchive, copy: Copy, tmp_path: Path, clock: Clock
) -> None:
    fill(log, file)
    held = copy()
    newer = replace(LONGER, text=LONGER.text + " Nobody was hurt.")
    clock.moment += timedelta(days=1)
    with closing(PersistentArchive(tmp_path / "folder.sqlite", now=clock)) as folder:
        folder.add([read_one(newer)])
        fill(log, folder, keep=True)
    for each in (held, copy()):
        each.follow()
        assert each.articles() == (newer,)
        assert [version.digest for version in each.history("ferry")] == [
            version.digest for version in (FERRY, CORRECTED, LONGER, newer)
        ]


def test_what_is_said_of_names_goes_along(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """And holds in a copy that was made before."""
    file.add([read_one(Article("mill", "The mill at Oxley burned down, said Tomas Brandt."))])
    fill(log, file)
    held = copy()
    assert {"Ines Roe", "Tomas Brandt"} <= {entity.name for entity in held.register().entities()}
    fill(log, file, aliases=Aliases(same=(("Ines Roe", "Tomas Brandt"),)))
    for each in (held, copy()):
        each.follow()
        names = {entity.name for entity in each.register().entities()}
        assert "Ines Roe" in names
        assert "Tomas Brandt" not in names


def test_who_is_killed_while_filling_leaves_it_as_it_was(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """Nobody sees what was written by then, and the next to fill takes it out."""
    fill(log, file)
    held = copy()
    file.add([read_one(Article(f"mill {n}", f"Mill {n} at Oxley burned down.")) for n in range(3)])

    def some() -> Iterator[tuple[Record, ...]]:
        with closing(file.contents()) as contents:
            yield from list(contents)[:4]
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        log.fill(some(), NO_ALIASES, keep=False)
    held.follow()
    assert [article.id for article in held.articles()] == ["ferry", "storm"]
    assert log.articles() == 2
    fill(log, file)
    held.follow()
    compare(held, file)


def test_of_two_who_fill_at_once_one_is_refused(log: Log, file: PersistentArchive, copy: Copy, address: str) -> None:
    """The one that began first; nothing of its is seen."""
    fill(log, file)
    held = copy()
    other = open_log(address, NOBODY)

    def meanwhile() -> Iterator[Sequence[Record]]:
        other.remove("storm", [STORM.digest])
        with closing(file.contents()) as contents:
            yield from contents

    file.add([read_one(Article("mill", "The mill at Oxley burned down."))])
    with pytest.raises(ArchiveError, match="Another process is filling"):
        log.fill(meanwhile(), NO_ALIASES, keep=False)
    held.follow()
    assert [article.id for article in held.articles()] == ["ferry"]


def test_who_is_killed_while_following_goes_on(
    log: Log, file: PersistentArchive, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the last entries that were taken in whole."""
    fill(log, file)
    held = copy()
    file.add([read_one(article) for article in shelf.stock(shelf.FIXTURES)])
    file.remove("storm")
    fill(log, file)
    monkeypatch.setattr(following, "TOGETHER", 2)
    add, times = indexing.add, iter(range(3))

    def dying(*told: object) -> None:
        next(times)
        add(*told)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(indexing, "add", dying)
        with pytest.raises(StopIteration):
            held.follow()
    assert 0 < len(held.articles()) < len(file.articles())
    held.follow()
    compare(held, file)


def test_a_cluster_that_was_emptied_is_another(log: Log, file: PersistentArchive, tmp_path: Path) -> None:
    fill(log, file)
    held = open_cluster(log, tmp_path / "copy.sqlite")
    log._client.indices.delete(index=log._index)
    with pytest.raises(NoArticlesError, match="There is no article yet in"):
        held.follow()
    held.close()
    with pytest.raises(NoArticlesError, match="`stet fill` puts some there"):
        open_cluster(log, tmp_path / "new.sqlite")
    with closing(open_cluster(log, tmp_path / "copy.sqlite")) as held:
        compare(held, file)
        file.remove("storm")
        file.add([read_one(replace(FERRY, text="The ferry sails again."))])
        fill(log, file)
        held.follow()
        compare(held, file)
        assert held.addressed(STORM.key) is None
        assert not held.retirements.is_removed(FERRY.key)
        assert held.retirements.unfinished() == ()


def test_what_is_of_a_newer_program_is_said_to_be(
    log: Log, file: PersistentArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, file)
    monkeypatch.setattr("retrieval.archive.opensearch.log.FORMAT", 0)
    with pytest.raises(StaleIndexError, match="newer version of stet"):
        log.head()


def spoil(file: PersistentArchive, state: str) -> None:
    """Make what was read in the versions of an article in a state unreadable."""
    with closing(sqlite3.connect(file.path)) as connection:
        connection.execute(
            "UPDATE versions SET reading = CAST('[1]' AS BLOB) WHERE id = 'ferry' AND state = ?", (state,)
        )
        connection.commit()


def test_what_cannot_be_read_ends_it_in_words(log: Log, file: PersistentArchive, copy: Copy) -> None:
    """And what the cluster held before is asked."""
    fill(log, file)
    spoil(file, "current")
    with pytest.raises(StaleIndexError, match=r"'ferry' cannot be read any more: `stet reindex`"):
        fill(log, file)
    assert copy().article("ferry") == LONGER


def test_an_earlier_version_that_cannot_be_read_is_left_out(
    log: Log, file: PersistentArchive, copy: Copy, caplog: pytest.LogCaptureFixture
) -> None:
    """And named in the log; the others go along."""
    spoil(file, "superseded")
    with caplog.at_level(logging.WARNING):
        fill(log, file)
    held = copy()
    assert [reading.article for reading in held.versions("ferry")] == [LONGER]
    assert [record.getMessage() for record in caplog.records] == [
        "an earlier version of 'ferry' cannot be read any more, and is left out"
    ]


def test_a_file_without_an_article_fills_nothing(log: Log, file: PersistentArchive, tmp_path: Path) -> None:
    """It is more likely to be the wrong one, and what the cluster held stays."""
    fill(log, file)
    with (
        closing(PersistentArchive(tmp_path / "other.sqlite")) as empty,
        pytest.raises(NoArticlesError, match=r"other\."),
    ):
        fill(log, empty)
    assert log.articles() == 2


def test_who_is_away_from_the_cluster_asks_the_copy(
    log: Log, file: PersistentArchive, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(log, file)
    [host] = parse(address).hosts
    relay = Relay(host)
    before = address.replace(f":{host[1]}", f":{relay.port}")
    with closing(open_cluster(open_log(before, NOBODY), tmp_path / "copy.sqlite")) as held:
        relay.cut()
        compare(held, file)
        with pytest.raises(UnreachableArchiveError):
            held.follow()
        relay.mend()
        file.remove("storm")
        fill(log, file)
        held.follow()
        compare(held, file)
        relay.cut()
    with closing(open_cluster(open_log(before, NOBODY), tmp_path / "copy.sqlite")) as held:
        compare(held, file)
    assert "asked as they were in the cluster: The archive does not answer" in caplog.text
    with pytest.raises(UnreachableArchiveError, match="does not answer"):
        open_cluster(open_log(before, NOBODY), tmp_path / "new.sqlite")
