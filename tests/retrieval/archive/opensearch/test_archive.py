"""What an archive in a cluster promises beyond the others: growing, failing half-way, and being asked by several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime

import pytest
from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from retrieval.archive.lasting.archive import open_archive
from retrieval.archive.opensearch import connection
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.connection import connect
from retrieval.archive.opensearch.documents import documents
from retrieval.archive.opensearch.generations import aliases, beside
from retrieval.archive.opensearch.opening import fill_opensearch, open_opensearch
from retrieval.errors import StaleIndexError
from retrieval.model import Article, Reading
from retrieval.pipeline import read_all
from retrieval.search import Outlet, Query
from tests import shelf

FERRY = Article("ferry", "The ferry to Lisbon sank on Friday. The mayor of Lisbon, Ines Roe, asked for an inquiry.")
BRIDGE = Article("bridge", "The bridge at Oxley will close. Repairs cost 4 million crowns, said Mayor Tomas Brandt.")
CORRECTED = Article("ferry", "The ferry to Lisbon ran aground on Thursday.")


def read(*articles: Article) -> dict[str, Reading]:
    """Return articles, read, by id."""
    return {reading.article.id: reading for reading in read_all(articles)}


def opened(address: str, *articles: Article) -> OpenSearchArchive:
    """Return an archive that holds these articles."""
    held = open_opensearch(address, Credentials())
    held.fill(read(*articles))
    return held


def client(address: str) -> OpenSearch:
    """Return a client of the cluster."""
    return connect(parse(address), Credentials())


def indexes(address: str) -> list[str]:
    """Return the indexes there are of an archive."""
    return sorted(client(address).indices.get(index=f"{parse(address).prefix}-*"))


def found(held: OpenSearchArchive, *terms: str) -> list[tuple[str, int]]:
    """Return the places found for terms."""
    hits = held.search(Query(tuple((term, 1.0) for term in terms)), 10)
    return [(hit.article_id, hit.passage.sentence.index) for hit in hits]


class Broken(Mapping[str, Reading]):
    """Readings of which the second cannot be had."""

    def __init__(self, readings: Mapping[str, Reading]) -> None:
        self._readings = readings
        self._left = 4  # the names are taken from all of them first

    def __getitem__(self, article_id: str) -> Reading:
        self._left -= 1
        if not self._left:
            raise OSError("the disk is gone")
        return self._readings[article_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)


def test_what_is_filled_anew_takes_the_old_ones_place(address: str) -> None:
    """And whoever asks all the time asks the new one then, without opening it again."""
    held, other = opened(address, FERRY), open_opensearch(address, Credentials())
    before = indexes(address)
    assert found(other, "ferri") == [("ferry", 0), ("ferry", 1)]
    held.fill(read(BRIDGE))
    assert found(other, "ferri") == []
    assert found(other, "bridg") == [("bridge", 0), ("bridge", 1)]
    after = indexes(address)
    assert len(after) == len(before) == 3
    assert not set(after) & set(before)


def test_where_filling_fails_the_old_ones_stay(address: str) -> None:
    """Nothing is left lying of what was begun."""
    held = opened(address, FERRY)
    before = indexes(address)
    with pytest.raises(OSError, match="the disk is gone"):
        held.fill(Broken(read(FERRY, BRIDGE)))
    assert indexes(address) == before
    assert found(held, "ferri") == [("ferry", 0), ("ferry", 1)]


def test_what_is_asked_already_is_not_thrown_away(address: str) -> None:
    """Where the new indexes took the old ones' place, and the answer that says so was lost."""
    held = opened(address, FERRY)
    with pytest.raises(OSError, match="the line is dead"):
        _swapped(address)
    assert len(indexes(address)) == 3
    assert found(held, "ferri") == []
    held.put(*read(BRIDGE).values())
    assert found(held, "bridg") == [("bridge", 0), ("bridge", 1)]


def _swapped(address: str) -> None:
    place = parse(address)
    before = indexes(address)
    with beside(client(address), place) as new:
        added = [{"add": {"index": new[part], "alias": name}} for part, name in aliases(place).items()]
        removed = [{"remove_index": {"index": old}} for old in before]
        client(address).indices.update_aliases(body={"actions": [*removed, *added]})
        raise OSError("the line is dead")


def test_an_article_half_written_is_not_seen(address: str) -> None:
    """A process that dies between its sentences and the article itself leaves the article as it was."""
    held = opened(address, FERRY, BRIDGE)
    (corrected,) = read(CORRECTED).values()
    bulk(client(address), documents(corrected, {}).parts(aliases(parse(address))), refresh=True)
    assert found(held, "aground") == []
    assert found(held, "ferri") == [("ferry", 0), ("ferry", 1)]
    held.put(corrected)
    assert found(held, "aground") == [("ferry", 0)]
    assert held.size() == len(corrected.passages) + len(held.reading("bridge").passages)
    assert held.register().meant("ines roe") is None


