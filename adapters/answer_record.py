"""Replies as the store records them, and a stored one as it is now.

What kind of reply each is; the places in articles that a record cites. Of a stored reply, each sentence is read again
at the place that it was cited from: only the bot's own words are taken from it, never an article's.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import msgspec

from adapters import __version__, json_contract
from adapters.storage.store import AnswerRecord, Store, StoreError
from bot import messages
from bot.ask.model import Band
from bot.commands.command_table import TABLE
from bot.link_card import article_card
from bot.model import Answer, Card, Check, Listing, Message, NoAnswer, Question, Reply, Role, Verdict
from bot.revision import Fate, Review, SentencePlace, is_taken_down
from bot.service import QuestionService
from bot.standing_questions import NEWS_COMMAND
from retrieval import EVERYTHING, Archive, Scope, Span

COMMANDS = frozenset(command.name for command in TABLE)

StoredReply = Mapping[str, Any]  # in the form of ``json_contract.reply``

PLACE = ("article_id", "digest", "start", "end")
# Keys that may hold words of an article without its place, and what replaces them.
_BLANKS: StoredReply = dict.fromkeys(("title", "heading", "text", "quote", "message"), "") | {
    "lines": [],
    "difference": [],
    "context": None,
    "counts": [],
}
MODELS: dict[str, type[Reply]] = {
    "answer": Answer,
    "no_answer": NoAnswer,
    "entity": Card,
    "listing": Listing,
    **dict.fromkeys(Verdict, Check),
}
# what the model calls a key of the contract
ATTRIBUTES = {
    "kind": "verdict",
    "entity_kind": "kind",
    "with": "company",
    "claimed_speaker": "claimed",
    "verdict": "agreement",
}
GONE = object()  # in place of a sentence or an article that is gone
log = logging.getLogger(__name__)


class CitedPlace(NamedTuple):
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


def new_record(question: Question, words: str, reply: Reply | StoredReply, scope: Scope = EVERYTHING) -> AnswerRecord:
    stored = dict(reply) if isinstance(reply, Mapping) else json_contract.reply(reply)
    place, asker = question.place, question.asker
    return AnswerRecord(
        platform=place.platform if place else "",
        asker=asker.id if asker else "",
        question=words,
        reply=json_contract.line(stored),
        digests=tuple(dict.fromkeys(each.digest for each in cited_places(stored))),
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
    record = new_record(question, words, reply, service.library_for(question).scope)
    return next(iter(record_all(store, (record,))), None)


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
            yield CitedPlace(*(part[key] for key in PLACE))


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


# -- stored replies, as they are now -----------------------------------------------------------------------------------


def reviewed(stored: StoredReply, review: Review) -> Reply | None:
    """Return a stored reply as ``review`` finds its sentences; None where it cites none.

    Of an answer and of a card, only what was taken down is left out. What else shows an article's title or words in
    more places than its citations name is withdrawn as a whole.
    """
    kind = stored["kind"]
    if kind == "link":
        citation = review.citation(_place(stored["cited"][0]))
        card = article_card(review.archive, citation) if citation else None
        if card is None:
            return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else None
        if (card.title, list(card.sections[0].lines)) != (stored["title"], stored["lines"]):
            review.notes.append((Fate.CHANGED, (card.title, card.sections[0].lines)))
        return card
    if kind == "clipping":
        extracts = _reread("extracts", stored["extracts"], review)
        return Answer(tuple(extracts)) if extracts else Message(messages.WITHDRAWN)
    if kind not in MODELS or (kind == "no_answer" and not stored.get("articles")):
        return None
    parts = {ATTRIBUTES.get(key, key): _reread(key, value, review) for key, value in stored.items() if key != "notices"}
    is_withdrawn = Fate.WITHDRAWN in review.fates
    if kind == "answer" and is_withdrawn:
        parts["message"] = " ".join(filter(None, (messages.WITHDRAWN_IN_PART, stored["message"])))
    needed = {"answer": "extracts", "entity": "articles"}.get(kind)
    if not parts[needed] if needed else is_withdrawn:
        return Message(messages.WITHDRAWN)
    return msgspec.convert(parts, MODELS[kind])


def _reread(key: str, stored: Any, review: Review) -> Any:  # noqa: ANN401 - JSON
    """Return the value of a key with every extract and citation as it is now, or GONE."""
    match stored:
        case list():
            return [part for part in (_reread(key, value, review) for value in stored) if part is not GONE]
        case {"digest": _}:
            return review.citation(_place(stored)) or GONE
        case {"sentence": sentence} if key == "context":
            found = _reread("sentence", sentence, review)
            return None if found is GONE else {**stored, "sentence": found}
        case {"citation": cited} if key == "described":
            place = _place(cited)
            newest = review.citation(place)
            if newest is None or newest.digest != place.digest:  # nobody knows whether another text has the role
                return GONE
            return Role(stored["text"], replace(newest, span=Span(place.start, cited["end"])))
        case {"citation": citation, "before": before}:
            extract = review.extract(_place(citation), _place(before["citation"]) if before else None)
            if extract is None:
                return GONE
            if stored.get("answer") and extract.text == stored["text"]:
                extract = replace(extract, answer=Span(*stored["answer"]))
            return {"extract": extract, "difference": stored["difference"]} if key == "matches" else extract
        case dict():
            parts = {ATTRIBUTES.get(name, name): _reread(name, value, review) for name, value in stored.items()}
            return GONE if parts.get("extract") is GONE else parts
    return stored


def erase_words(store: Store, archive: Archive, digests: Iterable[str]) -> None:
    """Erase the words of versions that are taken down from the answers that cite these digests."""

    def without_words(reply: str) -> str:
        return json_contract.line(dict(redacted(json.loads(reply), partial(is_taken_down, archive))))

    for digest in digests:
        store.rewrite_answers(digest, without_words)
    store.clear_journal()


def redacted(stored: StoredReply, is_gone: Callable[[str], bool]) -> StoredReply:
    """Return a stored reply without words of versions that are gone; places stay, so ``reviewed`` finds the same."""

    def is_lost(citation: StoredReply) -> bool:
        return is_gone(_place(citation).key)

    def without(part: StoredReply) -> StoredReply:
        if "digest" in part:
            return {key: part[key] for key in PLACE} if is_lost(part) else part
        if "citation" in part and is_lost(part["citation"]):
            return {"citation": part["citation"], "before": part.get("before"), "difference": []}
        return part

    left = _rewritten(stored, without)
    if left == stored or stored["kind"] == "answer":
        return left
    if stored["kind"] == "entity":  # a name that nothing but versions that are gone may have goes too
        company = [{**row, "name": "" if is_lost(row["extract"]["citation"]) else row["name"]} for row in left["with"]]
        name = "" if all(map(is_lost, left["articles"])) else left["name"]
        return {**left, "name": name, "variants": [], "with": company}
    # headings and lines may hold an article's title and words too
    return _rewritten(left, lambda part: {key: _BLANKS.get(key, value) for key, value in part.items()})


def _rewritten(stored: StoredReply, rewrite: Callable[[StoredReply], StoredReply]) -> StoredReply:
    """Return a stored reply with every object in it rewritten, an inner one before the one around it."""
    rewritten: StoredReply = json.loads(json.dumps(stored), object_hook=rewrite)
    return rewritten


def stored_link(card: Listing) -> StoredReply:
    lines, cited = card.sections[0].lines, [json_contract.citation(each) for each in card.sections[0].cited]
    return {"kind": "link", "title": card.title, "lines": list(lines), "cited": cited}


def _place(citation: StoredReply) -> SentencePlace:
    return SentencePlace(citation["article_id"], citation["digest"], citation["start"])
