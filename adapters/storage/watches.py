"""Standing questions, and what came in on each: told once, whoever finds it, and so many an hour in a channel."""

from __future__ import annotations

from collections.abc import Collection

from adapters.storage.keeper import Keeper
from adapters.storage.records import News, Watch

MOST = 20  # standing questions of a channel
HOUR = 3600.0
_COLUMNS = "watches.id, platform, workspace, channel, person, words, since, thread"


class Watches(Keeper):
    """The standing questions that are kept."""

    def add_watch(self, watch: Watch) -> bool:
        """Keep a standing question, the same one of a channel once; return False where there is no room for it."""
        place = (watch.platform, watch.channel, watch.thread)
        with self._transaction() as run:
            held = run("SELECT words FROM watches WHERE platform = ? AND channel = ? AND thread = ?", place).fetchall()
            if any(words == watch.words for (words,) in held):
                return True
            if len(held) >= MOST:
                return False
            run(
                "INSERT INTO watches (platform, channel, thread, workspace, person, words, since, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*place, watch.workspace, watch.person, watch.words, watch.since, self._clock()),
            )
            return True

    def watches(self, platform: str = "", channel: str = "") -> tuple[Watch, ...]:
        """Return the standing questions in order, of one platform and channel or thread where these are named."""
        with self._reading() as run:
            every = [Watch(*row) for row in run(f"SELECT {_COLUMNS} FROM watches ORDER BY id").fetchall()]  # noqa: S608  (our own names)
        return tuple(w for w in every if platform in ("", w.platform) and channel in ("", w.target))

    def remove_watch(self, number: int) -> None:
        """Forget a standing question, with what came in on it."""
        with self._transaction() as run:
            run("DELETE FROM news WHERE watch = ?", (number,))
            run("DELETE FROM watches WHERE id = ?", (number,))

    def add_news(self, watch: int, mark: str, article: str, places: str) -> None:
        """Note that an article has news on a standing question; what has the same ``mark``, its words, is none."""
        with self._transaction() as run:
            if run("SELECT 1 FROM watches WHERE id = ?", (watch,)).fetchone():  # ended meanwhile, or not
                run(
                    "INSERT INTO news (watch, mark, article, places, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (watch, mark) DO NOTHING",
                    (watch, mark, article, places, self._clock()),
                )

    def delete_news(self, articles: Collection[str]) -> None:
        """Forget that these articles had news."""
        with self._transaction() as run:
            for article in articles:
                run("DELETE FROM news WHERE article = ?", (article,))

    def remaining(self, platform: str) -> tuple[News, ...]:
        """Return what came in and was not told, oldest first."""
        with self._reading() as run:
            rows = run(
                f"SELECT {_COLUMNS}, mark, article, places FROM news JOIN watches ON watches.id = news.watch"  # noqa: S608
                " WHERE platform = ? AND told IS NULL ORDER BY news.at, watches.id, article",
                (platform,),
            ).fetchall()
            return tuple(News(Watch(*row[:-3]), *row[-3:]) for row in rows)

    def recent_news_count(self, platform: str, channel: str) -> int:
        """Return in how many messages a channel, or a thread, was told of news within the hour."""
        with self._reading() as run:
            row = run(
                "SELECT count(DISTINCT told) FROM news JOIN watches ON watches.id = news.watch"
                " WHERE platform = ? AND coalesce(nullif(thread, ''), channel) = ? AND told > ?",
                (platform, channel, self._clock() - HOUR),
            ).fetchone()
            return int(row[0])

    def mark_news_delivered(self, every: tuple[News, ...]) -> None:
        """Note that these were told, in one message."""
        with self._transaction() as run:
            now = self._clock()
            for each in every:
                run("UPDATE news SET told = ? WHERE watch = ? AND mark = ?", (now, each.watch.id, each.mark))
