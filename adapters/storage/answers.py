"""Answers given, and what people thought of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from adapters.storage.keeper import Keeper
from adapters.storage.records import Given, Opinion


class Answers(Keeper):
    """The answers that are kept, by number."""

    def record_answer(self, given: Given) -> int:
        """Keep an answer; return its number, which feedback refers to."""
        with self._transaction() as run:
            (number,) = run(
                "INSERT INTO answers"
                " (platform, workspace, channel, thread, asker, question, reply, digests, at, keepsake)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
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
            ).fetchall()[0]
            return int(number)

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
                " ON CONFLICT (answer, person)"
                " DO UPDATE SET verdict = excluded.verdict, why = excluded.why, at = excluded.at",
                (opinion.answer, opinion.person, int(opinion.right), opinion.why, self._clock()),
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


def _given(row: Sequence[Any]) -> Given:
    platform, asker, question, reply, digests, workspace, channel, thread, at, keepsake = row
    articles = tuple(json.loads(digests))
    return Given(platform, asker, question, reply, articles, workspace, channel, thread, at, keepsake)
