"""``stet audit``: what was answered, to whom and from where."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from adapters import json_contract
from adapters.storage.answer_record import Cited, cited, quoted
from adapters.storage.records import Given
from bot.visible import visible_line

Numbered = tuple[int, Given]
NOT_KEPT = ("", "")


def _cited(text: str) -> tuple[Cited, ...]:
    return tuple(cited(json.loads(text)))


def show_log(answers: Sequence[Numbered], *, as_json: bool, words: bool = False) -> None:
    """Print answers, a line and their places each, or as JSON lines; with the ``words`` that were shown, if wished."""
    for number, given in answers:
        told = (
            (json_contract.line(_row(number, given, words=words)),) if as_json else _lines(number, given, words=words)
        )
        for line in told:
            click.echo(line)


def _row(number: int, given: Given, *, words: bool) -> dict[str, Any]:
    told = dict(quoted(json.loads(given.reply)))
    return {
        "answer": number,
        "at": _when(given).isoformat(timespec="seconds"),
        "platform": given.platform,
        "workspace": given.workspace,
        "channel": given.channel,
        "thread": given.thread,
        "asker": given.asker,
        "question": given.question,
        "previous": given.previous,
        "program": given.program,
        "shown": [
            {"article": each.article, "digest": each.digest, "start": each.start, "end": each.end}
            | ({"title": told.get(each, NOT_KEPT)[0], "words": told.get(each, NOT_KEPT)[1]} if words else {})
            for each in _cited(given.reply)
        ],
    }


def _lines(number: int, given: Given, *, words: bool) -> Iterator[str]:
    where = " ".join(filter(None, (given.platform, given.workspace, given.channel)))
    yield visible_line(f"{number}  {_when(given):%Y-%m-%d %H:%M}  {where}  {given.asker}  {given.question}")
    told = dict(quoted(json.loads(given.reply)))
    for each in dict.fromkeys(_cited(given.reply)):
        yield visible_line(f"    {each.article} {each.digest[:12]} {each.start}-{each.end}")
        if words:
            yield from (visible_line(f"        {line}") for line in told.get(each, NOT_KEPT) if line)


def _when(given: Given) -> datetime:
    return datetime.fromtimestamp(given.at, UTC)
