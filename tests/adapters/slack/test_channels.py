"""What is set for channels, and what comes without a question: cards under links, checks by reaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.blocks import unescape
from bot import messages
from tests.adapters.slack.office import CAVEAT, CLAIM, CLAIM_QUESTION, QUESTION, SAID, answer_to, at_work, place
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import quotations, seen
from tests.emulators.slack_wire import Delivery

RULES = """
[slack.C1]
replies = "public"

[slack.C2]
sources = ["The Heron"]
"""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "channels.toml"
    file.write_text(RULES, encoding="utf-8")
    return str(file)


async def test_a_command_is_answered_for_all_where_the_channel_has_it_so(
    rules: str, tmp_path: Path, shared: Path
) -> None:
    async with at_work("socket", tmp_path, shared, STET_CHANNELS=rules) as slack:
        answer = await answer_to(slack, await slack.command("/ask", QUESTION))
        assert place(answer) == ("C1", None, False)
        assert unescape(answer["text"]).startswith(f"“{QUESTION}”\n")
        assert quotations(answer)[0] == SAID
        assert "Share to channel" not in seen(answer)
        card = await answer_to(slack, await slack.command("/who", "Ida Roth"), 2)
        assert (place(card), card["text"].split("\n")[:2]) == (
            ("C1", None, False),
            ["“/stet who Ida Roth”", "Ida Roth"],
        )
        checked = await answer_to(slack, await slack.shortcut("check_quote", SAID), 3)
        assert place(checked) == ("C1", None, False)
        private = await answer_to(slack, await slack.command("/ask", QUESTION, channel="C3"), 4)
        assert place(private) == ("C3", None, True)
        assert QUESTION not in private["text"]


async def test_buttons_and_suggestions_keep_to_a_channels_sources(rules: str, tmp_path: Path, shared: Path) -> None:
    async with at_work("socket", tmp_path, shared, STET_CHANNELS=rules) as slack:
        elsewhere = await answer_to(slack, await slack.mention(CLAIM_QUESTION))
        assert CLAIM in quotations(elsewhere)
        context = await answer_to(slack, await slack.press({**elsewhere, "channel": "C2"}, "Context 1"), 2)
        assert quotations(context) == ()
        await slack.command("/who", channel="C2")
        view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
        offered = await slack.suggest(view["id"], "stet_name", "rot")
        await slack.until(lambda: offered.acknowledged)
        assert offered.response == {"options": []}


FERRY = "https://quay.example/ferry"
CARD: list[dict[str, Any]] = [
    {"type": "section", "text": {"type": "plain_text", "text": "Ferry aground & freed", "emoji": False}},
    {"type": "context", "elements": [{"type": "plain_text", "text": "The Quay · 4 March 2025", "emoji": False}]},
    {
        "type": "section",
        "text": {"type": "plain_text", "text": f"The outlet could not verify: “{CAVEAT}”", "emoji": False},
    },
]


@pytest.fixture
async def cards(rules: str, tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace whose bot puts cards under links; one channel has other sources."""
    async with at_work("socket", tmp_path, shared, STET_UNFURL="quay.example", STET_CHANNELS=rules) as slack:
        yield slack
        assert slack.refused() == []


async def shown(slack: Slack, *unanswered: Delivery) -> list[tuple[str, str]]:
    """Return where cards stand, and under which links, once all that was told before has been dealt with."""
    await slack.until(lambda: all(delivery.acknowledged for delivery in unanswered))
    count = len(slack.web.messages)
    await slack.mention(QUESTION)
    await slack.answers(count + 1)
    return [(channel, address) for channel, _, address, _ in slack.web.unfurled]


async def test_a_link_gets_a_card_with_the_caveats_once_in_each_channel(cards: Slack) -> None:
    link = f"{FERRY}?utm_source=mail#photo"
    first = await cards.link(link)
    await cards.until(lambda: cards.web.unfurled)
    assert cards.web.unfurled == [("C1", first.payload["event"]["message_ts"], link, CARD)]
    again = [await cards.link(FERRY, user="U3"), await cards.link(FERRY, channel="C3")]
    await cards.until(lambda: len(cards.web.unfurled) == 2)
    assert await shown(cards, *again) == [("C1", link), ("C3", FERRY)]


