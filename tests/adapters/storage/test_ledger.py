"""The store as a platform's loop uses it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.ledger import Ledger
from adapters.storage.store import Claim, Store


class SlowStore(Store):
    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.go_on = threading.Event()

    def claim(self, platform: str, keys: Sequence[str], payload: str = "") -> Claim | None:
        self.go_on.wait(30)
        return super().claim(platform, keys, payload)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SlowStore]:
    with SlowStore(tmp_path / "state.sqlite") as opened:
        yield opened


@pytest.fixture
async def ledger(store: SlowStore) -> AsyncIterator[Ledger]:
    with closing(Ledger("slack", store)) as ledger:
        yield ledger
        store.go_on.set()


async def test_what_comes_twice_is_not_taken_before_it_is_kept(
    store: SlowStore, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.storage.ledger.CLAIM_WAIT_SECONDS", 30.0)
    first = asyncio.ensure_future(ledger.claim(["Ev1", "C1:17.5"]))
    await asyncio.sleep(0)
    again = asyncio.ensure_future(ledger.claim(["C1:17.5"]))
    done, _ = await asyncio.wait((first, again), timeout=0.05)
    assert done == set()
    store.go_on.set()
    assert await again is None
    handle = await first
    assert handle.claim == Claim(1, "slack", "")
    assert await ledger.claim(["Ev1"]) is None


async def test_what_another_process_has_is_given_up_when_the_store_says_so_late(
    store: SlowStore, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.storage.ledger.CLAIM_WAIT_SECONDS", 0.01)
    with Store(tmp_path / "state.sqlite") as other:
        assert other.claim("slack", ["Ev1"])
    handle = await ledger.claim(["Ev1"])
    unknown = await ledger.claim(["Ev2"])
    assert handle
    assert unknown
    assert not handle.lost
    waiting = asyncio.gather(ledger.is_lost(handle), ledger.is_lost(unknown))
    done, _ = await asyncio.wait((waiting,), timeout=0.05)
    assert not done
    store.go_on.set()
    assert await waiting == [True, False]
    assert unknown.claim


async def test_an_answer_does_not_wait_for_its_claim_for_ever(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.storage.ledger.CLAIM_WAIT_SECONDS", 0.01)
    monkeypatch.setattr("adapters.storage.ledger.LATE_CLAIM_SECONDS", 0.01)
    handle = await ledger.claim(["Ev1"])
    assert handle
    assert not await ledger.is_lost(handle)


async def test_reads_do_not_queue_behind_a_claim(store: SlowStore, ledger: Ledger) -> None:
    store.save_fact("commands", "abc")
    claiming = asyncio.ensure_future(ledger.claim(["Ev1"]))
    await asyncio.sleep(0)
    assert await asyncio.wait_for(ledger.read(Store.fact, "commands"), 5) == "abc"
    assert await asyncio.wait_for(ledger.read_own(Store.last_question, "C1", "17.5"), 5) is None
    assert not claiming.done()
    store.go_on.set()
    assert await claiming
