"""Whose question is next: nobody waits for the questions of others."""

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


@pytest.mark.parametrize("people", [("mallory",), ("mallory", "trudy", "oscar")])
async def test_nobody_waits_for_the_slow_questions_of_strangers(people: tuple[str, ...]) -> None:
    turns, service = FairQueue(), QuestionService()
    slow = [
        asyncio.ensure_future(turns.run(who, lambda n=n: service.slow(f"slow {n}"))) for n in range(5) for who in people
    ]
    began = time.monotonic()
    await asyncio.gather(*(turns.run(f"person {n}", lambda n=n: service.quick(f"quick {n}")) for n in range(20)))
    assert time.monotonic() - began < LONG_SECONDS * PER_PERSON * len(people) / PLACES + 0.75
    running = sorted(f"slow {n}" for n in range(PER_PERSON) for _ in people)
    assert sorted(name for name in service.begun if name.startswith("slow")) == running
    service.go_on.set()
    assert await asyncio.gather(*slow) == [f"slow {n}" for n in range(5) for _ in people]
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
