"""An archive in a cluster with TLS and users: each may do what their role says, and is told in words what not."""

from __future__ import annotations

import json
import secrets
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.archive.archive import open_archive
from retrieval.archive.opensearch import filling
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.index import Index, open_index
from retrieval.errors import ArchiveError, RefusedArchiveError, UnreachableArchiveError
from retrieval.model import Article
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import read_one
from tests.servers.secured import ASKS, FILLS, NOBODY, Secured, certify, role

MILL = Article("mill", "The mill at Oxley burned down. Ines Roe, the mayor, asked for an inquiry.")
BRIDGE = Article("bridge", "The bridge at Oxley is closed.")
SECRET = "a-password-that-is-nobodys"


@pytest.fixture
def address(secured_addresses: Callable[[], str]) -> str:
    return secured_addresses()


def fill(index: Index, *articles: Article) -> None:
    with open_archive(map(read_one, articles)).rows() as run:
        filling.fill(index, run, NO_ALIASES, lambda: None, keep=True)


def ids(archive: ClusterArchive) -> list[str]:
    return [each.id for each in archive.listed()]


def test_who_asks_is_told_what_another_fills_and_removes(secured: Secured, address: str) -> None:
    """By the roles that the guide gives to each."""
    index = open_index(address, secured.credentials(FILLS))
    fill(index, MILL)
    asking = ClusterArchive(open_index(address, secured.credentials(ASKS)))
    assert asking.article("mill") == MILL
    assert asking.register().find("Roe")
    fill(index, MILL, BRIDGE)
    assert ids(asking) == ["bridge", "mill"]
    ClusterArchive(index).remove("mill")
    assert ids(asking) == ["bridge"]
    assert filling.expunge(index)


def test_a_client_certificate_lets_in(secured: Secured, address: str, tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    own.write_bytes(b"".join((secured.authority.parent / f"admin.{kind}").read_bytes() for kind in ("pem", "key")))
    index = open_index(address, Credentials(authority=str(secured.authority), certificate=str(own)))
    fill(index, MILL)
    assert ids(ClusterArchive(index)) == ["mill"]


@pytest.mark.parametrize(
    "change", [lambda index: ClusterArchive(index).remove("mill"), lambda index: fill(index, BRIDGE)]
)
def test_who_asks_may_change_nothing(secured: Secured, address: str, change: Callable[[Index], None]) -> None:
    fill(open_index(address, secured.credentials(FILLS)), MILL)
    asking = open_index(address, secured.credentials(ASKS))
    before = asking.head()
    with pytest.raises(RefusedArchiveError, match=r"indices:.*the user's role"):
        change(asking)
    assert asking.head() == before
    assert ids(ClusterArchive(asking)) == ["mill"]


RIGHTS = [
    (user, right)
    for user in (ASKS, FILLS)
    for right in (*role(user)["cluster_permissions"], *role(user)["index_permissions"][0]["allowed_actions"])
    if not right.startswith("cluster_composite_ops")  # which the plugin's own mapping gives to everybody
]


@pytest.mark.parametrize(("user", "right"), RIGHTS)
def test_every_right_is_needed(secured: Secured, address: str, user: str, right: str) -> None:
    fill(open_index(address, secured.credentials(FILLS)), MILL)
    lacking = json.loads(json.dumps(role(user)).replace(f'"{right}"', '"indices:data/nothing"'))
    index = open_index(address, secured.user(f"lacks_{secrets.token_hex(4)}", lacking))
    with pytest.raises(RefusedArchiveError, match=r"(indices|cluster):.*the user's role"):
        fill(index, BRIDGE) if user == FILLS else ids(ClusterArchive(index))


def test_each_way_of_not_being_let_in_has_its_words(secured: Secured, address: str, tmp_path: Path) -> None:
    fill(open_index(address, secured.credentials(FILLS)), MILL)
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
        open_index(address, told).head()
    shown = "".join(traceback.format_exception(refused.value))
    assert not told.password or told.password not in shown
