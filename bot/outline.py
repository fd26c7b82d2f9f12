"""Card, Check, Candidates -> Listing: one shape that every platform can draw."""

from __future__ import annotations

from bot import citing, messages
from bot.model import Candidates, Card, Change, Check, Listing, Match, Section

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
    head = [f"{card.kind.value.title()}, in {messages.count(len(card.articles), 'article')}."]
    if others:
        head.append("Also spelt " + ", ".join(others) + ".")
    # each sentence once: what somebody says of himself stands under what he said
    described = tuple(extract for extract in card.roles if extract not in card.said)
    about = tuple(extract for extract in card.about if extract not in described)
    company = tuple(f"{c.name}, in {messages.count(c.sentences, 'sentence')}" for c in card.company)
    sections = (
        Section("", lines=tuple(head)),
        Section("Described as", described),
        Section("Said", card.said),
        Section("Said of them", about),
        Section("Named together with", lines=company),
        Section("Articles", lines=tuple(citing.source(c) for c in card.articles)),
    )
    return Listing(card.name, tuple(s for s in sections if s.extracts or s.lines), card.notices)


def _check(check: Check) -> Listing:
    return Listing(check.message, tuple(_match(match) for match in check.matches), check.notices)


def _match(match: Match) -> Section:
    changed = any(change is not Change.SAME for change, _ in match.difference)
    line = " ".join(MARKS[change].format(words) for change, words in match.difference)
    return Section("", (match.extract,), lines=(f"{messages.COMPARED} {line}",) if changed else ())


def _candidates(reply: Candidates) -> Listing:
    lines = tuple(
        f"{c.name} ({c.kind.value.lower()}, in {messages.count(c.articles, 'article')})" for c in reply.candidates
    )
    return Listing(reply.message, (Section("", lines=lines),) if lines else ())
