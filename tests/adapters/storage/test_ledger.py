"""The store as a platform's loop uses it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from adapters.storage.ledger import Ledger
from adapters.storage.store import Claim, Store


class SlowStore(Store):
    """A store that claims when the test lets it."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.go_on = threading.Event()

    def claim(self, platform: str, keys: Sequence[str], payload: str = "") -> Claim | None:
        """Wait for the test, then claim."""
        self.go_on.wait(30)
        return super().claim(platform, keys, payload)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SlowStore]:
    """Return a new store."""
    with SlowStore(tmp_path / "state.sqlite") as opened:
        yield opened


async def test_what_comes_twice_is_not_taken_before_it_is_kept(
    store: SlowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in between, the process would have answered for a question that nobody has."""
    monkeypatch.setattr("adapters.storage.ledger.CLAIMING", 30.0)
    ledger = Ledger("slack", store)
    first = asyncio.ensure_future(ledger.claim(["Ev1", "C1:17.5"]))
    await asyncio.sleep(0)
    again = asyncio.ensure_future(ledger.claim(["C1:17.5"]))
    done, _ = await asyncio.wait((first, again), timeout=0.05)
    assert done == set()
    store.go_on.set()
    assert await again is None
    receipt = await first
    assert receipt is not None
    assert receipt.claim == Claim(1, "slack", "")
    assert await ledger.claim(["Ev1"]) is None
    ledger.close()
