"""What every SQLite file of this program has in common: nobody else may read it, and it knows its schema."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


class Rows(Protocol):
    """What a statement found."""

    def fetchone(self) -> Any:  # noqa: ANN401 - the columns are the statement's
        """Return the next row; None where there is none."""


def make_private(path: Path) -> None:
    """Make an empty file where there is none, and the folders on the way to it: for nobody else to read or enter.

    What is there is left as it is; what is wrong with it, SQLite says when it opens it. Raises ``OSError``.
    """
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))


def make_tables(run: Callable[[str], Rows], schema: Sequence[str], version: int) -> None:
    """Make the tables in a file that has none yet; ``run`` runs a statement inside a transaction."""
    if not schema_version(run):
        for statement in schema:
            run(statement)
        run(f"PRAGMA user_version = {version}")


def schema_version(run: Callable[[str], Rows]) -> int:
    """Return the version of the file's schema; 0 for a new file."""
    return int(run("PRAGMA user_version").fetchone()[0])
