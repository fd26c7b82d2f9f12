"""An archive in a cluster with TLS and users: each may do what their role says, and is told in words what not."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import open_opensearch
from retrieval.errors import ArchiveError, RefusedArchiveError, UnreachableArchiveError
from retrieval.model import Article, Reading
from retrieval.pipeline import read_all
from retrieval.search import Query, Scope
from tests.servers.secured import ASKS, FILLS, NOBODY, Secured, certify, role

MILL = Article("mill", "The mill at Oxley burned down. Ines Roe, the mayor, asked for an inquiry.")
SECRET = "a-password-that-is-nobodys"


@pytest.fixture
def address(secured_addresses: Callable[[], str]) -> str:
    """Return the setting of an archive of this test's own."""
    return secured_addresses()


def read(*articles: Article) -> dict[str, Reading]:
    """Return articles, read, by id."""
    return {reading.article.id: reading for reading in read_all(articles)}


def filled(address: str, secured: Secured) -> OpenSearchArchive:
    """Return an archive of one article, opened by the user who may fill it."""
    held = open_opensearch(address, secured.credentials(FILLS))
    held.fill(read(MILL))
    return held


def test_who_asks_may_ask_everything(secured: Secured, address: str) -> None:
    """Each of an archive's questions is answered, and what is filled anew meanwhile is what is asked."""
    filling, asking = filled(address, secured), open_opensearch(address, secured.credentials(ASKS))
    assert [article.id for article in asking.articles()] == ["mill"]
    assert asking.reading("mill") == filling.reading("mill")
    assert asking.search(Query((("mill", 1.0),)), 5)
    assert asking.holding(("mill",)) == (("mill", 0),)
    assert asking.frequencies(("mill", "quay")) == {"mill": 1, "quay": 0}
    assert asking.within(("mill", "quay"), Scope()) == {"mill"}
    assert [entity.name for entity in asking.named(("ines", "roe"))] == ["Ines Roe"]
    assert asking.entities()
    assert asking.register().find("roe")
    assert asking.register().beginning("ro") == ("Ines Roe",)
    assert asking.spellings("inqiry") == ("inquiry",)
    assert asking.outlets()
    assert asking.meant("mill") == ("mill",)
    before = asking.revision()
    filling.fill(read(Article("bridge", "The bridge at Oxley is closed.")))
    other = open_opensearch(address, secured.credentials(ASKS))
    assert other.revision() != before
    assert [article.id for article in other.articles()] == ["bridge"]


@pytest.mark.parametrize(
    ("change", "right"),
    [
        (lambda held: held.put(held.reading("mill")), "indices:data/write"),
        (lambda held: held.remove("mill"), "indices:data/write/delete"),
        (lambda held: held.fill(read(MILL)), "indices:admin/index_template/put"),
    ],
)
def test_who_asks_may_change_nothing(
    secured: Secured, address: str, change: Callable[[OpenSearchArchive], None], right: str
) -> None:
    """The right that is missing is named, as roles name it; nothing is changed."""
    filled(address, secured)
    asking = open_opensearch(address, secured.credentials(ASKS))
    with pytest.raises(RefusedArchiveError, match=f"{right}.*the user's role"):
        change(asking)
    assert [article.id for article in open_opensearch(address, secured.credentials(ASKS)).articles()] == ["mill"]


def test_who_may_read_no_article_is_told_so(secured: Secured, address: str) -> None:
    """And not that there is none: the server gives such an article back as an error of its own, among others."""
    filled(address, secured)
    asks = role(ASKS)
    asks["index_permissions"][0]["allowed_actions"].remove("read")
    held = open_opensearch(address, secured.user("blind", asks))
    with pytest.raises(RefusedArchiveError, match=r"indices:data/read.*the user's role"):
        held.article("mill")
    with pytest.raises(RefusedArchiveError, match=r"indices:data/read.*the user's role"):
        held.frequencies(("mill",))


def test_each_way_of_not_being_let_in_has_its_words(secured: Secured, address: str, tmp_path: Path) -> None:
    """None of which is the password, neither in what is said nor in what a log would show."""
    filled(address, secured)
    right = secured.credentials(ASKS)
    certify(tmp_path)
    for told, error, words in (
        (Credentials(ASKS, SECRET, right.authority), RefusedArchiveError, "STET_ARCHIVE_PASSWORD"),
        (Credentials("", "", right.authority), RefusedArchiveError, "STET_ARCHIVE_USER"),
        (secured.credentials(NOBODY), RefusedArchiveError, "cluster:monitor/main.*the user's role"),
        (Credentials(ASKS, right.password), UnreachableArchiveError, "STET_ARCHIVE_CA"),
        (Credentials(ASKS, right.password, str(tmp_path / "ca.pem")), UnreachableArchiveError, "STET_ARCHIVE_CA"),
    ):
        _refused(address, told, error, words)
    _refused(
        address.replace("127.0.0.1", "localhost"), right, UnreachableArchiveError, "the host as STET_ARCHIVE names"
    )
    _refused(address.replace("https", "http"), right, UnreachableArchiveError, "does not answer")


def _refused(address: str, told: Credentials, error: type[ArchiveError], words: str) -> None:
    with pytest.raises(error, match=words) as refused:
        open_opensearch(address, told)
    shown = "".join(traceback.format_exception(refused.value))
    assert not told.password or told.password not in shown
