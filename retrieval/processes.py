"""A process's number -> whether that process of this machine is still at work."""

from __future__ import annotations

import os
from pathlib import Path


def runs(process: int) -> bool:
    """Return whether a process of this machine is alive; where that cannot be asked, it is taken to be."""
    if process <= 0:
        return False
    if os.name != "posix":  # elsewhere signal 0 would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return not _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """Return whether a process has ended and only its parent does not know yet; Linux says so."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[:1] == ["Z"]
