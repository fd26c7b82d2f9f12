"""What goes wrong between Slack and the bot, and what people notice of it: nothing, or a sentence."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.slack.requests import SlackRequest
from adapters.slack.rich_text import unescape
from adapters.slack.service import SlackError
from adapters.storage.store import Store
from tests.adapters.slack.office import QUESTION, QUICK, SAID, at_work, service_for, serving, settings_for
from tests.emulators.slack import Slack


@pytest.fixture
async def slack(tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it, by websocket."""
    async with at_work("socket", tmp_path, shared) as workspace:
        yield workspace


@pytest.mark.parametrize("how", ["abrupt", "warning", "refresh_requested", "link_disabled"])
async def test_a_lost_connection_is_made_again(slack: Slack, how: str) -> None:
    for number in range(1, 4):
        before = slack.socket.connected
        await slack.disconnect(how)
        await slack.mention(QUESTION)
        await slack.until(lambda seen=before: slack.socket.connected > seen)
        await slack.answers(number)
    assert len(slack.web.messages) == 3


async def test_a_silent_connection_is_replaced(slack: Slack) -> None:
    await slack.silence()
    await slack.mention(QUESTION)
    await slack.connected()
    assert len(await slack.answers(1)) == 1


async def test_a_connection_without_a_sign_of_life_is_replaced(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path)
        patience = replace(QUICK, ping=30, silence=0.3)
        async with serving(slack, settings, service_for(settings, shared), patience):
            await slack.fail(500, "auth.test", times=1)
            await slack.until(lambda: slack.socket.connected > 2)
            await slack.mention(QUESTION)
            assert len(await slack.answers(1)) == 1


@pytest.mark.rest
async def test_slack_may_give_no_connection_for_a_while(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path)
        patience = replace(QUICK, connecting=0.3)
        await slack.fail(200, "apps.connections.open", error="internal_error", times=3)
        async with serving(slack, settings, service_for(settings, shared), patience):
            await slack.mention(QUESTION)
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


async def test_slack_need_not_say_who_the_bot_is(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        await slack.fail(200, "auth.test", error="unknown_method")
        settings = settings_for(slack, tmp_path)
        async with serving(slack, settings, service_for(settings, shared)):
            await slack.mention(QUESTION)
            assert SAID in unescape((await slack.answers(1))[0]["text"])


async def test_an_acknowledgement_that_was_lost_is_given_again(slack: Slack) -> None:
    asked = await slack.mention(QUESTION)
    await slack.answers(1)
    await slack.until(lambda: asked.acknowledged)
    asked.latency = None
    await slack.again(asked)
    await slack.until(lambda: asked.acknowledged)
    await slack.mention(QUESTION, channel="C2")
    assert [message["channel"] for message in await slack.answers(2)] == ["C1", "C2"]


@pytest.mark.parametrize(
    ("mode", "method", "status"),
    [
        ("socket", "chat.postMessage", 429),
        ("http", "chat.postMessage", 500),
        ("http", "response_url", 429),
        ("socket", "response_url", 500),
        ("socket", "users.info", 429),
        ("socket", "assistant.threads.setStatus", 500),
    ],
)
async def test_a_call_that_fails_is_made_again(
    mode: str, method: str, status: int, tmp_path: Path, shared: Path
) -> None:
    async with at_work(mode, tmp_path, shared) as slack:
        await slack.fail(status, method, times=1)
        await slack.mention(QUESTION)
        await slack.command("/ask", QUESTION)
        assert len(await slack.answers(2)) == 2
        assert {message["ephemeral"] for message in slack.web.messages} == {True, False}


@pytest.mark.rest
async def test_what_cannot_be_delivered_now_is_delivered_later(slack: Slack) -> None:
    await slack.fail(503, "chat.postMessage", times=4)
    await slack.mention(QUESTION)
    assert len(await slack.answers(1, patience=20)) == 1


async def test_what_was_left_unfinished_is_answered_on_the_next_start(tmp_path: Path, shared: Path) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path)
        left = SlackRequest(QUESTION, "U1", "C1", "T0NEWS", thread="1700000000.000001")
        with Store(settings.state) as store:
            store.claim("slack", ("Ev1", "C1:1700000000.000001"), left.to_json())
        async with serving(slack, settings, service_for(settings, shared)):
            answer = (await slack.answers(1))[0]
            assert (answer["channel"], answer["thread_ts"]) == ("C1", "1700000000.000001")
            assert SAID in unescape(answer["text"])


async def test_a_question_is_answered_where_slack_knows_few_methods(slack: Slack) -> None:
    for method in ("assistant.threads.setStatus", "chat.postEphemeral"):
        await slack.fail(404, method)
    await slack.mention(QUESTION)
    answer = (await slack.answers(1))[0]
    await slack.click(answer["ts"], "Context")
    assert (await slack.answers(2))[1]["ephemeral"]


async def test_no_secret_is_logged(tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with at_work("socket", tmp_path, shared) as slack:
        await slack.mention(QUESTION)
        await slack.disconnect()
        await slack.fail(500, "chat.postMessage", times=1)
        await slack.command("/ask", QUESTION)
        await slack.answers(2)
        secrets = (slack.bot_token, slack.app_token, slack.signing_secret)
    assert "chat.postMessage" in caplog.text
    assert [secret for secret in secrets if secret in caplog.text] == []


@pytest.mark.parametrize(
    ("changed", "output"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-wrong"}, r"Slack does not accept SLACK_BOT_TOKEN \(not_allowed_token_type\)"),
        ({"SLACK_BOT_TOKEN": "xapp-wrong"}, "SLACK_BOT_TOKEN holds no token of its kind"),
        ({"SLACK_APP_TOKEN": "xoxb-wrong"}, "SLACK_APP_TOKEN holds no token of its kind"),
        ({"SLACK_BOT_TOKEN": "abc"}, "SLACK_BOT_TOKEN holds no token of its kind"),
        ({"SLACK_APP_TOKEN": "xapp-wrong"}, r"Slack does not accept SLACK_APP_TOKEN \(not_allowed_token_type\)"),
        ({"SLACK_APP_TOKEN": ""}, "SLACK_APP_TOKEN is not set"),
        ({"STET_SLACK_MODE": "http", "SLACK_SIGNING_SECRET": ""}, "SLACK_SIGNING_SECRET is not set"),
    ],
)
async def test_a_token_that_will_not_do_is_named(
    changed: dict[str, str], output: str, tmp_path: Path, shared: Path
) -> None:
    async with Slack() as slack:
        settings = settings_for(slack, tmp_path, **changed)
        with pytest.raises(SlackError, match=output):
            async with serving(slack, settings, service_for(settings, shared)):
                pass
