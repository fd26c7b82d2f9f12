"""Which platforms are served, how they end, and how the log is written: for people or for machines."""

import asyncio
import io
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from adapters import process
from adapters.settings import Settings, SettingsError, load
from bot.model import Answer, Question
from bot.service import QuestionService
from tests.stock import service
from tests.support.program import Stet, wait_until
from tests.support.tables import cases

NOWHERE = Path("no such file")
NOTHING = load({}, NOWHERE)
SLACK = replace(NOTHING, slack_bot_token="xoxb-1", slack_app_token="xapp-1")


@cases("given, wanted, served")
def test_the_platforms_with_tokens_are_served(
    given: dict[str, str], wanted: tuple[str, ...], served: tuple[str, ...]
) -> None:
    assert process.ready_platforms(load(given, NOWHERE), wanted) == served


@cases("given, wanted, words")
def test_a_missing_token_is_named_with_where_to_get_it(
    given: dict[str, str], wanted: tuple[str, ...], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        process.ready_platforms(load(given, NOWHERE), wanted)


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.process.find_spec", lambda _: None)
    with pytest.raises(SettingsError, match=r"pip install -c constraints\.txt -e '\.\[slack\]'"):
        process.ready_platforms(SLACK, ("slack",))


class Platform:
    """A platform that serves until something holds of the bot's service, or fails at once."""

    def __init__(
        self, fault: Exception | None = None, until: Callable[[QuestionService], object] = lambda _: True
    ) -> None:
        self._fault, self._until = fault, until
        self.served = False

    async def serve(self, answering: QuestionService, _: Settings, stop: asyncio.Event) -> None:
        if self._fault:
            raise self._fault
        await asyncio.to_thread(wait_until, partial(self._until, answering))
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        self.served = True


@pytest.mark.parametrize("kind", [ConnectionError, SettingsError])
def test_a_failed_platform_is_logged_at_once_and_ends_no_other(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    modules = {"a": Platform(until=lambda _: "no way through" in caplog.text), "b": Platform(kind("no way through"))}
    monkeypatch.setattr("adapters.process.load_platform", modules.__getitem__)
    assert process.serve(("a", "b"), service(), NOTHING) == 1
    assert [record.exc_info for record in caplog.records if record.levelname == "ERROR"] == [False]
    assert modules["a"].served


@pytest.mark.parametrize("more", [{}, {"STET_ARTICLES": "articles"}, {"STET_FEEDS": "https://quay.example/feed"}])
def test_a_start_on_the_articles_to_try_it_says_so(
    more: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.process.load_platform", {"a": Platform()}.__getitem__)
    settings = load({"STET_ARCHIVE": str(tmp_path / "none.sqlite"), **more}, tmp_path / ".env")
    assert process.serve(("a",), service(), settings) == 0
    logged = [record.message for record in caplog.records if "stet add" in record.message]
    assert logged == ([] if more else [process.ONLY_SEEDS])


def test_stet_run_answers_with_what_a_followed_folder_brings(
    stet: Stet, copy_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(service: QuestionService) -> bool:
        return isinstance(service.answer(Question("how many boats were lost")), Answer)

    monkeypatch.setattr("adapters.process.load_platform", {"slack": Platform(until=answers)}.__getitem__)
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
    given = {"STET_ARCHIVE": tmp_path / "archive.sqlite", "STET_FEEDS": copy_folder, **tokens}
    assert stet("run", **given)[0] == 0


def test_whatever_is_served_tells_its_health(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers: list[httpx.Response] = []

    def probe(_: QuestionService) -> bool:
        address = capsys.readouterr().out.partition("stet: health ready (")[2].rstrip(")\n")
        answers.extend(httpx.get(f"{address}/{name}") for name in ("healthz", "readyz", "metrics"))
        return True

    monkeypatch.setattr("adapters.process.load_platform", {"pigeon": Platform(until=probe)}.__getitem__)
    settings = replace(NOTHING, health="127.0.0.1:0", state=str(tmp_path / "state.sqlite"))
    assert process.serve(("pigeon",), service(), settings) == 0
    assert [answer.text for answer in answers[:2]] == ["ok\n", "pigeon is not connected\n"]
    assert answers[2].headers["content-type"].startswith("text/plain")


def test_an_address_that_cannot_be_had_ends_it_in_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr("adapters.process.load_platform", lambda _: None)
    settings = replace(NOTHING, health="nowhere", state=str(tmp_path / "state.sqlite"))
    assert process.serve(("pigeon",), service(), settings) == 1
    assert "STET_HEALTH must be a host and a port" in caplog.text


# -- the log -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


def written(settings: Settings, record: logging.LogRecord) -> str:
    handler = process.configure(settings)
    handler.setStream(stream := io.StringIO())
    handler.handle(record)
    return stream.getvalue()


def test_people_get_a_line_and_machines_an_object() -> None:
    record = logging.LogRecord("adapters.chat.inbox", logging.INFO, __file__, 1, "answered: %s", ("sure",), None)
    record.answer = 12
    assert written(NOTHING, record).endswith(" INFO adapters.chat.inbox: answered: sure\n")
    line = json.loads(written(replace(NOTHING, log_format="json"), record))
    assert (line["level"], line["logger"], line["message"]) == ("INFO", "adapters.chat.inbox", "answered: sure")
    assert line["answer"] == 12
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
