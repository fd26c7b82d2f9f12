"""Questions from the command line, one or a file of them -> replies on standard output.

An answer given in the terminal -> the state, where the audit finds it as it finds those of every platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from adapters import json_contract
from adapters.settings import Settings
from adapters.storage.answer_record import asked
from adapters.storage.store import Store, StoreError
from bot import verbatim
from bot.desk import Desk
from bot.model import Message, Place, Question, Reply
from bot.visible import visible_line
from retrieval import BATCH, ArticleError, Reading, decode, read_bytes, read_json

WRONG = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a batch: ``id`` comes back with the reply."""

    id: str | int
    question: Question


class BatchError(click.ClickException):
    """A batch that cannot be answered, or one line of it."""

    exit_code = WRONG


def read_batch(path: Path) -> tuple[Row, ...]:
    """Return all questions of a file; ``BatchError`` names the first line that is wrong, before any is answered."""
    try:
        # a line ends at a line feed: U+2028 and its like may stand in JSON as they are
        lines = decode(read_bytes(path, BATCH)).split("\n")
    except ArticleError as error:
        raise BatchError(f"{path} cannot be read. {error}") from error
    rows = tuple(_row(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip())
    if not rows:
        raise BatchError(f"{path} holds no question.")
    return rows


def _row(place: str, line: str) -> Row:
    try:
        value = read_json(line)
    except ArticleError as error:
        raise BatchError(f"{place}: {error}") from error
    if not isinstance(value, dict):
        raise BatchError(f"{place} is not a JSON object.")
    identity, text, previous = value.get("id"), value.get("question"), value.get("previous")
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise BatchError(f'{place} has no "id".')
    if not isinstance(text, str):
        raise BatchError(f'{place} has no "question".')
    if previous is not None and not isinstance(previous, str):
        raise BatchError(f'{place}: "previous" is neither null nor a question.')
    return Row(identity, Question(text, previous))


def answer_batch(desk: Desk, rows: Iterable[Row]) -> None:
    """Print one line a question, in order."""
    for row in rows:
        click.echo(json_contract.line({"id": row.id, **json_contract.reply(desk.answer(row.question))}))


def answer(desk: Desk, text: str, previous: str | None, *, as_json: bool, explain: bool) -> Reply:
    """Print the reply to one question, and return it; with ``explain``, every candidate and its parts after it."""
    question = Question(text, previous)
    reply = desk.answer(question)
    show(reply, as_json=as_json)
    if explain:
        for line in desk.explain(question):
            click.echo(visible_line(line), err=as_json)
    return reply


def show(reply: Reply, *, as_json: bool) -> None:
    """Print a reply: JSON on one line, or drawn for a person."""
    if as_json:
        click.echo(json_contract.line(json_contract.reply(reply)))
        return
    from adapters.terminal.stdout import put  # noqa: PLC0415 - rich is of no use to machines
    from adapters.terminal.text import draw  # noqa: PLC0415

    put(draw(reply))


def show_readings(readings: Sequence[Reading], *, as_json: bool, explain: bool) -> None:
    """Print readings: JSON, one article a line, or set out for a person."""
    if as_json:
        for reading in readings:
            click.echo(json_contract.line(json_contract.reading(reading)))
        return
    from adapters.terminal.proof import proof  # noqa: PLC0415
    from adapters.terminal.stdout import put  # noqa: PLC0415 - as above

    for reading in readings:
        put(proof(reading, explain=explain))


def export(desk: Desk, *, annotations: bool) -> None:
    """Print each article held as it was read, or each annotation of its caveats, a line each."""
    from adapters.export import reading, web_annotations  # noqa: PLC0415 - as above

    with desk.seen(Question("")).archive.snapshot() as archive:
        for listed in archive.listed():
            read = verbatim.reading(archive, listed.id)
            if read is None:  # it is damaged; the log says so
                continue
            for told in web_annotations(read) if annotations else (reading(read),):
                click.echo(json_contract.line(told))


TERMINAL = Place("terminal")


def keep(settings: Settings, question: Question, reply: Reply) -> None:
    """Keep what was answered; nobody's answer depends on it, and what is only said to a reader is not kept."""
    if isinstance(reply, Message):
        return
    try:
        with Store.of(settings) as store:
            store.record_answer(asked(question, question.text, reply))
    except StoreError as error:
        click.echo(visible_line(f"stet: the answer is not kept: {error}"), err=True)
