"""The feeds that an archive follows, as rows: when each is due again, what it answered, what its items were like."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.archive.lasting.database import ArchiveFile


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed: its marks, the time at which it is due, how often it failed on end and why, and when it last had news."""

    url: str
    due: float
    etag: str = ""
    modified: str = ""
    failures: int = 0
    trouble: str = ""
    news: float | None = None


COLUMNS = "url, due, etag, modified, failures, trouble, news"


class Subscriptions:
    """The feeds in the file of an archive."""

    def __init__(self, file: ArchiveFile) -> None:
        self._file = file

    def every(self) -> tuple[Subscription, ...]:
        """Return all feeds, the one that is due first in front."""
        with self._file.reading() as run:
            return tuple(Subscription(*row) for row in run(f"SELECT {COLUMNS} FROM feeds ORDER BY due, url"))

    def put(self, feed: Subscription) -> None:
        """Follow a feed."""
        values = (feed.url, feed.due, feed.etag, feed.modified, feed.failures, feed.trouble, feed.news)
        with self._file.writing() as run:
            run(f"INSERT OR REPLACE INTO feeds ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def note(self, feed: Subscription) -> None:
        """Note what became of a feed, if it is followed still."""
        values = (feed.due, feed.etag, feed.modified, feed.failures, feed.trouble, feed.news, feed.url)
        with self._file.writing() as run:
            run("UPDATE feeds SET due=?, etag=?, modified=?, failures=?, trouble=?, news=? WHERE url = ?", values)

    def take(self, feed: Subscription, until: float) -> bool:
        """Have everybody else wait ``until`` that time; return False where it was taken, or is followed no longer."""
        with self._file.writing() as run:
            return bool(run("UPDATE feeds SET due = ? WHERE url = ? AND due = ?", (until, feed.url, feed.due)).rowcount)

    def remove(self, url: str) -> bool:
        """Follow a feed no longer; tell whether it was followed."""
        with self._file.writing() as run:
            return bool(run("DELETE FROM feeds WHERE url = ?", (url,)).rowcount)

    def mark(self, url: str) -> str | None:
        """Return with what a feed marked a page when it was last read; None where it never was."""
        with self._file.reading() as run:
            row = run("SELECT mark FROM pages WHERE url = ?", (url,)).fetchone()
        return str(row[0]) if row else None

    def set_mark(self, url: str, mark: str) -> None:
        """Note with what a feed marked a page that was read."""
        with self._file.writing() as run:
            run("INSERT OR REPLACE INTO pages VALUES (?, ?)", (url, mark))
