"""Replies -> what is kept of them, and whether they found anything; what is kept -> the places it cites."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters import __version__, json_contract
from adapters.storage.store import AnswerRecord, Store, StoreError
from adapters.transport import Letter
from bot.model import Answer, Check, Message, NoAnswer, Question, Reply
from bot.service import QuestionService
from bot.standing_questions import NEWS_COMMAND
from retrieval import EVERYTHING, Scope

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place in an article that a reply shows: half-open, in code points of the text with that digest."""

    article: str
    digest: str
    start: int
    end: int


def is_confident(reply: Reply) -> bool:
    """Return whether a reply has found something, and is sure of it."""
    return reply.sure if isinstance(reply, Answer) else not isinstance(reply, Message | NoAnswer)


def is_complete(reply: Reply) -> bool:
    """Return whether a reply is worth giving to who did not ask the bot: all that was asked is there, for certain."""
    return isinstance(reply, Answer) and reply.sure and not reply.not_found


def accepts_feedback(reply: Reply) -> bool:
    """Return whether people are asked what they think of a reply: it answers, or says of a quotation what is right."""
    return isinstance(reply, Answer | Check)


def outcome(reply: Reply) -> str:
    """Return what became of a question in one word, for figures and logs."""
    match reply:
        case Answer():
            return "sure" if reply.sure else "unsure"
        case NoAnswer():
            return "nothing"
    return type(reply).__name__.lower()


def asked(question: Question, words: str, reply: Reply, scope: Scope = EVERYTHING) -> AnswerRecord:
    """Return what is kept of an answer to ``question``, asked in ``words`` of the articles within ``scope``."""
    return recorded(question, words, json_contract.reply(reply), scope)


def recorded(question: Question, words: str, told: Mapping[str, Any], scope: Scope = EVERYTHING) -> AnswerRecord:
    """Return the same of an answer as it is kept."""
    place, asker = question.place, question.asker
    return AnswerRecord(
        platform=place.platform if place else "",
        asker=asker.id if asker else "",
        question=words,
        reply=json_contract.line(dict(told)),
        digests=tuple(dict.fromkeys(each.digest for each in cited(dict(told)))),
        workspace=place.workspace if place else None,
        channel=place.channel if place else None,
        previous=question.previous,
        program=__version__,
        shown=question.shown,
        sources=None if scope.sources is None else tuple(sorted(scope.sources)),
        since=scope.since.isoformat() if scope.since else None,
    )


def keep(store: Store, service: QuestionService, question: Question, words: str, reply: Reply) -> int | None:
    """Keep what ``service`` answered, but for what is only said to a reader; nobody's answer depends on it.

    Returns its number; None where nothing was kept.
    """
    if isinstance(reply, Message):
        return None
    try:
        return store.record_answer(asked(question, words, reply, service.holdings_for(question).scope))
    except StoreError as error:
        log.error("an answer was not kept: %s", error)  # noqa: TRY400 - the sentence says it all
        return None


def record_all(store: Store, answers: Sequence[AnswerRecord]) -> bool:
    """Keep answers in one transaction; return whether that was done. Nobody's answer depends on it."""
    try:
        store.record_answers(answers)
    except StoreError as error:
        log.error("answers were not kept: %s", error)  # noqa: TRY400 - the sentence says it all
        return False
    return True


def given(letter: Letter, question: Question, reply: Reply, rendered_copy: str, scope: Scope) -> AnswerRecord:
    """Return what is kept of an answer to a letter, which is ``question`` as the desk was asked it."""
    words = f"/{letter.command} {letter.text}".strip() if letter.command else letter.text
    return replace(
        asked(question, words, reply, scope),
        asker=letter.person,
        channel=letter.channel,
        thread=letter.thread or None,
        rendered_copy=rendered_copy,
    )


def question_in_words(given: AnswerRecord) -> str:
    """Return what was asked, for people: of news, the standing questions that it is news on."""
    command, _, places = given.question.partition(" ")
    if command != f"/{NEWS_COMMAND}":
        return given.question
    return f"news on {', '.join(dict.fromkeys(f'“{words}”' for words, _ in json.loads(places)))}"


def cited(told: object) -> Iterator[CitedPlace]:
    """Yield every place that a reply cites, as ``machine.reply`` tells it, in its order."""
    if isinstance(told, dict):
        if isinstance(told.get("digest"), str):
            yield CitedPlace(told["article_id"], told["digest"], told["start"], told["end"])
        for part in told.values():
            yield from cited(part)
    elif isinstance(told, list):
        for part in told:
            yield from cited(part)


def quoted(told: object) -> Iterator[tuple[CitedPlace, tuple[str, str]]]:
    """Yield each place whose words are in what is kept, with the article's title and these words."""
    if isinstance(told, dict):
        match told:
            case {"citation": {"digest": str()} as citation, "text": str(words)}:
                yield next(cited(citation)), (citation.get("title") or "", words)
        for part in told.values():
            yield from quoted(part)
    elif isinstance(told, list):
        for part in told:
            yield from quoted(part)
