"""Which platforms are served, how they end, and how the log is written: for people or for machines."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from adapters import process
from adapters.settings import Settings, SettingsError, load
from bot.service import QuestionService
from tests.stock import service
from tests.support.tables import cases

NOTHING = load({}, Path("no such file"))
SLACK = replace(NOTHING, slack_bot_token="xoxb-1", slack_app_token="xapp-1")
DISCORD = replace(NOTHING, discord_token="abc")


def test_the_platforms_with_tokens_are_served() -> None:
    assert process.ready_platforms(SLACK, ()) == ("slack",)
    assert process.ready_platforms(replace(SLACK, discord_token="abc"), ()) == ("slack", "discord")
    assert process.ready_platforms(DISCORD, ("discord",)) == ("discord",)


def test_slack_over_http_needs_the_signing_secret_in_place_of_the_app_token() -> None:
    http = replace(NOTHING, slack_mode="http", slack_bot_token="xoxb-1", slack_signing_secret="s")
    assert process.ready_platforms(http, ("slack",)) == ("slack",)
    with pytest.raises(SettingsError, match="SLACK_SIGNING_SECRET: Signing secret"):
        process.ready_platforms(replace(SLACK, slack_mode="http"), ("slack",))


@cases("wanted, words")
def test_a_missing_token_is_named_with_where_to_get_it(wanted: tuple[str, ...], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        process.ready_platforms(NOTHING, wanted)


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.process.find_spec", lambda _: None)
    with pytest.raises(SettingsError, match=r"pip install -c constraints\.txt -e '\.\[slack\]'"):
        process.ready_platforms(SLACK, ("slack",))


class Service:
    """A platform that serves until it is stopped, or fails at once."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.served = False

    async def serve(self, _: QuestionService, __: Settings, stop: asyncio.Event) -> None:
        if self.fault:
            raise self.fault
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
        await stop.wait()
        self.served = True


class PatientService(Service):
    """A platform that serves until another's end has been said."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        super().__init__()
        self._caplog = caplog

    async def serve(self, service: QuestionService, settings: Settings, stop: asyncio.Event) -> None:
        async with asyncio.timeout(5):
            while "no way through" not in self._caplog.text:  # noqa: ASYNC110  (a log has no event)
                await asyncio.sleep(0)
        await super().serve(service, settings, stop)


@pytest.mark.parametrize("kind", [ConnectionError, SettingsError])
def test_a_failed_platform_is_logged_at_once_and_ends_no_other(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    modules = {"a": PatientService(caplog), "b": Service(kind("no way through"))}
    monkeypatch.setattr("adapters.process.load_platform", modules.__getitem__)
    assert process.serve(("a", "b"), service(), NOTHING) == 1
    assert [record.exc_info for record in caplog.records if record.levelname == "ERROR"] == [False]
    assert modules["a"].served


@pytest.mark.parametrize("more", [{}, {"STET_ARTICLES": "articles"}, {"STET_FEEDS": "https://quay.example/feed"}])
def test_a_start_on_the_articles_to_try_it_says_so(
    more: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.process.load_platform", {"a": Service()}.__getitem__)
    settings = load({"STET_ARCHIVE": str(tmp_path / "none.sqlite"), **more}, tmp_path / ".env")
    assert process.serve(("a",), service(), settings) == 0
    logged = [record.message for record in caplog.records if "stet add" in record.message]
    assert logged == ([] if more else [process.ONLY_SEEDS])


class ProbedService:
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
    probed = ProbedService(capsys)
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


# -- the log -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def record() -> logging.LogRecord:
    made = logging.LogRecord("adapters.chat.inbox", logging.INFO, __file__, 1, "answered: %s", ("sure",), None)
    made.answer = 12
    return made


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


def written(settings: Settings, record: logging.LogRecord) -> str:
    handler = process.configure(settings)
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream := io.StringIO())
    handler.handle(record)
    return stream.getvalue()


def test_people_get_a_line_and_machines_an_object(record: logging.LogRecord) -> None:
    assert written(NOTHING, record).endswith(" INFO adapters.chat.inbox: answered: sure\n")
    line = json.loads(written(replace(NOTHING, log_format="json"), record))
    assert (line["level"], line["logger"], line["message"]) == ("INFO", "adapters.chat.inbox", "answered: sure")
    assert line["answer"] == 12


def test_a_traceback_is_one_object_too() -> None:
    error = ConnectionError("no way through")
    failed = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), (type(error), error, None))
    (line,) = written(replace(NOTHING, log_format="json"), failed).splitlines()
    assert "no way through" in json.loads(line)["exc_info"]


def test_the_log_is_as_the_settings_say_where_there_was_one_before(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers[:] = [logging.StreamHandler(sys.stdout)]
    handler = process.configure(NOTHING)
    assert logging.getLogger().handlers == [handler]
    logging.getLogger("adapters.chat.inbox").info("answered")
    out, err = capsys.readouterr()
    assert (out, "answered" in err) == ("", True)
