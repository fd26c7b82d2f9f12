"""What must outlast a restart: events claimed, threads, answers given, feedback, standing questions.

In come plain values of any platform, out the frozen nouns of ``records``.
A ``Store`` may be used by several threads, and its database by several processes at once.
Every failure of the database is a ``StoreError`` with a sentence for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from platformdirs import user_data_path

from adapters.storage.answers import Answers
from adapters.storage.claims import Claims
from adapters.storage.database import Database, StoreError
from adapters.storage.postings import Postings
from adapters.storage.records import AnswerRecord, Claim, Opinion, Posting, ReplyMessage
from adapters.storage.schema import MIGRATIONS
from adapters.storage.sqlite import SqliteDatabase
from adapters.storage.watches import Watches

if TYPE_CHECKING:
    from adapters.settings import Settings


SERVERS = ("postgresql://", "postgres://")


def open_database(place: Path | str, *, read_only: bool = False) -> Database:
    """Return the database at ``place``, a file's path or an address of PostgreSQL; ``read_only`` as for a file.

    Raises ``StoreError`` where it cannot be opened, or is none of the store's.
    """
    if not is_server_address(place):
        return SqliteDatabase(Path(place), MIGRATIONS, read_only=read_only)
    try:
        from adapters.storage.postgres import PostgresDatabase  # noqa: PLC0415 - its library is an extra
    except ImportError as error:
        raise StoreError("STET_STATE is PostgreSQL's: in the checkout, pip install -e '.[postgres]'.") from error
    return PostgresDatabase(str(place), MIGRATIONS)


def is_server_address(place: Path | str) -> bool:
    """Return whether a place is the address of a server, and not a file's path."""
    return str(place).startswith(SERVERS)


__all__ = ["Claim", "Given", "Opinion", "Posting", "Shown", "Store", "StoreError", "default_path"]


class Store(Claims, Answers, Postings, Watches):
    """What is kept at ``place``, made where there is nothing; nothing in it grows older than ``keep_days``.

    Raises ``StoreError`` where it cannot be opened, is no store, or was written by a newer version.
    """

    def __init__(
        self,
        place: Path | str,
        keep_days: float = 90,
        clock: Callable[[], float] = time.time,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(open_database(place, read_only=read_only), keep_days, clock)

    @classmethod
    def of(cls, settings: Settings, *, read_only: bool = False) -> Self:
        """Return the one that the settings name; with ``read_only``, also one that can't be written."""
        return cls(settings.state or default_path(), settings.keep_days, read_only=read_only)

    def remember_question(self, platform: str, channel: str, thread: str, question: str, shown: str = "") -> None:
        """Keep the last question of a thread; an empty one only notes that the bot takes part in it.

        ``shown`` is the state of what was shown there last; an empty one leaves what was kept.
        """
        with self._transaction() as run:
            run(
                "INSERT INTO threads (platform, channel, thread, question, at, shown) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (platform, channel, thread) DO UPDATE SET question = excluded.question, at = excluded.at"
                " WHERE excluded.question <> ''",
                (platform, channel, thread, question, self._clock(), shown),
            )
            if shown:
                run(
                    "UPDATE threads SET shown = ? WHERE platform = ? AND channel = ? AND thread = ?",
                    (shown, platform, channel, thread),
                )

    def last_shown(self, platform: str, channel: str, thread: str) -> str:
        """Return the state of what was shown last in a thread; empty where nothing was."""
        with self._reading() as run:
            row = run(
                "SELECT shown FROM threads WHERE platform = ? AND channel = ? AND thread = ?",
                (platform, channel, thread),
            ).fetchone()
            return str(row[0]) if row else ""

    def forget_thread(self, platform: str, channel: str, thread: str) -> None:
        """Stop taking part in a thread."""
        with self._transaction() as run:
            run(
                "DELETE FROM threads WHERE platform = ? AND channel = ? AND thread = ?",
                (platform, channel, thread),
            )

    def last_question(self, platform: str, channel: str, thread: str, within: float | None = None) -> str | None:
        """Return a thread's last question ``within`` so many seconds, "" where none led on; ``None`` without any."""
        since = self._clock() - within if within is not None else 0.0
        with self._reading() as run:
            row = run(
                "SELECT question FROM threads WHERE platform = ? AND channel = ? AND thread = ? AND at >= ?",
                (platform, channel, thread, since),
            ).fetchone()
            return str(row[0]) if row else None

    def save_fact(self, name: str, value: str) -> None:
        """Keep one short text under a name, in place of the one before; facts do not age."""
        with self._transaction() as run:
            run(
                "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, value),
            )

    def fact(self, name: str) -> str | None:
        """Return what was kept under a name."""
        with self._reading() as run:
            row = run("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
            return str(row[0]) if row else None


def default_path() -> Path:
    """Return where it is unless the settings say otherwise: a file in the person's data directory."""
    return user_data_path("stet") / "stet.sqlite"
