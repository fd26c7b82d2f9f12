"""What people thought of answers, out of the store -> lines for whoever looks after the bot, JSON, golden questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click

from adapters import json_contract
from adapters.storage.answer_record import question_in_words
from adapters.storage.records import Given, Opinion
from bot.visible import visible_line

SHOWN = 160  # characters of an answer on a line


@dataclass(frozen=True, slots=True)
class Judged:
    """An opinion with the answer it is of; ``at`` is when it was given, in seconds since 1970."""

    opinion: Opinion
    given: Given
    at: float

    @property
    def reply(self) -> dict[str, Any]:
        """The reply as it was kept."""
        kept = json.loads(self.given.reply)
        return kept if isinstance(kept, dict) else {}

    @property
    def extracts(self) -> list[dict[str, Any]]:
        """The sentences that were shown as an answer."""
        return list(self.reply.get("extracts") or ())

    @property
    def when(self) -> datetime:
        """The moment it was given."""
        return datetime.fromtimestamp(self.at, UTC)


def show(judged: Sequence[Judged], *, as_json: bool, as_golden: bool) -> None:
    """Print all opinions, newest first: for a person, as JSON lines, or as questions for ``stet eval``."""
    if as_golden:
        _show_golden(judged)
        return
    if not judged:
        click.echo("Nobody has said yet what they think of an answer.", err=as_json)
    for each in judged:
        for line in (json_contract.line(_row(each)),) if as_json else _lines(each):
            click.echo(line)


def _row(each: Judged) -> dict[str, Any]:
    return {
        "at": each.when.isoformat(timespec="seconds"),
        "verdict": "right" if each.opinion.right else "wrong",
        "reason": each.opinion.why,
        "question": question_in_words(each.given),
        "answer": each.opinion.answer,
        "reply": each.reply,
        "platform": each.given.platform,
        "channel": each.given.channel,
        "asker": each.given.asker,
        "person": each.opinion.person,
    }


def _lines(each: Judged) -> Iterator[str]:
    verdict = "right" if each.opinion.right else "wrong"
    yield visible_line(f"{each.when:%Y-%m-%d %H:%M}  {verdict}  {question_in_words(each.given)}")
    first = each.extracts[0] if each.extracts else {}
    told = first.get("text") or each.reply.get("message") or each.reply.get("title") or each.reply.get("kind") or ""
    yield visible_line(f"    {told[:SHOWN]}")
    if first:
        cited = first["citation"]
        yield visible_line(f"    {' · '.join(filter(None, (cited.get('source'), cited.get('title'))))}")
    if each.opinion.why:
        yield visible_line(f"    “{each.opinion.why}”")
    yield ""


def _show_golden(judged: Sequence[Judged]) -> None:
    """Print what was judged right; where an answer was wrong, nobody has said yet what is right."""
    rows = {each.opinion.answer: each for each in judged if each.opinion.right and _is_question(each)}
    disputed = {each.opinion.answer for each in judged if not each.opinion.right}
    for number in sorted(rows.keys() - disputed):
        click.echo(json_contract.line(_golden(rows[number])))
    if disputed:
        click.echo(f"stet: {len(disputed)} judged wrong are left out: their right answers are yours to find.", err=True)


def _is_question(each: Judged) -> bool:
    return bool(each.extracts) and not each.given.question.startswith("/")


def _golden(each: Judged) -> dict[str, Any]:
    first = each.extracts[0]
    wanted = {"article": first["citation"]["article_id"], "words": first["text"]}
    return {"id": f"answer-{each.opinion.answer}", "question": each.given.question, "answers": [wanted]}
