"""The commands on what the state keeps: feedback, the audit, standing questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click
from bot.escape_controls import escape_line

from adapters import json_contract
from adapters.settings import Settings
from adapters.storage.answer_record import CitedPlace, cited, question_in_words, quoted
from adapters.storage.records import AnswerRecord, Opinion
from adapters.storage.store import Store, StoreError
from adapters.terminal.options import WRONG, json_option, with_settings

SHOWN = 160  # characters of an answer on a line
Numbered = tuple[int, AnswerRecord]
NOT_KEPT = ("", "")


class UnreadableStoreError(click.ClickException):
    """The store cannot be opened, or has not what is wanted; in words."""

    exit_code = WRONG


@dataclass(frozen=True, slots=True)
class Judged:
    """An opinion with the answer it is of; ``at`` is when it was given, in seconds since 1970."""

    opinion: Opinion
    given: AnswerRecord
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


def _show_opinions(judged: Sequence[Judged], *, as_json: bool, as_golden: bool) -> None:
    """Print all opinions, newest first: for a person, as JSON lines, or as questions for ``stet eval``."""
    if as_golden:
        _show_golden(judged)
        return
    if not judged:
        click.echo("Nobody has said yet what they think of an answer.", err=as_json)
    for each in judged:
        for line in (json_contract.line(_opinion_row(each)),) if as_json else _opinion_lines(each):
            click.echo(line)


def _opinion_row(each: Judged) -> dict[str, Any]:
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


def _opinion_lines(each: Judged) -> Iterator[str]:
    verdict = "right" if each.opinion.right else "wrong"
    yield escape_line(f"{each.when:%Y-%m-%d %H:%M}  {verdict}  {question_in_words(each.given)}")
    first = each.extracts[0] if each.extracts else {}
    told = first.get("text") or each.reply.get("message") or each.reply.get("title") or each.reply.get("kind") or ""
    yield escape_line(f"    {told[:SHOWN]}")
    if first:
        cited = first["citation"]
        yield escape_line(f"    {' · '.join(filter(None, (cited.get('source'), cited.get('title'))))}")
    if each.opinion.why:
        yield escape_line(f"    “{each.opinion.why}”")
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


def _cited(text: str) -> tuple[CitedPlace, ...]:
    return tuple(cited(json.loads(text)))


def _show_log(answers: Sequence[Numbered], *, as_json: bool, words: bool = False) -> None:
    """Print answers, a line and their places each, or as JSON lines; with the ``words`` that were shown, if wished."""
    for number, given in answers:
        told = (
            (json_contract.line(_row(number, given, words=words)),) if as_json else _lines(number, given, words=words)
        )
        for line in told:
            click.echo(line)


def _row(number: int, given: AnswerRecord, *, words: bool) -> dict[str, Any]:
    told = dict(quoted(json.loads(given.reply)))
    return {
        "answer": number,
        "at": _when(given).isoformat(timespec="seconds"),
        "platform": given.platform,
        "workspace": given.workspace,
        "channel": given.channel,
        "thread": given.thread,
        "asker": given.asker,
        "question": question_in_words(given),
        "sources": given.sources,
        "since": given.since,
        "previous": given.previous,
        "program": given.program,
        "shown": [
            {"article": each.article, "digest": each.digest, "start": each.start, "end": each.end}
            | ({"title": told.get(each, NOT_KEPT)[0], "words": told.get(each, NOT_KEPT)[1]} if words else {})
            for each in _cited(given.reply)
        ],
    }


def _lines(number: int, given: AnswerRecord, *, words: bool) -> Iterator[str]:
    where = " ".join(filter(None, (given.platform, given.workspace, given.channel)))
    yield escape_line(f"{number}  {_when(given):%Y-%m-%d %H:%M}  {where}  {given.asker}  {question_in_words(given)}")
    bounds = [f"of {', '.join(given.sources)}"] if given.sources else []
    bounds += [f"since {given.since}"] if given.since else []
    if bounds:
        yield escape_line(f"    asked {' '.join(bounds)}")
    told = dict(quoted(json.loads(given.reply)))
    for each in dict.fromkeys(_cited(given.reply)):
        yield escape_line(f"    {each.article} {each.digest[:12]} {each.start}-{each.end}")
        if words:
            yield from (escape_line(f"        {line}") for line in told.get(each, NOT_KEPT) if line)


def _when(given: AnswerRecord) -> datetime:
    return datetime.fromtimestamp(given.at, UTC)


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """Give the store that the settings name; ``UnreadableStoreError`` where it cannot be used."""
    try:
        with Store.of(settings, read_only=True) as store:
            yield store
    except StoreError as error:
        raise UnreadableStoreError(str(error)) from error


@click.command()
@json_option
@click.option("--as-golden", is_flag=True, help="Print what was judged right as questions for `stet eval`.")
@with_settings
def feedback(settings: Settings, *, as_json: bool, as_golden: bool) -> None:
    """Show what people thought of answers, with reason and date."""
    with opened(settings) as store:
        judged = [Judged(*row) for row in store.judged()]
    _show_opinions(judged, as_json=as_json, as_golden=as_golden)


@click.command()
@click.option("--end", type=click.IntRange(1), metavar="NUMBER", help="End the standing question of that number.")
@with_settings
def watches(settings: Settings, end: int | None) -> None:
    """List the standing questions of all channels, or end one."""
    with opened(settings) as store:
        held = {watch.id: watch for watch in store.watches()}
        if end is not None:
            if end not in held:
                raise UnreadableStoreError(f"There is no standing question number {end}.")
            store.remove_watch(end)
            held = {end: held[end]}
    for number, watch in held.items():
        place = escape_line(f"{watch.platform} {watch.target}, asked for by {watch.person}")
        click.echo(f"{'ended: ' if end else ''}{number}. {escape_line(watch.words)} ({place})")
    if not held:
        click.echo("There are no standing questions. /watch in Slack or on Discord makes one.")


@click.command()
@json_option
@click.option("--last", metavar="N", type=click.IntRange(1), default=50, help="How many; the newest 50 by default.")
@click.option("--words", is_flag=True, help="Show the title and the words of each place too.")
@with_settings
def audit(settings: Settings, last: int, *, as_json: bool, words: bool) -> None:
    """Show what was answered: when, where, to whom, what was asked, and each place that was shown.

    What platforms, the page and the terminal (ask, chat and the commands, no batch) answered is kept for
    STET_KEEP_DAYS.
    """
    with opened(settings) as store:
        answers = store.last_answers(last)
    _show_log(answers, as_json=as_json, words=words)
