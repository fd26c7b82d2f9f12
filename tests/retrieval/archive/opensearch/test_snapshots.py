"""Snapshots of an archive in a cluster, by the user who keeps them: what was lost comes back, and answers with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping

import pytest
from opensearchpy import OpenSearch
from opensearchpy.exceptions import AuthorizationException

from adapters import machine
from bot import messages
from bot.command import Holdings
from bot.desk import Desk
from bot.model import Message, NoAnswer, Question, Reply
from retrieval.archive.lasting.archive import open_archive
from retrieval.archive.opensearch.address import parse
from retrieval.archive.opensearch.opening import fill_opensearch, open_opensearch
from retrieval.archive.opensearch.schema import PARTS, alias
from retrieval.errors import RefusedArchiveError
from retrieval.model import Reading
from tests import shelf
from tests.servers.secured import ASKS, FILLS, KEEPS, Secured, role


@pytest.fixture
def repository(secured: Secured) -> Iterator[str]:
    """Register a folder of the nodes' as a repository, as the guide has it; return its name."""
    name = f"repository_{secrets.token_hex(4)}"
    place = {"type": "fs", "settings": {"location": str(secured.repository / name)}}
    with secured.client(KEEPS) as keeper:
        keeper.snapshot.create_repository(repository=name, body=place)
        yield name
        keeper.snapshot.delete_repository(repository=name)


def taken(keeper: OpenSearch, repository: str, pattern: str) -> str:
    """Take a snapshot of some indexes alone; return its name, once it is whole."""
    told = {"indices": pattern, "include_global_state": False}
    made = keeper.snapshot.create(
        repository=repository, snapshot="nightly", body=told, params={"wait_for_completion": "true"}
    )
    assert made["snapshot"]["state"] == "SUCCESS"
    return "nightly"


def restored(keeper: OpenSearch, repository: str, snapshot: str, pattern: str) -> None:
    """Bring some indexes of a snapshot back, with the aliases that they had."""
    told = {"indices": pattern, "include_global_state": False}
    made = keeper.snapshot.restore(
        repository=repository, snapshot=snapshot, body=told, params={"wait_for_completion": "true"}
    )
    assert made["snapshot"]["shards"]["failed"] == 0


@pytest.fixture
def address(secured_addresses: Callable[[], str]) -> str:
    """Return the setting of an archive of this test's own."""
    return secured_addresses()


@pytest.mark.parametrize("part", [*PARTS, "*"])
def test_what_is_lost_comes_back_from_a_snapshot(secured: Secured, address: str, repository: str, part: str) -> None:
    """One index or all: what needs it is not answered meanwhile, and nobody has to be started anew."""
    readings = {reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)}
    fill_opensearch(address, secured.credentials(FILLS), readings)
    # one has asked already, and remembers some of it for a second
    asked, unasked = (Desk(Holdings(open_opensearch(address, secured.credentials(ASKS)))) for _ in range(2))
    before = replies(asked, readings)
    pattern = f"{parse(address).prefix}-*"
    lost = pattern if part == "*" else f"{alias(part, parse(address))}-*"
    with secured.client(KEEPS) as keeper, secured.client(FILLS) as filler:
        snapshot = taken(keeper, repository, pattern)
        filler.indices.delete(index=lost)
        meanwhile = replies(unasked, readings)
        with pytest.raises(RefusedArchiveError, match="indices:admin/index_template/put"):
            open_opensearch(address, secured.credentials(ASKS))
        restored(keeper, repository, snapshot, lost)
    away = Message(messages.AWAY)
    assert away in meanwhile
    assert all(told in (away, right) for told, right in zip(meanwhile, before, strict=True))
    again = Desk(Holdings(open_opensearch(address, secured.credentials(ASKS))))
    for desk in (asked, unasked, again):
        assert [machine.reply(told) for told in replies(desk, readings)] == [machine.reply(right) for right in before]


def replies(desk: Desk, readings: Mapping[str, Reading]) -> list[Reply]:
    """Return the replies to a question about an article, and to who is named in it: together they ask every index."""
    question = Question(f"what is known about {next(iter(readings.values())).article.title}?")
    name = open_archive(readings.values()).entities()[0].name
    found = [desk.answer(question), desk.command("who", name, Question(name))]
    assert not any(isinstance(reply, NoAnswer) for reply in found)
    return found


@pytest.mark.parametrize("user", [ASKS, FILLS])
def test_who_fills_or_asks_keeps_no_snapshots(secured: Secured, user: str) -> None:
    """That is a right of its own: who has it can bring back what was taken down."""
    with secured.client(user) as client, pytest.raises(AuthorizationException):
        client.snapshot.get_repository()


RIGHTS = (*role(KEEPS)["cluster_permissions"], *role(KEEPS)["index_permissions"][0]["allowed_actions"])


@pytest.mark.parametrize("right", RIGHTS)
def test_every_right_of_who_keeps_them_is_needed(secured: Secured, address: str, repository: str, right: str) -> None:
    """Without it something of the three fails: to register the folder, to take a snapshot, to bring it back."""
    fill_opensearch(address, secured.credentials(FILLS), {})
    lacking = json.loads(json.dumps(role(KEEPS)).replace(f'"{right}"', '"indices:data/write/bulk"'))
    user = f"lacks_{secrets.token_hex(4)}"
    secured.user(user, lacking)
    with secured.client(user) as keeper, pytest.raises(AuthorizationException):
        _kept(secured, keeper, repository, f"{parse(address).prefix}-*")


def _kept(secured: Secured, keeper: OpenSearch, repository: str, pattern: str) -> None:
    """Do all that whoever keeps snapshots has to do."""
    keeper.snapshot.get_repository(repository=repository)
    snapshot = taken(keeper, repository, pattern)
    secured.admin.indices.delete(index=pattern)
    restored(keeper, repository, snapshot, pattern)


def test_who_keeps_snapshots_reads_nothing(secured: Secured, address: str) -> None:
    """Nor changes what is there."""
    readings = {reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)[:1]}
    fill_opensearch(address, secured.credentials(FILLS), readings)
    pattern = f"{parse(address).prefix}-*"
    with secured.client(KEEPS) as keeper:
        for act in (keeper.search, keeper.indices.delete):
            with pytest.raises(AuthorizationException):
                act(index=pattern)
