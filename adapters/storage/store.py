"""Everything that must outlast a restart: claims of events, threads, answers, feedback, standing questions.

A ``Store`` may be used by several threads, and its database by several processes at once.
Every failure of the database is a ``StoreError`` with a sentence for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Self

from platformdirs import user_data_path

from adapters.storage.answers import Answers
from adapters.storage.claims import Claims
from adapters.storage.database import Database, StoreError, Table
from adapters.storage.records import AnswerRecord, Claim, News, Opinion, Posting, ReplyMessage, Watch
from adapters.storage.schema import MIGRATIONS
from adapters.storage.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from adapters.settings import Settings

__all__ = ["AnswerRecord", "Claim", "Opinion", "Posting", "ReplyMessage", "Store", "StoreError", "default_path"]

SERVER_SCHEMES = ("postgresql://", "postgres://")
THREAD = "platform = ? AND channel = ? AND thread = ?"
MAX_WATCHES = 20  # standing questions of a channel or a thread
HOUR_SECONDS = 3600.0
WATCH = "watches.id, platform, workspace, channel, person, words, since, thread"


def open_database(place: Path | str, *, read_only: bool = False) -> Database:
    """Open the database at ``place``, a file's path or an address of PostgreSQL; ``read_only`` as for a file.

    Raises ``StoreError`` where it cannot be opened, or is not the store's.
    """
    if not is_server_address(place):
        return SqliteDatabase(Path(place), MIGRATIONS, read_only=read_only)
    try:
        from adapters.storage.postgres import PostgresDatabase  # noqa: PLC0415 - its library is an extra
    except ImportError as error:
        raise StoreError("STET_STATE is PostgreSQL's: in the checkout, pip install -e '.[postgres]'.") from error
    return PostgresDatabase(str(place), MIGRATIONS)


def is_server_address(place: Path | str) -> bool:
    return str(place).startswith(SERVER_SCHEMES)


def default_path() -> Path:
    """Return the file that is used unless the settings name another: one in the person's data directory."""
    return user_data_path("stet") / "stet.sqlite"


class Threads(Table):
    """The last question of each thread, and what was shown there last."""

    def remember_question(self, platform: str, channel: str, thread: str, question: str, shown: str = "") -> None:
        """Record the last question of a thread; an empty one only notes that the bot takes part in it.

        ``shown`` is the state of what was shown there last; an empty one leaves the state before.
        """
        with self._transaction() as run:
            run(
                "INSERT INTO threads (platform, channel, thread, question, at, shown) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (platform, channel, thread) DO UPDATE SET question = excluded.question, at = excluded.at"
                " WHERE excluded.question <> ''",
                (platform, channel, thread, question, self._clock(), shown),
            )
            if shown:
                update = f"UPDATE threads SET shown = ?, at = ? WHERE {THREAD}"  # noqa: S608
                run(update, (shown, self._clock(), platform, channel, thread))

    def last_shown(self, platform: str, channel: str, *threads: str) -> str:
        """Return the state of what was shown last in a thread, or in the latest of several; empty where nothing was."""
        query = f"SELECT at, shown FROM threads WHERE {THREAD} AND shown <> ''"  # noqa: S608
        rows = [row for thread in threads if (row := self._row(query, platform, channel, thread))]
        return str(max(rows)[1]) if rows else ""

    def forget_thread(self, platform: str, channel: str, thread: str) -> None:
        """Stop taking part in a thread."""
        self._write(f"DELETE FROM threads WHERE {THREAD}", platform, channel, thread)  # noqa: S608

    def last_question(self, platform: str, channel: str, thread: str, within: float | None = None) -> str | None:
        """Return a thread's last question of the last ``within`` seconds.

        "" where none can be followed on, ``None`` where the bot takes no part.
        """
        since = self._clock() - within if within is not None else 0.0
        statement = f"SELECT question FROM threads WHERE {THREAD} AND at >= ?"  # noqa: S608
        row = self._row(statement, platform, channel, thread, since)
        return str(row[0]) if row else None


