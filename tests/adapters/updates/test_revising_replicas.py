"""Posted answers are edited by whole processes: two of them, and one that is killed in the middle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.adapters.press_room import DOCKERS, QUAY, Archived, SlackRoom, corrected
from tests.adapters.slack.office import start
from tests.emulators.slack import Slack
from tests.emulators.slack_web import HANGING

pytestmark = pytest.mark.rest

ELEVEN = "eleven dockers"
ANSWERS = 6
LONG = 60  # seconds, on a busy machine


def settings(archived: Archived) -> dict[str, str]:
    state, archive = str(archived.state), str(archived.archive.path)
    return {"STET_STATE": state, "STET_ARCHIVE": archive, "STET_ARTICLES": "", "STET_ENCODER": "none"}


async def asked(room: SlackRoom, number: int) -> list[str]:
    return [await room.ask(f"{DOCKERS} {each}") for each in range(number)]


async def test_two_processes_edit_each_answer_once(tmp_path: Path) -> None:
    archived = Archived(tmp_path)
    async with Slack() as slack:
        room, folders = SlackRoom(slack), [tmp_path / name for name in ("one", "other")]
        bots = []
        for number, folder in enumerate(folders, 1):
            folder.mkdir()
            bots.append(await start(slack, folder, **settings(archived)))
            await slack.until(lambda number=number: len(slack.socket.connections) == number, LONG)  # type: ignore[misc]
        answers = await asked(room, ANSWERS)
        archived.put(corrected(QUAY, "nine dockers", ELEVEN))
        await slack.until(lambda: all(ELEVEN in room.text(each) for each in answers), LONG)
        await archived.reviewed("slack")
        for bot in bots:
            bot.terminate()
            assert await bot.wait() == 0
        assert Counter(room.edits()) == Counter(answers)
        assert slack.refused() == []


async def test_an_edit_of_a_killed_process_is_made_by_the_next(tmp_path: Path) -> None:
    archived = Archived(tmp_path)
    async with Slack() as slack:
        room = SlackRoom(slack)
        bot = await start(slack, tmp_path, **settings(archived))
        answers = await asked(room, 2)
        await slack.fail(HANGING, "chat.update", times=1)
        archived.put(corrected(QUAY, "nine dockers", ELEVEN))
        await slack.until(lambda: slack.called("chat.update"), LONG)
        bot.kill()
        await bot.wait()
        assert not [each for each in answers if ELEVEN in room.text(each)]
        bot = await start(slack, tmp_path, **settings(archived))
        await slack.until(lambda: all(ELEVEN in room.text(each) for each in answers), LONG)
        await archived.reviewed("slack")
        bot.terminate()
        assert await bot.wait() == 0
        assert Counter(room.edits()) == Counter(answers)
