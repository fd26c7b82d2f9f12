"""What was shown last -> what "copy 2", "says who?", "when was that?", "source?" and "is that verified?" mean.

Extracts are numbered in the order in which a reply shows them, on every platform and after every command. Their
addresses are kept as a state (see ``bot.state``), so that what is meant is what was on the screen, whatever has been
asked or has changed since.

Passages worth a command's listing: those that have to do with some words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import Enum
from typing import TYPE_CHECKING

from bot import citing, messages, state, verbatim
from bot.commands.ask import fill
from bot.commands.clip import FORMS
from bot.model import Answer, Check, Extract, Message, Reply
from bot.outline import outline
from retrieval import terms, words

if TYPE_CHECKING:
    from retrieval import Archive


MOST = 600  # characters of a state: more extracts than any reply shows
_NUMBERED = re.compile(
    rf"/?(?P<command>context|copy)(?:\s+(?P<number>\d{{1,3}}))?(?:\s+(?P<form>{'|'.join(map(re.escape, FORMS))}))?"
)
_AND = r"(?:and |but |so |ok |okay )?"
_THAT = r"(?:that|this|it|these|those)"


class Asked(Enum):
    """What can be asked of extracts that are shown; its value is what is typed, in small letters without marks."""

    SPEAKER = (
        rf"{_AND}(?:says who|who (?:says|said)(?: so| {_THAT})?|according to whom?|whose words (?:is|are) {_THAT})"
    )
    DAY = rf"{_AND}(?:when (?:is|was|were) {_THAT}(?: from| published| written| said| reported)?|how old is {_THAT})"
    CAVEAT = (
        rf"{_AND}(?:is|was|are|were|has|have) {_THAT}(?: been)?(?: independently)? (?:verified|confirmed|corroborated)"
        r"(?: yet| independently| by any(?:body|one))?"
    )
    SOURCE = (
        rf"{_AND}(?:the )?(?:source|link)(?: please)?|{_AND}(?:what|which) (?:source|article|outlet|paper)"
        rf"(?: (?:is|was) {_THAT}(?: in| from)?)?|{_AND}where (?:is|was) {_THAT} (?:from|published|reported)"
    )


def alone(reply: Reply) -> Extract | None:
    """Return the extract of an answer, or of a checked quotation, that has no other; it needs no number."""
    found = outline(reply).extracts if isinstance(reply, Answer | Check) else ()
    return found[0] if len(found) == 1 else None


def kept(reply: Reply) -> str:
    """Return the state of what a reply shows; empty where it shows nothing."""
    return state.encode((state.address(e.citation, e.index) for e in outline(reply).extracts), most=MOST)


def refers(text: str) -> bool:
    """Return whether a line can be about nothing but what was shown."""
    return _NUMBERED.fullmatch(text.strip()) is not None or _asked(text) is not None


def numbered(text: str, shown: str) -> str:
    """Return "copy 2 csv" as the command on that extract of what was shown; any other line as it is."""
    match = _NUMBERED.fullmatch(text.strip())
    if match is None or not (shown or text.startswith("/")):
        return text
    number, held = int(match["number"] or 1), state.decode(shown) if shown else ()
    meant = state.encode(held[number - 1 : number]) if number else ""
    return f"/{match['command']} {meant or number} {match['form'] or ''}".strip()


def told(archive: Archive, text: str, shown: str) -> Answer | Message | None:
    """Return what is asked of the extracts that were shown; ``None`` where something else is asked."""
    asked = _asked(text) if shown else None
    if asked is None:
        return None
    found = (verbatim.addressed(archive, address.key, address.index) for address in state.decode(shown))
    page = fill([extract for extract in found if extract])
    if not page.extracts:
        return Message(messages.CHANGED)
    lines = [_TOLD[asked](extract) for extract in page.extracts]
    return Answer(page.extracts, message="\n".join(_with_numbers(lines)))


def _with_numbers(lines: list[str]) -> Iterable[str]:
    return lines if len(lines) == 1 else (f"{citing.number(n)} {line}" for n, line in enumerate(lines, 1))


def _asked(text: str) -> Asked | None:
    line = " ".join(words(text))
    return next((asked for asked in Asked if re.fullmatch(asked.value, line)), None)


def _speaker(extract: Extract) -> str:
    return citing.speaker(extract) or messages.OWN_VOICE


def _day(extract: Extract) -> str:
    return messages.publication(extract.citation.published)


def _caveat(extract: Extract) -> str:
    if extract.caveats:
        return " ".join(f"{messages.CAVEAT} {caveat.text}" for caveat in extract.caveats)
    return messages.POSSIBLY_COVERED if extract.notices else messages.NO_CAVEAT


def _source(extract: Extract) -> str:
    return citing.source(extract.citation)


_TOLD = {Asked.SPEAKER: _speaker, Asked.DAY: _day, Asked.CAVEAT: _caveat, Asked.SOURCE: _source}


def matching(archive: Archive, words: str, facets: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return the places (article id, index) of the sentences that hold every term of ``words``, names included.

    Those of articles with one of ``facets`` alone: of few of many, and no other is looked into.
    """
    wanted = dict.fromkeys(terms(words))
    return frozenset(archive.holding(wanted, among={each.id for each in archive.listed(wanted, facets)}))


def extracts(archive: Archive, article_id: str, indexes: Iterable[int]) -> tuple[Extract, ...]:
    """Return those sentences of an article that can be shown."""
    found = (verbatim.extract(archive, article_id, index) for index in indexes)
    return tuple(extract for extract in found if extract)
