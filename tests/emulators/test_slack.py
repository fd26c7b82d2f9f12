"""The emulator refuses what Slack refuses, and sees whom a message would ping; a lax one would prove nothing."""

import json
from typing import Any

import aiohttp
import pytest

from tests.emulators.slack import Slack
from tests.emulators.slack_rules import LIMITS, TOTAL_TEXT, pinged, refuse_message, refuse_view
from tests.shared import shared
from tests.support.tables import cases

PLAIN = {"type": "plain_text", "text": "x"}
BUTTON = {"type": "button", "text": PLAIN, "action_id": "a"}
SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}}
INPUT = {"type": "input", "label": PLAIN, "element": {"type": "plain_text_input", "action_id": "a"}}


def rich(*leaves: dict[str, Any], part: str = "rich_text_section") -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": part, "elements": list(leaves)}]}


def of(*blocks: dict[str, Any], text: str = "x") -> dict[str, Any]:
    return {"text": text, "blocks": list(blocks)}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({}, "no_text"),
        (of(text="x" * 40_001), "msg_too_long"),
        (of(*[{"type": "divider"}] * 51), "51 blocks"),
        (of(*[{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3000}}] * 5), "msg_blocks_too_long"),
        (of({"type": "headline", "text": PLAIN}), "'headline' is not one of"),
        (of({"type": "section", "text": PLAIN | {"text": "x" * 3001}}), "x' is too long"),
        (of(SECTION | {"colour": "red"}), "('colour' was unexpected)"),
        (of(SECTION | {"text": {"type": "mrkdwn", "text": "x", "emoji": True}}), "$.text: {'type': 'mrkdwn'"),
        (of({"type": "header", "text": PLAIN | {"text": "x" * 151}}), "x' is too long"),
        (of({"type": "actions", "elements": [BUTTON] * 26}), "] is too long"),
        (of({"type": "actions", "elements": [BUTTON, BUTTON]}), "the same action_id twice"),
        (of({"type": "actions", "elements": [BUTTON | {"url": "x" * 3001}]}), "$.elements[0].url"),
        (of(INPUT), "input on a message"),
        (of(SECTION | {"block_id": "a"}, SECTION | {"block_id": "a"}), "the same block_id twice"),
        (of(rich({"type": "text", "text": ""})), "$.elements[0].elements[0].text: '' should be non-empty"),
        (of(rich({"type": "link", "url": "javascript:x"})), "'javascript:x' does not match"),
    ],
)
def test_a_message_that_slack_would_not_take_is_refused(message: dict[str, Any], reason: str) -> None:
    assert [output for output in refuse_message(message) if reason in output] != []


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        ({"type": "page", "blocks": [SECTION]}, "$.type: 'page' is not one of"),
        ({"type": "home", "blocks": []}, "$.blocks: [] should be non-empty"),
        ({"type": "home"}, "'blocks' is a required property"),
        ({"type": "home", "blocks": [SECTION] * 101}, "] is too long"),
        ({"type": "modal", "blocks": [SECTION]}, "'title' is a required property"),
        ({"type": "modal", "title": PLAIN, "blocks": [INPUT]}, "'submit' is a required property"),
        ({"type": "modal", "title": PLAIN | {"text": "x" * 25}, "blocks": [SECTION]}, "$.title.text: 'xxx"),
        ({"type": "home", "private_metadata": "x" * 3001, "blocks": [SECTION]}, "$.private_metadata: 'xxx"),
    ],
)
def test_a_view_that_slack_would_not_take_is_refused(view: dict[str, Any], reason: str) -> None:
    assert [output for output in refuse_view(view) if reason in output] != []


@pytest.mark.parametrize(
    ("message", "whom"),
    [
        ({"text": "<!channel> <!here|here> <@U1>"}, ("channel", "here", "U1")),
        ({"text": "<!subteam^S1> <@W2|ada>"}, ("subteam^S1", "W2")),
        ({"text": "&lt;!channel&gt; @channel <https://a.example|<@U1>"}, ("U1",)),
        ({"text": "@here", "link_names": True}, ("here",)),
        (of(SECTION | {"text": {"type": "mrkdwn", "text": "<@U1>"}}), ("U1",)),
        (of(SECTION | {"text": {"type": "plain_text", "text": "<@U1>"}}), ()),
        (of(rich({"type": "text", "text": "<!channel>"})), ()),
        (of(rich({"type": "user", "user_id": "U1"}, {"type": "broadcast", "range": "here"})), ("U1", "here")),
        (of(rich({"type": "usergroup", "usergroup_id": "S1"})), ("S1",)),
    ],
)
def test_whom_a_message_pings(message: dict[str, Any], whom: tuple[str, ...]) -> None:
    assert pinged(message) == whom


async def call(slack: Slack, method: str, token: str | None = None, **payload: object) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token or slack.bot_token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(slack.url + method, json=payload) as answer,
    ):
        return dict(await answer.json())


@cases("method, payload, error")
async def test_a_call_that_slack_would_not_take_is_refused(method: str, payload: dict[str, object], error: str) -> None:
    async with Slack() as slack:
        slack.web.channels["C2"]["is_member"] = False
        output = await call(slack, method, **payload)
        assert (output["ok"], output["error"]) == (False, error)
        assert [(made.method, made.payload) for made in slack.web.calls] == [(method, payload)]


async def test_an_address_to_answer_to_is_used_up() -> None:
    async with Slack() as slack, aiohttp.ClientSession() as session:

        async def status(url: str, **said: object) -> int:
            async with session.post(url, json=said) as answer:
                return answer.status

        url = slack._url("C1")
        assert [await status(url, text="x") for _ in range(6)] == [200] * 5 + [404]
        assert await status(slack._url("C1")) == 400
        assert await status(slack._url("C1"), delete_original=True) == 200


def test_the_limits_are_the_vendors() -> None:
    curated = json.loads(shared("data", "platform_limits.json").read_text(encoding="utf-8"))["slack"]["curated"]
    assert {name: curated[name].get("max", curated[name].get("max_uses")) for name in LIMITS} == LIMITS
    assert curated["message.total_block_text"]["max_observed"] == TOTAL_TEXT
