"""An archive in a cluster with TLS and users: each may do what their role says, and is told in words what not.

And its snapshots, by the user who keeps them: what was lost comes back, and answers with it.
"""

import json
import secrets
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from opensearchpy import OpenSearch
from opensearchpy.exceptions import AuthorizationException

from retrieval.archive.archive import open_archive
from retrieval.archive.opensearch import filling
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.index import Index
from retrieval.errors import NoArticlesError, RefusedArchiveError, UnreachableArchiveError
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests import shelf
from tests.servers.secured import ASKS, FILLS, KEEPS, NOBODY, Secured, certify, role

MILL = Article("mill", "The mill at Oxley burned down. Ines Roe, the mayor, asked for an inquiry.")
BRIDGE = Article("bridge", "The bridge at Oxley is closed.")
SECRET = "a-password-that-is-nobodys"


@pytest.fixture
def address(secured_addresses: Callable[[], str]) -> str:
    return secured_addresses()


def fill(index: Index, *articles: Article) -> None:
    filling.fill(index, open_archive(map(read_one, articles)), lambda: None, keep=True)


def filled(secured: Secured, address: str) -> str:
    fill(Index(address, secured.credentials(FILLS)), MILL)
    return address


@pytest.fixture(scope="module")
def unchanged(secured: Secured, secured_addresses: Callable[[], str]) -> str:
    """Return the address of an archive with the mill in which no test may change anything."""
    return filled(secured, secured_addresses())


def ids(archive: ClusterArchive) -> list[str]:
    return [each.id for each in archive.listed()]


def test_who_asks_is_told_what_another_fills_and_removes(secured: Secured, address: str) -> None:
    """By the roles that the guide gives to each."""
    index = Index(address, secured.credentials(FILLS))
    fill(index, MILL)
    asking = ClusterArchive(Index(address, secured.credentials(ASKS)))
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
    index = Index(address, Credentials(authority=str(secured.authority), certificate=str(own)))
    fill(index, MILL)
    assert ids(ClusterArchive(index)) == ["mill"]


@pytest.mark.parametrize(
    "change", [lambda index: ClusterArchive(index).remove("mill"), lambda index: fill(index, BRIDGE)]
)
def test_who_asks_may_change_nothing(secured: Secured, unchanged: str, change: Callable[[Index], None]) -> None:
    asking = Index(unchanged, secured.credentials(ASKS))
    before = asking.head()
    with pytest.raises(RefusedArchiveError, match=r"indices:.*the user's role"):
        change(asking)
    assert asking.head() == before
    assert ids(ClusterArchive(asking)) == ["mill"]


def rights(*users: str) -> list[tuple[str, str]]:
    """Return each user with each of their rights but one, which the plugin's own mapping gives to everybody."""
    return [
        (user, right)
        for user in users
        for right in (*role(user)["cluster_permissions"], *role(user)["index_permissions"][0]["allowed_actions"])
        if not right.startswith("cluster_composite_ops")
    ]


def who_lacks(secured: Secured, user: str, right: str) -> str:
    """Return a new user, who has all rights of another but one."""
    name, allowed = f"lacks_{secrets.token_hex(4)}", json.dumps(role(user))
    secured.user(name, json.loads(allowed.replace(f'"{right}"', '"indices:data/nothing"')))
    return name


@pytest.mark.parametrize(("user", "right"), rights(ASKS, FILLS))
def test_every_right_is_needed(secured: Secured, address: str, unchanged: str, user: str, right: str) -> None:
    place = filled(secured, address) if user == FILLS else unchanged
    index = Index(place, secured.credentials(who_lacks(secured, user, right)))
    with pytest.raises(RefusedArchiveError, match=r"(indices|cluster):.*the user's role"):
        fill(index, BRIDGE) if user == FILLS else ids(ClusterArchive(index))


