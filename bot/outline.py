"""Card, Check, Candidates -> Listing: one shape that every platform can draw."""

from __future__ import annotations

from collections.abc import Iterator

from bot import citing, messages
from bot.model import Candidates, Card, Change, Check, Listing, Match, Section
from bot.notices import notices

ARTICLES = 10  # listed on a card, the newest
MARKS = {Change.SAME: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "[+{}+]"}


def outline(reply: Card | Check | Candidates) -> Listing:
    """Return ``reply`` under headings, with nothing lost but its type."""
    match reply:
        case Card():
            return _card(reply)
        case Check():
            return _check(reply)
        case Candidates():
            return _candidates(reply)


def _card(card: Card) -> Listing:
    others = [variant for variant in card.variants if variant != card.name]
    number, looked = max(card.in_all, len(card.articles)), len(card.articles)
    head = [f"{messages.KINDS[card.kind].capitalize()}, in {messages.count(number, 'article')}."]
    if others:
        head.append("Also spelt " + ", ".join(others).removesuffix(".") + ".")
    if number > looked:
        head.append(messages.of_the_newest(looked))
    described = tuple(f"“{role.text}” · {citing.source(role.citation)}" for role in card.described)
    said = messages.said_in_all(card.said_in_all, card.name, at_least=number > looked)
    in_all = (said,) if card.said_in_all > len(card.said) else ()
    company = tuple(f"{c.name}, in {messages.count(c.sentences, 'sentence')}" for c in card.company)
    sections = (
        Section("", lines=tuple(head)),
        Section("Described as", lines=described),
        Section("Said", card.said, in_all),
        Section("Said of them", card.about),
        Section("Named together with", lines=company),
        Section("Articles", lines=(*map(citing.source, card.articles[:ARTICLES]), *_rest(number - ARTICLES))),
    )
    due = notices((*card.said, *card.about))
    told = tuple(notice for notice in card.notices if notice in due)
    return Listing(card.name, tuple(s for s in sections if s.extracts or s.lines), told)


def _rest(number: int) -> Iterator[str]:
    if number > 0:
        yield messages.and_more(number, "article")


def _check(check: Check) -> Listing:
    return Listing(check.message, tuple(_match(match) for match in check.matches), check.notices)


def _match(match: Match) -> Section:
    changed = any(change is not Change.SAME for change, _ in match.difference)
    line = " ".join(MARKS[change].format(words) for change, words in match.difference)
    return Section("", (match.extract,), lines=(f"{messages.COMPARED} {line}",) if changed else ())


def _candidates(reply: Candidates) -> Listing:
    lines = tuple(
        f"{c.name} ({messages.KINDS[c.kind]}, in {messages.count(c.articles, 'article')})" for c in reply.candidates
    )
    return Listing(reply.message, (Section("", lines=lines),) if lines else ())
