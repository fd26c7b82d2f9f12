"""Replies as the store records them; what kind of reply each is; the places in articles that a record cites."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters import __version__, json_contract
from adapters.storage.store import AnswerRecord, Store, StoreError
from bot.ask.model import Band
from bot.commands.command_table import TABLE
from bot.model import Answer, Card, Check, Message, NoAnswer, Question, Reply
from bot.service import QuestionService
from bot.standing_questions import NEWS_COMMAND
from retrieval import EVERYTHING, Scope

COMMANDS = frozenset(command.name for command in TABLE)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place in an article that a reply cites: half-open, in code points of the text with that digest."""

    article: str
    digest: str
    start: int
    end: int


def is_confident(reply: Reply) -> bool:
    """Return whether a reply quotes something, without the remark that it may not answer."""
    quotes = (Band.ANSWER, Band.PROBABLY)
    return reply.band in quotes if isinstance(reply, Answer | NoAnswer) else not isinstance(reply, Message)


def is_complete(reply: Reply) -> bool:
    """Return whether a reply may be shown to somebody who did not ask the bot: confident, with every word found."""
    return isinstance(reply, Answer) and reply.sure and not reply.not_found


def more_of(reply: Reply) -> str:
    """Return the state that brings what a reply does not show; empty where it shows all."""
    return reply.more if isinstance(reply, Answer | Card | NoAnswer) else ""


def accepts_feedback(reply: Reply) -> bool:
    return isinstance(reply, Answer | Check)


def new_record(question: Question, words: str, reply: Reply, scope: Scope = EVERYTHING) -> AnswerRecord:
    return record_of(question, words, json_contract.reply(reply), scope)


def record_of(question: Question, words: str, reply: Mapping[str, Any], scope: Scope = EVERYTHING) -> AnswerRecord:
    """Return the same; ``reply`` is in the form of the JSON contract."""
    place, asker = question.place, question.asker
    return AnswerRecord(
        platform=place.platform if place else "",
        asker=asker.id if asker else "",
        question=words,
        reply=json_contract.line(dict(reply)),
        digests=tuple(dict.fromkeys(each.digest for each in cited_places(dict(reply)))),
        workspace=place.workspace if place else None,
        channel=place.channel if place else None,
        previous=question.previous,
        program=__version__,
        shown=question.shown,
        sources=None if scope.sources is None else tuple(sorted(scope.sources)),
        since=scope.since.isoformat() if scope.since else None,
    )


def record_reply(store: Store, service: QuestionService, question: Question, words: str, reply: Reply) -> int | None:
    """Record a reply and return its number; None for a ``Message``, and where the store fails."""
    if isinstance(reply, Message):
        return None
    numbers = record_all(store, (new_record(question, words, reply, service.library_for(question).scope),))
    return numbers[0] if numbers else None


def record_all(store: Store, records: Sequence[AnswerRecord]) -> tuple[int, ...]:
    """Record answers in one transaction and return their numbers; none where the store fails, which is logged."""
    try:
        return store.record_answers(records)
    except StoreError as error:
        log.error("answers were not recorded: %s", error)  # noqa: TRY400 - the sentence says it all
        return ()


def command_and_words(record: AnswerRecord) -> tuple[str, str]:
    """Return which command was used, and its words; a question in words has none."""
    command, _, words = record.question.partition(" ")
    is_command = command.startswith("/") and command[1:] in COMMANDS
    return (command[1:], words) if is_command else ("", record.question)


def shows(record: AnswerRecord, reply: Reply) -> bool:
    """Return whether a reply is the one that was recorded, word for word."""
    return record.reply == json_contract.line(json_contract.reply(reply))


def question_in_words(record: AnswerRecord) -> str:
    """Return the question as people read it; for news, the standing questions that it is on."""
    command, _, places = record.question.partition(" ")
    if command != f"/{NEWS_COMMAND}":
        return record.question
    return f"news on {', '.join(dict.fromkeys(f'“{words}”' for words, _ in json.loads(places)))}"


def cited_places(value: object) -> Iterator[CitedPlace]:
    """Yield every place that a reply in the form of ``json_contract.reply`` cites, in order."""
    for part in _objects(value):
        if isinstance(part.get("digest"), str):
            yield CitedPlace(part["article_id"], part["digest"], part["start"], part["end"])


def quoted_words(value: object) -> Iterator[tuple[CitedPlace, tuple[str, str]]]:
    """Yield each cited place that the reply quotes, with the article's title and the words."""
    for part in _objects(value):
        match part:
            case {"citation": {"digest": str()} as citation, "text": str(words)}:
                yield next(cited_places(citation)), (citation.get("title") or "", words)


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield every object in a JSON value, an outer one before those in it."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(part)
