"""The feeds that an archive follows, as rows: when each is due again, what it answered, what its items were like."""

from __future__ import annotations

import os
import socket
import uuid
from dataclasses import astuple, dataclass, replace

from retrieval.archive.database import ArchiveFile
from retrieval.processes import runs


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed: its marks, the time at which it is due, how often it failed on end and why, and when it last had news.

    ``looker`` is the process that looks at it, where one does: its number, what tells it from others, its machine.
    """

    url: str
    due: float
    etag: str = ""
    modified: str = ""
    failures: int = 0
    trouble: str = ""
    news: float | None = None
    looker: str = ""

    @property
    def is_left(self) -> bool:
        """Whether a process of this machine was looking at it that is no more."""
        if self.looker in {"", _LOOKER}:
            return False
        process, _, host = self.looker.split(" ", 2)
        # in a container every process has the same number, and ours cannot be two processes' at once
        return host == socket.gethostname() and (int(process) == os.getpid() or not runs(int(process)))


_LOOKER = f"{os.getpid()} {uuid.uuid4().hex} {socket.gethostname()}"
COLUMNS = "url, due, etag, modified, failures, trouble, news, looker"


class Subscriptions:
    """The feeds in the file of an archive."""

    def __init__(self, file: ArchiveFile) -> None:
        self._file = file

    def every(self) -> tuple[Subscription, ...]:
        with self._file.reading() as run:
            return tuple(Subscription(*row) for row in run(f"SELECT {COLUMNS} FROM feeds ORDER BY due, url"))

    def put(self, feed: Subscription) -> None:
        with self._file.writing() as run:
            run(f"INSERT OR REPLACE INTO feeds ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(feed))

    def note(self, feed: Subscription) -> None:
        """Note what became of a feed, if it is followed still."""
        values = (feed.due, feed.etag, feed.modified, feed.failures, feed.trouble, feed.news, feed.url)
        with self._file.writing() as run:
            run(
                "UPDATE feeds SET due=?, etag=?, modified=?, failures=?, trouble=?, news=?, looker='' WHERE url = ?",
                values,
            )

    def take(self, feed: Subscription, until: float) -> Subscription | None:
        """Have everybody else wait ``until`` that time, or until this process is no more.

        Return the feed as it is then; None where it was taken, or is followed no longer.
        """
        values = (until, _LOOKER, feed.url, feed.due, feed.looker)
        with self._file.writing() as run:
            taken = run("UPDATE feeds SET due = ?, looker = ? WHERE url = ? AND due = ? AND looker = ?", values)
        return replace(feed, due=until, looker=_LOOKER) if taken.rowcount else None

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
        with self._file.writing() as run:
            run("INSERT OR REPLACE INTO pages VALUES (?, ?)", (url, mark))
