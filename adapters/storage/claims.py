"""Events claimed: each is one process's to answer, and another's once that one is gone."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from time import monotonic

from adapters.storage.database import Database, Run, StoreError
from adapters.storage.keeper import Keeper
from adapters.storage.postings import post
from adapters.storage.records import Claim, Posting, ReplyMessage
from retrieval import runs

# Nobody answers for so long: whoever holds such a claim has lost it, whatever its process's number says.
ABANDONED_AFTER = 600.0
ATTEMPTS = 10
# Whoever works gives a sign of life with all that he does, and every half minute when there is nothing to do.
SILENT_AFTER = 120.0
BEAT_EVERY = 10.0


def edits(platform: str) -> str:
    """Return under what name edits of a platform's posted answers are claimed, apart from its events."""
    return f"{platform} edits"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a claim, and since when; ``instance`` is empty where it was given back."""

    host: str
    process: int
    instance: str
    claimed: float
    beats: int


class Claims(Keeper):
    """The claims of this process, and of every other that shares the database."""

    def __init__(self, database: Database, keep_days: float = 90, clock: Callable[[], float] = time.time) -> None:
        super().__init__(database, keep_days, clock)
        self._instance = uuid.uuid4().hex
        self._host = socket.gethostname()
        self._beaten = -BEAT_EVERY
        self._heard: dict[str, tuple[int, float]] = {}  # of each elsewhere: its beats, and since when it has so many

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
            self._beat(run)
            (number,) = run(
                "INSERT INTO claims (platform, payload, host, process, instance, claimed) VALUES (?, ?, ?, ?, ?, ?)"
                " RETURNING id",
                (platform, payload, self._host, os.getpid(), self._instance, self._clock()),
            ).fetchall()[0]
            rows = [(platform, key, number) for key in dict.fromkeys(keys)]
            values = ", ".join(["(?, ?, ?)"] * len(rows))
            run(f"INSERT INTO claim_keys (platform, key, claim) VALUES {values}", tuple(chain(*rows)))  # noqa: S608
            return Claim(number, platform, payload)

    def claim_anew(self, platform: str, key: str, seconds: float) -> Claim | None:
        """Claim what may be done again ``seconds`` after it was last; ``None`` where that is less long ago."""
        with self._transaction() as run:
            run(
                "DELETE FROM claims WHERE platform = ? AND claimed <= ?"
                " AND id IN (SELECT claim FROM claim_keys WHERE platform = ? AND key = ?)",
                (platform, self._clock() - seconds, platform, key),
            )
        return self.claim(platform, [key])

    def is_finished(self, platform: str, key: str) -> bool:
        """Return whether an event that was claimed under ``key`` is dealt with."""
        with self._reading() as run:
            found = run(
                "SELECT 1 FROM claim_keys JOIN claims ON claims.id = claim_keys.claim"
                " WHERE claim_keys.platform = ? AND key = ? AND finished IS NOT NULL",
                (platform, key),
            )
            return found.fetchone() is not None

    def claim_edit(self, platform: str, channel: str, message: str) -> Claim | None:
        """Claim a posted answer for who edits it; ``None`` while somebody else does. Its payload says which it is."""
        place = json.dumps([channel, message])
        self._end_forgotten(platform)
        return self.claim(edits(platform), [place], place)

    def _end_forgotten(self, platform: str) -> None:
        """Give up this process's own edits that it could not end in time: no correction is to wait for ever."""
        with self._transaction() as run:
            run(
                "DELETE FROM claims WHERE platform = ? AND instance = ? AND claimed < ?",
                (edits(platform), self._instance, self._clock() - ABANDONED_AFTER),
            )

    def delete_claim(self, claim: Claim) -> None:
        """Give a posted answer to whoever edits it next."""
        with self._transaction() as run:
            run("DELETE FROM claims WHERE id = ?", (claim.id,))

    def finish(self, claim: Claim, shown: ReplyMessage | None = None, posting: Posting | None = None) -> None:
        """Note that the event is answered, and where that is shown; it is not taken up again, its payload forgotten.

        ``posting`` is the message as one that can be edited later, where it shows an answer to all.
        """
        with self._transaction() as run:
            self._beat(run)
            run("UPDATE claims SET finished = ?, payload = '' WHERE id = ?", (self._clock(), claim.id))
            if shown:
                run(
                    "INSERT INTO shown (platform, channel, origin, message, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (platform, channel, origin)"
                    " DO UPDATE SET message = excluded.message, at = excluded.at",
                    (claim.platform, shown.channel, shown.origin, shown.message, self._clock()),
                )
                run(  # what it showed before, it shows no more
                    "DELETE FROM postings WHERE platform = ? AND channel = ? AND message = ?",
                    (claim.platform, shown.channel, shown.message),
                )
            if posting:
                post(run, claim.platform, posting, self._clock())

    def shown_for(self, platform: str, channel: str, origin: str) -> str | None:
        """Return the message that shows the answer to the message ``origin``."""
        with self._reading() as run:
            row = run(
                "SELECT message FROM shown WHERE platform = ? AND channel = ? AND origin = ?",
                (platform, channel, origin),
            ).fetchone()
            return str(row[0]) if row else None

    def release(self, claim: Claim, *, spent: bool = True) -> None:
        """Release a claim unanswered for the next ``take_up``; unless ``spent``, the attempt does not count."""
        with self._transaction() as run:
            self._beat(run)
            run(
                "UPDATE claims SET instance = '', process = 0, attempts = attempts - ? WHERE id = ?",
                (int(not spent), claim.id),
            )

    def take_up(self, platform: str) -> tuple[Claim, ...]:
        """Make this process the owner of all claims that nobody works on any more, oldest first.

        A claim that was taken up ``ATTEMPTS`` times in vain is finished instead: it may be what brings us down.
        """
        with self._hearing(), self._transaction() as run:
            self._beat(run)
            rows = run(
                "SELECT id, payload, attempts, host, process, claims.instance, claimed, coalesce(beats, 0) FROM claims"
                " LEFT JOIN workers ON workers.instance = claims.instance"
                " WHERE platform = ? AND finished IS NULL ORDER BY id",
                (platform,),
            ).fetchall()
            owned = [
                (Claim(number, platform, payload, attempts + 1), Owner(*owner))
                for number, payload, attempts, *owner in rows
            ]
            self._listen({owner.instance: owner.beats for _, owner in owned})
            taken = [claim for claim, owner in owned if self._lost(owner)]
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

    def _beat(self, run: Run) -> None:
        """Record a sign of life for the processes on other machines, now and then."""
        if monotonic() - self._beaten < BEAT_EVERY:
            return
        self._beaten = monotonic()
        run(
            "INSERT INTO workers (instance, beats, at) VALUES (?, 1, ?)"
            " ON CONFLICT (instance) DO UPDATE SET beats = workers.beats + 1, at = excluded.at",
            (self._instance, self._clock()),
        )

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        """Start counting silence anew where the database fails: nobody can be heard meanwhile."""
        try:
            yield
        except StoreError:
            self._heard.clear()
            raise

    def _listen(self, beats: Mapping[str, int]) -> None:
        """Note since when each has given no sign of life, by this process's own clock: other clocks differ."""
        now = monotonic()
        before = self._heard
        self._heard = {
            instance: before[instance] if before.get(instance, (-1, 0.0))[0] == number else (number, now)
            for instance, number in beats.items()
        }

    def _lost(self, owner: Owner) -> bool:
        if owner.instance == self._instance:
            return False
        if self._clock() - owner.claimed > ABANDONED_AFTER:
            return True
        if owner.host != self._host:
            return not owner.instance or monotonic() - self._heard[owner.instance][1] > SILENT_AFTER
        # in a container every process has the same number, and ours cannot be two processes' at once
        return owner.process == os.getpid() or not runs(owner.process)
