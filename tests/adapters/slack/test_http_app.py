"""HTTP mode's door: who has no signature of Slack's, and what is not Slack's, gets no further."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlencode

import aiohttp
import pytest

from adapters.slack.http_app import MAX_BYTES, of_slack
from adapters.slack.service import SlackError
from tests.adapters.slack.office import QUESTION, at_work, service_for, serving, settings_for
from tests.emulators import slack_payloads as payloads
from tests.emulators.slack import Slack
from tests.emulators.slack_wire import sign

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
async def slack(tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it; at the end nothing has been answered but what a test asked rightly."""
    async with at_work("http", tmp_path, shared) as workspace:
        yield workspace
        await workspace.mention(QUESTION)
        assert len(await workspace.answers(1)) == 1


def question() -> bytes:
    return json.dumps(payloads.event(payloads.mention(QUESTION))).encode()


async def post(slack: Slack, body: bytes, headers: dict[str, str], kind: str = JSON) -> int:
    assert slack.requests is not None
    status, _ = await slack.requests.post(body, {"Content-Type": kind, **headers})
    return status


FORGERIES: dict[str, Callable[[str, bytes], dict[str, str]]] = {
    "none": lambda _, __: {},
    "forged": lambda _, body: sign("another secret", body),
    "of another body": lambda secret, body: sign(secret, body + b" "),
    "old": lambda secret, body: sign(secret, body, time.time() - 301),
    "of the future": lambda secret, body: sign(secret, body, time.time() + 301),
    "no time": lambda secret, body: sign(secret, body) | {"X-Slack-Request-Timestamp": "now"},
    "endless": lambda secret, body: sign(secret, body) | {"X-Slack-Request-Timestamp": "9" * 5_000},
    "empty": lambda secret, body: sign(secret, body) | {"X-Slack-Signature": "v0="},
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_what_slack_has_not_signed_is_turned_away(slack: Slack, forgery: str) -> None:
    body = question()
    assert await post(slack, body, FORGERIES[forgery](slack.signing_secret, body)) == 401


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", JSON),
        (b"{", JSON),
        (b"[1]", JSON),
        (b'"text"', JSON),
        (b"{}", JSON),
        (b'{"type": "something"}', JSON),
        (b'{"type": "event_callback"}', JSON),
        (b'{"type": 7}', JSON),
        (b"[" * 100_000, JSON),
        (b"", FORM),
        (b"a=b", FORM),
        (b"payload=7", FORM),
        (b"payload={", FORM),
        (b"command=/stet", FORM),
        (b"hello", "text/plain"),
    ],
)
async def test_what_is_not_slacks_is_turned_away(slack: Slack, body: bytes, kind: str) -> None:
    assert await post(slack, body, sign(slack.signing_secret, body), kind) == 400


async def test_what_is_too_large_is_turned_away(slack: Slack) -> None:
    body = b"x" * (MAX_BYTES + 1)
    assert await post(slack, body, sign(slack.signing_secret, body)) == 413


async def test_bytes_that_are_no_text_are_turned_away(slack: Slack) -> None:
    assert await post(slack, b"\xff\xfe", sign(slack.signing_secret, b"\xff\xfe")) in (400, 401)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (question(), JSON),
        (b'{"type": "url_verification", "challenge": "c"}', JSON),
        (urlencode({"payload": '{"type": "block_actions"}'}).encode(), FORM),
        (urlencode({"command": "/stet", "user_id": "U1"}).encode(), FORM),
        (b"ssl_check=1", FORM),
    ],
)
def test_what_is_slacks_is_let_in(body: bytes, kind: str) -> None:
    assert of_slack(body, kind)


async def test_the_address_is_verified(slack: Slack) -> None:
    assert slack.requests is not None
    body = b'{"type": "url_verification", "challenge": "abc", "token": "legacy"}'
    status, text = await slack.requests.post(body, {"Content-Type": JSON, **sign(slack.signing_secret, body)})
    assert (status, "abc" in text) == (200, True)


async def test_what_nobody_listens_to_is_taken_all_the_same(slack: Slack) -> None:
    """Else Slack would send it again, and after a while stop sending at all."""
    body = json.dumps(payloads.event({"type": "reaction_added", "user": "U1"})).encode()
    assert await post(slack, body, sign(slack.signing_secret, body)) == 200


async def test_the_process_says_how_it_is(slack: Slack) -> None:
    assert slack.requests is not None
    base = slack.requests.url.removesuffix("/slack/events")
    async with aiohttp.ClientSession() as session:
        for path, status, text in (("/healthz", 200, "ok"), ("/readyz", 200, "ready"), ("/slack/other", 404, None)):
            async with session.get(base + path) as answer:
                assert answer.status == status
                assert text in (None, await answer.text())


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "interactive_message"},
        {"type": "block_actions"},
        {"type": "block_actions", "actions": []},
        {"type": "view_submission"},
        {"type": "view_submission", "view": {"callback_id": "another"}},
        {"type": "workflow_step_edit"},
        {"type": "block_suggestion"},
        {"type": "message_action"},
        {"type": "message_action", "callback_id": "another"},
    ],
)
async def test_interactions_that_stet_draws_none_of_are_taken_all_the_same(
    slack: Slack, payload: dict[str, object]
) -> None:
    body = urlencode({"payload": json.dumps({"user": {"id": "U1"}, "team": {"id": "T0NEWS"}, **payload})}).encode()
    assert await post(slack, body, sign(slack.signing_secret, body), FORM) == 200


async def test_a_port_that_is_taken_is_named(slack: Slack, tmp_path: Path, shared: Path) -> None:
    assert slack.requests is not None
    port = slack.requests.url.split(":")[2].partition("/")[0]
    settings = settings_for(slack, tmp_path, STET_SLACK_MODE="http", STET_SLACK_PORT=port)
    with pytest.raises(SlackError, match=f"127.0.0.1: port {port} cannot be opened"):
        async with serving(slack, settings, service_for(settings, shared)):
            pass


@pytest.mark.parametrize(
    "event",
    [
        {"channel": 5},
        {"channel": ["C1"]},
        {"channel": {"id": 5}},
        {"user": 7},
        {"text": 7},
        {"type": "function_executed", "inputs": 5, "function": {"callback_id": "ask_archive"}},
        {"type": "link_shared", "links": [5]},
    ],
)
async def test_a_signed_event_of_a_wrong_shape_is_dropped_in_a_line(
    slack: Slack, event: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    body = payloads.event({**payloads.mention(QUESTION), **event})
    text = json.dumps(body).encode()
    assert await post(slack, text, sign(slack.signing_secret, text)) == 200
    assert [record for record in caplog.records if record.exc_info] == []
