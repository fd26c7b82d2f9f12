"""Tables derived from large kept data, held as lines of text in the user's cache folder.

They are derived once per version of what they come from; where nothing can be written they are derived anew each time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

_FORMAT = 2  # raised whenever what is derived changes


def kept_lines(name: str, version: str, derive: Callable[[], Iterable[str]], folder: Path | None = None) -> list[str]:
    """Return the lines of table ``name``, derived from data of this ``version``."""
    path = (folder or user_cache_path("stet")) / f"{name}-{version}-{_FORMAT}.txt"
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").split("\n")
    lines = list(derive())
    with suppress(OSError):
        _write(path, "\n".join(lines))
    return lines


def _write(path: Path, text: str) -> None:
    """Write a whole file or none, so that a process that reads meanwhile never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    Path(name).replace(path)
