"""A stored reply -> the reply as it is now: each sentence is read again at the place that it was cited from.

Only the bot's own words are taken from the stored reply, never an article's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import msgspec

from adapters import json_contract
from adapters.storage.store import Store
from bot import messages
from bot.link_card import LinkCard, article_card
from bot.model import Answer, Card, Check, Listing, Message, NoAnswer, Reply, Role, Verdict
from bot.revision import Fate, Review, SentencePlace
from retrieval import Span

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


def reviewed(stored: StoredReply, review: Review) -> Reply | None:
    """Return a stored reply as ``review`` finds its sentences; None where it cites none.

    Of an answer and of a card, only what was taken down is left out. What else shows an article's title or words in
    more places than its citations name is withdrawn as a whole.
    """
    kind = stored["kind"]
    if kind == "link":
        citation = review.citation(_place(stored["cited"][0]))
        if citation is None:
            return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else None
        card = article_card(review.archive, citation)
        if card is None:
            return None
        if (card.title, list(card.lines)) != (stored["title"], stored["lines"]):
            review.notes.append((Fate.CHANGED, (card.title, card.lines)))
        return card.listing
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
        case {"citation": citation} if key == "described":
            return _role(stored, citation, review)
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


def _role(stored: StoredReply, cited: StoredReply, review: Review) -> Role | object:
    """Return a role in an article that is as it was: of another text, nobody knows whether it has it."""
    place = _place(cited)
    citation = review.citation(place)
    if citation is None or citation.digest != place.digest:
        return GONE
    return Role(stored["text"], replace(citation, span=Span(place.start, cited["end"])))


def redacted(stored: StoredReply, is_taken_down: Callable[[str], bool]) -> StoredReply:
    """Return a stored reply without the words of versions that are taken down, by their keys.

    The places are left, so ``reviewed`` finds the same as before.
    """
    left = _without(stored, is_taken_down)
    if left == stored or stored["kind"] == "answer":
        return cast("StoredReply", left)
    if stored["kind"] == "entity":
        return _unnamed(cast("StoredReply", left), is_taken_down)
    return cast("StoredReply", _blanked(left))


def erase_words(store: Store, digests: Iterable[str], is_gone: Callable[[str], bool]) -> None:
    """Erase the words of versions that are gone, by their keys, from the answers that cite them."""
    for digest in digests:
        for number, reply in store.answers_resting_on(digest):
            left = json_contract.line(dict(redacted(json.loads(reply), is_gone)))
            if left != reply:
                store.withdraw_words(number, left)
    store.clear_journal()


def _without(stored: object, is_taken_down: Callable[[str], bool]) -> object:
    if isinstance(stored, list):
        return [_without(value, is_taken_down) for value in stored]
    if not isinstance(stored, dict):
        return stored
    if "digest" in stored:
        return {key: stored[key] for key in PLACE} if is_taken_down(_place(stored).key) else stored
    if "citation" in stored and is_taken_down(_place(stored["citation"]).key):
        places = {key: _without(stored.get(key), is_taken_down) for key in ("citation", "before")}
        return {**places, "difference": []}
    return {key: _without(value, is_taken_down) for key, value in stored.items()}


def _unnamed(stored: StoredReply, is_taken_down: Callable[[str], bool]) -> StoredReply:
    """Return a card without the names that nothing but versions that are gone may have."""

    def is_gone(citation: StoredReply) -> bool:
        return is_taken_down(_place(citation).key)

    company = [
        {**each, "name": "" if is_gone(each["extract"]["citation"]) else each["name"]} for each in stored["with"]
    ]
    name = "" if all(map(is_gone, stored["articles"])) else stored["name"]
    return {**stored, "name": name, "variants": [], "with": company}


def _blanked(stored: object) -> object:
    """Return the same without headings and lines, which may hold an article's title and words too."""
    match stored:
        case dict():
            return {key: _BLANKS.get(key, _blanked(value)) for key, value in stored.items()}
        case list():
            return [_blanked(value) for value in stored]
    return stored


def link(card: LinkCard) -> StoredReply:
    """Return a link's card in the form in which it is stored."""
    cited = [json_contract.citation(card.citation)]
    return {"kind": "link", "title": card.title, "lines": list(card.lines), "cited": cited}


def _place(citation: StoredReply) -> SentencePlace:
    return SentencePlace(citation["article_id"], citation["digest"], citation["start"])
