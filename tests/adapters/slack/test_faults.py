"""What goes wrong between Slack and the bot: nothing is lost, nothing answered twice, and a line is logged for each."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.chat.request import Recent
from adapters.settings import Settings, load
from adapters.slack.api import sdk_log
from adapters.slack.blocks import unescape
from adapters.slack.requests import Answered, SlackRequest
from adapters.slack.service import SlackError
from adapters.storage.store import Store
from tests.adapters.slack.office import QUESTION, QUICK, SAID, at_work, service_for, serving, settings_for
from tests.emulators.slack import Slack
from tests.emulators.slack_web import CUT, GARBLED, HANGING, LOST
from tests.support.tables import cases


@pytest.fixture
async def slack(tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it, by websocket; calls may be refused there."""
    async with at_work("socket", tmp_path, shared) as workspace:
        yield workspace


def warnings(caplog: pytest.LogCaptureFixture, words: str = "") -> list[str]:
    ours = [r for r in caplog.records if r.name.startswith("adapters") and r.levelno >= logging.WARNING]
    assert not any(record.exc_info for record in ours)
    return [record.message for record in ours if words in record.message]


async def until_it_ends(slack: Slack, settings: Settings, shared: Path, act: Callable[[], Awaitable[object]]) -> None:
    async with serving(slack, settings, service_for(settings, shared)) as bot:
        await act()
        await asyncio.wait((bot,), timeout=10)
        assert bot.done()


