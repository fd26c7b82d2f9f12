"""Links to articles, posted in Slack: a card where a setting asks for it, within the rights that questions have."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.slack.office import CAVEAT, QUESTION, at_work
from tests.emulators.slack import Slack
from tests.emulators.slack_wire import Delivery

FERRY = "https://quay.example/ferry"
CARD: list[dict[str, Any]] = [
    {"type": "section", "text": {"type": "plain_text", "text": "Ferry aground & freed", "emoji": False}},
    {
        "type": "context",
        "elements": [{"type": "plain_text", "text": "The Quay · 4 March 2025", "emoji": False}],
    },
    {
        "type": "section",
        "text": {"type": "plain_text", "text": f"The outlet could not verify: “{CAVEAT}”", "emoji": False},
    },
]
RULES = '[slack.C2]\nsources = ["The Heron"]\n'


@pytest.fixture
async def cards(tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace whose bot puts cards under links; one channel has other sources."""
    (tmp_path / "channels.toml").write_text(RULES, encoding="utf-8")
    more = {"STET_UNFURL": "quay.example", "STET_CHANNELS": str(tmp_path / "channels.toml")}
    async with at_work("socket", tmp_path, shared, **more) as slack:
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
    posted = [await cards.link(link), await cards.link(FERRY, user="U3"), await cards.link(FERRY, channel="C3")]
    await cards.until(lambda: len(cards.web.unfurled) == 2)
    assert await shown(cards, *posted) == [("C1", link), ("C3", FERRY)]
    assert cards.web.unfurled[0] == ("C1", posted[0].payload["event"]["message_ts"], link, CARD)


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
