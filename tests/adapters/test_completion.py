"""Completion of names while the archive hangs: other requests go on."""

from __future__ import annotations

import threading
from pathlib import Path

from bot.command import Argument, Library
from bot.commands.completion import Suggestion
from bot.model import Question
from bot.service import QuestionService
from tests.adapters.discord.bench import UMBRELLAS, newsroom, service
from tests.adapters.slack import office
from tests.emulators.discord import shown
from tests.emulators.slack import Slack

LONGEST = 60  # seconds that completion hangs where a test does not end that


class Hanging(QuestionService):
    """A service whose completion hangs until it may go on."""

    def __init__(self, holdings: Library) -> None:
        super().__init__(holdings)
        self.may = threading.Event()
        self.may.set()

    def autocomplete(
        self, argument: Argument, typed: str, limit: int, question: Question | None = None
    ) -> tuple[Suggestion, ...]:
        self.may.wait(LONGEST)
        return super().autocomplete(argument, typed, limit, question)


async def test_discord_goes_on_while_completion_hangs(tmp_path: Path) -> None:
    hanging = Hanging(service().library)
    async with newsroom(tmp_path, hanging) as discord:
        hanging.may.clear()
        typed = await discord.complete("who", "name", "Wil")
        one = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        assert "**40** umbrellas" in shown(one.message or {})
        assert typed.choices is None
        hanging.may.set()


async def test_slack_goes_on_while_completion_hangs(tmp_path: Path) -> None:
    async with Slack() as slack:
        settings = office.settings_for(slack, tmp_path)
        hanging = Hanging(office.service_for(settings, tmp_path / "articles").library)
        async with office.serving(slack, settings, hanging):
            await slack.command("/who")
            view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
            hanging.may.clear()
            typed = await slack.suggest(view["id"], "stet_name", "rot")
            await slack.mention(office.QUESTION)
            [answer] = await slack.answers(1)
            assert "forty passengers" in answer["text"]
            assert typed.response is None
            hanging.may.set()
            await slack.until(lambda: typed.response)
