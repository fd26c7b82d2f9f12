"""How much a benchmark measures: as much as `make bench` wants, or next to nothing where it is only to run.

Where ``STET_TEST_TINY`` is set, every benchmark runs through on a few articles, and what it measures is printed and
not judged: to see that it still runs.
"""

import os
import time
from collections.abc import Callable

TINY = bool(os.environ.get("STET_TEST_TINY"))


def sized(full: int, tiny: int) -> int:
    return tiny if TINY else full


def judge(measured: float, most: float) -> None:
    """Fail where more was measured than is allowed; of next to nothing no measure means anything."""
    assert TINY or measured <= most, f"{measured:.3f} is more than {most:.3f}"


def fastest(act: Callable[[], object], rounds: int = 5) -> float:
    """Return the fewest seconds that it took."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return min(taken)
