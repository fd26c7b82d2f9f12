"""Whose question is next: nobody waits for the questions of others."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from adapters import fair_queue
from adapters.fair_queue import LONG_SECONDS, PER_PERSON, PLACES, FairQueue


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PLACES", 1), ("PER_PERSON", 1), ("LONG_SECONDS", 30)):
        monkeypatch.setattr(fair_queue, name, value)


class QuestionService:
    """Questions that take as long as the test wants, and what became of them."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun: list[str] = []

    def quick(self, name: str) -> str:
        self.begun.append(name)  # which is one step for threads
        return name

    def slow(self, name: str) -> str:
        self.quick(name)
        self.go_on.wait(30)
        return name


async def test_a_call_returns_its_result_or_raises() -> None:
    turns = FairQueue()
    assert await turns.run("ada", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await turns.run("ada", lambda: 1 // 0)
    turns.close()


async def test_nobody_waits_for_a_strangers_slow_questions() -> None:
    turns, service = FairQueue(), QuestionService()
    slow = [asyncio.ensure_future(turns.run("mallory", lambda n=n: service.slow(f"slow {n}"))) for n in range(5)]
    began = time.monotonic()
    await asyncio.gather(*(turns.run(f"person {n}", lambda n=n: service.quick(f"quick {n}")) for n in range(20)))
    assert time.monotonic() - began < 1
    assert sorted(name for name in service.begun if name.startswith("slow")) == ["slow 0", "slow 1"]
    service.go_on.set()
    assert await asyncio.gather(*slow) == [f"slow {n}" for n in range(5)]
    turns.close()


async def test_not_even_for_those_of_several_strangers() -> None:
    turns, service = FairQueue(), QuestionService()
    people = ("mallory", "trudy", "oscar")
    slow = [asyncio.ensure_future(turns.run(who, lambda: service.slow("slow"))) for who in people * PER_PERSON]
    began = time.monotonic()
    assert await turns.run("ada", lambda: service.quick("quick")) == "quick"
    assert time.monotonic() - began < LONG_SECONDS * len(slow) / PLACES + 0.5
    service.go_on.set()
    await asyncio.gather(*slow)
    turns.close()


@pytest.mark.usefixtures("one_at_a_time")
async def test_people_take_turns_and_each_in_order() -> None:
    turns, service = FairQueue(), QuestionService()
    first = asyncio.ensure_future(turns.run("eve", lambda: service.slow("eve 0")))
    await asyncio.sleep(0)
    asked = [("eve", n) for n in range(1, 4)] + [("ada", 1), ("ada", 2), ("bob", 1)]
    rest = [asyncio.ensure_future(turns.run(who, lambda w=who, n=n: service.quick(f"{w} {n}"))) for who, n in asked]
    await asyncio.sleep(0)
    service.go_on.set()
    await asyncio.gather(first, *rest)
    assert service.begun == ["eve 0", "ada 1", "bob 1", "eve 1", "ada 2", "eve 2", "eve 3"]
    turns.close()


@pytest.mark.usefixtures("one_at_a_time")
async def test_a_cancelled_question_is_skipped() -> None:
    turns, service = FairQueue(), QuestionService()
    first = asyncio.ensure_future(turns.run("eve", lambda: service.slow("first")))
    second = asyncio.ensure_future(turns.run("ada", lambda: service.quick("second")))
    await asyncio.sleep(0)
    first.cancel()
    second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    service.go_on.set()
    assert await turns.run("eve", lambda: service.quick("third")) == "third"
    assert service.begun == ["first", "third"]
    turns.close()