@pytest.mark.parametrize(
    ("mode", "fault"),
    [("socket", CUT), ("http", LOST), ("socket", HANGING), ("http", GARBLED), ("socket", 429), ("http", 502)],
)
async def test_a_post_that_breaks_off_is_made_once(
    mode: str, fault: int, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
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


async def test_an_answer_that_somebody_took_away_is_not_missed(slack: Slack, caplog: pytest.LogCaptureFixture) -> None:
    first = await slack.mention(QUESTION)
    await slack.answers(1)
    slack.web.messages.clear()
    await slack.delete(first)
    await slack.until(lambda: slack.called("chat.delete"))
    await slack.mention(QUESTION)
    await slack.answers(1)
    assert warnings(caplog) == []


async def test_a_revoked_token_ends_slack_with_one_line(
    tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Slack() as slack:

        async def revoke() -> None:
            slack.web.revoked = True
            await slack.mention(QUESTION)

        settings = settings_for(slack, tmp_path)
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
            await slack.socket.disconnect()

        with pytest.raises(SlackError, match=r"does not accept SLACK_APP_TOKEN \(token_revoked\)"):
            await until_it_ends(slack, settings_for(slack, tmp_path), shared, revoke)


@pytest.mark.parametrize(
    "event", [{"type": "app_uninstalled"}, {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U0STET"]}}]
)
async def test_slack_says_that_the_bot_was_sent_away(event: dict[str, object], tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        with pytest.raises(SlackError, match=f"does not accept SLACK_BOT_TOKEN .{event['type']}"):
            await until_it_ends(slack, settings_for(slack, tmp_path), shared, lambda: slack.event(event))


async def test_slack_may_be_away_at_the_start(tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, STET_SLACK_MODE="http", STET_SLACK_PORT="0")
        await slack.fail(502, "auth.test", times=1)
        await slack.fail(CUT, "auth.test", times=1)
        await slack.fail(HANGING, "auth.test", times=1)
        async with serving(slack, settings, service_for(settings, shared), replace(QUICK, call=0.5)):
            await slack.mention(QUESTION)
            assert len(await slack.answers(1)) == 1
            assert len(slack.called("auth.test")) == 4
    assert len(warnings(caplog, "Slack cannot be reached")) == 1


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


# -- the websocket, and calls one by one -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["abrupt", "warning", "refresh_requested", "link_disabled"])
async def test_a_lost_connection_is_made_again(slack: Slack, how: str) -> None:
    for number in range(1, 4):
        before = slack.socket.connected
        await slack.socket.disconnect(how)
        await slack.mention(QUESTION)
        await slack.until(lambda seen=before: slack.socket.connected > seen)
        await slack.answers(number)
    assert len(slack.web.messages) == 3


async def test_a_silent_connection_is_replaced(slack: Slack) -> None:
    slack.socket.silence()
    await slack.mention(QUESTION)
    await slack.connected()
    assert len(await slack.answers(1)) == 1


@pytest.mark.parametrize("method", ["chat.postMessage", "response_url"])
async def test_where_slack_refuses_a_drawing_its_text_is_sent(slack: Slack, method: str) -> None:
    status = 400 if method == "response_url" else 200
    await slack.fail(status, method, error="invalid_blocks", times=1)
    await (slack.command("/ask", QUESTION) if status == 400 else slack.mention(QUESTION))
    answer = (await slack.answers(1))[0]
    assert answer["blocks"] == []
    assert SAID in unescape(answer["text"])


async def test_an_address_that_is_used_up_is_given_up(slack: Slack) -> None:
    await slack.fail(404, "response_url", times=1)
    await slack.command("/ask", QUESTION)
    await slack.until(lambda: slack.called("response_url"))
    await slack.command("/ask", QUESTION)
    assert len(await slack.answers(1)) == 1


async def test_a_picker_that_cannot_be_shown_is_no_silence(slack: Slack) -> None:
    await slack.fail(200, "views.open", error="expired_trigger_id", times=1)
    await slack.command("/who")
    assert len(await slack.answers(1)) == 1


async def test_a_call_that_fails_is_made_again(slack: Slack) -> None:
    for status, method in ((429, "response_url"), (500, "response_url"), (429, "users.info")):
        await slack.fail(status, method, times=1)
        before = len(slack.web.messages)
        await slack.mention(QUESTION)
        await slack.command("/ask", QUESTION, user=f"U{before + 2}")
        answers = (await slack.answers(before + 2))[before:]
        assert {message["ephemeral"] for message in answers} == {True, False}


@pytest.mark.rest
async def test_what_cannot_be_delivered_now_is_delivered_later(slack: Slack) -> None:
    await slack.fail(503, "chat.postMessage", times=4)
    await slack.mention(QUESTION)
    assert len(await slack.answers(1, patience=20)) == 1


async def test_what_was_left_unfinished_is_answered_on_the_next_start(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path)
        slack.web.steps["Fx1"] = None
        left = SlackRequest(QUESTION, "U1", "C1", "T0NEWS", thread="1700000000.000001")
        step = replace(left, thread="", answered=Answered.STEP, execution="Fx1")
        with Store(settings.state) as store:
            for each in (left, replace(left, answered=Answered.EPHEMERAL), step):
                store.claim("slack", (f"Ev {each.answered}",), each.to_json())
        async with serving(slack, settings, service_for(settings, shared)):
            answers = await slack.answers(2)
            places = {(each["thread_ts"], each["ephemeral"]) for each in answers}
            assert places == {(left.thread, False), (left.thread, True)}
            assert all(SAID in unescape(each["text"]) for each in answers)
            assert SAID in (await slack.until(lambda: slack.web.steps["Fx1"]))["answer"]


async def test_a_question_is_answered_where_slack_knows_few_methods(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        await slack.fail(200, "auth.test", error="unknown_method")
        for method in ("assistant.threads.setStatus", "chat.postEphemeral"):
            await slack.fail(404, method)
        settings = settings_for(slack, tmp_path)
        async with serving(slack, settings, service_for(settings, shared)):
            await slack.mention(QUESTION)
            answer = (await slack.answers(1))[0]
            assert SAID in unescape(answer["text"])
            await slack.click(answer["ts"], "Context")
            assert (await slack.answers(2))[1]["ephemeral"]


@cases("changed, output")
async def test_a_token_that_will_not_do_is_named(
    changed: dict[str, str], output: str, tmp_path: Path, shared: Path
) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, **changed)
        with pytest.raises(SlackError, match=output):
            async with serving(slack, settings, service_for(settings, shared)):
                pass


# -- nothing secret is logged: not in a message, not in its arguments, not in a traceback -----------------------------


OWN = {"SLACK_BOT_TOKEN": "a token of an odd (kind)", "SLACK_APP_TOKEN": "xapp-1-abc", "SLACK_SIGNING_SECRET": "5ecre7"}


@pytest.fixture
def logger(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> logging.Logger:
    caplog.set_level(logging.DEBUG)
    return sdk_log(load(OWN, tmp_path / "none"))


@cases("said, shown")
def test_what_is_secret_is_hidden(
    logger: logging.Logger, caplog: pytest.LogCaptureFixture, said: str, shown: str
) -> None:
    logger.error(said)
    logger.error("%s", said)
    assert [record.getMessage() for record in caplog.records] == [shown, shown]


def fail() -> None:
    raise ValueError("5ecre7")


def test_a_traceback_is_hidden_as_well(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    try:
        fail()
    except ValueError:
        logger.exception("failed")
    assert "ValueError: …" in caplog.text
    assert "5ecre7" not in caplog.text
