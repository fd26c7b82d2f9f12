"""Snapshots of an archive in a cluster, by the user who keeps them: what was lost comes back, and answers with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator

import pytest
from opensearchpy import OpenSearch
from opensearchpy.exceptions import AuthorizationException

from retrieval.archive.archive import open_archive
from retrieval.archive.opensearch import filling
from retrieval.archive.opensearch.address import parse
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.index import open_index
from retrieval.errors import NoArticlesError
from retrieval.model import Article
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import read_one
from tests import shelf
from tests.servers.secured import ASKS, FILLS, KEEPS, Secured, role

MILL = Article("mill", "The mill at Oxley burned down.")


@pytest.fixture
def repository(secured: Secured) -> Iterator[str]:
    name = f"repository_{secrets.token_hex(4)}"
    place = {"type": "fs", "settings": {"location": str(secured.repository / name)}}
    with secured.client(KEEPS) as keeper:
        keeper.snapshot.create_repository(repository=name, body=place)
        yield name
        keeper.snapshot.delete_repository(repository=name)


def taken(keeper: OpenSearch, repository: str, pattern: str) -> str:
    told = {"indices": pattern, "include_global_state": False}
    made = keeper.snapshot.create(
        repository=repository, snapshot="nightly", body=told, params={"wait_for_completion": "true"}
    )
    assert made["snapshot"]["state"] == "SUCCESS"
    return "nightly"


def restored(keeper: OpenSearch, repository: str, snapshot: str, pattern: str) -> None:
    told = {"indices": pattern, "include_global_state": False}
    made = keeper.snapshot.restore(
        repository=repository, snapshot=snapshot, body=told, params={"wait_for_completion": "true"}
    )
    assert made["snapshot"]["shards"]["failed"] == 0


@pytest.fixture
def address(secured_addresses: Callable[[], str]) -> str:
    return secured_addresses()


def test_what_is_lost_comes_back_from_a_snapshot(secured: Secured, address: str, repository: str) -> None:
    fill(address, secured, *shelf.stock(shelf.FIXTURES))
    asking = ClusterArchive(open_index(address, secured.credentials(ASKS)))
    pattern = f"{parse(address).prefix}-*"
    with secured.client(KEEPS) as keeper, secured.client(FILLS) as filler:
        before = asking.listed()
        snapshot = taken(keeper, repository, pattern)
        filler.indices.delete(index=pattern)
        with pytest.raises(NoArticlesError):
            asking.listed()
        restored(keeper, repository, snapshot, pattern)
        assert asking.listed() == before
    assert asking.register().entities()


def fill(address: str, secured: Secured, *articles: Article) -> None:
    with open_archive(map(read_one, articles)).rows() as run:
        filling.fill(open_index(address, secured.credentials(FILLS)), run, NO_ALIASES, lambda: None, keep=True)


@pytest.mark.parametrize("user", [ASKS, FILLS])
def test_who_fills_or_asks_keeps_no_snapshots(secured: Secured, user: str) -> None:
    """That is a right of its own: who has it can bring back what was taken down."""
    with secured.client(user) as client, pytest.raises(AuthorizationException):
        client.snapshot.get_repository()


RIGHTS = (*role(KEEPS)["cluster_permissions"], *role(KEEPS)["index_permissions"][0]["allowed_actions"])


@pytest.mark.parametrize("right", RIGHTS)
def test_every_right_of_who_keeps_them_is_needed(secured: Secured, address: str, repository: str, right: str) -> None:
    """Without it something of the three fails: to register the folder, to take a snapshot, to bring it back."""
    fill(address, secured, MILL)
    lacking = json.loads(json.dumps(role(KEEPS)).replace(f'"{right}"', '"indices:data/write/bulk"'))
    user = f"lacks_{secrets.token_hex(4)}"
    secured.user(user, lacking)
    with secured.client(user) as keeper, pytest.raises(AuthorizationException):
        _kept(secured, keeper, repository, f"{parse(address).prefix}-*")


def _kept(secured: Secured, keeper: OpenSearch, repository: str, pattern: str) -> None:
    keeper.snapshot.get_repository(repository=repository)
    snapshot = taken(keeper, repository, pattern)
    secured.admin.indices.delete(index=pattern)
    restored(keeper, repository, snapshot, pattern)


def test_who_keeps_snapshots_reads_nothing(secured: Secured, address: str) -> None:
    fill(address, secured, MILL)
    pattern = f"{parse(address).prefix}-*"
    with secured.client(KEEPS) as keeper:
        for act in (keeper.search, keeper.indices.delete):
            with pytest.raises(AuthorizationException):
                act(index=pattern)
