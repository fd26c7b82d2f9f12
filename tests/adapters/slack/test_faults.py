"""What goes wrong between Slack and the bot: nothing is lost, nothing answered twice, and a line is logged for each."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from adapters.chat.request import Recent
from adapters.settings import load
from adapters.slack.api import sdk_log
from adapters.slack.blocks import unescape
from adapters.slack.requests import Answered, SlackRequest
from adapters.slack.service import SlackError
from adapters.storage.store import Store
from tests.adapters.slack.office import QUESTION, QUICK, SAID, serving, settings_for
from tests.emulators.slack import Slack
from tests.emulators.slack_web import CUT, GARBLED, HANGING, LOST
from tests.support.tables import cases

pytestmark = pytest.mark.rest


@pytest.fixture
async def slack(workspace: Slack) -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it, by websocket; calls may be refused there."""
    async with serving(workspace, settings_for(workspace)):
        yield workspace


def warnings(caplog: pytest.LogCaptureFixture, words: str = "") -> list[str]:
    ours = [r for r in caplog.records if r.name.startswith("adapters") and r.levelno >= logging.WARNING]
    assert not any(record.exc_info for record in ours)
    return [record.message for record in ours if words in record.message]


async def until_it_ends(slack: Slack, act: Callable[[], Awaitable[object]]) -> None:
    async with serving(slack, settings_for(slack)) as bot:
        await act()
        await asyncio.wait((bot,), timeout=10)
        assert bot.done()


