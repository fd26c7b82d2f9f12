"""Claims of events: an event is one process's to answer, until its lease runs out.

Whoever works on a claim renews its lease. All times are the database's: the clocks of two machines may differ.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Self

from adapters.storage.database import Database, RunStatement, StoreError, insert, upsert
from adapters.storage.records import Claim, Posting, ReplyMessage

LEASE_SECONDS, RENEW_SECONDS = 30.0, 10.0
# An answer never takes this long: a claim this old is lost, even if its process is alive.
ABANDONED_AFTER_SECONDS = 600.0
MAX_ATTEMPTS = 10
POSTED_MESSAGE = "platform = ? AND channel = ? AND message = ?"
KEYED = "id IN (SELECT claim FROM claim_keys WHERE platform = ? AND key = ?)"


def edits(platform: str) -> str:
    """Return under what name edits of a platform's posted answers are claimed, apart from its events."""
    return f"{platform} edits"


class Claims:
    """The claims of this process, and of every other that shares the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = uuid.uuid4().hex
        self._was_cut_off = False

    def close(self) -> None:
        """Close the database; what is left unanswered need not wait for its lease to run out."""
        with suppress(StoreError):
            if self._database.row("SELECT 1 FROM claims WHERE owner = ? AND finished IS NULL", self._owner):
                self._database.write("UPDATE claims SET lease = 0 WHERE owner = ? AND finished IS NULL", self._owner)
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def claim(self, platform: str, keys: Sequence[str], payload: str = "") -> Claim | None:
        """Claim an event under every one of its ``keys``; ``None`` where any of them was claimed before.

        ``payload`` is all that is needed to answer it after a crash; it is deleted once the claim is finished.
        """
        with self._database.transaction() as run:
            marks = ",".join("?" * len(keys))
            known = f"SELECT 1 FROM claim_keys WHERE platform = ? AND key IN ({marks})"  # noqa: S608
            if run(known, (platform, *keys)).fetchone():
                return None
            now = self._database.now(run)
            row = {"platform": platform, "payload": payload, "owner": self._owner, "claimed": now}
            claimed = insert(run, "claims", "RETURNING id", **row, lease=now + LEASE_SECONDS)
            number = claimed.fetchall()[0][0]
            for key in dict.fromkeys(keys):
                insert(run, "claim_keys", platform=platform, key=key, claim=number)
            return Claim(number, platform, payload)

    def claim_again(self, platform: str, key: str, seconds: float) -> Claim | None:
        """Claim what may be done again ``seconds`` after the last time; ``None`` where that is less long ago."""
        with self._database.transaction() as run:
            before = self._database.now(run) - seconds
            run(f"DELETE FROM claims WHERE {KEYED} AND claimed <= ?", (platform, key, before))  # noqa: S608
        return self.claim(platform, [key])

    def is_claimed(self, platform: str, key: str, *, finished: bool = False) -> bool:
        done = " AND finished IS NOT NULL" if finished else ""
        return self._database.row(f"SELECT 1 FROM claims WHERE {KEYED}{done}", platform, key) is not None  # noqa: S608

    def claim_edit(self, platform: str, channel: str, message: str) -> Claim | None:
        """Claim a posted answer to edit it; ``None`` while somebody else does. Its payload says which it is."""
        place, kind = json.dumps([channel, message]), edits(platform)
        with self._database.transaction() as run:  # an edit that nobody could end: no correction waits for it for ever
            run(f"DELETE FROM claims WHERE {KEYED} AND lease < ?", (kind, place, self._database.now(run)))  # noqa: S608
        return self.claim(kind, [place], place)

    def delete_claim(self, claim: Claim) -> None:
        self._database.write("DELETE FROM claims WHERE id = ?", claim.id)

    def finish(self, claim: Claim, message: ReplyMessage | None = None, posting: Posting | None = None) -> None:
        """Record that the event is answered, and by which message; its payload is deleted.

        ``posting`` is the message as one that can be edited later, where it shows an answer to everybody.
        """
        with self._database.transaction() as run:
            now = self._database.now(run)
            run("UPDATE claims SET finished = ?, payload = '' WHERE id = ?", (now, claim.id))
            if message:
                reply = asdict(message) | {"platform": claim.platform, "at": now}
                upsert(run, "shown", ("platform", "channel", "origin"), **reply)
                delete_posting(run, claim.platform, message.channel, message.message)
            if posting:
                insert_posting(run, claim.platform, posting, now)

    def release(self, claim: Claim, *, spent: bool = True) -> None:
        """Release an unanswered claim for the next ``take_up``; unless ``spent``, the attempt does not count."""
        release = "UPDATE claims SET lease = 0, attempts = attempts - ? WHERE id = ?"
        self._database.write(release, int(not spent), claim.id)

    def renew(self) -> None:
        """Renew this process's leases; everybody's after the database was away, since nobody could renew them."""
        owner = "%" if self._was_cut_off else self._owner
        self._was_cut_off = True
        with self._database.transaction() as run:
            now = self._database.now(run)
            run(
                "UPDATE claims SET lease = ? WHERE finished IS NULL AND lease > 0 AND claimed > ? AND owner LIKE ?",
                (now + LEASE_SECONDS, now - ABANDONED_AFTER_SECONDS, owner),
            )
        self._was_cut_off = False

    def take_up(self, platform: str) -> tuple[Claim, ...]:
        """Make this process the owner of all claims whose lease has run out or that were released, oldest first.

        A claim that was taken up ``MAX_ATTEMPTS`` times is finished instead: it may be what makes the process crash.
        """
        self.renew()
        lost = "platform = ? AND finished IS NULL AND lease < ? AND (owner <> ? OR lease = 0)"
        with self._database.transaction() as run:
            now = self._database.now(run)
            last = f"UPDATE claims SET finished = ? WHERE {lost} AND attempts >= ?"  # noqa: S608
            run(last, (now, platform, now, self._owner, MAX_ATTEMPTS))
            rows = run(
                f"UPDATE claims SET owner = ?, claimed = ?, lease = ?, attempts = attempts + 1 WHERE {lost}"  # noqa: S608
                " RETURNING id, platform, payload, attempts",
                (self._owner, now, now + LEASE_SECONDS, platform, now, self._owner),
            )
            return tuple(Claim(*row) for row in sorted(rows.fetchall()))


def insert_posting(run: RunStatement, platform: str, posting: Posting, now: float) -> None:
    values = asdict(posting) | {"platform": platform, "mark": "", "fresh": 1, "at": now}
    upsert(run, "postings", ("platform", "channel", "message"), **values)


def delete_posting(run: RunStatement, platform: str, channel: str, message: str) -> None:
    run(f"DELETE FROM postings WHERE {POSTED_MESSAGE}", (platform, channel, message))  # noqa: S608
