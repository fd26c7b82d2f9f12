"""A stored reply -> the reply as it is now: each sentence is read again at the place that it was cited from.

Only the bot's own words are taken from the stored reply, never an article's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from adapters import json_contract
from bot import messages
from bot.link_card import LinkCard, article_card
from bot.model import (
    Agreement,
    Answer,
    Card,
    Change,
    Check,
    Citation,
    ClaimedSpeaker,
    Companion,
    Extract,
    Listing,
    Match,
    Message,
    NoAnswer,
    QuotationLiberty,
    Reply,
    Role,
    Section,
    Verdict,
)
from bot.revision import Fate, Review, SentencePlace
from retrieval import Kind, Span

StoredReply = Mapping[str, Any]  # in the form of ``json_contract.reply``

PLACE = ("article_id", "digest", "start", "end")
# Keys that may hold words of an article without its place, and what replaces them.
_BLANKS: StoredReply = dict.fromkeys(("title", "heading", "text", "quote", "message"), "") | {
    "lines": [],
    "difference": [],
    "counts": [],
}


def reviewed(stored: StoredReply, review: Review) -> Reply | None:
    """Return a stored reply as ``review`` finds its sentences; None where it cites none.

    Of an answer and of a card, only what was taken down is left out. What else shows an article's title or words in
    more places than its citations name is withdrawn as a whole.
    """
    match stored["kind"]:
        case "answer":
            return _answer(stored, review)
        case "entity":
            return _card(stored, review)
        case "clipping":
            extracts = _extracts([stored["extract"]], review)
            return Answer(extracts) if extracts else Message(messages.WITHDRAWN)
        case "link":
            return _link(stored, review)
        case "listing":
            found: Reply = Listing(stored["title"], tuple(_section(each, review) for each in stored["sections"]))
        case "no_answer" if stored.get("articles"):
            found = _no_answer(stored, review)
        case kind if kind in tuple(Verdict):
            found = _check(stored, review)
        case _:
            return None
    return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else found


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


def _answer(stored: StoredReply, review: Review) -> Reply:
    extracts = _extracts(stored["extracts"], review)
    if not extracts:
        return Message(messages.WITHDRAWN)
    partly = messages.WITHDRAWN_IN_PART if Fate.WITHDRAWN in review.fates else None
    return Answer(
        extracts,
        message=" ".join(filter(None, (partly, stored["message"]))) or None,
        more=stored["more"],
        looked_for=tuple(stored["looked_for"]),
        not_found=tuple(stored["not_found"]),
        confidence=stored["confidence"],
        sure=stored["sure"],
    )


def _no_answer(stored: StoredReply, review: Review) -> NoAnswer:
    return NoAnswer(
        tuple(stored["looked_for"]),
        tuple(stored["not_found"]),
        stored["message"],
        stored["confidence"],
        _citations(stored["articles"], review),
        stored["more"],
    )


def _card(stored: StoredReply, review: Review) -> Reply:
    roles, said, about = (_extracts(stored[part], review) for part in ("roles", "said", "about"))
    named = ((each, _extract(each["extract"], review)) for each in stored["with"])
    card = Card(
        name=stored["name"],
        kind=Kind(stored["entity_kind"]),
        variants=tuple(stored["variants"]),
        roles=roles,
        said=said,
        about=about,
        company=tuple(Companion(each["name"], each["sentences"], found) for each, found in named if found),
        articles=_citations(stored["articles"], review),
        described=tuple(_described(stored["described"], review)),
        in_all=stored["in_all"],
        said_in_all=stored["said_in_all"],
        brief=stored.get("brief", False),
        more=stored.get("more", ""),
    )
    return card if card.articles else Message(messages.WITHDRAWN)


def _described(stored: Iterable[StoredReply], review: Review) -> Iterator[Role]:
    """Yield the roles in articles that are as they were: of another text, nobody knows whether it has them."""
    for each in stored:
        place = _place(each["citation"])
        citation = review.citation(place)
        if citation and citation.digest == place.digest:
            yield Role(each["text"], replace(citation, span=Span(place.start, each["citation"]["end"])))


def _section(stored: StoredReply, review: Review) -> Section:
    return Section(
        stored["heading"],
        _extracts(stored["extracts"], review),
        tuple(stored["lines"]),
        stored["marked"],
        _citations(stored.get("cited", ()), review),
        counts=tuple((label, number) for label, number in stored.get("counts", ())),
    )


def link(card: LinkCard) -> StoredReply:
    """Return a link's card in the form in which it is stored."""
    cited = [json_contract.citation(card.citation)]
    return {"kind": "link", "title": card.title, "lines": list(card.lines), "cited": cited}


def _link(stored: StoredReply, review: Review) -> Reply | None:
    """Return the card of a link as that of the newest version."""
    citation = review.citation(_place(stored["cited"][0]))
    if citation is None:
        return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else None
    card = article_card(review.archive, citation)
    if card is None:
        return None
    if (card.title, list(card.lines)) != (stored["title"], stored["lines"]):
        review.notes.append((Fate.CHANGED, (card.title, card.lines)))
    return card.listing


def _check(stored: StoredReply, review: Review) -> Check:
    found = ((each["difference"], _extract(each, review)) for each in stored["matches"])
    matches = (Match(each, tuple((Change(change), words) for change, words in runs)) for runs, each in found if each)
    claimed, goes_on = stored["claimed_speaker"], stored["goes_on"]
    return Check(
        Verdict(stored["kind"]),
        stored["quote"],
        tuple(matches),
        tuple(stored["not_compared"]),
        ClaimedSpeaker(claimed["name"], Agreement(claimed["verdict"]), claimed["in_article"]) if claimed else None,
        tuple(map(QuotationLiberty, stored["freedoms"])),
        stored["left_out"],
        _extract(goes_on, review) if goes_on else None,
    )


def _extracts(stored: Iterable[StoredReply], review: Review) -> tuple[Extract, ...]:
    found = (_extract(each, review) for each in stored)
    return tuple(extract for extract in found if extract)


def _citations(stored: Iterable[StoredReply], review: Review) -> tuple[Citation, ...]:
    found = (review.citation(_place(each)) for each in stored)
    return tuple(citation for citation in found if citation)


def _extract(stored: StoredReply, review: Review) -> Extract | None:
    before, answer = stored["before"], stored.get("answer")
    found = review.extract(_place(stored["citation"]), _place(before["citation"]) if before else None)
    return replace(found, answer=Span(*answer)) if found and answer and found.text == stored["text"] else found


def _place(citation: StoredReply) -> SentencePlace:
    return SentencePlace(citation["article_id"], citation["digest"], citation["start"])
