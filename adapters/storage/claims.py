"""Claims of events: each event is one process's to answer, and another's once that process is gone."""

import json
import os
import socket
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, Self

from adapters.storage.database import Database, RunStatement, StoreError, insert, upsert
from retrieval import runs

DAY_SECONDS = 86_400.0
SWEEP_EVERY_SECONDS = 3_600.0
# Platforms repeat an event for minutes, not for days: a claim need not last as long as an answer, nor less than this.
SHORTEST_CLAIM_SECONDS = DAY_SECONDS
DATED_TABLES = ("threads", "answers", "feedback", "shown", "workers", "postings", "citations", "news")
# An answer never takes this long: a claim this old is lost, even if its process number is in use.
ABANDONED_AFTER_SECONDS = 600.0
MAX_ATTEMPTS = 10
# A working process records a heartbeat with every call, and makes a call at least every half minute.
SILENT_AFTER_SECONDS = 120.0
HEARTBEAT_EVERY_SECONDS = 10.0
CLAIMED = "SELECT 1 FROM claim_keys JOIN claims ON id = claim WHERE claim_keys.platform = ? AND key = ?"
POSTED_MESSAGE = "platform = ? AND channel = ? AND message = ?"

Clock = Callable[[], float]  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Claim:
    """An event that this process alone answers; ``attempts`` counts the times it was taken up, from 1."""

    id: int
    platform: str
    payload: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that shows an answer to everybody and can be edited.

    ``origin`` is the message that asked, where one did. ``appearance`` is the platform's note of how it drew the
    answer, ``CARD`` for the card of a link. ``mark`` tells one edited state from the next; empty as it was posted.
    """

    channel: str
    message: str
    answer: int
    origin: str = ""
    appearance: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ReplyMessage:
    """The message ``message`` that answers the message ``origin`` in the same channel."""

    channel: str
    origin: str
    message: str


def edits(platform: str) -> str:
    """Return under what name edits of a platform's posted answers are claimed, apart from its events."""
    return f"{platform} edits"


