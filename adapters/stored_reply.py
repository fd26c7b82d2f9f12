"""A reply as it is kept -> the reply as it is by now, each sentence fetched anew from the place that it was cited from.

Only what the bot itself said is taken from what was kept, never an article's words.

Articles that were taken down -> no word of them in what is kept beside the archive: answers, readings.

The archive remembers what is left to do until it is done; so whoever is killed in between leaves it to the next.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adapters import folders, json_contract
from adapters.answer_record import cited_places
from adapters.settings import Settings
from adapters.storage.store import Store, StoreError, default_path, is_server_address
from bot import messages
from bot.link_card import LinkCard, article_card
from bot.model import (
    Agreement,
    Answer,
    Card,
    Change,
    Check,
    ClaimedSpeaker,
    Companion,
    Extract,
    Freedom,
    Listing,
    Match,
    Message,
    Reply,
    Role,
    Section,
    Verdict,
)
from bot.revision import Fate, Review, SentencePlace, is_taken_down
from retrieval import Archive, Kind, PersistentArchive, Removed, Span

if TYPE_CHECKING:
    from retrieval import ClusterArchive  # loads its library


Told = Mapping[str, Any]

PLACE = ("article_id", "digest", "start", "end")
# Where the words of an article may stand with no place told beside them.
_UNSAID: Told = {"title": "", "heading": "", "lines": [], "text": "", "quote": "", "message": "", "difference": []}


def reviewed(told: Told, review: Review) -> Reply | None:
    """Return the reply that ``machine.reply`` told so, as ``review`` finds its sentences; None where it cites none.

    Of an answer and of a card, only what was taken down is left out. What else shows an article's title or words in
    more places than its citations tell is withdrawn as a whole.
    """
    match told["kind"]:
        case "answer":
            return _answer(told, review)
        case "entity":
            return _card(told, review)
        case "clipping":
            extracts = _extracts([told["extract"]], review)
            return Answer(extracts) if extracts else Message(messages.WITHDRAWN)
        case "link":
            return _link(told, review)
        case "listing":
            found: Reply = _listing(told, review)
        case kind if kind in tuple(Verdict):
            found = _check(told, review)
        case _:
            return None
    return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else found


def redacted(told: Told, is_taken_down: Callable[[str], bool]) -> Told:
    """Return what ``machine.reply`` told without the words of versions that are gone, by their keys.

    What is left are the places; so ``reviewed`` finds the same as before.
    """
    left = _without(told, is_taken_down)
    if left == told or told["kind"] == "answer":
        return cast("Told", left)
    if told["kind"] == "entity":
        return _unnamed(cast("Told", left), is_taken_down)
    return cast("Told", _silent(left))


def withdraw_words(store: Store, digests: Iterable[str], gone: Callable[[str], bool]) -> None:
    """Take the words of versions that are ``gone``, by their keys, out of the answers that rest on them."""
    for digest in digests:
        for number, reply in store.answers_resting_on(digest):
            left = json_contract.line(dict(redacted(json.loads(reply), gone)))
            if left != reply:
                store.withdraw_words(number, left)
    store.clear_journal()


def _without(told: object, is_taken_down: Callable[[str], bool]) -> object:
    if isinstance(told, list):
        return [_without(value, is_taken_down) for value in told]
    if not isinstance(told, dict):
        return told
    if "digest" in told:
        return {key: told[key] for key in PLACE} if is_taken_down(_place(told).key) else told
    if "citation" in told and is_taken_down(_place(told["citation"]).key):
        kept = {key: _without(told.get(key), is_taken_down) for key in ("citation", "before")}
        return {**kept, "difference": []}
    return {key: _without(value, is_taken_down) for key, value in told.items()}


def _unnamed(told: Told, is_taken_down: Callable[[str], bool]) -> Told:
    """Return a card without the names that nothing but versions that are gone may have."""
    company = [
        {**each, "name": "" if _is_gone(each["extract"]["citation"], is_taken_down) else each["name"]}
        for each in told["with"]
    ]
    name = "" if all(_is_gone(each, is_taken_down) for each in told["articles"]) else told["name"]
    return {**told, "name": name, "variants": [], "with": company}


def _is_gone(citation: Told, is_taken_down: Callable[[str], bool]) -> bool:
    return is_taken_down(_place(citation).key)


def _silent(told: object) -> object:
    """Return the same without headings and lines, in which an article's title and words may stand too."""
    match told:
        case dict():
            return {key: _UNSAID.get(key, _silent(value)) for key, value in told.items()}
        case list():
            return [_silent(value) for value in told]
    return told


def stands(told: object, archive: Archive) -> bool:
    """Return whether every article that a reply cites has the text that it cites."""
    return all(_digest(archive, each.article) == each.digest for each in cited_places(told))


def _digest(archive: Archive, article_id: str) -> str:
    try:
        return archive.article(article_id).digest
    except KeyError:
        return ""


def _answer(told: Told, review: Review) -> Reply:
    extracts = _extracts(told["extracts"], review)
    if not extracts:
        return Message(messages.WITHDRAWN)
    partly = messages.WITHDRAWN_IN_PART if Fate.WITHDRAWN in review.fates else None
    return Answer(
        extracts,
        message=" ".join(filter(None, (partly, told["message"]))) or None,
        more=told["more"],
        looked_for=tuple(told["looked_for"]),
        not_found=tuple(told["not_found"]),
        confidence=told["confidence"],
        sure=told["sure"],
    )


