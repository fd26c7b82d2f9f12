"""A reaction has the quotations of a message checked, for who reacts, alone."""

from __future__ import annotations

from pathlib import Path

from bot import messages
from tests.adapters.slack.office import QUESTION, SAID, answer_to, at_work, place
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import quotations, seen
from tests.emulators.slack_wire import Delivery

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


async def test_a_channel_is_checked_against_its_sources_alone(tmp_path: Path, shared: Path) -> None:
    rules = tmp_path / "channels.toml"
    rules.write_text('[slack.C2]\nsources = ["The Heron"]\n', encoding="utf-8")
    async with at_work("socket", tmp_path, shared, STET_CHANNELS=str(rules), STET_REACTION="check") as slack:
        answer = await answer_to(slack, await slack.react(*await written(slack, channel="C2"), emoji="check"))
        assert SAID not in seen(answer)
        assert await unanswered(slack, await slack.react(*await written(slack)))


async def test_a_message_that_the_bot_may_not_read_is_said_to_be_so(slack: Slack) -> None:
    at = await written(slack)
    slack.web.scopes = tuple(scope for scope in slack.web.scopes if scope != "channels:history")
    answer = await answer_to(slack, await slack.react(*at))
    assert (place(answer), answer["text"]) == (("C1", None, True), messages.SLACK_HIDES_MESSAGE)
    slack.web.calls = [call for call in slack.web.calls if call.method != "conversations.replies"]
