"""Faults on Slack's wire, in both modes: nothing is lost, nothing is answered twice, and a line is logged for each."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from adapters.chat.transport import Recent
from adapters.settings import Settings
from adapters.slack.rich_text import unescape
from adapters.slack.service import SlackError
from adapters.storage.database import RunStatement
from adapters.storage.records import AnswerRecord
from adapters.storage.sqlite import SqliteDatabase
from adapters.storage.store import Store
from bot import messages
from tests.adapters.slack.office import QUESTION, QUICK, SAID, at_work, service_for, serving, settings_for
from tests.emulators.slack import Slack
from tests.emulators.slack_web import CUT, GARBLED, HANGING, LOST
from tests.stock import SlowService

MODES = pytest.mark.parametrize("mode", ["socket", "http"])


def warnings(caplog: pytest.LogCaptureFixture, words: str = "") -> list[str]:
    """Return what was logged of our own as wrong, no traceback among it."""
    ours = [r for r in caplog.records if r.name.startswith("adapters") and r.levelno >= logging.WARNING]
    assert not any(record.exc_info for record in ours)
    return [record.message for record in ours if words in record.message]


async def until_it_ends(slack: Slack, settings: Settings, shared: Path, act: Callable[[], Awaitable[object]]) -> None:
    """Run the bot, do something, and wait for the bot's own end."""
    async with serving(slack, settings, service_for(settings, shared)) as bot:
        await act()
        await asyncio.wait((bot,), timeout=10)
        assert bot.done()


@MODES
@pytest.mark.parametrize("fault", [CUT, LOST, HANGING, GARBLED, 429, 502])
async def test_a_post_that_breaks_off_is_made_once(
    fault: int, mode: str, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, STET_SLACK_MODE=mode, STET_SLACK_PORT="0")
        async with serving(slack, settings, service_for(settings, shared), replace(QUICK, call=0.5)):
            await slack.fail(fault, "chat.postMessage", times=2)
            first = await slack.mention(QUESTION)
            second = await slack.mention(QUESTION, channel="C2")
            await slack.answers(2, patience=20)
            again = await slack.mention(QUESTION)
            await slack.answers(3)
        threads = Counter(message["thread_ts"] for message in slack.web.messages)
    assert threads == Counter(delivery.payload["event"]["ts"] for delivery in (first, second, again))
    assert all(message["channel"].startswith("C") for message in slack.web.messages)
    assert len(warnings(caplog)) <= 2


