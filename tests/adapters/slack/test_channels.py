"""Channels of Slack that differ: in what they search, in who sees answers, in whether threads go on unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.slack.blocks import unescape
from tests.adapters.slack.office import CLAIM, CLAIM_QUESTION, QUESTION, SAID, answer_to, at_work, place
from tests.emulators.slack_reading import quotations, seen

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
