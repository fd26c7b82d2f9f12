"""HTTP mode's door: who has no signature of Slack's, and what is not Slack's, gets no further."""

import json
import time
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlencode

import aiohttp
import pytest

from adapters.metrics import is_connected
from adapters.slack.blocks import plain
from adapters.slack.service import SlackError
from adapters.slack.socket_mode import MAX_BYTES
from tests.adapters.slack import office
from tests.adapters.slack.office import QUESTION, SAID, answer_to, at_work, place
from tests.emulators import slack_payloads as payloads
from tests.emulators.slack import Slack
from tests.emulators.slack_rules import seen
from tests.emulators.slack_wire import sign
from tests.support.tables import rows

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it; at the end nothing has been answered but what a test asked rightly."""
    async with at_work(STET_SLACK_MODE="http") as workspace:
        yield workspace
        await workspace.mention(QUESTION)
        assert len(await workspace.answers(1)) == 1


async def post(slack: Slack, body: bytes, headers: dict[str, str], kind: str = JSON) -> int:
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


async def test_what_slack_has_not_signed_is_turned_away(slack: Slack) -> None:
    body = json.dumps(payloads.event(payloads.mention(QUESTION))).encode()
    found = {name: await post(slack, body, forge(slack.signing_secret, body)) for name, forge in FORGERIES.items()}
    assert found == dict.fromkeys(FORGERIES, 401)
    assert await post(slack, b"\xff\xfe", sign(slack.signing_secret, b"\xff\xfe")) in (400, 401)


async def test_what_is_not_slacks_is_turned_away(slack: Slack) -> None:
    foreign = (
        *((body, JSON) for body in (b"", b"{", b"[1]", b'"text"', b"{}", b'{"type": "something"}', b'{"type": 7}')),
        (b'{"type": "event_callback"}', JSON),
        (b"[" * 100_000, JSON),
        *((body, FORM) for body in (b"", b"a=b", b"payload=7", b"payload={", b"command=/stet")),
        (b"hello", "text/plain"),
    )
    found = [await post(slack, body, sign(slack.signing_secret, body), kind) for body, kind in foreign]
    assert found == [400] * len(foreign)
    large = b"x" * (MAX_BYTES + 1)
    assert await post(slack, large, sign(slack.signing_secret, large)) == 413


async def test_the_address_is_verified_and_the_process_says_how_it_is(slack: Slack) -> None:
    body = b'{"type": "url_verification", "challenge": "abc", "token": "legacy"}'
    status, text = await slack.requests.post(body, {"Content-Type": JSON, **sign(slack.signing_secret, body)})
    assert (status, "abc" in text) == (200, True)
    assert is_connected("slack")
    base = slack.requests.url.removesuffix("/slack/events")
    async with aiohttp.ClientSession() as session:
        for path, status, text in (("/healthz", 200, "ok"), ("/readyz", 200, "ready"), ("/slack/other", 404, None)):
            async with session.get(base + path) as answer:
                assert answer.status == status
                assert text in (None, await answer.text())


async def test_what_stet_cannot_read_is_taken_and_dropped(slack: Slack, caplog: pytest.LogCaptureFixture) -> None:
    """Else Slack would send it again, and after a while stop sending at all."""
    interactions, events = rows(__file__, "interactions"), rows(__file__, "events")
    who = {"user": {"id": "U1"}, "team": {"id": "T0NEWS"}}
    bodies = [(urlencode({"payload": json.dumps(who | each)}).encode(), FORM) for each in interactions]
    bodies += [(json.dumps(payloads.event(payloads.mention(QUESTION) | each)).encode(), JSON) for each in events]
    found = [await post(slack, body, sign(slack.signing_secret, body), kind) for body, kind in bodies]
    assert found == [200] * len(bodies)
    assert [record for record in caplog.records if record.exc_info] == []


async def test_whatever_people_do_is_answered_over_http_too() -> None:
    given = {"STET_UNFURL": "quay.example", "STET_CHANNELS": office.steps_in("C1")}
    async with at_work(STET_SLACK_MODE="http", **given) as slack:
        asked = await slack.mention(QUESTION)
        answer = await answer_to(slack, asked)
        assert place(answer) == ("C1", asked.payload["event"]["ts"], False)
        assert place(await answer_to(slack, await slack.message(QUESTION), 2))[0] == "DU1"
        alone = await answer_to(slack, await slack.command("/ask", QUESTION), 3)
        assert place(alone) == ("C1", None, True)
        checked = await answer_to(slack, await slack.shortcut("check_quote", SAID), 4)
        context = await answer_to(slack, await slack.click(answer["ts"], "Context"), 5)
        shared_by = await answer_to(slack, await slack.click(alone["ts"], "Share to channel"), 6)
        reacted = await answer_to(slack, await slack.react("C1", asked.payload["event"]["ts"]), 7)
        assert [place(each)[2] for each in (checked, context, shared_by, reacted)] == [True, True, False, True]
        await slack.command("/who")
        view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
        offered = await slack.suggest(view["id"], "stet_name", "rot")
        assert offered.response == {"options": [{"text": plain("Ida Roth"), "value": "Ida Roth"}]}
        picked = {"type": "external_select", "selected_option": {"value": "Ida Roth"}}
        card = await answer_to(slack, await slack.submit(view["id"], {"stet_name": picked}), 8)
        assert card["text"].startswith("Ida Roth")
        number, _ = await slack.step("ask_archive", question=QUESTION, person="U1", channel="C1")
        await slack.home()
        await slack.link("https://quay.example/ferry")
        await slack.until(lambda: slack.web.steps[number] and slack.web.homes and slack.web.unfurled)
        await slack.edit(asked, f"<@U0STET> {office.CLAIM_ASKED}")
        await slack.until(lambda: office.CLAIM in seen(answer))
        await slack.delete(asked)
        await slack.until(lambda: answer not in slack.web.messages)
        assert slack.refused() == []


async def test_a_port_that_is_taken_is_named(slack: Slack) -> None:
    port = slack.requests.url.split(":")[2].partition("/")[0]
    settings = office.settings_for(slack, STET_SLACK_MODE="http", STET_SLACK_PORT=port)
    with pytest.raises(SlackError, match=rf"127.0.0.1: port {port} cannot .* STET_SLACK_PORT sets another\."):
        async with office.serving(slack, settings):
            pass
