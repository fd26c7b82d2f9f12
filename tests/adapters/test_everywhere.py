"""One question over the three wires: a terminal, Slack and Discord show the same sentences and the same caveats."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from adapters.terminal.text import draw
from bot.model import Answer, Extract, Question
from tests.adapters.discord.bench import FERRY, UMBRELLAS, desk, newsroom
from tests.adapters.slack import office as slack_office
from tests.emulators.discord import shown
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import seen

QUESTIONS = (UMBRELLAS, FERRY, "what will repairs of the bridge cost?", "what did Marta Lindqvist say?")


def _plain(text: str) -> str:
    return " ".join(text.split())


async def _in_the_terminal(question: str, _: Path) -> str:
    paper = StringIO()
    # one long line, so that no word is broken
    Console(file=paper, width=10_000).print(draw(desk().answer(Question(question))))
    return _plain(paper.getvalue())


async def _in_slack(question: str, folder: Path) -> str:
    async with Slack() as slack:
        settings = slack_office.settings_for(slack, folder)
        async with slack_office.serving(slack, settings, desk()):
            await slack.mention(question)
            await slack.until(lambda: slack.web.messages)
            return _plain(seen(slack.web.messages[-1]))


async def _in_discord(question: str, folder: Path) -> str:
    async with newsroom(folder) as discord:
        [answer] = await discord.answers(await discord.mention(question))
        return _plain(re.sub(r"\\(.)", r"\1", re.sub(r"(?m)^> ", "", shown(answer))))


WIRES = {"terminal": _in_the_terminal, "slack": _in_slack, "discord": _in_discord}


@cache
def _answer(question: str) -> Answer:
    reply = desk().answer(Question(question))
    assert isinstance(reply, Answer)
    return reply


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("wire", WIRES)
async def test_the_same_question_gets_the_same_answer_everywhere(wire: str, question: str, tmp_path: Path) -> None:
    """The same extracts in the same order, each with its caveats before the next begins; then the notices."""
    answer = await asyncio.to_thread(_answer, question)
    text = await WIRES[wire](question, tmp_path)
    begins = 0
    for extract in answer.extracts:
        begins = text.index(_plain(extract.text), begins)
        for caveat in _caveats(extract):
            assert caveat in text[begins:]
    for notice in answer.notices:
        assert _plain(notice.text) in text
    order = [text.index(_plain(extract.text)) for extract in answer.extracts]
    assert order == sorted(order)


def _caveats(extract: Extract) -> list[str]:
    return [_plain(caveat.text) for caveat in extract.caveats]
