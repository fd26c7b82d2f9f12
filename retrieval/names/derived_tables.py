"""Tables derived from large kept data, held as lines of text in the user's cache folder.

They are derived once per version of what they come from; where nothing can be written they are derived anew each time.
The first line of a file is the digest of the others: one that is cut short or changed is made anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

_FORMAT = 4  # raised whenever what is derived changes


def kept_lines(name: str, version: str, derive: Callable[[], Iterable[str]], folder: Path | None = None) -> list[str]:
    """Return the lines of table ``name``, derived from data of this ``version``."""
    path = (folder or user_cache_path("stet")) / f"{name}-{version}-{_FORMAT}.txt"
    kept = _read(path)
    if kept is not None:
        return kept.split("\n")
    lines = list(derive())
    with suppress(OSError):
        _write(path, "\n".join(lines))
    return lines


def _read(path: Path) -> str | None:
    """Return what was written, none where it is not there or no longer what it was."""
    try:
        digest, _, text = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text.decode() if digest == _digest(text) else None


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def _write(path: Path, text: str) -> None:
    """Write a whole file or none, so that a process that reads meanwhile never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            encoded = text.encode()
            file.write(_digest(encoded) + b"\n" + encoded)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
