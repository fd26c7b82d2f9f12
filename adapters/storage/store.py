"""What must outlast a restart, in one SQLite file: events claimed, threads, answers given, feedback.

In come plain values of any platform, out the frozen records below.
A ``Store`` may be used by several threads, and its file by several processes at once.
Every failure of the file is a ``StoreError`` with a sentence for people.
"""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from platformdirs import user_data_path

from adapters.storage.database import Database, Run, StoreError
from adapters.storage.processes import runs
from adapters.storage.records import Claim, Given, Opinion, Shown
from adapters.storage.schema import MIGRATIONS

__all__ = ["Claim", "Given", "Opinion", "Shown", "Store", "StoreError", "default_path"]

DAY = 86_400.0
SWEEP_EVERY = 3_600.0
# Platforms repeat an event for minutes, not for days; a claim need not be kept as long as an answer, nor shorter.
CLAIMS_AT_LEAST = DAY
# Nobody answers for so long: whoever holds such a claim has lost it, whatever its process's number says.
ABANDONED_AFTER = 600.0
ATTEMPTS = 10


class Store:
    """The file at ``path``, made where there is none; nothing in it grows older than ``keep_days``.

    Raises ``StoreError`` where it cannot be opened, is no store, or was written by a newer version.
    """

    def __init__(self, path: Path | str, keep_days: float = 90, clock: Callable[[], float] = time.time) -> None:
        self._keep = keep_days * DAY
        self._clock = clock
        self._instance = uuid.uuid4().hex
        self._host = socket.gethostname()
        self._database = Database(Path(path), MIGRATIONS)
        self._swept = 0.0
        self.sweep()

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def claim(self, platform: str, keys: Sequence[str], payload: str = "") -> Claim | None:
        """Claim an event under every one of its ``keys``; ``None`` where any of them was claimed before.

        ``payload`` is all that is needed to answer it after a crash; it is forgotten once the claim is finished.
        """
        with self._transaction() as run:
            marks = ",".join("?" * len(keys))
            # only question marks are put in
            known = f"SELECT 1 FROM claim_keys WHERE platform = ? AND key IN ({marks})"  # noqa: S608
            if run(known, (platform, *keys)).fetchone():
                return None
            row = run(
                "INSERT INTO claims (platform, payload, host, process, instance, claimed) VALUES (?, ?, ?, ?, ?, ?)",
                (platform, payload, self._host, os.getpid(), self._instance, self._clock()),
            )
            number = int(row.lastrowid or 0)
            for key in dict.fromkeys(keys):
                run("INSERT INTO claim_keys (platform, key, claim) VALUES (?, ?, ?)", (platform, key, number))
            return Claim(number, platform, payload)

    def finish(self, claim: Claim, shown: Shown | None = None) -> None:
        """Note that the event is answered, and where that is shown; it is not taken up again, its payload forgotten."""
        with self._transaction() as run:
            run("UPDATE claims SET finished = ?, payload = '' WHERE id = ?", (self._clock(), claim.id))
            if shown:
                run(
                    "INSERT INTO shown (platform, channel, origin, message, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET message = excluded.message, at = excluded.at",
                    (claim.platform, shown.channel, shown.origin, shown.message, self._clock()),
                )

    def shown_for(self, platform: str, channel: str, origin: str) -> str | None:
        """Return the message that shows the answer to the message ``origin``."""
        with self._transaction() as run:
            row = run(
                "SELECT message FROM shown WHERE platform = ? AND channel = ? AND origin = ?",
                (platform, channel, origin),
            ).fetchone()
            return str(row[0]) if row else None

    def release(self, claim: Claim, *, spent: bool = True) -> None:
        """Release a claim unanswered for the next ``take_up``; unless ``spent``, the attempt does not count."""
        with self._transaction() as run:
            run(
                "UPDATE claims SET instance = '', process = 0, attempts = attempts - ? WHERE id = ?",
                (int(not spent), claim.id),
            )

    def take_up(self, platform: str) -> tuple[Claim, ...]:
        """Make this process the owner of all claims that nobody works on any more, oldest first.

        A claim that was taken up ``ATTEMPTS`` times in vain is finished instead: it may be what brings us down.
        """
        with self._transaction() as run:
            rows = run(
                "SELECT id, payload, attempts, host, process, instance, claimed FROM claims"
                " WHERE platform = ? AND finished IS NULL ORDER BY id",
                (platform,),
            ).fetchall()
            taken = [
                Claim(n, platform, payload, attempts + 1) for n, payload, attempts, *owner in rows if self._lost(*owner)
            ]
            for claim in taken:
                self._take(run, claim)
            return tuple(c for c in taken if c.attempts <= ATTEMPTS)

    def _take(self, run: Run, claim: Claim) -> None:
        now = self._clock()
        run(
            "UPDATE claims SET host = ?, process = ?, instance = ?, attempts = ?, claimed = ?, finished = ?"
            " WHERE id = ?",
            (
                self._host,
                os.getpid(),
                self._instance,
                claim.attempts,
                now,
                None if claim.attempts <= ATTEMPTS else now,
                claim.id,
            ),
        )

    def _lost(self, host: str, process: int, instance: str, claimed: float) -> bool:
        if instance == self._instance:
            return False
        if self._clock() - claimed > ABANDONED_AFTER:
            return True
        # in a container every process has the same number, and ours cannot be two processes' at once
        return host == self._host and (process == os.getpid() or not runs(process))

    def remember_question(self, platform: str, channel: str, thread: str, question: str) -> None:
        """Keep the last question of a thread; an empty one only notes that the bot takes part in it."""
        with self._transaction() as run:
            run(
                "INSERT INTO threads (platform, channel, thread, question, at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET question = excluded.question, at = excluded.at"
                " WHERE excluded.question <> ''",
                (platform, channel, thread, question, self._clock()),
            )

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
        with self._transaction() as run:
            row = run(
                "SELECT question FROM threads WHERE platform = ? AND channel = ? AND thread = ? AND at >= ?",
                (platform, channel, thread, since),
            ).fetchone()
            return str(row[0]) if row else None

    def record_answer(self, given: Given) -> int:
        """Keep an answer; return its number, which feedback refers to."""
        with self._transaction() as run:
            row = run(
                "INSERT INTO answers"
                " (platform, workspace, channel, thread, asker, question, reply, digests, at, keepsake)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    given.platform,
                    given.workspace,
                    given.channel,
                    given.thread,
                    given.asker,
                    given.question,
                    given.reply,
                    json.dumps(given.digests),
                    given.at or self._clock(),
                    given.keepsake,
                ),
            )
            return int(row.lastrowid or 0)

    def answer(self, number: int) -> Given | None:
        """Return an answer by its number; ``None`` where there is none, or none any more."""
        with self._transaction() as run:
            row = run(
                "SELECT platform, asker, question, reply, digests, workspace, channel, thread, at, keepsake"
                " FROM answers WHERE id = ?",
                (number,),
            ).fetchone()
            return _given(row) if row else None

    def record_opinion(self, opinion: Opinion) -> None:
        """Keep what a person thinks of an answer there is, in place of what the same person thought before."""
        with self._transaction() as run:
            if not run("SELECT 1 FROM answers WHERE id = ?", (opinion.answer,)).fetchone():
                return
            run(
                "INSERT INTO feedback (answer, person, verdict, why, at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET verdict = excluded.verdict, why = excluded.why, at = excluded.at",
                (opinion.answer, opinion.person, opinion.right, opinion.why, self._clock()),
            )

    def opinions(self, answer: int) -> tuple[Opinion, ...]:
        """Return what was thought of an answer, by person."""
        with self._transaction() as run:
            rows = run(
                "SELECT person, verdict, why FROM feedback WHERE answer = ? ORDER BY person", (answer,)
            ).fetchall()
            return tuple(Opinion(answer, person, bool(right), why) for person, right, why in rows)

    def judged(self) -> tuple[tuple[Opinion, Given, float], ...]:
        """Return every opinion with the answer it is of and when it was given, newest first."""
        with self._transaction() as run:
            rows = run(
                "SELECT feedback.answer, person, verdict, why, feedback.at, platform, asker, question, reply, digests,"
                " workspace, channel, thread, answers.at, keepsake"
                " FROM feedback JOIN answers ON answers.id = feedback.answer ORDER BY feedback.at DESC, feedback.answer"
            ).fetchall()
            return tuple(
                (Opinion(row[0], row[1], bool(row[2]), row[3]), _given(row[5:]), float(row[4])) for row in rows
            )

    def keep_fact(self, name: str, value: str) -> None:
        """Keep one short text under a name, in place of the one before; facts do not age."""
        with self._transaction() as run:
            run(
                "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                (name, value),
            )

    def fact(self, name: str) -> str | None:
        """Return what was kept under a name."""
        with self._transaction() as run:
            row = run("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
            return str(row[0]) if row else None

    def sweep(self) -> None:
        """Delete all that is older than may be kept; called on opening, and hourly with any other call."""
        with self._database.transaction() as run:
            self._sweep(run)

    @contextmanager
    def _transaction(self) -> Iterator[Run]:
        with self._database.transaction() as run:
            if self._clock() - self._swept >= SWEEP_EVERY:
                self._sweep(run)
            yield run

    def _sweep(self, run: Run) -> None:
        now = self._clock()
        self._swept = now
        for table in ("threads", "answers", "feedback", "shown"):
            run(f"DELETE FROM {table} WHERE at < ?", (now - self._keep,))  # noqa: S608  (our own names)
        run("DELETE FROM claims WHERE coalesce(finished, claimed) < ?", (now - max(self._keep, CLAIMS_AT_LEAST),))


def default_path() -> Path:
    """Return where the file is unless the settings say otherwise: in the person's data directory."""
    return user_data_path("stet") / "stet.sqlite"


def _given(row: Sequence[Any]) -> Given:
    platform, asker, question, reply, digests, workspace, channel, thread, at, keepsake = row
    articles = tuple(json.loads(digests))
    return Given(platform, asker, question, reply, articles, workspace, channel, thread, at, keepsake)