def _card(told: Told, review: Review) -> Reply:
    roles, said, about = (_extracts(told[part], review) for part in ("roles", "said", "about"))
    named = ((each, _extract(each["extract"], review)) for each in told["with"])
    cited = (review.citation(_place(each)) for each in told["articles"])
    card = Card(
        name=told["name"],
        kind=Kind(told["entity_kind"]),
        variants=tuple(told["variants"]),
        roles=roles,
        said=said,
        about=about,
        company=tuple(Companion(each["name"], each["sentences"], found) for each, found in named if found),
        articles=tuple(citation for citation in cited if citation),
        described=tuple(_described(told.get("described", ()), review)),
        in_all=told.get("in_all", 0),
        said_in_all=told.get("said_in_all", 0),
    )
    return card if card.articles else Message(messages.WITHDRAWN)


def _described(told: Iterable[Told], review: Review) -> Iterator[Role]:
    """Yield the roles in articles that are as they were: of another text, nobody knows whether it has them."""
    for each in told:
        place = _place(each["citation"])
        citation = review.citation(place)
        if citation and citation.digest == place.digest:
            yield Role(each["text"], replace(citation, span=Span(place.start, each["citation"]["end"])))


def _listing(told: Told, review: Review) -> Listing:
    return Listing(told["title"], tuple(_section(each, review) for each in told["sections"]))


def _section(told: Told, review: Review) -> Section:
    shown, named = _extracts(told["extracts"], review), (review.citation(_place(c)) for c in told.get("cited", ()))
    cited = tuple(citation for citation in named if citation)
    return Section(told["heading"], shown, tuple(told["lines"]), told["marked"], cited)


def link(card: LinkCard) -> Told:
    """Return what is kept of the card of a link."""
    cited = [json_contract.citation(card.citation)]
    return {"kind": "link", "title": card.title, "lines": list(card.lines), "cited": cited}


def _link(told: Told, review: Review) -> Reply | None:
    """Return the card of a link as that of the newest version."""
    citation = review.citation(_place(told["cited"][0]))
    if citation is None:
        return Message(messages.WITHDRAWN) if Fate.WITHDRAWN in review.fates else None
    card = article_card(review.archive, citation)
    if card is None:
        return None
    if (card.title, list(card.lines)) != (told["title"], told["lines"]):
        review.notes.append((Fate.CHANGED, (card.title, card.lines)))
    return card.listing


def _check(told: Told, review: Review) -> Check:
    found = ((each["difference"], _extract(each, review)) for each in told["matches"])
    matches = (Match(each, tuple((Change(change), words) for change, words in runs)) for runs, each in found if each)
    claimed, kind = told.get("claimed_speaker"), Verdict(told["kind"])
    if not claimed and kind is Verdict.MISATTRIBUTED:  # as it was written down before speakers were
        claimed = {"name": "the speaker who was named", "verdict": Agreement.WRONG}
    return Check(
        kind,
        told["quote"],
        tuple(matches),
        tuple(told.get("not_compared", ())),
        ClaimedSpeaker(claimed["name"], Agreement(claimed["verdict"]), claimed.get("in_article")) if claimed else None,
        tuple(map(Freedom, told.get("freedoms", ()))),
        told.get("left_out", 0),
        _extract(told["goes_on"], review) if told.get("goes_on") else None,
    )


def _extracts(told: Iterable[Told], review: Review) -> tuple[Extract, ...]:
    found = (_extract(each, review) for each in told)
    return tuple(extract for extract in found if extract)


def _extract(told: Told, review: Review) -> Extract | None:
    before, answer = told["before"], told.get("answer")
    found = review.extract(_place(told["citation"]), _place(before["citation"]) if before else None)
    return replace(found, answer=Span(*answer)) if found and answer and found.text == told["text"] else found


def _place(citation: Told) -> SentencePlace:
    return SentencePlace(citation["article_id"], citation["digest"], citation["start"])


log = logging.getLogger(__name__)


def withdraw(settings: Settings, removed: Collection[Removed], gone: Callable[[str], bool]) -> None:
    """See to all that is kept by these settings; ``StoreError`` where the answers cannot be reached."""
    place = settings.state or default_path()
    if is_server_address(place) or Path(place).exists():
        with Store.of(settings) as store:
            withdraw_words(store, {each.digest for each in removed}, gone)
            store.delete_news({each.article for each in removed if gone(each.key)})
    # what is kept between starts of folders that were asked: a removed article may stand in it
    folders.forget(settings, {each.digest for each in removed})


def listen(settings: Settings, archive: PersistentArchive | ClusterArchive) -> None:
    """Have the words of what is removed from the archive deleted from stored answers and cached folders too."""
    archive.retirements.listener = lambda removed: withdraw(settings, removed, lambda key: is_taken_down(archive, key))


def publish_removals(archive: PersistentArchive | ClusterArchive) -> None:
    """Have the archive publish what was removed; if the store cannot be reached, warn: it is published again later."""
    try:
        archive.retirements.publish_removals()
    except StoreError as error:
        log.warning("words of what was removed may still be kept: %s", error)
