"""Posted answers are edited by whole processes: two of them, after one that was killed in the middle."""

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


async def test_each_answer_is_edited_once_by_two_processes_after_a_third_was_killed(tmp_path: Path) -> None:
    archived = Archived(tmp_path)
    async with Slack() as slack:
        room, folders = SlackRoom(slack, archived.state), [tmp_path / name for name in ("killed", "one", "other")]
        for folder in folders:
            folder.mkdir()
        killed = await start(slack, folders[0], **settings(archived))
        answers = [await room.ask(f"{DOCKERS} {each}") for each in range(ANSWERS)]
        await slack.fail(HANGING, "chat.update", times=1)
        archived.put(corrected(QUAY, "nine dockers", ELEVEN))
        await slack.until(lambda: slack.called("chat.update"), LONG)
        killed.kill()
        await killed.wait()
        assert not [each for each in answers if ELEVEN in room.text(each)]
        bots = [await start(slack, folder, **settings(archived)) for folder in folders[1:]]
        await slack.until(lambda: all(ELEVEN in room.text(each) for each in answers), LONG)
        await archived.reviewed("slack")
        for bot in bots:
            bot.terminate()
            assert await bot.wait() == 0
        assert Counter(room.edits()) == Counter(answers)
        assert slack.refused() == []
