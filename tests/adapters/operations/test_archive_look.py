"""What is told of an archive in a cluster that goes away, hangs and comes back: soon, and without a restart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from adapters.operations import archive_look, metrics
from adapters.operations.archive_look import ArchiveLook
from adapters.settings import load
from bot.command import Holdings
from bot.desk import Desk
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.opening import fill_opensearch, open_opensearch
from retrieval.pipeline import read_all
from tests.adapters.operations.test_health import client, figures, labelled
from tests.servers.relay import Relay
from tests.stock import BRIDGE, FERRY

AWAY = (503, "the articles cannot be asked\n")
ANSWERS, ARTICLES = labelled("stet_archive_answers"), labelled("stet_articles")


@asynccontextmanager
async def watched(address: str, folder: Path) -> AsyncIterator[tuple[Relay, httpx.AsyncClient]]:
    """Fill a cluster with two articles, and give what stands before it and what tells of the health beside it."""
    fill_opensearch(address, Credentials(), {reading.article.id: reading for reading in read_all([FERRY, BRIDGE])})
    [host] = parse(address).hosts
    relay = Relay(host)
    held = open_opensearch(address.replace(f":{host[1]}", f":{relay.port}"), Credentials())
    look = ArchiveLook(held)
    settings = replace(load({}, folder / "none"), state=str(folder / "state.sqlite"), health="127.0.0.1:0")
    with metrics.observed(Desk(Holdings(held)), look):
        async with client(settings, look=look) as of:
            of.timeout = httpx.Timeout(120)
            yield relay, of
    relay.cut()


async def told(of: httpx.AsyncClient) -> tuple[int, str]:
    """Return what is told of whether it is ready."""
    answer = await of.get("/readyz")
    return answer.status_code, answer.text


async def until_ready(of: httpx.AsyncClient) -> None:
    """Ask until it is ready: each time waits for a look."""
    for _ in range(60):
        if await told(of) == (200, "ok\n"):
            return
    raise AssertionError("it does not get ready")


async def test_it_is_not_ready_while_the_cluster_is_away(
    address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Alive all the same; the figures keep what was held, and the log says it once, and once that it is over."""
    async with watched(address, tmp_path) as (relay, of):
        await until_ready(of)
        before = await figures(of)
        relay.cut()
        assert [await told(of), await told(of)] == [AWAY, AWAY]
        assert (await of.get("/healthz")).status_code == 200
        away = await figures(of)
        relay.mend()
        await until_ready(of)
        again = await figures(of)
    assert [each[ANSWERS] for each in (before, away, again)] == [1, 0, 1]
    assert [each[ARTICLES] for each in (before, away, again)] == [2, 2, 2]
    logged = [record.message for record in caplog.records if record.name == archive_look.__name__]
    assert logged == [
        "the articles cannot be asked: The archive does not answer: see whether its cluster runs.",
        "the articles can be asked again",
    ]


async def test_a_cluster_that_hangs_is_not_waited_for(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One look is under way, however many ask meanwhile; and it is found out when the cluster goes on."""
    async with watched(address, tmp_path) as (relay, of):
        await until_ready(of)
        with monkeypatch.context() as patched:
            patched.setattr(archive_look, "PATIENCE", 0.05)
            relay.hang()
            assert [await told(of) for _ in range(3)] == [AWAY] * 3
            assert (await of.get("/healthz")).status_code == 200
            assert (await figures(of))[ANSWERS] == 0
        relay.mend()
        await until_ready(of)
        assert (await figures(of))[ANSWERS] == 1


async def test_the_figures_follow_what_the_cluster_holds(address: str, tmp_path: Path) -> None:
    """Filled anew by another process, it holds something else."""
    async with watched(address, tmp_path) as (_, of):
        assert (await figures(of))[ARTICLES] == 2
        fill_opensearch(address, Credentials(), {reading.article.id: reading for reading in read_all([FERRY])})
        assert (await figures(of))[ARTICLES] == 1