class Claims:
    """The claims of every process that shares the database, in which nothing grows older than ``keep_days``."""

    def __init__(self, database: Database, keep_days: float = 90, clock: Clock = time.time) -> None:
        self._database = database
        self.close, self.clear_journal = database.close, database.checkpoint
        self._keep_seconds = keep_days * DAY_SECONDS
        self._clock = clock
        self._swept_at = 0.0
        self._instance = uuid.uuid4().hex
        self._host = socket.gethostname()
        self._last_heartbeat = -HEARTBEAT_EVERY_SECONDS
        # of each other process: its count of heartbeats, and since when that has not changed
        self._heartbeats: dict[str, tuple[int, float]] = {}
        if not database.read_only:
            self.sweep()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sweep(self) -> None:
        """Delete what is too old; called on opening, and hourly before any write."""
        with self._database.writing() as run:
            now = self._swept_at = self._clock()
            for table in DATED_TABLES:
                run(f"DELETE FROM {table} WHERE at < ?", (now - self._keep_seconds,))  # noqa: S608  (our own names)
            oldest_claim = now - max(self._keep_seconds, SHORTEST_CLAIM_SECONDS)
            run("DELETE FROM claims WHERE coalesce(finished, claimed) < ?", (oldest_claim,))

    def _row(self, statement: str, *values: object) -> Any:  # noqa: ANN401 - the columns are the statement's
        with self._database.reading() as run:
            return run(statement, values).fetchone()

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with self._database.reading() as run:
            rows: list[Any] = run(statement, values).fetchall()
            return rows

    def _write(self, statement: str, *values: object) -> None:
        with self._transaction() as run:
            run(statement, values)

    def _transaction(self) -> AbstractContextManager[RunStatement]:
        if self._clock() - self._swept_at >= SWEEP_EVERY_SECONDS:
            self.sweep()
        return self._database.writing()

    def claim(self, platform: str, keys: Sequence[str], payload: str = "") -> Claim | None:
        """Claim an event under every one of its ``keys``; ``None`` where any of them was claimed before.

        ``payload`` is all that is needed to answer it after a crash; it is deleted once the claim is finished.
        """
        with self._transaction() as run:
            marks = ",".join("?" * len(keys))
            known = f"SELECT 1 FROM claim_keys WHERE platform = ? AND key IN ({marks})"  # noqa: S608
            if run(known, (platform, *keys)).fetchone():
                return None
            self._record_heartbeat(run)
            owner = {"host": self._host, "process": os.getpid(), "instance": self._instance, "claimed": self._clock()}
            claimed = insert(run, "claims", "RETURNING id", platform=platform, payload=payload, **owner)
            number = claimed.fetchall()[0][0]
            for key in dict.fromkeys(keys):
                insert(run, "claim_keys", platform=platform, key=key, claim=number)
            return Claim(number, platform, payload)

    def claim_again(self, platform: str, key: str, seconds: float) -> Claim | None:
        """Claim what may be done again ``seconds`` after the last time; ``None`` where that is less long ago."""
        self._write(
            "DELETE FROM claims WHERE platform = ? AND claimed <= ?"
            " AND id IN (SELECT claim FROM claim_keys WHERE platform = ? AND key = ?)",
            platform,
            self._clock() - seconds,
            platform,
            key,
        )
        return self.claim(platform, [key])

    def is_claimed(self, platform: str, key: str) -> bool:
        return bool(self._rows(CLAIMED, platform, key))

    def is_finished(self, platform: str, key: str) -> bool:
        return bool(self._rows(f"{CLAIMED} AND finished IS NOT NULL", platform, key))

    def claim_edit(self, platform: str, channel: str, message: str) -> Claim | None:
        """Claim a posted answer to edit it; ``None`` while somebody else does. Its payload says which it is."""
        self._write(  # this process's own edits that it could not end in time: no correction is to wait for ever
            "DELETE FROM claims WHERE platform = ? AND instance = ? AND claimed < ?",
            edits(platform),
            self._instance,
            self._clock() - ABANDONED_AFTER_SECONDS,
        )
        place = json.dumps([channel, message])
        return self.claim(edits(platform), [place], place)

    def delete_claim(self, claim: Claim) -> None:
        self._write("DELETE FROM claims WHERE id = ?", claim.id)

    def finish(self, claim: Claim, message: ReplyMessage | None = None, posting: Posting | None = None) -> None:
        """Record that the event is answered, and by which message; its payload is deleted.

        ``posting`` is the message as one that can be edited later, where it shows an answer to everybody.
        """
        with self._transaction() as run:
            self._record_heartbeat(run)
            run("UPDATE claims SET finished = ?, payload = '' WHERE id = ?", (self._clock(), claim.id))
            if message:
                shown = asdict(message) | {"platform": claim.platform, "at": self._clock()}
                upsert(run, "shown", ("platform", "channel", "origin"), **shown)
                delete_posting(run, claim.platform, message.channel, message.message)
            if posting:
                self._insert_posting(run, claim.platform, posting)

    def shown_for(self, platform: str, channel: str, origin: str) -> str | None:
        statement = "SELECT message FROM shown WHERE platform = ? AND channel = ? AND origin = ?"
        row = self._row(statement, platform, channel, origin)
        return str(row[0]) if row else None

    def release(self, claim: Claim, *, spent: bool = True) -> None:
        """Release an unanswered claim for the next ``take_up``; unless ``spent``, the attempt does not count."""
        with self._transaction() as run:
            self._record_heartbeat(run)
            released = "UPDATE claims SET instance = '', process = 0, attempts = attempts - ? WHERE id = ?"
            run(released, (int(not spent), claim.id))

    def take_up(self, platform: str) -> tuple[Claim, ...]:
        """Make this process the owner of all claims that nobody works on any more, oldest first.

        A claim that was taken up ``MAX_ATTEMPTS`` times is finished instead: it may be what makes the process crash.
        """
        try:
            with self._transaction() as run:
                return self._take_up(run, platform)
        except StoreError:
            self._heartbeats.clear()  # no heartbeat could be seen meanwhile: count the silence from now on
            raise

    def _take_up(self, run: RunStatement, platform: str) -> tuple[Claim, ...]:
        self._record_heartbeat(run)
        rows = run(
            "SELECT id, payload, attempts, host, process, claims.instance, claimed, coalesce(heartbeats, 0) FROM claims"
            " LEFT JOIN workers ON workers.instance = claims.instance"
            " WHERE platform = ? AND finished IS NULL ORDER BY id",
            (platform,),
        ).fetchall()
        # since when each count has not changed, by this process's own clock: other clocks differ
        seen, before = monotonic(), self._heartbeats
        self._heartbeats = {
            instance: before[instance] if before.get(instance, (-1, 0.0))[0] == count else (count, seen)
            for *_, instance, _, count in rows
        }
        lost = [
            Claim(number, platform, payload, attempts + 1)
            for number, payload, attempts, host, process, instance, claimed, _ in rows
            if self._is_lost(host, process, instance, claimed)
        ]
        now = self._clock()
        for claim in lost:
            finished = None if claim.attempts <= MAX_ATTEMPTS else now
            run(
                "UPDATE claims SET host = ?, process = ?, instance = ?, attempts = ?, claimed = ?, finished = ?"
                " WHERE id = ?",
                (self._host, os.getpid(), self._instance, claim.attempts, now, finished, claim.id),
            )
        return tuple(claim for claim in lost if claim.attempts <= MAX_ATTEMPTS)

    def _record_heartbeat(self, run: RunStatement) -> None:
        if monotonic() - self._last_heartbeat < HEARTBEAT_EVERY_SECONDS:
            return
        self._last_heartbeat = monotonic()
        run(
            "INSERT INTO workers (instance, heartbeats, at) VALUES (?, 1, ?)"
            " ON CONFLICT (instance) DO UPDATE SET heartbeats = workers.heartbeats + 1, at = excluded.at",
            (self._instance, self._clock()),
        )

    def _is_lost(self, host: str, process: int, instance: str, claimed: float) -> bool:
        """Return whether nobody works on what a process claimed; without ``instance``, it was released."""
        if instance == self._instance:
            return False
        if self._clock() - claimed > ABANDONED_AFTER_SECONDS:
            return True
        if host != self._host:
            return not instance or monotonic() - self._heartbeats[instance][1] > SILENT_AFTER_SECONDS
        # process numbers repeat across containers, so our own number means that another process claimed it
        return process == os.getpid() or not runs(process)

    def _insert_posting(self, run: RunStatement, platform: str, posting: Posting) -> None:
        values = asdict(posting) | {"platform": platform, "mark": "", "fresh": 1, "at": self._clock()}
        upsert(run, "postings", ("platform", "channel", "message"), **values)


def delete_posting(run: RunStatement, platform: str, channel: str, message: str) -> None:
    run(f"DELETE FROM postings WHERE {POSTED_MESSAGE}", (platform, channel, message))  # noqa: S608