async def test_who_may_not_ask_gets_no_card(cards: Slack) -> None:
    cards.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
    posted = [
        await cards.link(FERRY, user="U7"),
        await cards.link(FERRY, user="U5", user_team="T0OTHER"),
        await cards.link(FERRY, channel="C2"),
        await cards.link(FERRY, source="composer"),
    ]
    assert await shown(cards, *posted) == []


async def test_a_card_that_slack_did_not_take_may_come_again(cards: Slack) -> None:
    await cards.fail(200, "chat.unfurl", times=1, error="cannot_unfurl_message")
    await cards.link(FERRY)
    await cards.until(lambda: cards.called("chat.unfurl"))
    cards.web.calls = [call for call in cards.web.calls if call.method != "chat.unfurl"]
    await cards.mention(QUESTION)
    await cards.answers(1)
    await cards.link(FERRY)
    await cards.until(lambda: cards.web.unfurled)


QUOTED = "Ida Roth: “forty passengers were brought ashore in lifeboats”"


async def written(slack: Slack, text: str = QUOTED, **where: str) -> tuple[str, str]:
    """Let a colleague write; return channel and ``ts``."""
    event = (await slack.message(text, **{"channel": "C1", "user": "U9", **where})).payload["event"]
    return event["channel"], event["ts"]


async def unanswered(slack: Slack, *output: Delivery) -> bool:
    """Return whether nothing was said of these by when another question is answered."""
    await slack.until(lambda: all(each.acknowledged for each in output))
    before = len(slack.web.messages)
    await slack.mention(QUESTION)
    await slack.answers(before + 1)
    return len(slack.web.messages) == before + 1


async def test_the_quotations_are_checked_for_who_reacts(slack: Slack) -> None:
    alone = await answer_to(slack, await slack.react(*await written(slack), user="U2"))
    assert place(alone) == ("C1", None, True)
    assert [call["user"] for call in slack.called("chat.postEphemeral")] == ["U2"]
    assert alone["text"].startswith("✅ Exact:")
    assert quotations(alone) == (SAID,)
    _, root = await written(slack, "What is known?")
    within = await answer_to(slack, await slack.react(*await written(slack, thread_ts=root), user="U2"), 2)
    assert place(within) == ("C1", root, True)
    assert quotations(within) == (SAID,)


async def test_who_may_not_ask_is_told_so(slack: Slack) -> None:
    slack.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
    slack.web.people["U8"] = {"id": "U8", "is_stranger": True, "team_id": "T0OTHER"}
    at = await written(slack)
    for number, user in enumerate(("U7", "U8"), 1):
        answer = await answer_to(slack, await slack.react(*at, user=user), number)
        assert (place(answer), answer["text"]) == (("C1", None, True), messages.REFUSED)


async def test_a_channel_is_checked_against_its_sources_alone(rules: str, tmp_path: Path, shared: Path) -> None:
    async with at_work("socket", tmp_path, shared, STET_CHANNELS=rules) as slack:
        answer = await answer_to(slack, await slack.react(*await written(slack, channel="C2")))
        assert SAID not in seen(answer)
        assert await unanswered(slack, await slack.react(*await written(slack), emoji="check"))


async def test_a_message_that_the_bot_may_not_read_is_said_to_be_so(slack: Slack) -> None:
    at = await written(slack)
    slack.web.scopes = tuple(scope for scope in slack.web.scopes if scope != "channels:history")
    answer = await answer_to(slack, await slack.react(*at))
    assert (place(answer), answer["text"]) == (("C1", None, True), messages.SLACK_HIDES_MESSAGE)
    slack.web.calls = [call for call in slack.web.calls if call.method != "conversations.replies"]