@pytest.mark.parametrize(
    ("mode", "fault"),
    [("socket", CUT), ("http", LOST), ("socket", HANGING), ("http", GARBLED), ("socket", 429), ("http", 502)],
)
async def test_a_post_that_breaks_off_is_made_once(
    workspace: Slack, mode: str, fault: int, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_for(workspace, STET_SLACK_MODE=mode)
    async with serving(workspace, settings, patience=replace(QUICK, call=0.5)):
        await workspace.fail(fault, "chat.postMessage", times=2)
        asked = [await workspace.mention(QUESTION, channel=channel) for channel in ("C1", "C2")]
        await workspace.answers(2, patience=20)
        asked.append(await workspace.mention(QUESTION))
        await workspace.answers(3)
    threads = Counter(message["thread_ts"] for message in workspace.web.messages)
    assert threads == Counter(delivery.payload["event"]["ts"] for delivery in asked)
    assert all(message["channel"].startswith("C") for message in workspace.web.messages)
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


async def test_a_revoked_token_ends_slack_with_one_line(workspace: Slack, caplog: pytest.LogCaptureFixture) -> None:
    async def revoke() -> None:
        workspace.web.revoked = True
        await workspace.mention(QUESTION)

    with pytest.raises(SlackError, match=r"does not accept SLACK_BOT_TOKEN \(token_revoked\)"):
        await until_it_ends(workspace, revoke)
    workspace.web.revoked = False
    async with serving(workspace, settings_for(workspace)):
        assert SAID in unescape((await workspace.answers(1))[0]["text"])
    assert len(workspace.web.messages) == 1
    assert len(warnings(caplog)) <= 1


async def test_an_app_token_that_is_revoked_ends_slack_when_it_is_needed(workspace: Slack) -> None:
    async def revoke() -> None:
        await workspace.fail(200, "apps.connections.open", error="token_revoked")
        await workspace.socket.disconnect()

    with pytest.raises(SlackError, match=r"does not accept SLACK_APP_TOKEN \(token_revoked\)"):
        await until_it_ends(workspace, revoke)


@cases("event")
async def test_slack_says_that_the_bot_was_sent_away(workspace: Slack, event: dict[str, str]) -> None:
    with pytest.raises(SlackError, match=f"does not accept SLACK_BOT_TOKEN .{event['type']}"):
        await until_it_ends(workspace, lambda: workspace.event(event))


async def test_slack_may_be_away_at_the_start(workspace: Slack, caplog: pytest.LogCaptureFixture) -> None:
    for fault in (502, CUT, HANGING):
        await workspace.fail(fault, "auth.test", times=1)
    settings = settings_for(workspace, STET_SLACK_MODE="http")
    async with serving(workspace, settings, patience=replace(QUICK, call=0.5)):
        await workspace.mention(QUESTION)
        assert len(await workspace.answers(1)) == 1
        assert len(workspace.called("auth.test")) == 4
    assert len(warnings(caplog, "Slack cannot be reached")) == 1


async def test_channels_that_are_rate_limited_hold_up_no_other(slack: Slack) -> None:
    limited = ("C2", "C3", "C4", "C5")
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
    recent, old, look_up = Recent[int](seconds=3600, size=2), Recent[int](seconds=0), AsyncMock(side_effect=range(1, 9))
    asked = ("U1", "U2", "U1", "U3", "U2", "U1")
    assert [await recent.get(name, look_up) for name in asked] == [1, 2, 1, 3, 2, 4]
    assert [await old.get("U1", look_up) for _ in range(2)] == [5, 6]


# -- the websocket, and calls one by one -----------------------------------------------------------------------------


async def test_a_lost_connection_is_made_again(slack: Slack) -> None:
    hows = ("abrupt", "warning", "refresh_requested", "link_disabled") * 2
    for number, how in enumerate(hows, 1):
        before = slack.socket.connected
        await slack.socket.disconnect(how)
        await slack.mention(QUESTION)
        await slack.until(lambda seen=before: slack.socket.connected > seen)
        await slack.answers(number)
    assert len(slack.web.messages) == len(hows)


async def test_a_silent_connection_is_replaced(slack: Slack) -> None:
    slack.socket.silence()
    await slack.mention(QUESTION)
    await slack.connected()
    assert len(await slack.answers(1)) == 1


async def test_where_slack_refuses_a_drawing_its_text_is_sent(slack: Slack) -> None:
    for count, (status, method) in enumerate(((200, "chat.postMessage"), (400, "response_url")), 1):
        await slack.fail(status, method, error="invalid_blocks", times=1)
        await (slack.mention(QUESTION) if status == 200 else slack.command("/ask", QUESTION))
        answer = (await slack.answers(count))[-1]
        assert answer["blocks"] == []
        assert SAID in unescape(answer["text"])


async def test_an_address_used_up_is_given_up_and_a_picker_that_cannot_be_shown_is_no_silence(slack: Slack) -> None:
    await slack.fail(404, "response_url", times=1)
    await slack.command("/ask", QUESTION)
    await slack.until(lambda: slack.called("response_url"))
    await slack.command("/ask", QUESTION)
    assert len(await slack.answers(1)) == 1
    await slack.fail(200, "views.open", error="expired_trigger_id", times=1)
    await slack.command("/who")
    assert len(await slack.answers(2)) == 2


async def test_a_call_that_fails_is_made_again(slack: Slack) -> None:
    for status, method in ((429, "response_url"), (500, "response_url"), (429, "users.info")):
        await slack.fail(status, method, times=1)
        before = len(slack.web.messages)
        await slack.mention(QUESTION)
        await slack.command("/ask", QUESTION, user=f"U{before + 2}")
        answers = (await slack.answers(before + 2))[before:]
        assert {message["ephemeral"] for message in answers} == {True, False}


async def test_what_was_left_unfinished_is_answered_on_the_next_start(workspace: Slack) -> None:
    settings = settings_for(workspace)
    workspace.web.steps["Fx1"] = None
    left = SlackRequest(QUESTION, "U1", "C1", "T0NEWS", thread="1700000000.000001")
    step = replace(left, thread="", answered=Answered.STEP, execution="Fx1")
    with Store(settings.state) as store:
        for each in (left, replace(left, answered=Answered.EPHEMERAL), step):
            store.claim("slack", (f"Ev {each.answered}",), each.to_json())
    async with serving(workspace, settings):
        answers = await workspace.answers(2)
        places = {(each["thread_ts"], each["ephemeral"]) for each in answers}
        assert places == {(left.thread, False), (left.thread, True)}
        assert all(SAID in unescape(each["text"]) for each in answers)
        assert SAID in (await workspace.until(lambda: workspace.web.steps["Fx1"]))["answer"]


async def test_a_question_is_answered_where_slack_knows_few_methods(workspace: Slack) -> None:
    await workspace.fail(200, "auth.test", error="unknown_method")
    for method in ("assistant.threads.setStatus", "chat.postEphemeral"):
        await workspace.fail(404, method)
    async with serving(workspace, settings_for(workspace)):
        await workspace.mention(QUESTION)
        answer = (await workspace.answers(1))[0]
        assert SAID in unescape(answer["text"])
        await workspace.click(answer["ts"], "Context")
        assert (await workspace.answers(2))[1]["ephemeral"]


@cases("changed, output")
async def test_a_token_that_will_not_do_is_named(workspace: Slack, changed: dict[str, str], output: str) -> None:
    with pytest.raises(SlackError, match=output):
        async with serving(workspace, settings_for(workspace, **changed)):
            pass


# -- nothing secret is logged: not in a message, not in its arguments, not in a traceback -----------------------------


OWN = {"SLACK_BOT_TOKEN": "a token of an odd (kind)", "SLACK_APP_TOKEN": "xapp-1-abc", "SLACK_SIGNING_SECRET": "5ecre7"}


@pytest.fixture
def logger(caplog: pytest.LogCaptureFixture) -> logging.Logger:
    caplog.set_level(logging.DEBUG)
    return sdk_log(load(OWN, Path("none")))


@cases("said, shown")
def test_secrets_are_hidden(logger: logging.Logger, caplog: pytest.LogCaptureFixture, said: str, shown: str) -> None:
    logger.error(said)
    logger.error("%s", said)
    assert [record.getMessage() for record in caplog.records] == [shown, shown]


def test_a_traceback_is_hidden_as_well(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    try:
        int("5ecre7")
    except ValueError:
        logger.exception("failed")
    assert "base 10: '…'" in caplog.text
    assert "5ecre7" not in caplog.text