@pytest.mark.parametrize("why", ["not_in_channel", "no_permission", "restricted_action", "a_word_of_tomorrow"])
async def test_who_asks_where_the_bot_may_not_write_is_told(
    why: str, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_work("socket", tmp_path, shared) as slack:
        await slack.fail(200, "chat.postMessage", times=1, error=why)
        await slack.mention(QUESTION)
        output = (await slack.answers(1))[0]
        assert (output["channel"], output["text"]) == ("U1", messages.not_shown(QUESTION))
        await slack.mention(QUESTION)
        assert (await slack.answers(2))[1]["channel"] == "C1"
    assert warnings(caplog) == [f"an answer in C1 could not be delivered: {why}"]


async def test_an_answer_that_somebody_took_away_is_not_missed(
    tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_work("socket", tmp_path, shared) as slack:
        first = await slack.mention(QUESTION)
        await slack.answers(1)
        slack.web.messages.clear()
        await slack.delete(first)
        await slack.until(lambda: slack.called("chat.delete"))
        await slack.mention(QUESTION)
        await slack.answers(1)
    assert warnings(caplog) == []


@MODES
async def test_a_revoked_token_ends_slack_with_one_line(
    mode: str, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Slack() as slack:

        async def revoke() -> None:
            slack.web.revoked = True
            await slack.mention(QUESTION)

        settings = settings_for(slack, tmp_path, STET_SLACK_MODE=mode, STET_SLACK_PORT="0")
        with pytest.raises(SlackError, match=r"does not accept SLACK_BOT_TOKEN \(token_revoked\)"):
            await until_it_ends(slack, settings, shared, revoke)
        slack.web.revoked = False
        async with serving(slack, settings, service_for(settings, shared)):
            assert SAID in unescape((await slack.answers(1))[0]["text"])
        assert len(slack.web.messages) == 1
    assert len(warnings(caplog)) <= 1


async def test_an_app_token_that_is_revoked_ends_slack_when_it_is_needed(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:

        async def revoke() -> None:
            await slack.fail(200, "apps.connections.open", error="token_revoked")
            await slack.disconnect()

        with pytest.raises(SlackError, match=r"does not accept SLACK_APP_TOKEN \(token_revoked\)"):
            await until_it_ends(slack, settings_for(slack, tmp_path), shared, revoke)


@pytest.mark.parametrize(
    "event", [{"type": "app_uninstalled"}, {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U0STET"]}}]
)
async def test_slack_says_that_the_bot_was_sent_away(event: dict[str, object], tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        with pytest.raises(SlackError, match=f"does not accept SLACK_BOT_TOKEN .{event['type']}"):
            await until_it_ends(slack, settings_for(slack, tmp_path), shared, lambda: slack.event(event))


async def test_readiness_is_what_slack_and_the_store_say(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack, aiohttp.ClientSession() as session:
        settings = settings_for(slack, tmp_path, STET_SLACK_MODE="http", STET_SLACK_PORT="0")

        async def ready() -> int:
            assert slack.requests is not None
            async with session.get(slack.requests.url.replace("/slack/events", "/readyz")) as answer:
                return answer.status

        async with serving(slack, settings, service_for(settings, shared)):
            await slack.fail(HANGING, "auth.test", times=1)
            assert await ready() == 503
        async with serving(slack, settings, service_for(settings, shared)):
            assert await ready() == 200


@MODES
async def test_slack_may_be_away_at_the_start(
    mode: str, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, STET_SLACK_MODE=mode, STET_SLACK_PORT="0")
        await slack.fail(502, "auth.test", times=1)
        await slack.fail(CUT, "auth.test", times=1)
        await slack.fail(HANGING, "auth.test", times=1)
        async with serving(slack, settings, service_for(settings, shared), replace(QUICK, call=0.5)):
            await slack.mention(QUESTION)
            assert len(await slack.answers(1)) == 1
            assert len(slack.called("auth.test")) == 4
    assert len(warnings(caplog, "Slack cannot be reached")) == 1


async def test_an_address_where_nobody_is_is_tried_until_the_end(
    tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, SLACK_API_URL="http://127.0.0.1:9/api/")
        async with serving(slack, settings, service_for(settings, shared), within=1.0) as bot:
            assert not bot.done()
    assert len(warnings(caplog, "Slack cannot be reached")) == 1


@MODES
async def test_a_locked_or_full_store_costs_no_answer(mode: str, tmp_path: Path, shared: Path) -> None:
    async with at_work(mode, tmp_path, shared) as slack:
        with closing(sqlite3.connect(tmp_path / "state.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            asked = await slack.mention(QUESTION)
            await slack.again(asked)
            await slack.answers(1)
            other.execute("ROLLBACK")
        await slack.mention(QUESTION)
        await slack.answers(2)
    # what could not be noted in time was noted later: the next process answers nothing of it again
    async with at_work(mode, tmp_path, shared) as slack:
        await slack.mention(QUESTION)
        assert len(await slack.answers(1)) == 1


@MODES
async def test_twenty_askers_do_not_wait_for_one(mode: str, tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, STET_SLACK_MODE=mode, STET_SLACK_PORT="0")
        service = SlowService(service_for(settings, shared).holdings)
        async with serving(slack, settings, service):
            await slack.mention(QUESTION)
            await slack.answers(1)
            for _ in range(5):
                await slack.message("slow", user="U9", channel="DU9")
            asked = [await slack.mention(QUESTION, user=f"U{number}") for number in range(20, 40)]
            answers = (await slack.answers(21))[1:]
            sent = {delivery.payload["event"]["ts"]: delivery.sent for delivery in asked}
            delays = [answer["at"] - sent[answer["thread_ts"]] for answer in answers]
            service.go_on.set()
            await slack.answers(26)
    # a second by itself; here the platform's other end and the tracing of coverage run on the same core, and without
    # the queue no answer comes at all
    assert max(delays) < 3


@pytest.mark.rest
async def test_channels_that_are_rate_limited_hold_up_no_other(tmp_path: Path, shared: Path) -> None:
    limited = ("C2", "C3", "C4", "C5")
    async with at_work("socket", tmp_path, shared) as slack:
        slack.web.channels |= {name: {"id": name, "is_member": True} for name in limited}
        await slack.fail(429, "chat.postMessage", channels=limited, retry_after=6)
        for channel in limited * 3:
            await slack.mention(QUESTION, channel=channel)
        await slack.until(lambda: len(slack.called("chat.postMessage")) >= len(limited))
        asked = await slack.mention(QUESTION)
        [answer] = await slack.answers(1)
        assert answer["channel"] == "C1"
        assert answer["at"] - asked.sent < 5
        slack.web.faults.clear()
        assert len(await slack.answers(13, 60)) == 13


@pytest.mark.rest
@pytest.mark.parametrize(("pause", "what"), [(0.9, "thread"), (2.0, "reaction")])
async def test_what_asks_is_acknowledged_in_time_though_the_store_is_slow(
    pause: float, what: str, tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slack waits three seconds in all: for the message to be found, for what was asked before, and for the claim."""

    def slow(begun: Callable[[SqliteDatabase], AbstractContextManager[RunStatement]]) -> object:
        @contextmanager
        def slowly(database: SqliteDatabase) -> Iterator[RunStatement]:
            time.sleep(pause)
            with begun(database) as run:
                yield run

        return slowly

    async with at_work("socket", tmp_path, shared) as slack:
        thread = (await slack.say("Good morning.")).payload["event"]["ts"]
        with Store(tmp_path / "state.sqlite", clock=lambda: time.time() - 7200) as store:
            store.remember_question("slack", "C1", thread, QUESTION)
            store.record_answer(
                AnswerRecord("slack", "U1", QUESTION, '{"kind": "message"}', channel="C1", thread=thread)
            )
        for name in ("transaction", "reading"):
            monkeypatch.setattr(SqliteDatabase, name, slow(getattr(SqliteDatabase, name)))
        await slack.fail(HANGING, "conversations.replies")
        if what == "thread":
            asked = await slack.message(QUESTION, channel="C1", thread_ts=thread)
        else:
            asked = await slack.react("C1", thread)
        await slack.until(lambda: asked.acknowledged)
        assert asked.latency is not None
        assert asked.latency < 3
        monkeypatch.undo()


async def test_people_are_remembered_up_to_a_number_and_for_a_time() -> None:
    asked: list[str] = []

    async def ask(name: str, recent: Recent[int]) -> int:
        async def look_up() -> int:
            asked.append(name)
            return len(asked)

        return await recent.get(name, look_up)

    recent = Recent[int](seconds=3600, size=2)
    assert [await ask(name, recent) for name in ("U1", "U2", "U1", "U3", "U2", "U1")] == [1, 2, 1, 3, 2, 4]
    old = Recent[int](seconds=0)
    assert [await ask("U1", old) for _ in range(2)] == [5, 6]
