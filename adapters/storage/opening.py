"""Where the state is kept, as the setting names it -> the database there, with the store's tables in it."""

from __future__ import annotations

from pathlib import Path

from adapters.storage.database import Database, StoreError
from adapters.storage.schema import MIGRATIONS
from adapters.storage.sqlite import SqliteDatabase

SERVERS = ("postgresql://", "postgres://")


def open_database(place: Path | str) -> Database:
    """Return the database at ``place``, a file's path or an address of PostgreSQL.

    Raises ``StoreError`` where it cannot be opened, or is none of the store's.
    """
    if not is_served(place):
        return SqliteDatabase(Path(place), MIGRATIONS)
    try:
        from adapters.storage.postgres import PostgresDatabase  # noqa: PLC0415 - its library is an extra
    except ImportError as error:
        raise StoreError("STET_STATE is PostgreSQL's: in the checkout, pip install -e '.[postgres]'.") from error
    return PostgresDatabase(str(place), MIGRATIONS)


def is_served(place: Path | str) -> bool:
    """Return whether a place is the address of a server, and not a file's path."""
    return str(place).startswith(SERVERS)
