"""Posted answers are edited after corrections and takedowns: each once, none twice, none wrongly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bot import messages
from tests.adapters.press_room import (
    BEDS,
    CLOSED,
    CRANE,
    DOCKERS,
    MILL,
    PULLED,
    QUAY,
    corrected,
    press_room,
)

BOTH = pytest.mark.parametrize("platform", ["slack", "discord"])
ELEVEN = PULLED.replace("nine", "eleven")


@BOTH
async def test_a_corrected_sentence_stays_with_the_new_one_beside_it(platform: str, tmp_path: Path) -> None:
    """Once, and no other answer is touched, though it cites the same article."""
    async with press_room(platform, tmp_path) as (room, archived):
        changed, other = await room.ask(DOCKERS), await room.ask(CLOSED)
        before = room.text(other)
        assert PULLED in room.text(changed)
        archived.put(corrected(QUAY, "nine dockers", "eleven dockers"))
        await room.until(lambda: ELEVEN in room.text(changed))
        text = room.text(changed)
        assert text.index(PULLED) < text.index(messages.CHANGED_SINCE) < text.index(ELEVEN)
        assert messages.SUPERSEDED in text
        await archived.reviewed(room.platform)
        assert room.edits() == [changed]
        if PULLED not in before:
            assert room.text(other) == before
