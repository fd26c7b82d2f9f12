"""Everything that must outlast a restart: claims of events, threads, answers, feedback, standing questions.

A ``Store`` may be used by several threads, and its database by several processes at once.
Every failure of the database is a ``StoreError`` with a sentence for people.
"""

import json
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from platformdirs import user_data_path

from adapters.settings import Settings
from adapters.storage.claims import POSTED_MESSAGE, Claim, Claims, Clock, Posting, ReplyMessage, delete_posting
from adapters.storage.database import Database, RunStatement, SqliteDatabase, StoreError, insert, upsert

__all__ = ["Claim", "Posting", "ReplyMessage", "StoreError"]  # those that come from elsewhere

SERVER_SCHEMES = ("postgresql://", "postgres://")
POSTING = "channel, message, postings.answer, origin, appearance, mark"
THREAD = "platform = ? AND channel = ? AND thread = ?"
ONCE = "ON CONFLICT DO NOTHING"
CARD = "card"  # the appearance of the card of a link
MAX_WATCHES = 20  # standing questions of a channel or a thread
HOUR_SECONDS = 3600.0
WATCH = "watches.id, platform, workspace, channel, person, words, since, thread"


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer that was sent: the question, the reply as JSON, the digests of the articles quoted, where and to whom.

    ``at`` is in seconds since 1970; at 0, the store puts in the moment of recording. ``previous`` is the question that
    this one followed on, ``program`` the version that answered, ``shown`` the state of the extracts shown before.
    ``sources`` and ``since`` (a day) are the bounds of the articles that were asked; None where there were none.
    ``unasked`` is 1 for the answer to a line that was not addressed to the bot, else 0.
    """

    platform: str
    asker: str
    question: str
    reply: str
    digests: tuple[str, ...] = ()
    workspace: str | None = None
    channel: str | None = None
    thread: str | None = None
    at: float = 0.0
    previous: str | None = None
    program: str = ""
    shown: str = ""
    sources: tuple[str, ...] | None = None
    since: str | None = None
    unasked: int = 0


@dataclass(frozen=True, slots=True)
class Opinion:
    answer: int
    person: str
    right: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """A standing question of a channel: who asked for it, and the archive's last arrival before that.

    ``thread`` is where news is posted if not in the channel itself, whose rules apply there too.
    """

    id: int
    platform: str
    workspace: str | None
    channel: str
    person: str
    words: str
    since: int
    thread: str = ""

    @property
    def target(self) -> str:
        """The id of the channel or thread where news is posted."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class News:
    """An article with news on a standing question: the state of its sentences, and a ``mark`` for their words."""

    watch: Watch
    mark: str
    article: str
    places: str


FIELDS = tuple(field.name for field in fields(AnswerRecord))
SELECTED = ", ".join(f"answers.{field}" for field in FIELDS)


def open_database(place: Path | str, *, read_only: bool = False) -> Database:
    """Open the database at ``place``, a file's path or an address of PostgreSQL; ``read_only`` as for a file.

    Raises ``StoreError`` where it cannot be opened, or is not the store's.
    """
    if not is_server_address(place):
        return SqliteDatabase(Path(place), read_only=read_only)
    try:
        from adapters.storage.postgres import PostgresDatabase  # noqa: PLC0415 - its library is an extra
    except ImportError as error:
        raise StoreError("STET_STATE is PostgreSQL's: pip install -c constraints.txt -e '.[postgres]'.") from error
    return PostgresDatabase(str(place))


def is_server_address(place: Path | str) -> bool:
    return str(place).startswith(SERVER_SCHEMES)


def default_path() -> Path:
    """Return the file that is used unless the settings name another: one in the person's data directory."""
    return user_data_path("stet") / "stet.sqlite"


