"""What the last digit of a computed figure may depend on, besides the program."""

from __future__ import annotations

import platform
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

CPU = Path("/proc/cpuinfo")
ABLE = ("flags", "Features")  # as x86 and ARM call what a processor is able to do


@cache
def computer() -> str:
    """Return the kind of processor, what it is able to do, and the library of mathematics, in few characters."""
    able = blake2b(_abilities().encode(), digest_size=4).hexdigest()
    return " ".join((platform.machine(), able, *platform.libc_ver()))


def _abilities() -> str:
    with suppress(OSError), CPU.open(encoding="utf-8", errors="replace") as lines:
        return next((line for line in lines if line.startswith(ABLE)), "")
    return platform.processor()