def test_the_same_article_twice_is_there_once(address: str) -> None:
    """However often it is sent."""
    held = opened(address, FERRY)
    size = held.size()
    for _ in range(2):
        held.put(held.reading("ferry"))
    assert held.size() == size
    assert [entity.articles for entity in held.entities()] == [("ferry",)] * len(held.entities())


def test_another_process_sees_what_was_put_and_removed(address: str) -> None:
    """As soon as that is done, unless it looked at the article within the last second."""
    held = opened(address, FERRY)
    held.put(*read(BRIDGE).values())
    other = open_opensearch(address, Credentials())
    assert other.article("bridge") == BRIDGE
    held.remove("ferry")
    assert found(other, "ferri") == []
    with pytest.raises(KeyError):
        other.reading("ferry")


def test_what_another_version_filled_is_not_asked(address: str) -> None:
    """Its fields may mean something else; filled anew it is."""
    opened(address, FERRY)
    name = aliases(parse(address))["sentences"]
    client(address).indices.put_mapping(index=name, body={"_meta": {"schema": 0}})
    with pytest.raises(StaleIndexError, match="stet fill"):
        open_opensearch(address, Credentials())
    held = fill_opensearch(address, Credentials(), read(CORRECTED))
    assert found(held, "aground") == [("ferry", 0)]
    assert [reading.article for reading in held.versions("ferry")] == [FERRY, CORRECTED]


def test_two_who_open_a_new_archive_at_once_open_the_same(address: str) -> None:
    """A second index behind a name would leave nowhere to write."""
    with ThreadPoolExecutor(4) as pool:
        held = list(pool.map(lambda _: open_opensearch(address, Credentials()), range(4)))
    assert len(indexes(address)) == 3
    held[0].put(*read(FERRY).values())
    assert found(held[3], "ferri") == [("ferry", 0), ("ferry", 1)]


def test_a_score_is_the_same_on_however_many_shards(address: str, addresses: Callable[[], str]) -> None:
    """A term is as rare as it is in the whole archive, not as in the shard that a sentence is on."""
    readings = {reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)}
    one = open_opensearch(address.replace("shards=2", "shards=1"), Credentials())
    two = open_opensearch(addresses().replace("shards=2", "shards=3"), Credentials())
    for held in (one, two):
        held.fill(readings)
    asked = [Query(tuple((term, 1.0) for term in sentence.own)) for sentence in one.searchable(next(iter(readings)))]
    for query in filter(lambda query: query.terms, asked[:20]):
        pairs = zip(one.search(query, 30), two.search(query, 30), strict=True)
        for ours, theirs in pairs:
            assert (ours.article_id, ours.passage) == (theirs.article_id, theirs.passage)
            assert ours.score == pytest.approx(theirs.score)


def test_all_is_given_page_by_page(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as in one, and in order."""
    monkeypatch.setattr(connection, "PAGE", 2)
    readings = read(FERRY, BRIDGE, Article("storm", "A storm is coming to Lisbon. The ferry stays in port."))
    held, memory = (
        opened(address, *(reading.article for reading in readings.values())),
        open_archive(readings.values()),
    )
    assert held.articles() == memory.articles()
    assert held.entities() == memory.entities()
    assert held.holding(["lisbon"]) == memory.holding(["lisbon"])


def test_hostile_articles_are_kept_to_the_letter(address: str) -> None:
    """Half of a character, an id longer than the server's, a number longer than its words."""
    number = "7" * 900
    article = Article("é" * 300, f"Half a sign and \x00 nothing. The code was {number}. The end came.", title="\ud83d")
    held = opened(address, article)
    assert held.articles() == (article,)
    assert held.article(article.id).digest == article.digest
    assert found(held, number)[0] == (article.id, 1)


def test_a_question_may_have_more_words_than_the_server_takes(address: str) -> None:
    """A pasted column is looked for by its heaviest terms."""
    held = opened(address, FERRY)
    terms = [(f"word{number}", 0.5) for number in range(2000)]
    hits = held.search(Query((*terms, ("ferri", 1.0))), 10)
    assert hits[0].article_id == "ferry"


def test_an_article_is_held_with_its_particulars_and_known_by_its_address(address: str) -> None:
    """All of them come back; no address and no id stand for nothing."""
    told = Article(
        "mill",
        "The mill at Oxley burned down.",
        "mill.txt",
        "Mill burns",
        "The Oxley Bell \ud800",
        "https://bell.example/mill",
        date(2024, 3, 1),
        "Ana Vell",
        "Northwire",
        datetime(2024, 3, 2, 18, tzinfo=UTC),
    )
    held = opened(address, told, FERRY)
    assert held.article("mill") == told
    assert held.outlets() == (
        Outlet("", 1, None, None),
        Outlet("The Oxley Bell \ud800", 1, date(2024, 3, 1), date(2024, 3, 1)),
    )
    assert held.meant("mill") == held.meant("https://bell.example/mill") == ("mill",)
    assert held.meant("") == held.meant("https://bell.example/") == ()
    assert [reading.article for reading in held.versions("mill")] == [told]
    (replaced,) = read(CORRECTED).values()
    held.put(replaced)
    assert held.addressed(CORRECTED.key) == replaced
