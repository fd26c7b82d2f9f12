"""The feeds that an archive follows, as rows: when each is due again, what it answered, what its items were like."""

from dataclasses import astuple, dataclass

from retrieval.archive.database import ArchiveFile

LEASE_SECONDS = 60.0
COLUMNS = "url, due, etag, modified, failures, trouble, news"
NOW = "(julianday('now') - 2440587.5) * 86400"  # seconds since 1970, by the clock of whoever asks
LEASE = f"""
    INSERT INTO facts VALUES ('follower', json_array(?1, {NOW} + {LEASE_SECONDS})) ON CONFLICT (name)
    DO UPDATE SET value = excluded.value WHERE json_extract(value, '$[0]') = ?1
    OR json_extract(value, '$[1]') NOT BETWEEN {NOW} AND {NOW} + {LEASE_SECONDS} + 1"""  # its text is rounded


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


class Subscriptions:
    def __init__(self, file: ArchiveFile) -> None:
        self._file = file

    def every(self) -> tuple[Subscription, ...]:
        return tuple(Subscription(*row) for row in self._file.rows(f"SELECT {COLUMNS} FROM feeds ORDER BY due, url"))

    def put(self, feed: Subscription) -> None:
        self._file.change(f"INSERT OR REPLACE INTO feeds ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", astuple(feed))

    def note(self, feed: Subscription) -> None:
        """Note what became of a feed, if it is followed still."""
        update = f"UPDATE feeds SET ({COLUMNS}) = (?, ?, ?, ?, ?, ?, ?) WHERE url = ?"
        self._file.change(update, (*astuple(feed), feed.url))

    def lease(self, follower: str) -> bool:
        """Have this follower alone check the feeds until ``LEASE_SECONDS`` from now; False where another one does."""
        return bool(self._file.change(LEASE, (follower,)))

    def release(self, follower: str) -> None:
        own = "name = 'follower' AND json_extract(value, '$[0]') = ?"
        self._file.change(f"DELETE FROM facts WHERE {own}", (follower,))

    def remove(self, url: str) -> bool:
        """Follow a feed no longer; tell whether it was followed."""
        return bool(self._file.change("DELETE FROM feeds WHERE url = ?", (url,)))

    def mark(self, url: str) -> str | None:
        """Return with what a feed marked a page when it was last read; None where it never was."""
        return next((str(mark) for (mark,) in self._file.rows("SELECT mark FROM pages WHERE url = ?", (url,))), None)

    def set_mark(self, url: str, mark: str) -> None:
        self._file.change("INSERT OR REPLACE INTO pages VALUES (?, ?)", (url, mark))
