"""Health, readiness and figures of whatever is served: on a port of their own, and read by Prometheus's own parser."""

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters import metrics, web
from adapters.metrics import ArchiveProbe
from adapters.page import service as page
from adapters.settings import Settings, load
from adapters.storage.store import Store
from adapters.web import HealthError, PortError, serve_health
from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.pipeline import read_all
from tests.stock import BRIDGE, FERRY, service

OPEN_METRICS = "application/openmetrics-text"
ASKED = "how many people on board the ferry"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"STET_STATE": str(tmp_path / "state.sqlite"), "STET_PAGE_PORT": "0", "STET_HEALTH": "127.0.0.1:0"}
    return load(given, tmp_path / "none")


def empty() -> ArchiveProbe:
    return ArchiveProbe(open_archive(()))


@asynccontextmanager
async def client(settings: Settings, *platforms: str) -> AsyncIterator[httpx.AsyncClient]:
    """Serve the health of ``platforms`` over an empty archive, and return a client."""
    addresses: list[str] = []
    with serve_health(platforms, settings, empty(), addresses.append):
        async with httpx.AsyncClient(base_url=addresses[0]) as found:
            yield found


async def figures(of: httpx.AsyncClient) -> dict[str, float]:
    """Return the value of each sample, by its name and the values of its labels."""
    families = text_string_to_metric_families((await of.get("/metrics")).text)
    samples = (sample for family in families for sample in family.samples)
    return {" ".join((sample.name, *map(sample.labels.get, sorted(sample.labels)))): sample.value for sample in samples}


async def test_it_is_ready_once_every_platform_is_connected(settings: Settings) -> None:
    metrics.note_connected("pigeon", yes=False)
    async with client(settings, "pigeon") as health:
        assert (await health.get("/healthz")).status_code == 200
        waiting = await health.get("/readyz")
        assert (waiting.status_code, waiting.text) == (503, "pigeon is not connected\n")
        metrics.note_connected("pigeon", yes=True)
        assert ((await health.get("/readyz")).status_code) == 200
        assert (await figures(health))["stet_platform_connected pigeon"] == 1
        metrics.note_connected("pigeon", yes=False)
        assert ((await health.get("/readyz")).status_code) == 503


async def test_it_is_not_ready_while_the_store_does_not_keep(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Store] = []
    enter = Store.__enter__
    monkeypatch.setattr(Store, "__enter__", lambda self: opened.append(self) or enter(self))
    async with client(settings) as of:
        assert (await of.get("/readyz")).text == "ok\n"
        opened[0].close()
        answer = await of.get("/readyz")
        assert (answer.status_code, answer.text) == (503, "the store does not work\n")
        assert (await of.get("/healthz")).status_code == 200


async def test_a_loop_that_hangs_is_not_alive(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "LOOP_SECONDS", 0.05)
    addresses: list[str] = []
    with serve_health((), settings, empty(), addresses.append):
        for name in ("healthz", "readyz"):
            assert httpx.get(f"{addresses[0]}/{name}").status_code == 503  # noqa: ASYNC210 - so the loop doesn't turn


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:", "127.0.0.1:99999999"])
async def test_a_wrong_address_is_reported(settings: Settings, address: str) -> None:
    broken = replace(settings, health=address)
    with pytest.raises(HealthError, match="STET_HEALTH"), serve_health((), broken, empty(), print):
        pass


@pytest.mark.parametrize("address", ["[::1]:0", "::1:0"])
async def test_an_address_of_ipv6_may_stand_in_brackets(settings: Settings, address: str) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    async with client(replace(settings, health=address)) as of:
        assert (await of.get("/healthz")).status_code == 200


def test_without_the_setting_nothing_listens(settings: Settings) -> None:
    said: list[str] = []
    with serve_health(("slack",), replace(settings, health=""), empty(), said.append):
        assert said == []
    assert not Path(settings.state).exists()


async def test_questions_to_the_page_are_counted(settings: Settings) -> None:
    answering = service()
    pages: asyncio.Queue[str] = asyncio.Queue()
    stop = asyncio.Event()
    ArchiveProbe(answering.library.archive).export()
    serving = asyncio.ensure_future(page.serve(answering, settings, stop, pages.put_nowait))
    address = await pages.get()
    async with client(settings, "page") as of, httpx.AsyncClient(base_url=address) as browser:
        assert (await of.get("/readyz")).status_code == 200
        before = await figures(of)
        for words in (ASKED, "/nosuchcommand", "how tall is the lighthouse of Umbrel?"):
            assert (await browser.get("/", params={"q": words})).status_code == 200
        after = await figures(of)
        text = (await of.get("/metrics")).text
        stop.set()
        await serving
        assert (await of.get("/readyz")).text == "page is not connected\n"
    for outcome in ("answer", "message", "none"):
        name = f"stet_replies_total {outcome} page"
        assert after[name] - before.get(name, 0) == 1
    assert after["stet_stage_seconds_count answer"] - before.get("stet_stage_seconds_count answer", 0) == 3
    assert after["stet_articles"] == 2
    assert after["stet_sentences"] == len(read_all([FERRY])[0].passages) + len(read_all([BRIDGE])[0].passages)
    assert not [word for word in ("ferry", "lighthouse", "Norfar") if word in text]


async def test_it_is_for_probes_and_their_formats(settings: Settings) -> None:
    async with client(settings) as of:
        unknown = await of.get("/elsewhere")
        assert (unknown.status_code, unknown.text) == (404, "/healthz, /readyz, /metrics\n")
        plain, open_metrics = [await of.get("/metrics", headers={"accept": kind}) for kind in ("*/*", OPEN_METRICS)]
        assert plain.headers["content-type"].startswith("text/plain; version=")
        assert open_metrics.headers["content-type"].startswith(OPEN_METRICS)
        assert (await of.get("/healthz")).headers["cache-control"] == "no-store"


async def test_an_error_in_the_served_block_passes_through(settings: Settings) -> None:
    with pytest.raises(PortError, match="the page's port"), serve_health((), settings, empty(), print):
        raise PortError("the page's port")


def test_it_is_logged_once_that_it_cannot_be_searched_and_once_that_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        archive.add(read_all([FERRY, BRIDGE]))
        probe = ArchiveProbe(archive)
        assert probe.answers()
        size = probe.last
        assert size == (2, archive.vocabulary().size())
        with closing(sqlite3.connect(archive.path)) as other:
            other.execute("ALTER TABLE versions RENAME TO away")
            assert [probe.answers(), probe.answers()] == [False, False]
            assert probe.last == size
            other.execute("ALTER TABLE away RENAME TO versions")
        assert [probe.answers(), probe.answers()] == [True, True]
    logged = [record.message for record in caplog.records if record.name == metrics.__name__]
    assert len(logged) == 2
    assert logged[0].startswith("the articles cannot be searched: The archive ")
    assert logged[1] == "the articles can be searched again"
