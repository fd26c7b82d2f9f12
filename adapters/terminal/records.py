"""The commands that show stored records: feedback, past answers, standing questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, repeat
from typing import Any

import click

from adapters import json_contract
from adapters.answer_record import cited_places, question_in_words, quoted_words
from adapters.settings import Settings
from adapters.storage.store import AnswerRecord, Opinion, Store, StoreError
from adapters.terminal.options import InputError, json_option, with_settings
from adapters.terminal.text import QUIET, plain, put
from bot.escaping import escape_line

MOST_CHARACTERS = 160  # of an answer on a line

Json = dict[str, Any]


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    try:
        with Store.of(settings, read_only=True) as store:
            yield store
    except StoreError as error:
        raise InputError(str(error)) from error


@click.command()
@json_option
@click.option("--as-golden", is_flag=True, help="Print the answers judged right as questions for `stet eval`.")
@with_settings
def feedback(settings: Settings, *, as_json: bool, as_golden: bool) -> None:
    with open_store(settings) as store:
        rows = [(opinion, answer, json.loads(answer.reply), at) for opinion, answer, at in store.opinions()]
    if as_golden:
        _print_golden([(opinion, answer, reply) for opinion, answer, reply, _ in rows])
        return
    if not rows:
        click.echo("No feedback yet. People give it with the buttons below an answer.", err=as_json)
    for opinion, answer, reply, at in rows:
        verdict = "right" if opinion.right else "wrong"
        if as_json:
            row = {
                "at": _moment(at).isoformat(timespec="seconds"),
                "verdict": verdict,
                "reason": opinion.why,
                "question": question_in_words(answer),
                "answer": opinion.answer,
                "reply": reply,
                **json_contract.attributes(answer, "platform channel asker"),
                "person": opinion.person,
            }
            click.echo(json_contract.line(row))
            continue
        first: Json = next(iter(reply.get("extracts") or ()), {})
        words = first.get("text") or reply.get("message") or reply.get("title") or reply.get("kind") or ""
        asked = f"{_moment(at):%Y-%m-%d %H:%M}  {verdict}  {question_in_words(answer)}"
        lines = [asked, f"    {words[:MOST_CHARACTERS]}"]
        if first:
            citation = first["citation"]
            lines.append(f"    {' · '.join(filter(None, (citation.get('source'), citation.get('title'))))}")
        if opinion.why:
            lines.append(f"    “{opinion.why}”")
        _print_record([*lines, ""])


def _print_golden(rows: Iterable[tuple[Opinion, AnswerRecord, Json]]) -> None:
    right, wrong = dict[int, Json](), set[int]()
    for opinion, answer, reply in rows:
        if not opinion.right:
            wrong.add(opinion.answer)
        elif reply.get("extracts") and not answer.question.startswith("/"):
            first = reply["extracts"][0]
            wanted = {"article": first["citation"]["article_id"], "words": first["text"]}
            golden = {"id": f"answer-{opinion.answer}", "question": answer.question, "answers": [wanted]}
            right[opinion.answer] = golden
    for number in sorted(right.keys() - wrong):
        click.echo(json_contract.line(right[number]))
    if wrong:
        click.echo(f"stet: {len(wrong)} judged wrong are left out. Look up their right answers yourself.", err=True)


@click.command()
@click.option("--end", type=click.IntRange(1), metavar="NUMBER", help="End the standing question with this number.")
@with_settings
def subscriptions(settings: Settings, end: int | None) -> None:
    with open_store(settings) as store:
        rows = {row.id: row for row in store.watches()}
        if end is not None:
            if end not in rows:
                raise InputError(f"There is no standing question number {end}. `stet subscriptions` lists them.")
            store.remove_watch(end)
            rows = {end: rows[end]}
    for number, row in rows.items():
        place = escape_line(f"{row.platform} {row.target}, asked for by {row.person}")
        click.echo(f"{'ended: ' if end else ''}{number}. {escape_line(row.words)} ({place})")
    if not rows:
        click.echo("There are no standing questions. /watch in Slack or on Discord makes one.")


@click.command()
@json_option
@click.option("--last", metavar="N", type=click.IntRange(1), default=50, help="How many; the newest 50 by default.")
@click.option("--words/--no-words", default=True, help="Show the title and the words of each passage (the default).")
@with_settings
def audit(settings: Settings, last: int, *, as_json: bool, words: bool) -> None:
    """Show past answers: when, where, to whom, what was asked, and each passage that was shown.

    Answers of the platforms, the page and the terminal (except batches) are stored for STET_KEEP_DAYS.
    """
    with open_store(settings) as store:
        answers = store.last_answers(last)
    for number, answer in answers:
        if as_json:
            click.echo(json_contract.line(_audit_json(number, answer, words=words)))
        else:
            _print_record(_audit_lines(number, answer, words=words))


def _print_record(lines: Iterable[str]) -> None:
    """Print a record, whose first line stands out where the terminal has colours."""
    for style, line in zip(chain(("bold",), repeat(QUIET)), lines, strict=False):
        put(plain(escape_line(line), style), unbroken=True)


def _audit_json(number: int, answer: AnswerRecord, *, words: bool) -> Json:
    reply = json.loads(answer.reply)
    quotations = dict(quoted_words(reply)) if words else {}
    passages = []
    for each in cited_places(reply):
        title, quoted = quotations.get(each, ("", ""))
        passages.append(each._asdict() | ({"title": title, "words": quoted} if words else {}))
    return {
        "answer": number,
        "at": _moment(answer.at).isoformat(timespec="seconds"),
        **json_contract.attributes(answer, "platform workspace channel thread asker"),
        "question": question_in_words(answer),
        **json_contract.attributes(answer, "sources since previous program"),
        "shown": passages,
    }


def _audit_lines(number: int, answer: AnswerRecord, *, words: bool) -> Iterator[str]:
    where = " ".join(filter(None, (answer.platform, answer.workspace, answer.channel)))
    yield f"{number}  {_moment(answer.at):%Y-%m-%d %H:%M}  {where}  {answer.asker}  {question_in_words(answer)}"
    bounds = [f"only {', '.join(answer.sources)}"] if answer.sources else []
    bounds += [f"since {answer.since}"] if answer.since else []
    if bounds:
        yield f"    searched {' '.join(bounds)}"
    reply = json.loads(answer.reply)
    quotations = dict(quoted_words(reply)) if words else {}
    for each in dict.fromkeys(cited_places(reply)):
        yield f"    {each.article} {each.digest[:12]} {each.start}-{each.end}"
        yield from (f"        {line}" for line in quotations.get(each, ()) if line)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
