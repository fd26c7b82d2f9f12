"""Whether a platform is connected, on /readyz."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from adapters import process
from adapters.metrics import is_connected
from adapters.settings import Settings, load
from bot.service import QuestionService
from tests.adapters.discord.bench import newsroom
from tests.adapters.slack.office import at_work
from tests.stock import service

NOTHING = load({}, Path("no such file"))


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_slack_is_connected_while_it_is_served(mode: str, tmp_path: Path) -> None:
    async with at_work(mode, tmp_path, tmp_path) as slack:
        await slack.until(lambda: is_connected("slack"))
    assert not is_connected("slack")


async def test_discord_is_connected_while_it_is_served(tmp_path: Path) -> None:
    async with newsroom(tmp_path):
        async with asyncio.timeout(30):
            while not is_connected("discord"):  # noqa: ASYNC110  (what is told of has no event)
                await asyncio.sleep(0)
    assert not is_connected("discord")


class Probed:
    """A platform that asks for the health of the service it is part of."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.answers: list[str] = []

    async def serve(self, _: QuestionService, settings: Settings, stop: asyncio.Event) -> None:
        del settings
        address = self._capsys.readouterr().out.partition("stet: health ready (")[2].rstrip(")\n")
        async with httpx.AsyncClient(base_url=address) as client:
            self.answers += [(await client.get(path)).text for path in ("/healthz", "/readyz")]
            self.answers.append((await client.get("/metrics")).headers["content-type"])
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()


def test_whatever_is_served_tells_its_health(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    probed = Probed(capsys)
    monkeypatch.setattr("adapters.process.load_platform", lambda _: probed)
    settings = replace(NOTHING, health="127.0.0.1:0", state=str(tmp_path / "state.sqlite"))
    assert process.serve(("pigeon",), service(), settings) == 0
    assert probed.answers[:2] == ["ok\n", "pigeon is not connected\n"]
    assert probed.answers[2].startswith("text/plain")


def test_an_address_that_cannot_be_had_ends_it_in_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr("adapters.process.load_platform", lambda _: None)
    settings = replace(NOTHING, health="nowhere", state=str(tmp_path / "state.sqlite"))
    assert process.serve(("pigeon",), service(), settings) == 1
    assert "STET_HEALTH must be a host and a port" in caplog.text
