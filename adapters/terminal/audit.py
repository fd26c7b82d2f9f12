"""``stet audit`` and ``stet replay``: what was answered, to whom and from where; and whether it would be again.

An answer is the same where its JSON is, byte for byte: the sentences, where they stand, their caveats, its confidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import click

from adapters import __version__, json_contract
from adapters.storage.answer_record import Cited, cited, question_in_words, quoted
from adapters.storage.records import Given
from adapters.terminal.configuration_check import PLATFORMS
from bot import verbatim
from bot.desk import Desk
from bot.model import Place, Question
from bot.visible import visible_line

Numbered = tuple[int, Given]
CHATS = tuple(platform.lower() for platform, *_ in PLATFORMS)
NOT_KEPT = ("", "")


@dataclass(frozen=True, slots=True)
class Replay:
    """An answer as it would be given now: ``line`` is its JSON, ``changes`` what is known to be different, in words."""

    line: str
    same: bool
    changes: tuple[str, ...]


def replay(desk: Desk, given: Given) -> Replay:
    """Ask again what was asked, in the same place, as somebody who may."""
    place = Place(given.platform, given.workspace, given.channel)
    asked = Question(given.question, given.previous, place=place, shown=given.shown)
    line = json_contract.line(json_contract.reply(desk.answer(asked)))
    if line != given.reply and given.platform in CHATS:  # which answer briefly; earlier versions did not
        line = json_contract.line(json_contract.reply(desk.answer(replace(asked, brief=True))))
    if line != given.reply and given.platform == "terminal" and given.question.startswith("/"):
        name, _, argument = given.question[1:].partition(" ")  # a command of this machine's own has the whole list
        if any(name == command.name for command in desk.commands()):
            line = json_contract.line(json_contract.reply(desk.whole(name, argument)))
    same = line == given.reply
    return Replay(line, same, () if same else tuple(_changes(desk, given, line)))


def _changes(desk: Desk, given: Given, line: str) -> Iterator[str]:
    before, now = ({each.article: each.digest for each in _cited(text)} for text in (given.reply, line))
    held = {article: _digest(desk, article) for article in before}
    other = {article: digest for article, digest in held.items() if digest != before[article]}
    yield from (
        f"{article} {'has another text' if digest else 'is held no more'}." for article, digest in other.items()
    )
    yield from (f"{article} is quoted now, and was not." for article in sorted(now.keys() - before.keys()))
    if given.program != __version__:
        yield f"The version that answered is {given.program or 'not known'}; this is {__version__}."
    if not other:
        yield "Every article that it quoted is as it was; other articles, the settings or the program are not."


def _digest(desk: Desk, article: str) -> str | None:
    citation = verbatim.article(desk.holdings.archive, article)
    return citation.digest if citation else None


def _cited(text: str) -> tuple[Cited, ...]:
    return tuple(cited(json.loads(text)))


def show_replay(number: int, given: Given, found: Replay, *, as_json: bool) -> None:
    """Print what became of an answer when it was asked again."""
    if as_json:
        told = {"answer": number, "same": found.same, "changes": list(found.changes), "reply": json.loads(found.line)}
        click.echo(json_contract.line(told))
        return
    verdict = "the same, byte for byte" if found.same else "not the same"
    click.echo(visible_line(f"Answer {number}, {_when(given):%Y-%m-%d %H:%M}, to “{given.question}”: {verdict}."))
    for change in found.changes:
        click.echo(visible_line(f"  {change}"))


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


def _lines(number: int, given: Given, *, words: bool) -> Iterator[str]:
    where = " ".join(filter(None, (given.platform, given.workspace, given.channel)))
    yield visible_line(f"{number}  {_when(given):%Y-%m-%d %H:%M}  {where}  {given.asker}  {question_in_words(given)}")
    bounds = [f"of {', '.join(given.sources)}"] if given.sources else []
    bounds += [f"since {given.since}"] if given.since else []
    if bounds:
        yield visible_line(f"    asked {' '.join(bounds)}")
    told = dict(quoted(json.loads(given.reply)))
    for each in dict.fromkeys(_cited(given.reply)):
        yield visible_line(f"    {each.article} {each.digest[:12]} {each.start}-{each.end}")
        if words:
            yield from (visible_line(f"        {line}") for line in told.get(each, NOT_KEPT) if line)


def _when(given: Given) -> datetime:
    return datetime.fromtimestamp(given.at, UTC)
