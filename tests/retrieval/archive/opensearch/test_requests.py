"""What a cluster is asked, how often, and what becomes of a request that is sent again."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from bot.ask.consider import consider
from bot.ask.model import Asking
from bot.model import Question
from retrieval.archive.opensearch import archive
from retrieval.archive.opensearch.address import SCHEME, Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import open_opensearch
from retrieval.model import Article
from retrieval.pipeline import read_all
from tests.servers import gateway
from tests.servers.gateway import Gateway

ARTICLES = (
    Article("ferry", "The ferry to Zoltberg sank on Friday. The mayor, Ines Roe, asked for an inquiry."),
    Article("storm", "A storm is coming. The harbour is closed, and no ferry leaves."),
)


@pytest.fixture
def before(cluster: str) -> Iterator[Gateway]:
    """Return a gateway before the cluster."""
    with gateway.opened(urlsplit(cluster).netloc) as opened:
        yield opened


@pytest.fixture
def held(before: Gateway, address: str, monkeypatch: pytest.MonkeyPatch) -> OpenSearchArchive:
    """Return an archive that is asked through the gateway, and takes what it was told for true as long as a test."""
    monkeypatch.setattr(archive, "AGE", 600.0)
    place = urlsplit(address.removeprefix(SCHEME))
    opened = open_opensearch(f"{SCHEME}http://127.0.0.1:{before.port}{place.path}?{place.query}", Credentials())
    opened.fill({reading.article.id: reading for reading in read_all(ARTICLES)})
    before.asked.clear()
    return opened


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("When did the ferry to Zoltberg sink?", 1),
        ("Why is the harbuor closed?", 3),  # then what else it may be, and what it is taken for
    ],
)
def test_a_reply_asks_for_its_words_together(
    held: OpenSearchArchive, before: Gateway, question: str, times: int
) -> None:
    """How many there are of each, and of sentences."""
    assert consider(Question(question), Asking(held)).chosen
    assert [path.rpartition("/")[2] for _, path in before.asked].count("_msearch") == times


def test_what_was_deleted_although_no_answer_came_is_removed(held: OpenSearchArchive, before: Gateway) -> None:
    """It is not said that there was no such article, as whoever asks again finds; there is none the next time."""
    before.losing.add("DELETE")
    held.remove("ferry")
    assert not before.losing
    assert [article.id for article in held.articles()] == ["storm"]
    assert [method for method, path in before.asked if "/_doc/" in path].count("DELETE") == 2
    with pytest.raises(KeyError):
        held.remove("ferry")
