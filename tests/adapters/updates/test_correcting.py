"""A correction that another article needs too: posted once, without a word of an article."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.storage.store import Store
from adapters.updates import correcting
from tests.adapters.press_room import MILL, QUAY, Archived, DiscordRoom, PressRoom, SlackRoom, corrected, press_room

CHANNELS = {"slack": "C2", "discord": "900000000000000777"}
REPEAT = replace(
    QUAY,
    id="repeat.txt",
    title="A year after",
    url="https://bell.example/repeat",
    text=(
        "A year has gone by since the accident, and the port has bought no new machines.\n\n"
        "The crane was built in 1971, according to the port authority. Nobody has replaced it.\n\n"
        "The town council will talk about money for the harbour in May."
    ),
)


@pytest.mark.parametrize("platform", CHANNELS)
async def test_a_correction_is_posted_once(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correcting, "EVERY_SECONDS", 0.01)
    async with press_room(platform, tmp_path, STET_ALARM_CHANNEL=CHANNELS[platform]) as (room, archived):
        await _looked(room, archived)
        archived.put(REPEAT)
        await _looked(room, archived)
        assert _posted(room) == []
        archived.put(corrected(QUAY, "1971", "1972"))
        await _looked(room, archived)
        archived.put(corrected(MILL, "nine", "ten"))
        await _looked(room, archived)
        [(channel, text)] = _posted(room)
    assert channel == CHANNELS[platform]
    assert text.startswith("An article was corrected. 1 sentence in another article may need")
    assert "crane" not in text


async def _looked(room: PressRoom, archived: Archived) -> None:
    arrivals = archived.archive.arrivals
    with Store(archived.state) as store:
        name = f"{room.platform} corrections told, {arrivals.identity()}"
        async with asyncio.timeout(30):
            while await asyncio.to_thread(store.fact, name) != str(arrivals.last()):
                pass


def _posted(room: PressRoom) -> list[tuple[str, str]]:
    if isinstance(room, SlackRoom):
        return [(each["channel"], each["text"]) for each in room.slack.web.messages]
    assert isinstance(room, DiscordRoom)
    sent = room.discord.rest.messages.values()
    return [(each["channel_id"], each["content"].replace("\\", "")) for each in sent]
