"""A transaction on an archive -> who writes, since when, in a file beside it, for whoever waits for too long.

Each writer signs once it is alone; so where somebody is at work, the last who signed is that one, be it that others
before it were killed.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from retrieval.sqlite_file import make_private


class Writers:
    """Who has written to the archive at ``path`` last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.with_name(f"{path.name}-writer")

    def sign(self) -> None:
        """Say that this process writes from now on; a disk that is full keeps nobody from trying."""
        told = (os.getpid(), socket.gethostname(), datetime.now().astimezone().isoformat(timespec="seconds"))
        with suppress(OSError):
            make_private(self._file)
            self._file.write_text(json.dumps(told), encoding="utf-8")

    def refusal(self) -> str:
        """Say who is writing."""
        try:
            process, host, since = json.loads(self._file.read_text(encoding="utf-8"))
            who = f"Process {int(process)} on {host} has been writing since {since} to"
        except (OSError, ValueError, TypeError):  # it has not signed yet
            who = "Another process has been writing to"
        return f"{who} {self._path}: try again later."