class Watches(Table):
    """Standing questions, and the news on each."""

    def add_watch(self, watch: Watch) -> bool:
        """Add a standing question, the same one of a channel once; return False where the channel has too many."""
        place = (watch.platform, watch.channel, watch.thread)
        with self._transaction() as run:
            words = {row[0] for row in run(f"SELECT words FROM watches WHERE {THREAD}", place).fetchall()}  # noqa: S608
            if watch.words in words:
                return True
            if len(words) >= MAX_WATCHES:
                return False
            run(
                "INSERT INTO watches (platform, channel, thread, workspace, person, words, since, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*place, watch.workspace, watch.person, watch.words, watch.since, self._clock()),
            )
            return True

    def watches(self, platform: str = "", channel: str = "") -> tuple[Watch, ...]:
        """Return the standing questions in order; of one platform, and one channel or thread, where these are named."""
        watches = (Watch(*row) for row in self._rows(f"SELECT {WATCH} FROM watches ORDER BY id"))  # noqa: S608
        return tuple(w for w in watches if platform in ("", w.platform) and channel in ("", w.target))

    def remove_watch(self, number: int) -> None:
        """Delete a standing question and the news on it."""
        with self._transaction() as run:
            run("DELETE FROM news WHERE watch = ?", (number,))
            run("DELETE FROM watches WHERE id = ?", (number,))

    def add_news(self, watch: int, mark: str, article: str, places: str) -> None:
        """Record that an article has news on a standing question; the same ``mark``, its words, is no news twice."""
        with self._transaction() as run:
            if run("SELECT 1 FROM watches WHERE id = ?", (watch,)).fetchone():  # it may have been removed meanwhile
                run(
                    "INSERT INTO news (watch, mark, article, places, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (watch, mark) DO NOTHING",
                    (watch, mark, article, places, self._clock()),
                )

    def delete_news(self, articles: Collection[str]) -> None:
        """Delete the news from these articles."""
        with self._transaction() as run:
            for article in articles:
                run("DELETE FROM news WHERE article = ?", (article,))

    def pending_news(self, platform: str) -> tuple[News, ...]:
        """Return the news that is not delivered yet, oldest first."""
        rows = self._rows(
            f"SELECT {WATCH}, mark, article, places FROM news JOIN watches ON watches.id = news.watch"  # noqa: S608
            " WHERE platform = ? AND told IS NULL ORDER BY news.at, watches.id, article",
            platform,
        )
        return tuple(News(Watch(*row[:-3]), *row[-3:]) for row in rows)

    def recent_news_count(self, platform: str, channel: str) -> int:
        """Return how many messages with news a channel or thread got within the hour."""
        row = self._row(
            "SELECT count(DISTINCT told) FROM news JOIN watches ON watches.id = news.watch"
            " WHERE platform = ? AND coalesce(nullif(thread, ''), channel) = ? AND told > ?",
            platform,
            channel,
            self._clock() - HOUR_SECONDS,
        )
        return int(row[0])

    def mark_news_delivered(self, news: Collection[News]) -> None:
        """Record that these were delivered, in one message."""
        with self._transaction() as run:
            now = self._clock()
            for each in news:
                run("UPDATE news SET told = ? WHERE watch = ? AND mark = ?", (now, each.watch.id, each.mark))


class Store(Claims, Answers, Threads, Watches):
    """The state at ``place``, made where there is none; nothing in it grows older than ``keep_days``.

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
        """Open the one that the settings name; with ``read_only``, also one that can't be written."""
        return cls(settings.state or default_path(), settings.keep_days, read_only=read_only)

    def save_fact(self, name: str, value: str) -> None:
        """Record one short text under a name, in place of the one before; facts do not age."""
        self._write(
            "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            value,
        )

    def fact(self, name: str) -> str | None:
        row = self._row("SELECT value FROM facts WHERE name = ?", name)
        return str(row[0]) if row else None
