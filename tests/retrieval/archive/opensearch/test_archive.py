"""What a cluster answers beside what every archive does (``test_same``, ``test_stateful``): fills, and their faults."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.interface import Archive, places_with
from retrieval.archive.opensearch import filling
from retrieval.archive.opensearch.address import Sharding, parse
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.index import Index
from retrieval.errors import ArchiveError, NoArticlesError, StaleIndexError, UnreachableArchiveError
from retrieval.model import Article
from retrieval.names.aliases import Aliases
from retrieval.pipeline import read_one
from retrieval.search import Query, Scope
from retrieval.text.terms import Phrase
from tests.retrieval.archive.clock import MORNING, Clock
from tests.retrieval.archive.opensearch.filled import NOBODY, SPREAD, Filled
from tests.retrieval.archive.test_versions import CORRECTED, FERRY
from tests.servers.relay import Relay

LONGER = replace(CORRECTED, text="Mayor Roe will resign. " + CORRECTED.text)
LONGEST = replace(LONGER, text=LONGER.text + " Nobody was hurt.")
STORM = Article("storm", "A storm is coming, Roe said. The port is closed.")
MILL = Article("mill", "The mill at Oxley burned down, said Tomas Brandt.")


@pytest.fixture
def filled(address: str, tmp_path: Path, clock: Clock) -> Iterator[Filled]:
    archive = Filled(address, tmp_path / "archive.sqlite", now=clock)
    for version in (FERRY, CORRECTED, LONGER):
        archive.add([read_one(version)])
        clock.moment += timedelta(days=1)
    archive.add([read_one(STORM)])
    archive.fill()
    yield archive
    archive.close()


def compare(cluster: Archive, file: PersistentArchive) -> None:
    assert cluster.listed() == file.listed()
    assert cluster.listed(newest=1) == file.listed(newest=1)
    assert cluster.outlets() == file.outlets()
    assert cluster.superseded(9) == file.superseded(9)
    for since in (date(2024, 3, 1), date(2024, 3, 2), date(2024, 3, 5)):
        assert cluster.scoped(Scope(since=since)).listed() == file.scoped(Scope(since=since)).listed()
    for article in file.articles():
        assert cluster.article(article.id) == article
        assert cluster.reading(article.id) == file.reading(article.id)
        assert cluster.history(article.id) == file.history(article.id)
        assert [each.corrections for each in cluster.history(article.id)] == [
            each.corrections for each in file.history(article.id)
        ]
        for version in file.versions(article.id):
            assert cluster.addressed(version.article.key) == file.addressed(version.article.key)
    for words in (["14", "people"], ["closed"], ["mayor", "roe"], ["ferry"], ["nothing"]):
        phrase = Phrase([[word] for word in words])
        assert cluster.written(phrase) == file.written(phrase)
    for quoting in ("14 people on", "the mayor, counted", "ort is clo", "r Roe", "12 people"):
        assert cluster.listed(quoting=[quoting]) == file.listed(quoting=[quoting])
    for named in (FERRY.url, "storm", "elsewhere"):
        assert cluster.listed(named=[str(named)]) == file.listed(named=[str(named)])
    for most in (1, 2, 9):
        assert cluster.register().people(most) == file.register().people(most)


def test_every_version_is_told_as_the_file_tells_it(filled: Filled) -> None:
    compare(filled.cluster, filled.file)
    assert [version.since for version in filled.cluster.history("ferry")] == [date(2024, 3, day) for day in (1, 2, 3)]


def test_copies_are_those_of_the_file_and_come_and_go_with_them(filled: Filled) -> None:
    copy = replace(LONGER, id="copy", url=None, source="The Heron")
    filled.add([read_one(copy)])
    compare(filled.current, filled.file)
    assert {each.id: each.copies for each in filled.listed()} == {"copy": ("ferry",), "ferry": ("copy",), "storm": ()}
    filled.remove("copy")
    assert [each.copies for each in filled.listed(named=["ferry"])] == [()]


def test_a_title_that_changes_makes_no_version(filled: Filled) -> None:
    seen = filled.arrivals.last()
    filled.add([read_one(replace(STORM, title="Port closed"))])
    assert filled.article("storm").title == "Port closed"
    assert len(filled.history("storm")) == 1
    assert filled.arrivals.after(seen) == ()
    filled.add([read_one(replace(STORM, text=STORM.text + " Nobody was hurt."))])
    assert [each.article_id for each in filled.arrivals.after(seen)] == ["storm"]
    assert [each.key for each in filled.retirements.after(seen)] == [STORM.key]


def test_nothing_of_a_draft_reaches_the_cluster_before_its_hour(filled: Filled, clock: Clock) -> None:
    until = MORNING + timedelta(days=5)
    filled.add([read_one(replace(LONGEST, embargo=until))])
    filled.add([read_one(Article("secret", "The mill at Quorvex will close.", embargo=until))])
    assert [article.id for article in filled.listed()] == ["ferry", "storm"]
    assert "Quorvex" not in everything(filled.index)
    assert "quorvex" not in everything(filled.index)
    clock.moment = until
    filled.publish_due()
    compare(filled.current, filled.file)
    assert filled.history("ferry")[-1].since == until.date()


def everything(index: Index) -> str:
    """Return all that is stored in a cluster, and all words by which it is found."""
    index.refresh()
    found = []
    for name in (index.articles, index.names):
        rows = index._client.search(index=name, body={"size": 1000})["hits"]["hits"]
        found += [
            filling.unpack(row["_source"][key])
            for row in rows
            for key in ("current", "earlier")
            if key in row["_source"]
        ]
        found += rows
    for field in ("article", "words"):
        suggest = {"text": "zoltber quorve burne", "term": {"field": field, "suggest_mode": "always"}}
        found.append(index._client.search(index=index.articles, body={"suggest": {"near": suggest}})["suggest"])
    return json.dumps(found)


def leaves_the_files(index: Index, word: str) -> None:
    assert filling.expunge(index)
    assert word not in everything(index)
    stats = index._client.indices.stats(index=f"{index.articles},{index.names}", metric="docs")["indices"]
    deleted = {name: stats[name]["primaries"]["docs"]["deleted"] for name in stats}
    assert deleted[index.articles] == 0
    assert deleted[index.names] <= 1  # the head, which is put anew at the end: no word of an article is in it


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_removed_leaves_no_word(filled: Filled, at_once: bool) -> None:  # noqa: FBT001 - a case
    assert "zoltberg" in everything(filled.index)
    if at_once:
        filled.cluster.remove("ferry")
        assert [article.id for article in filled.cluster.listed()] == ["storm"]
        assert "Ines" not in everything(filled.index)
    filled.remove("ferry")
    assert [article.id for article in filled.listed()] == ["storm"]
    if not at_once:
        leaves_the_files(filled.index, "oltberg")
    assert filled.addressed(FERRY.key) is None
    assert {each.key for each in filled.retirements.after(0) if each.removed} == {FERRY.key, CORRECTED.key, LONGER.key}
    assert filled.retirements.is_removed(LONGER.key)
    assert not filled.retirements.is_removed(STORM.key)
    filled.add([read_one(CORRECTED)])
    assert filled.article("ferry") == CORRECTED
    assert filled.retirements.is_removed(LONGER.key)


def test_spellings_go_with_the_last_article_that_has_them(filled: Filled) -> None:
    quay = Article("quay", "The quay at Oxley is closed, said Tomás Brandt.")
    filled.file.add([read_one(MILL), read_one(quay)])
    filled.fill()
    filled.cluster.remove(MILL.id)
    filled.file.remove(MILL.id)
    assert filled.cluster.register().entities() == filled.file.register().entities()
    [brandt] = filled.cluster.register().find("Tomas Brandt")
    assert brandt.entity.variants == ("Tomás Brandt",)


def test_the_words_of_what_is_removed_are_deleted_elsewhere_too(filled: Filled) -> None:
    told: list[str] = []
    filled.retirements.listener = lambda removed: told.extend(each.article for each in removed)
    filled.retirements.publish_removals()
    assert told == []
    filled.remove("storm")
    filled.retirements.publish_removals()
    filled.retirements.publish_removals()
    assert told == ["storm"]


def test_an_article_may_keep_the_versions_that_the_cluster_has(filled: Filled, tmp_path: Path, clock: Clock) -> None:
    clock.moment += timedelta(days=1)
    with closing(PersistentArchive(tmp_path / "folder.sqlite", now=clock)) as folder:
        folder.add([read_one(LONGEST)])
        filling.fill(filled.index, folder, lambda: None, keep=True)
    versions = (FERRY, CORRECTED, LONGER, LONGEST)
    assert [each.id for each in filled.cluster.listed()] == ["ferry"]
    assert [each.digest for each in filled.cluster.history("ferry")] == [each.digest for each in versions]
    assert [filled.cluster.addressed(each.key).article.text for each in versions] == [each.text for each in versions]


def test_what_is_said_of_names_goes_along(address: str, tmp_path: Path) -> None:
    aliases = Aliases(same=(("Ines Roe", "Tomas Brandt"),))
    filled = Filled(address, tmp_path / "archive.sqlite", aliases)
    filled.add([read_one(FERRY), read_one(MILL)])
    assert filled.aliases == aliases
    names = {entity.name for entity in filled.register().entities()}
    assert names & {"Ines Roe", "Tomas Brandt"} == {"Ines Roe"}
    filled.close()


def killed_later_and_later(index: Index, act: Callable[[], object]) -> Iterator[bool]:
    """Act as a process that is killed at its first request, at its second and so on; yield whether it ended by itself.

    More than 40 requests are too many.
    """
    perform, is_done = index._client.transport.perform_request, False
    for last in count(1):
        left = iter(range(last))

        def dying(*told: object, left: Iterator[int] = left, **more: object) -> object:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return perform(*told, **more)

        with pytest.MonkeyPatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(index._client.transport, "perform_request", dying)
            act()
            is_done = True
        yield is_done
        if is_done:
            return
        assert last < 40


def test_who_is_killed_while_filling_loses_nothing(filled: Filled) -> None:
    """At any request: what is there is asked, and the next fill sends the rest."""
    filled.add([read_one(replace(MILL, id=f"mill {n}", text=f"Mill {n} at Oxley burned down.")) for n in range(5)])
    filled.remove("storm")
    filled.file.add([read_one(LONGEST)])
    for _ in killed_later_and_later(filled.index, filled.fill):
        assert filled.cluster.article("ferry").text in {LONGER.text, LONGEST.text}
        hits = filled.cluster.search(Query((("ferri", 1.0),)), 9)
        assert {hit.article_id for hit in hits} == {"ferry"}
    compare(filled.cluster, filled.file)


def test_a_write_whose_answer_was_lost_counts_once(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    perform = filled.index._client.transport.perform_request

    def twice(method: str, url: str, **more: Any) -> object:  # noqa: ANN401 - the client's own
        if url.endswith("_bulk"):
            perform(method, url, **{**more, "params": dict(more["params"])})
        return perform(method, url, **more)

    filled.file.add([read_one(MILL), read_one(LONGEST)])
    filled.file.remove("storm")
    with monkeypatch.context() as patched:
        patched.setattr(filled.index._client.transport, "perform_request", twice)
        filled.fill()
        compare(filled.cluster, filled.file)
        filled.cluster.remove(MILL.id)
    assert [each.id for each in filled.cluster.listed()] == ["ferry"]


def test_more_articles_with_a_word_take_no_more_requests(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    perform, asked = filled.index._client.transport.perform_request, list[object]()

    def noted(*told: object, **more: object) -> object:
        asked.append(told)
        return perform(*told, **more)

    def requests() -> int:
        asked.clear()
        with monkeypatch.context() as patched:
            patched.setattr(filled.index._client.transport, "perform_request", noted)
            assert places_with(ClusterArchive(filled.index), ["roe"])
        return len(asked)

    few = requests()
    filled.add([read_one(replace(STORM, id=f"storm {n}", text=f"{STORM.text} Day {n} is calm.")) for n in range(9)])
    filled.fill()
    assert requests() == few


def test_who_has_a_places_name_is_listed_as_in_the_file(filled: Filled) -> None:
    texts = {"kiev": "Mr Kiev said so. Kiev, 41, wept.", "city": "In Kyiv it rained.", "town": "In Kiev it rained."}
    filled.add([read_one(Article(name, text)) for name, text in texts.items()])
    filled.fill()
    assert [each.id for each in filled.cluster.listed(["kyiv"])] == sorted(texts)
    assert filled.cluster.listed(["kyiv"]) == filled.file.listed(["kyiv"])


def test_shards_and_replicas_are_as_set(filled: Filled, address: str) -> None:
    def spread() -> set[tuple[str, str]]:
        found = filled.index._client.indices.get_settings(index=f"{filled.index.articles},{filled.index.names}")
        settings = (each["settings"]["index"] for each in found.values())
        return {(each["number_of_shards"], each["number_of_replicas"]) for each in settings}

    assert spread() == {("2", "0")}
    filling.fill(Index(address, NOBODY, Sharding(9, 1)), filled.file, lambda: None, keep=False)
    assert spread() == {("2", "1")}


def test_an_index_template_adds_settings(address: str, tmp_path: Path) -> None:
    """Those of the program go before its own."""
    archive = Filled(address, tmp_path / "archive.sqlite")
    client, name = archive.index._client, parse(address).prefix
    template = {"index.codec": "best_compression", "index.number_of_shards": 4}
    body = {"index_patterns": [f"{name}-*"], "template": {"settings": template}, "priority": 1}
    client.indices.put_index_template(name=name, body=body)
    archive.add([read_one(MILL)])
    archive.fill()
    [found] = client.indices.get_settings(index=archive.index.articles).values()
    client.indices.delete_index_template(name=name)
    settings = found["settings"]["index"]
    assert (settings["codec"], settings["number_of_shards"]) == ("best_compression", "2")
    archive.close()


def test_words_with_slips_are_found_as_in_a_file(filled: Filled) -> None:
    for typed in ("soltbeerg", "zoltbrge", "oltbergg", "storrm", "coutned"):
        spellings = filled.cluster.vocabulary().spellings(typed)
        assert spellings == filled.file.vocabulary().spellings(typed) != (), typed


def test_of_two_who_fill_at_once_one_is_refused(filled: Filled, address: str) -> None:
    filled.file.add([read_one(MILL)])
    fill_while(filled, 1, lambda: filling.fill(Index(address, NOBODY, SPREAD), filled.file, lambda: None, keep=False))
    filled.fill()
    compare(filled.cluster, filled.file)


def fill_while(filled: Filled, step: int, another: Callable[[], object]) -> None:
    """Have another process act after a step of a fill, which is refused then."""
    steps = count(1)

    def advance() -> None:
        if next(steps) == step:
            another()

    with pytest.raises(ArchiveError, match="Another process is"):
        filling.fill(filled.index, filled.file, advance, keep=False)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_fill_does_not_undo_a_removal(step: int, filled: Filled, address: str) -> None:
    other = ClusterArchive(Index(address, NOBODY, SPREAD))
    filled.file.add([read_one(LONGEST), read_one(MILL)])
    fill_while(filled, step, lambda: other.remove("ferry"))
    filled.index.refresh()
    assert "ferry" not in {article.id for article in other.listed()}


def test_a_removal_that_was_stopped_is_finished_by_the_next(filled: Filled) -> None:
    filled.file.add([read_one(MILL)])
    filled.fill()
    for is_done in killed_later_and_later(filled.index, lambda: filled.cluster.remove(MILL.id)):
        if is_done:
            break
        assert {each.article for each in filled.cluster.retirements.unfinished()} <= {MILL.id}
        filled.cluster.remove(MILL.id)
        assert MILL.id not in {article.id for article in filled.cluster.listed()}
        assert filled.cluster.retirements.unfinished() == ()
        assert filled.cluster.retirements.is_removed(MILL.key)
        filled.fill()
    leaves_the_files(filled.index, "urned")


def test_a_cluster_with_no_article_says_so(address: str) -> None:
    archive = ClusterArchive(Index(address, NOBODY, SPREAD))
    with pytest.raises(NoArticlesError, match="`stet fill` puts some there"):
        archive.listed()


def test_what_is_of_another_format_is_said_to_be(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.archive.opensearch.index.FORMAT", 1)
    with pytest.raises(StaleIndexError, match="another version of stet"):
        filled.cluster.listed()


def spoil(file: PersistentArchive, state: str) -> None:
    statement = "UPDATE versions SET reading = CAST('[1]' AS BLOB) WHERE id = 'ferry' AND state = ?"
    with closing(sqlite3.connect(file.path)) as connection, connection:
        connection.execute(statement, (state,))


def test_what_cannot_be_read_ends_it_in_words(filled: Filled) -> None:
    spoil(filled.file, "current")
    with pytest.raises(StaleIndexError, match=r"'ferry' cannot be read any more: `stet reindex`"):
        filled.fill()
    assert filled.cluster.article("ferry") == LONGER


def test_an_earlier_version_that_cannot_be_read_is_left_out(filled: Filled, caplog: pytest.LogCaptureFixture) -> None:
    spoil(filled.file, "superseded")
    with caplog.at_level(logging.WARNING):
        filled.fill()
    assert [version.digest for version in filled.cluster.history("ferry")] == [LONGER.digest]
    assert filled.cluster.addressed(CORRECTED.key) is None
    assert [record.getMessage() for record in caplog.records] == [
        "an earlier version of 'ferry' cannot be read any more, and is left out"
    ]


def test_nothing_is_answered_while_the_cluster_is_away(filled: Filled, address: str) -> None:
    [host] = parse(address).hosts
    relay = Relay(host)
    archive = ClusterArchive(Index(address.replace(f":{host[1]}", f":{relay.port}"), NOBODY))
    compare(archive, filled.file)
    relay.cut()
    for ask in (archive.listed, archive.outlets, lambda: archive.article("ferry"), archive.vocabulary().size):
        with pytest.raises(UnreachableArchiveError, match="does not answer"):
            ask()
    relay.mend()
    compare(archive, filled.file)


def test_a_full_disk_is_said_to_be(filled: Filled) -> None:
    """As a cluster blocks its indexes then; what is there is asked."""
    filled.file.add([read_one(MILL)])
    blocked = {"index.blocks.read_only_allow_delete": True}
    client, names = filled.index._client, f"{filled.index.articles},{filled.index.names}"
    client.indices.put_settings(index=names, body=blocked)
    with pytest.raises(ArchiveError, match="disk is full"):
        filled.fill()
    assert [each.id for each in filled.cluster.listed()] == ["ferry", "storm"]
    client.indices.put_settings(index=names, body=dict.fromkeys(blocked))
    filled.fill()
    compare(filled.cluster, filled.file)


def test_a_scope_shows_no_name_of_other_sources(filled: Filled) -> None:
    filled.add([read_one(replace(MILL, source="The Heron"))])
    view = filled.scoped(Scope(frozenset({"The Heron"})))
    assert [entity.name for entity in view.register().entities()] == ["Oxley", "Tomas Brandt"]
    assert view.register().find("Roe") == ()
    assert view.register().beginning("in") == ()
    assert view.addressed(FERRY.key) is None
    assert places_with(view, ["roe"]) == ()
    with pytest.raises(KeyError):
        view.reading("ferry")