def test_each_way_of_not_being_let_in_has_its_words(secured: Secured, unchanged: str, tmp_path: Path) -> None:
    right = secured.credentials(ASKS)
    certify(tmp_path)
    for place, told, error, words in (
        (unchanged, Credentials(ASKS, SECRET, right.authority), RefusedArchiveError, "STET_ARCHIVE_LOGIN"),
        (unchanged, Credentials("", "", right.authority), RefusedArchiveError, "STET_ARCHIVE_LOGIN"),
        (unchanged, secured.credentials(NOBODY), RefusedArchiveError, "cluster:monitor/main.*the user's role"),
        (unchanged, Credentials(ASKS, right.password), UnreachableArchiveError, "STET_ARCHIVE_CA"),
        (unchanged, replace(right, authority=str(tmp_path / "ca.pem")), UnreachableArchiveError, "STET_ARCHIVE_CA"),
        (unchanged.replace("127.0.0.1", "localhost"), right, UnreachableArchiveError, "the host as STET_ARCHIVE names"),
        (unchanged.replace("https", "http"), right, UnreachableArchiveError, "does not answer"),
    ):
        with pytest.raises(error, match=words) as refused:
            Index(place, told).head()
        shown = "".join(traceback.format_exception(refused.value))
        assert not told.password or told.password not in shown


@pytest.fixture
def repository(secured: Secured) -> Iterator[str]:
    name = f"repository_{secrets.token_hex(4)}"
    place = {"type": "fs", "settings": {"location": str(secured.repository / name)}}
    with secured.client(KEEPS) as keeper:
        keeper.snapshot.create_repository(repository=name, body=place)
        yield name
        keeper.snapshot.delete_repository(repository=name)


def keep(act: Callable[..., Any], repository: str, pattern: str) -> None:
    """Take a snapshot, or bring it back: whole."""
    told = {"indices": pattern, "include_global_state": False}
    made = act(repository=repository, snapshot="nightly", body=told, params={"wait_for_completion": "true"})["snapshot"]
    assert (made.get("state", "SUCCESS"), made["shards"]["failed"]) == ("SUCCESS", 0)


def test_what_is_lost_comes_back_from_a_snapshot(secured: Secured, address: str, repository: str) -> None:
    archive = open_archive(shelf.readings(shelf.FIXTURES))
    filling.fill(Index(address, secured.credentials(FILLS)), archive, lambda: None, keep=True)
    asking = ClusterArchive(Index(address, secured.credentials(ASKS)))
    pattern = f"{parse(address).prefix}-*"
    with secured.client(KEEPS) as keeper, secured.client(FILLS) as filler:
        before = asking.listed()
        keep(keeper.snapshot.create, repository, pattern)
        filler.indices.delete(index=pattern)
        with pytest.raises(NoArticlesError):
            asking.listed()
        keep(keeper.snapshot.restore, repository, pattern)
        assert asking.listed() == before
    assert asking.register().entities()


@pytest.mark.parametrize("user", [ASKS, FILLS])
def test_who_fills_or_asks_keeps_no_snapshots(secured: Secured, user: str) -> None:
    """That is a right of its own: who has it can bring back what was taken down."""
    with secured.client(user) as client, pytest.raises(AuthorizationException):
        client.snapshot.get_repository()


@pytest.mark.parametrize("right", [right for _, right in rights(KEEPS)])
def test_every_right_of_who_keeps_them_is_needed(secured: Secured, address: str, repository: str, right: str) -> None:
    """Without it something of the three fails: to register the folder, to take a snapshot, to bring it back."""
    pattern = f"{parse(filled(secured, address)).prefix}-*"
    with secured.client(who_lacks(secured, KEEPS, right)) as keeper, pytest.raises(AuthorizationException):
        _keep_all(secured, keeper, repository, pattern)


def _keep_all(secured: Secured, keeper: OpenSearch, repository: str, pattern: str) -> None:
    keeper.snapshot.get_repository(repository=repository)
    keep(keeper.snapshot.create, repository, pattern)
    secured.admin.indices.delete(index=pattern)
    keep(keeper.snapshot.restore, repository, pattern)


def test_who_keeps_snapshots_reads_nothing(secured: Secured, unchanged: str) -> None:
    with secured.client(KEEPS) as keeper:
        for act in (keeper.search, keeper.indices.delete):
            with pytest.raises(AuthorizationException):
                act(index=f"{parse(unchanged).prefix}-*")
