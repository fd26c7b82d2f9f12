"""Messages that show answers to all: which of them cite a version of an article, and what each was edited to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from adapters.storage.database import Run
from adapters.storage.keeper import Keeper
from adapters.storage.records import Claim, Posting

COLUMNS = "channel, message, postings.answer, origin, dress, mark"
BATCH = 500  # values of one statement


class Postings(Keeper):
    """The messages that can be edited, and the versions (by the digests of their texts) that their answers rest on."""

    def posting(self, platform: str, channel: str, message: str) -> Posting | None:
        """Return what is known of a message; None where it shows no answer, or none that is kept."""
        with self._reading() as run:
            found = run(
                f"SELECT {COLUMNS} FROM postings WHERE platform = ? AND channel = ? AND message = ?",  # noqa: S608
                (platform, channel, message),
            ).fetchone()
            return Posting(*found) if found else None

    def postings_to_review(self, platform: str, digests: Collection[str]) -> tuple[Posting, ...]:
        """Return the messages that rest on one of these versions, and those that were never looked at, once each."""
        wanted = tuple(dict.fromkeys(digests))
        with self._reading() as run:
            rows = run(
                f"SELECT {COLUMNS} FROM postings WHERE platform = ? AND fresh = 1 ORDER BY at",  # noqa: S608
                (platform,),
            ).fetchall()
            for start in range(0, len(wanted), BATCH):
                rows += _resting_on(run, platform, wanted[start : start + BATCH])
            return tuple(dict.fromkeys(Posting(*row) for row in rows))

    def note_review(self, platform: str, posting: Posting, digests: Iterable[str], claim: Claim | None = None) -> None:
        """Note what a message was found to be, which versions that rests on, and that the claim on it has ended.

        Nothing is noted where the message shows another answer by now.
        """
        with self._transaction() as run:
            run(
                "UPDATE postings SET mark = ?, fresh = 0 WHERE platform = ? AND channel = ? AND message = ?"
                " AND answer = ?",
                (posting.mark, platform, posting.channel, posting.message, posting.answer),
            )
            rests_on(run, posting.answer, digests, self._clock())
            if claim:
                run("DELETE FROM claims WHERE id = ?", (claim.id,))

    def note_posting(self, platform: str, posting: Posting) -> None:
        """Note which answer a message shows, in place of the one before."""
        with self._transaction() as run:
            post(run, platform, posting, self._clock())

    def forget_posting(self, platform: str, channel: str, message: str, claim: Claim | None = None) -> None:
        """Forget a message that is there no more, or cannot be edited; and the claim on it."""
        with self._transaction() as run:
            run(
                "DELETE FROM postings WHERE platform = ? AND channel = ? AND message = ?",
                (platform, channel, message),
            )
            if claim:
                run("DELETE FROM claims WHERE id = ?", (claim.id,))

    def is_claimed(self, platform: str, key: str) -> bool:
        """Return whether an event was claimed under ``key``, answered or not."""
        with self._reading() as run:
            found = run("SELECT 1 FROM claim_keys WHERE platform = ? AND key = ?", (platform, key)).fetchone()
            return found is not None

    def answers_resting_on(self, digest: str) -> tuple[tuple[int, str], ...]:
        """Return number and reply of each answer that rests on the version with that digest."""
        with self._reading() as run:
            rows = run(
                "SELECT answers.id, reply FROM answers JOIN sightings ON sightings.answer = answers.id"
                " WHERE digest = ? ORDER BY answers.id",
                (digest,),
            ).fetchall()
            return tuple((int(number), str(reply)) for number, reply in rows)

    def withdraw_words(self, number: int, reply: str) -> None:
        """Keep ``reply`` of an answer in place of what was kept, and nothing to show it again."""
        with self._transaction() as run:
            run("UPDATE answers SET reply = ?, keepsake = '' WHERE id = ?", (reply, number))


def post(run: Run, platform: str, posting: Posting, now: float) -> None:
    """Note within a transaction which answer a message shows, in place of the one before."""
    run(
        "INSERT INTO postings (platform, channel, message, origin, answer, dress, mark, fresh, at)"
        " VALUES (?, ?, ?, ?, ?, ?, '', 1, ?) ON CONFLICT (platform, channel, message)"
        " DO UPDATE SET origin = excluded.origin, answer = excluded.answer, dress = excluded.dress, mark = '',"
        " fresh = 1, at = excluded.at",
        (platform, posting.channel, posting.message, posting.origin, posting.answer, posting.appearance, now),
    )


def rests_on(run: Run, answer: int, digests: Iterable[str], now: float) -> None:
    """Note within a transaction which versions an answer rests on."""
    for digest in dict.fromkeys(digests):
        run(
            "INSERT INTO sightings (digest, answer, at) VALUES (?, ?, ?) ON CONFLICT (digest, answer) DO NOTHING",
            (digest, answer, now),
        )


def _resting_on(run: Run, platform: str, digests: Sequence[str]) -> list[Sequence[object]]:
    marks = ",".join("?" * len(digests))
    statement = (
        f"SELECT DISTINCT {COLUMNS}, postings.at FROM postings"  # noqa: S608
        " JOIN sightings ON sightings.answer = postings.answer"
        f" WHERE platform = ? AND digest IN ({marks}) ORDER BY postings.at"
    )
    return [row[:-1] for row in run(statement, (platform, *digests)).fetchall()]
