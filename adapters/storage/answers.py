"""Answers given, and what people thought of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from adapters.storage.database import Run
from adapters.storage.keeper import Keeper
from adapters.storage.postings import rests_on
from adapters.storage.records import AnswerRecord, Opinion

# an answer's columns, in the order of the fields of ``Given``
COLUMNS = (
    "platform",
    "asker",
    "question",
    "reply",
    "digests",
    "workspace",
    "channel",
    "thread",
    "at",
    "keepsake",
    "previous",
    "program",
    "shown",
    "sources",
    "since",
)
GIVEN = ", ".join(f"answers.{column}" for column in COLUMNS)
RECORD = f"INSERT INTO answers ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) RETURNING id"  # noqa: S608


class Answers(Keeper):
    """The answers that are kept, by number."""

    def record_answer(self, given: AnswerRecord) -> int:
        """Keep an answer; return its number, which feedback and the audit refer to."""
        return self.record_answers((given,))[0]

    def record_answers(self, answers: Sequence[AnswerRecord]) -> tuple[int, ...]:
        """Keep several answers at once; return their numbers."""
        with self._transaction() as run:
            return tuple(self._recorded(run, given) for given in answers)

    def _recorded(self, run: Run, given: AnswerRecord) -> int:
        row = {field: getattr(given, field) for field in COLUMNS}
        row |= {"digests": json.dumps(given.digests), "at": given.at or self._clock()}
        row |= {"sources": json.dumps(given.sources) if given.sources is not None else None}
        number = int(run(RECORD, tuple(row.values())).fetchall()[0][0])
        rests_on(run, number, given.digests, self._clock())
        return number

    def answer(self, number: int) -> AnswerRecord | None:
        """Return an answer by its number; ``None`` where there is none, or none any more."""
        with self._reading() as run:
            row = run(f"SELECT {GIVEN} FROM answers WHERE id = ?", (number,)).fetchone()  # noqa: S608
            return _given(row) if row else None

    def has_asked(self, platform: str, channel: str, thread: str, asker: str) -> bool:
        """Return whether somebody was answered in a thread; an empty one is the channel itself."""
        with self._reading() as run:
            found = run(
                "SELECT 1 FROM answers WHERE platform = ? AND channel = ? AND coalesce(thread, '') = ? AND asker = ?",
                (platform, channel, thread, asker),
            )
            return found.fetchone() is not None

    def last_answers(self, most: int) -> tuple[tuple[int, AnswerRecord], ...]:
        """Return the last answers with their numbers, ``most`` at most, newest first."""
        with self._reading() as run:
            rows = run(f"SELECT id, {GIVEN} FROM answers ORDER BY id DESC LIMIT ?", (most,)).fetchall()  # noqa: S608
            return tuple((int(number), _given(row)) for number, *row in rows)

    def record_opinion(self, opinion: Opinion) -> None:
        """Keep what a person thinks of an answer there is, in place of what the same person thought before."""
        with self._transaction() as run:
            if not run("SELECT 1 FROM answers WHERE id = ?", (opinion.answer,)).fetchone():
                return
            run(
                "INSERT INTO feedback (answer, person, verdict, why, at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (answer, person)"
                " DO UPDATE SET verdict = excluded.verdict, why = excluded.why, at = excluded.at",
                (opinion.answer, opinion.person, int(opinion.right), opinion.why, self._clock()),
            )

    def opinions(self, answer: int) -> tuple[Opinion, ...]:
        """Return what was thought of an answer, by person."""
        with self._reading() as run:
            rows = run(
                "SELECT person, verdict, why FROM feedback WHERE answer = ? ORDER BY person", (answer,)
            ).fetchall()
            return tuple(Opinion(answer, person, bool(right), why) for person, right, why in rows)

    def judged(self) -> tuple[tuple[Opinion, AnswerRecord, float], ...]:
        """Return every opinion with the answer it is of and when it was given, newest first."""
        with self._reading() as run:
            rows = run(
                f"SELECT feedback.answer, person, verdict, why, feedback.at, {GIVEN} FROM feedback"  # noqa: S608
                " JOIN answers ON answers.id = feedback.answer ORDER BY feedback.at DESC, feedback.answer"
            ).fetchall()
            return tuple(
                (Opinion(answer, person, bool(right), why), _given(row), float(at))
                for answer, person, right, why, at, *row in rows
            )


def _given(row: Sequence[Any]) -> AnswerRecord:
    fields = dict(zip(COLUMNS, row, strict=True))
    sources = fields["sources"]
    fields |= {"digests": tuple(json.loads(fields["digests"]))}
    return AnswerRecord(**{**fields, "sources": tuple(json.loads(sources)) if sources is not None else None})
