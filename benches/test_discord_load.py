"""Discord under load: what a keystroke waits for, and what the loop waits for, while people ask."""

import asyncio
import itertools
import time
from pathlib import Path

from benches.sizes import judge, sized
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import WritableArchive
from retrieval.archive.register import Register
from retrieval.model import Article, Entity, Kind
from retrieval.pipeline import read_separately
from tests.adapters.discord.bench import newsroom
from tests.emulators.discord_rest import Interaction
from tests.retrieval.names.memory_tables import MemoryTables

ARTICLES = sized(300, 20)
NAMES = sized(100_000, 100)
ASKED = sized(100, 20)
SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu")


class _Crowded(WritableArchive):
    """An archive of a newsroom's year, with names enough for a country."""

    def __init__(self) -> None:
        texts = (f"{_name(n)} said that pier {n} of the harbour would open on Monday.\n" * 10 for n in range(ARTICLES))
        super().__init__()
        self.add(tuple(read_separately([Article(f"a{n}", text) for n, text in enumerate(texts)])))
        self._crowd = Register(MemoryTables(Entity(_name(n), Kind.PERSON, (_name(n),), ("a0",)) for n in range(NAMES)))
        self._crowd.entities, self._crowd.people = super().register().entities, super().register().people

    def register(self) -> Register:
        return self._crowd


def _name(number: int) -> str:
    digits = [SYLLABLES[number // len(SYLLABLES) ** place % len(SYLLABLES)] for place in range(5)]
    return f"{''.join(digits[:2])} {''.join(digits[2:])}".title()


async def test_keystrokes_and_the_loop_wait_for_no_question(tmp_path: Path) -> None:
    archive, lags = await asyncio.to_thread(_Crowded), []
    service = QuestionService(Library(archive))
    async with newsroom(tmp_path, service, heartbeat=1) as discord:
        await discord.answered(await discord.command("ask", {"question": "who?"}))  # the emulator reads its schema
        watching = asyncio.create_task(_watch(lags))
        asked: list[Interaction] = []
        typed: list[Interaction] = []
        for turn in itertools.count():
            asked += [await discord.command("ask", {"question": f"what did {_name(turn)} say?"}) for _ in range(20)]
            typed += [await discord.complete("who", "name", _name(turn * 991 + n)[: 1 + n % 5]) for n in range(5)]
            await asyncio.gather(*(discord.answered(one, 60) for one in (*asked[-20:], *typed[-5:])))
            if len(asked) >= ASKED:
                break
        watching.cancel()
        gaps = discord.gateway.gaps
    keystrokes = [(one.answered or 0) - one.sent for one in typed]
    deferrals = [(one.acknowledged or 0) - one.sent for one in asked]
    answers = [(one.answered or 0) - one.sent for one in asked]
    for label, times in (("keystroke", keystrokes), ("deferral", deferrals), ("answer", answers), ("loop", lags)):
        print(f"{label}: median {sorted(times)[len(times) // 2] * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms")
    judge(max(keystrokes), 0.2)
    judge(max(deferrals), 0.3)
    judge(max(answers), 2)
    judge(max(lags), 0.25)
    assert all(gap < 1.5 for gap in gaps)


async def _watch(lags: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        lags.append(time.perf_counter() - began - 0.01)