class Store(Claims):
    """The state at ``place``, made where there is none; nothing in it grows older than ``keep_days``.

    Raises ``StoreError`` where it cannot be opened, is no store, or was made by another version.
    """

    def __init__(
        self, place: Path | str, keep_days: float = 90, clock: Clock = time.time, *, read_only: bool = False
    ) -> None:
        super().__init__(open_database(place, read_only=read_only), keep_days, clock)

    @classmethod
    def of(cls, settings: Settings, *, read_only: bool = False) -> Self:
        """Open the one that the settings name; with ``read_only``, also one that can't be written."""
        return cls(settings.state or default_path(), settings.keep_days, read_only=read_only)

    def save_fact(self, name: str, value: str) -> None:
        with self._transaction() as run:
            upsert(run, "facts", ("name",), name=name, value=value)

    def fact(self, name: str) -> str | None:
        row = self._row("SELECT value FROM facts WHERE name = ?", name)
        return str(row[0]) if row else None

    # -- answers and the messages that show them ----------------------------------------------------------------

    def record_answer(self, record: AnswerRecord) -> int:
        """Return the answer's number, which feedback and the audit refer to."""
        return self.record_answers((record,))[0]

    def record_answers(self, records: Sequence[AnswerRecord]) -> tuple[int, ...]:
        numbers = []
        with self._transaction() as run:
            for record in records:
                values = asdict(record) | {"digests": json.dumps(record.digests), "at": record.at or self._clock()}
                values["sources"] = json.dumps(record.sources) if record.sources is not None else None
                numbers.append(int(insert(run, "answers", "RETURNING id", **values).fetchall()[0][0]))
                self._cite(run, numbers[-1], record.digests)
        return tuple(numbers)

    def answer(self, number: int) -> AnswerRecord | None:
        row = self._row(f"SELECT {SELECTED} FROM answers WHERE id = ?", number)  # noqa: S608
        return _record(row) if row else None

    def has_asked(self, platform: str, channel: str, thread: str, asker: str) -> bool:
        """Return whether somebody asked the bot in a thread and was answered; an empty one is the channel itself."""
        statement = (
            "SELECT 1 FROM answers WHERE platform = ? AND channel = ? AND coalesce(thread, '') = ? AND asker = ?"
            " AND unasked = 0"
        )
        return self._row(statement, platform, channel, thread, asker) is not None

    def last_answers(self, limit: int) -> tuple[tuple[int, AnswerRecord], ...]:
        rows = self._rows(f"SELECT id, {SELECTED} FROM answers ORDER BY id DESC LIMIT ?", limit)  # noqa: S608
        return tuple((int(number), _record(row)) for number, *row in rows)

    def record_opinion(self, opinion: Opinion) -> None:
        """Record an opinion in place of the same person's last; nothing is recorded where the answer is gone."""
        with self._transaction() as run:
            if run("SELECT 1 FROM answers WHERE id = ?", (opinion.answer,)).fetchone():
                values = asdict(opinion) | {"verdict": int(opinion.right), "at": self._clock()}
                del values["right"]
                upsert(run, "feedback", ("answer", "person"), **values)

    def opinions(self) -> tuple[tuple[Opinion, AnswerRecord, float], ...]:
        rows = self._rows(
            f"SELECT feedback.answer, person, verdict, why, feedback.at, {SELECTED} FROM feedback"  # noqa: S608
            " JOIN answers ON answers.id = feedback.answer ORDER BY feedback.at DESC, feedback.answer"
        )
        return tuple(
            (Opinion(answer, person, bool(right), why), _record(row), float(at))
            for answer, person, right, why, at, *row in rows
        )

    def posting(self, platform: str, channel: str, message: str) -> Posting | None:
        row = self._row(f"SELECT {POSTING} FROM postings WHERE {POSTED_MESSAGE}", platform, channel, message)  # noqa: S608
        return Posting(*row) if row else None

    def postings_to_review(self, platform: str, digests: Collection[str]) -> tuple[Posting, ...]:
        """Return the postings that cite one of these versions, and those never reviewed, once each."""
        with self._database.reading() as run:
            new = f"SELECT {POSTING} FROM postings WHERE platform = ? AND fresh = 1 ORDER BY at"  # noqa: S608
            rows = run(new, (platform,)).fetchall()
            if digests:  # a thousand at the most, as many as the archive tells at a time
                citing = (
                    f"SELECT DISTINCT {POSTING}, postings.at FROM postings"  # noqa: S608
                    " JOIN citations ON citations.answer = postings.answer"
                    f" WHERE platform = ? AND digest IN ({','.join('?' * len(digests))}) ORDER BY postings.at"
                )
                rows += [row[:-1] for row in run(citing, (platform, *digests)).fetchall()]
            return tuple(dict.fromkeys(Posting(*row) for row in rows))

    def note_review(self, platform: str, posting: Posting, digests: Iterable[str], claim: Claim | None = None) -> None:
        """Record a posting's new ``mark`` and the versions it cites, and delete the claim on it.

        A message that shows another answer by now keeps its mark.
        """
        with self._transaction() as run:
            run(
                f"UPDATE postings SET mark = ?, fresh = 0 WHERE {POSTED_MESSAGE} AND answer = ?",  # noqa: S608
                (posting.mark, platform, posting.channel, posting.message, posting.answer),
            )
            self._cite(run, posting.answer, digests)
            _delete_claim(run, claim)

    def note_posting(self, platform: str, posting: Posting) -> None:
        with self._transaction() as run:
            self._insert_posting(run, platform, posting)

    def forget_posting(self, platform: str, channel: str, message: str, claim: Claim | None = None) -> None:
        """Delete the posting of a message that is gone or cannot be edited, and the claim on it."""
        with self._transaction() as run:
            delete_posting(run, platform, channel, message)
            _delete_claim(run, claim)

    def rewrite_answers(self, digest: str, rewrite: Callable[[str], str]) -> None:
        """Replace each stored reply that cites the version with this digest by what ``rewrite`` makes of it."""
        resting = "SELECT id, reply FROM answers JOIN citations ON answer = id WHERE digest = ? ORDER BY id"
        for number, reply in self._rows(resting, digest):
            if (left := rewrite(reply)) != reply:
                self._write("UPDATE answers SET reply = ? WHERE id = ?", left, number)

    def _cite(self, run: RunStatement, answer: int, digests: Iterable[str]) -> None:
        for digest in dict.fromkeys(digests):
            insert(run, "citations", ONCE, digest=digest, answer=answer, at=self._clock())

    # -- threads ------------------------------------------------------------------------------------------------

    def remember_question(self, platform: str, channel: str, thread: str, question: str, shown: str = "") -> None:
        """Record the last question of a thread; an empty one only notes that the bot takes part in it.

        ``shown`` is the state of what was shown there last; an empty one leaves the state before.
        """
        with self._transaction() as run:
            place = {"platform": platform, "channel": channel, "thread": thread}
            insert(run, "threads", ONCE, **place, question="", at=self._clock())
            for column, value in (("question", question), ("shown", shown)):
                if value:
                    update = f"UPDATE threads SET {column} = ?, at = ? WHERE {THREAD}"  # noqa: S608
                    run(update, (value, self._clock(), *place.values()))

    def last_shown(self, platform: str, channel: str, *threads: str) -> str:
        """Return the state of what was shown last in a thread, or in the latest of several; empty where nothing was."""
        query = f"SELECT at, shown FROM threads WHERE {THREAD} AND shown <> ''"  # noqa: S608
        rows = [row for thread in threads if (row := self._row(query, platform, channel, thread))]
        return str(max(rows)[1]) if rows else ""

    def forget_thread(self, platform: str, channel: str, thread: str) -> None:
        self._write(f"DELETE FROM threads WHERE {THREAD}", platform, channel, thread)  # noqa: S608

    def last_question(self, platform: str, channel: str, thread: str, within: float | None = None) -> str | None:
        """Return a thread's last question of the last ``within`` seconds.

        "" where none can be followed on, ``None`` where the bot takes no part.
        """
        since = self._clock() - within if within is not None else 0.0
        statement = f"SELECT question FROM threads WHERE {THREAD} AND at >= ?"  # noqa: S608
        row = self._row(statement, platform, channel, thread, since)
        return str(row[0]) if row else None

    # -- standing questions -------------------------------------------------------------------------------------

    def add_watch(self, watch: Watch) -> bool:
        """Add a standing question, the same one of a channel once; return False where the channel has too many."""
        place = (watch.platform, watch.channel, watch.thread)
        with self._transaction() as run:
            words = {row[0] for row in run(f"SELECT words FROM watches WHERE {THREAD}", place).fetchall()}  # noqa: S608
            if watch.words in words:
                return True
            if len(words) >= MAX_WATCHES:
                return False
            values = asdict(watch) | {"at": self._clock()}
            del values["id"]
            insert(run, "watches", **values)
            return True

    def watches(self, platform: str = "", channel: str = "") -> tuple[Watch, ...]:
        """Return the standing questions in order; of one platform, and one channel or thread, where these are named."""
        watches = (Watch(*row) for row in self._rows(f"SELECT {WATCH} FROM watches ORDER BY id"))  # noqa: S608
        return tuple(w for w in watches if platform in ("", w.platform) and channel in ("", w.target))

    def remove_watch(self, number: int) -> None:
        with self._transaction() as run:
            run("DELETE FROM news WHERE watch = ?", (number,))
            run("DELETE FROM watches WHERE id = ?", (number,))

    def add_news(self, watch: int, mark: str, article: str, places: str) -> None:
        """Record that an article has news on a standing question; the same ``mark``, its words, is no news twice."""
        with self._transaction() as run:
            if run("SELECT 1 FROM watches WHERE id = ?", (watch,)).fetchone():  # it may have been removed meanwhile
                insert(run, "news", ONCE, watch=watch, mark=mark, article=article, places=places, at=self._clock())

    def delete_news(self, articles: Collection[str]) -> None:
        with self._transaction() as run:
            for article in articles:
                run("DELETE FROM news WHERE article = ?", (article,))

    def pending_news(self, platform: str) -> tuple[News, ...]:
        rows = self._rows(
            f"SELECT {WATCH}, mark, article, places FROM news JOIN watches ON watches.id = news.watch"  # noqa: S608
            " WHERE platform = ? AND delivered IS NULL ORDER BY news.at, watches.id, article",
            platform,
        )
        return tuple(News(Watch(*row[:-3]), *row[-3:]) for row in rows)

    def recent_news_count(self, platform: str, channel: str) -> int:
        """Return how many messages with news a channel or thread got within the hour."""
        row = self._row(
            "SELECT count(DISTINCT delivered) FROM news JOIN watches ON watches.id = news.watch"
            " WHERE platform = ? AND coalesce(nullif(thread, ''), channel) = ? AND delivered > ?",
            platform,
            channel,
            self._clock() - HOUR_SECONDS,
        )
        return int(row[0])

    def mark_news_delivered(self, news: Collection[News]) -> None:
        with self._transaction() as run:
            now = self._clock()
            for each in news:
                run("UPDATE news SET delivered = ? WHERE watch = ? AND mark = ?", (now, each.watch.id, each.mark))


def _delete_claim(run: RunStatement, claim: Claim | None) -> None:
    if claim:
        run("DELETE FROM claims WHERE id = ?", (claim.id,))


def _record(row: Sequence[Any]) -> AnswerRecord:
    values = dict(zip(FIELDS, row, strict=True))
    values["digests"] = tuple(json.loads(values["digests"]))
    if values["sources"] is not None:
        values["sources"] = tuple(json.loads(values["sources"]))
    return AnswerRecord(**values)
