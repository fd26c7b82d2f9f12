"""Answers, what people thought of them, and the messages that show them and can be edited."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any

from adapters.storage.database import RunStatement, Table
from adapters.storage.records import AnswerRecord, Claim, Opinion, Posting

FIELDS = tuple(field.name for field in fields(AnswerRecord))
COLUMNS = tuple("keepsake" if field == "rendered_copy" else field for field in FIELDS)
SELECTED = ", ".join(f"answers.{column}" for column in COLUMNS)
INSERT = f"INSERT INTO answers ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) RETURNING id"  # noqa: S608
POSTING = "channel, message, postings.answer, origin, dress, mark"
POSTED_MESSAGE = "platform = ? AND channel = ? AND message = ?"
VALUES_AT_ONCE = 500  # in one statement


class Answers(Table):
    """The answers by number; the postings; the versions (by the digests of their texts) that the answers cite."""

    def record_answer(self, record: AnswerRecord) -> int:
        """Return the answer's number, which feedback and the audit refer to."""
        return self.record_answers((record,))[0]

    def record_answers(self, records: Sequence[AnswerRecord]) -> tuple[int, ...]:
        with self._transaction() as run:
            return tuple(self._insert(run, record) for record in records)

    def _insert(self, run: RunStatement, record: AnswerRecord) -> int:
        values = {field: getattr(record, field) for field in FIELDS}
        values["digests"] = json.dumps(record.digests)
        values["at"] = record.at or self._clock()
        values["sources"] = json.dumps(record.sources) if record.sources is not None else None
        number = int(run(INSERT, tuple(values.values())).fetchall()[0][0])
        self._cite(run, number, record.digests)
        return number

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
        """Return the last answers with their numbers, newest first."""
        rows = self._rows(f"SELECT id, {SELECTED} FROM answers ORDER BY id DESC LIMIT ?", limit)  # noqa: S608
        return tuple((int(number), _record(row)) for number, *row in rows)

    def record_opinion(self, opinion: Opinion) -> None:
        """Record an opinion in place of the same person's last; nothing is recorded where the answer is gone."""
        with self._transaction() as run:
            if run("SELECT 1 FROM answers WHERE id = ?", (opinion.answer,)).fetchone():
                run(
                    "INSERT INTO feedback (answer, person, verdict, why, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (answer, person)"
                    " DO UPDATE SET verdict = excluded.verdict, why = excluded.why, at = excluded.at",
                    (opinion.answer, opinion.person, int(opinion.right), opinion.why, self._clock()),
                )

    def opinions(self, answer: int) -> tuple[Opinion, ...]:
        rows = self._rows("SELECT person, verdict, why FROM feedback WHERE answer = ? ORDER BY person", answer)
        return tuple(Opinion(answer, person, bool(right), why) for person, right, why in rows)

    def all_opinions(self) -> tuple[tuple[Opinion, AnswerRecord, float], ...]:
        """Return every opinion with its answer and the time it was recorded, newest first."""
        rows = self._rows(
            f"SELECT feedback.answer, person, verdict, why, feedback.at, {SELECTED} FROM feedback"  # noqa: S608
            " JOIN answers ON answers.id = feedback.answer ORDER BY feedback.at DESC, feedback.answer"
        )
        return tuple(
            (Opinion(answer, person, bool(right), why), _record(row), float(at))
            for answer, person, right, why, at, *row in rows
        )

    def posting(self, platform: str, channel: str, message: str) -> Posting | None:
        """Return the posting of a message; None where it shows no recorded answer."""
        row = self._row(f"SELECT {POSTING} FROM postings WHERE {POSTED_MESSAGE}", platform, channel, message)  # noqa: S608
        return Posting(*row) if row else None

    def postings_to_review(self, platform: str, digests: Collection[str]) -> tuple[Posting, ...]:
        """Return the postings that cite one of these versions, and those never reviewed, once each."""
        with self._database.reading() as run:
            new = f"SELECT {POSTING} FROM postings WHERE platform = ? AND fresh = 1 ORDER BY at"  # noqa: S608
            rows = run(new, (platform,)).fetchall()
            wanted = tuple(dict.fromkeys(digests))
            for start in range(0, len(wanted), VALUES_AT_ONCE):
                some = wanted[start : start + VALUES_AT_ONCE]
                citing = (
                    f"SELECT DISTINCT {POSTING}, postings.at FROM postings"  # noqa: S608
                    " JOIN sightings ON sightings.answer = postings.answer"
                    f" WHERE platform = ? AND digest IN ({','.join('?' * len(some))}) ORDER BY postings.at"
                )
                rows += [row[:-1] for row in run(citing, (platform, *some)).fetchall()]
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
        """Record which answer a message shows, in place of the one before."""
        with self._transaction() as run:
            insert_posting(run, platform, posting, self._clock())

    def forget_posting(self, platform: str, channel: str, message: str, claim: Claim | None = None) -> None:
        """Delete the posting of a message that is gone or cannot be edited, and the claim on it."""
        with self._transaction() as run:
            delete_posting(run, platform, channel, message)
            _delete_claim(run, claim)

    def answers_resting_on(self, digest: str) -> tuple[tuple[int, str], ...]:
        """Return number and reply of each answer that cites the version with that digest."""
        rows = self._rows(
            "SELECT answers.id, reply FROM answers JOIN sightings ON sightings.answer = answers.id"
            " WHERE digest = ? ORDER BY answers.id",
            digest,
        )
        return tuple((int(number), str(reply)) for number, reply in rows)

    def withdraw_words(self, number: int, reply: str) -> None:
        """Put ``reply`` in the place of an answer's, and delete its rendered copy."""
        self._write("UPDATE answers SET reply = ?, keepsake = '' WHERE id = ?", reply, number)

    def _cite(self, run: RunStatement, answer: int, digests: Iterable[str]) -> None:
        for digest in dict.fromkeys(digests):
            run(
                "INSERT INTO sightings (digest, answer, at) VALUES (?, ?, ?) ON CONFLICT (digest, answer) DO NOTHING",
                (digest, answer, self._clock()),
            )


def insert_posting(run: RunStatement, platform: str, posting: Posting, now: float) -> None:
    run(
        "INSERT INTO postings (platform, channel, message, origin, answer, dress, mark, fresh, at)"
        " VALUES (?, ?, ?, ?, ?, ?, '', 1, ?) ON CONFLICT (platform, channel, message)"
        " DO UPDATE SET origin = excluded.origin, answer = excluded.answer, dress = excluded.dress, mark = '',"
        " fresh = 1, at = excluded.at",
        (platform, posting.channel, posting.message, posting.origin, posting.answer, posting.appearance, now),
    )


def delete_posting(run: RunStatement, platform: str, channel: str, message: str) -> None:
    run(f"DELETE FROM postings WHERE {POSTED_MESSAGE}", (platform, channel, message))  # noqa: S608


def _delete_claim(run: RunStatement, claim: Claim | None) -> None:
    if claim:
        run("DELETE FROM claims WHERE id = ?", (claim.id,))


def _record(row: Sequence[Any]) -> AnswerRecord:
    values = dict(zip(FIELDS, row, strict=True))
    values["digests"] = tuple(json.loads(values["digests"]))
    if values["sources"] is not None:
        values["sources"] = tuple(json.loads(values["sources"]))
    return AnswerRecord(**values)
