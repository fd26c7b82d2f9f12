"""What the store asks of a database: transactions in which statements are run, one after the other.

Statements are of the SQL that SQLite and PostgreSQL share, with question marks where values go.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class StoreError(Exception):
    """The database cannot be used; the text says why, and what to do."""


class Rows(Protocol):
    """What a statement found."""

    def fetchone(self) -> Any:  # noqa: ANN401 - the columns are the statement's
        """Return the next row; None where there is none."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""


class Run(Protocol):
    """Runs a statement within a transaction."""

    def __call__(self, statement: str, values: Sequence[object] = (), /) -> Rows:
        """Run it with ``values`` for its question marks."""


class Database(Protocol):
    """A database with the store's tables in it; safe for several threads and processes at once."""

    @property
    def is_read_only(self) -> bool:
        """Whether it can only be read here; ``transaction`` raises ``StoreError`` then."""

    def transaction(self) -> AbstractContextManager[Run]:
        """Run what is inside as one transaction, alone among all threads and processes; undo it where it fails."""

    def reading(self) -> AbstractContextManager[Run]:
        """Read one consistent state of the database. Waits for no writer, and no writer waits for it."""

    def clear_journal(self) -> None:
        """Take what was deleted or changed out of the journal too; a server sees to that itself."""

    def close(self) -> None:
        """Close it; may be called twice."""
