"""Events claimed: each is one process's to answer, and another's once that one is gone."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable, Sequence

from adapters.storage.database import Database, Run
from adapters.storage.keeper import Keeper
from adapters.storage.processes import runs
from adapters.storage.records import Claim, Shown

# Nobody answers for so long: whoever holds such a claim has lost it, whatever its process's number says.
ABANDONED_AFTER = 600.0
ATTEMPTS = 10


class Claims(Keeper):
    """The claims of this process, and of every other that shares the database."""

    def __init__(self, database: Database, keep_days: float = 90, clock: Callable[[], float] = time.time) -> None:
        super().__init__(database, keep_days, clock)
        self._instance = uuid.uuid4().hex
        self._host = socket.gethostname()

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
            (number,) = run(
                "INSERT INTO claims (platform, payload, host, process, instance, claimed) VALUES (?, ?, ?, ?, ?, ?)"
                " RETURNING id",
                (platform, payload, self._host, os.getpid(), self._instance, self._clock()),
            ).fetchall()[0]
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
                    " ON CONFLICT (platform, channel, origin)"
                    " DO UPDATE SET message = excluded.message, at = excluded.at",
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
        """Give a claim back unanswered, so that the next ``take_up`` gets it; unless ``spent``, as if never tried."""
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
