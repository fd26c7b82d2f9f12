"""Where the state is kept, as the setting names it -> the database there, with the store's tables in it."""

from __future__ import annotations

from pathlib import Path

from adapters.storage.database import Database
from adapters.storage.schema import MIGRATIONS
from adapters.storage.sqlite import SqliteDatabase


def open_database(place: Path | str) -> Database:
    """Return the database at ``place``; ``StoreError`` where it cannot be opened, or is none of the store's."""
    return SqliteDatabase(Path(place), MIGRATIONS)
