"""Processes: whether another one is alive, and how often this one collects garbage.

Articles, readings and indexes are trees that only grow. Measured over news articles, in CPU time: a collection every
``ALLOCATIONS`` objects instead of Python's 700 takes 18 % off the reading of 300 articles and 25 % off 140 questions
over 2,000; 200,000 or a million take no more off.
"""

import gc
import os
from pathlib import Path

ALLOCATIONS = 50_000  # objects between two collections


def collect_rarely() -> None:
    """Do so from now on: each process of the program begins with this."""
    gc.set_threshold(ALLOCATIONS)


def freeze_loaded() -> None:
    """Exempt everything that is loaded by now from garbage collection."""
    gc.collect()
    gc.freeze()


def runs(process: int) -> bool:
    """Whether a process of this machine is alive; also True where the system does not say."""
    if process <= 0:
        return False
    if os.name != "posix":  # elsewhere signal 0 would end it
        return True
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return status.rpartition(")")[2].split()[:1] != ["Z"]  # it has ended, and only its parent does not know yet
