"""What was asked of the cluster a moment ago, so that one question does not ask for it again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from time import monotonic
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 2000


class Recent(Generic[K, V]):
    """Answers by what was asked, the last ``most`` of them, each for ``age`` seconds. Safe for several threads."""

    def __init__(self, age: float, most: int = MOST) -> None:
        self._age = age
        self._most = most
        self._held: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return an answer that is young enough; none where there is none."""
        with self._lock:
            held = self._held.get(key)
            return held[1] if held and monotonic() - held[0] <= self._age else None

    def last(self, key: K) -> V | None:
        """Return the last answer, however old; none where it was let go."""
        with self._lock:
            held = self._held.get(key)
            return held[1] if held else None

    def put(self, key: K, value: V) -> None:
        """Keep an answer that was just given."""
        with self._lock:
            self._held[key] = (monotonic(), value)
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def clear(self) -> None:
        """Forget all of it: something was changed."""
        with self._lock:
            self._held.clear()
