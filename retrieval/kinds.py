"""What a piece is the name of, judged by its own words and its neighbours.

``RULES`` are asked in order; the first that has an opinion decides.
A verdict that is not ``sure`` gives way to what the rest of the article shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retrieval.gazetteer import is_large_place, is_people, is_place, is_region, is_word
from retrieval.model import Kind
from retrieval.pieces import Piece, is_opener, is_role
from retrieval.runs import Word
from retrieval.titles import (
    BODIES,
    EVENT_OPENERS,
    EVENTS,
    NAMELESS,
    PARTICLES,
    REGAL,
    SITE_OPENERS,
    SITES,
    listed,
)

_LOCATIVES = listed("in at near from around outside inside across throughout toward towards leaving reached")
_TERRITORIES = listed("town city village region province district suburb capital oblast port state county island")
_SPEAKING = listed(
    "said says told added wrote asked tweeted replied argued noted insisted warned explained testified who whose "
    "has had"
)
_JOINERS = listed("of for on and & to in at the")
_GENERIC = BODIES | SITES | EVENTS
_LONGEST_PERSON = 5  # words


class Verdict(NamedTuple):
    """A kind, none where it is no name; ``sure`` where nothing else in the article can change it."""

    kind: Kind | None
    sure: bool = True


class Candidate(NamedTuple):
    """A piece with what stands around it.

    ``opens`` where it opens a sentence, a quotation or a line; ``lower`` and ``capital`` are the words that the
    article has in lower case, and in upper case within a sentence.
    """

    piece: Piece
    texts: tuple[str, ...]
    before: str
    after: str
    opens: bool
    lower: frozenset[str]
    capital: frozenset[str]

    @property
    def name(self) -> str:
        """The words as one string."""
        return " ".join(self.texts)


def candidate(words: list[Word], piece: Piece, lower: frozenset[str], capital: frozenset[str]) -> Candidate:
    """Return ``piece`` with its neighbours."""
    before = words[piece.first - 1].text if piece.first else ""
    after = words[piece.last + 1].text if piece.last + 1 < len(words) else ""
    texts = tuple(w.text for w in words[piece.first : piece.last + 1])
    return Candidate(piece, texts, before, after, not before[-1:].isalnum(), lower, capital)


def judge(found: Candidate) -> tuple[Verdict, str]:
    """Return what the piece is the name of, and the rule that says so."""
    for rule in RULES:
        verdict = rule(found)
        if verdict is not None:
            return verdict, rule.__name__.strip("_").replace("_", " ")
    return Verdict(None), "no rule"


def _nameless(c: Candidate) -> Verdict | None:
    text = c.texts[0]
    if len(c.texts) > 1:
        return None
    known = text in NAMELESS or len(text) == 1 or is_opener(text) or text in _GENERIC or text.isdigit()
    return Verdict(None) if known or (is_role(text) and not c.piece.titled) else None


def _region(c: Candidate) -> Verdict | None:
    return Verdict(Kind.PLACE) if is_region(c.name) else None


def _people(c: Candidate) -> Verdict | None:
    return Verdict(Kind.GROUP) if all(is_people(text) for text in c.texts) else None


def _everyday_word(c: Candidate) -> Verdict | None:
    """Doubt a capital word that opens a sentence and is an everyday word."""
    text = c.texts[0]
    if len(c.texts) > 1 or c.piece.titled or not c.opens or text in c.capital or text.isupper():
        return None
    return Verdict(None, sure=False) if text.lower() in c.lower or is_word(text) else None


def _event(c: Candidate) -> Verdict | None:
    if len(c.texts) == 1:
        return None
    named = c.texts[-1] in EVENTS or c.texts[0] in EVENT_OPENERS or (c.texts[0] in EVENTS and c.texts[1] == "of")
    return Verdict(Kind.EVENT) if named else None


def _head(c: Candidate) -> Verdict | None:
    """Judge by the head word: the one before "of", else the last."""
    if len(c.texts) == 1:
        return None
    joint = next((i for i, text in enumerate(c.texts) if text in ("of", "for", "on") and i), len(c.texts))
    head = c.texts[joint - 1]
    if head in BODIES:
        return Verdict(Kind.ORG)
    return Verdict(Kind.PLACE) if head in SITES or c.texts[0] in SITE_OPENERS else None


def _regal(c: Candidate) -> Verdict | None:
    return Verdict(Kind.PERSON) if c.texts[0] in REGAL and 1 < len(c.texts) <= _LONGEST_PERSON else None


def _titled(c: Candidate) -> Verdict | None:
    return Verdict(Kind.PERSON) if c.piece.titled and not is_region(c.name) else None


def _acronym(c: Candidate) -> Verdict | None:
    text = c.texts[0].replace(".", "").replace("&", "")
    if len(c.texts) > 1 or len(text) == 1 or not text.isupper():
        return None
    return Verdict(Kind.ORG) if not text.isdigit() else Verdict(None)


def _place(c: Candidate) -> Verdict | None:
    """Judge by the gazetteer: a city of size by its name alone, any other by its neighbours."""
    if is_large_place(c.name):
        return Verdict(Kind.PLACE, sure=len(c.texts) > 1)
    return Verdict(Kind.PLACE) if _stands_as_place(c) and is_place(c.name) else None


def _stands_as_place(c: Candidate) -> bool:
    return c.before.lower() in _LOCATIVES or (c.before == "of" and bool(c.lower & _TERRITORIES))


def _person(c: Candidate) -> Verdict | None:
    """Take two to five words, not all of them everyday ones, for a person."""
    capital = [text for text in c.texts if text not in PARTICLES]
    if len(c.texts) == 1 or len(capital) > _LONGEST_PERSON or any(text in _JOINERS for text in c.texts):
        return None
    shouted = any(text.isupper() and len(text) > 2 for text in capital)  # noqa: PLR2004 - "JD", "F." are initials
    if shouted or all(is_word(text) for text in capital):
        return None
    return Verdict(Kind.PERSON)


def _territory(c: Candidate) -> Verdict | None:
    """Take "the region of X", "X region" and "in X" for places."""
    if len(c.texts) > 1:
        return None
    return Verdict(Kind.PLACE) if c.before.lower() in _LOCATIVES or c.after in _TERRITORIES else None


def _speaks(c: Candidate) -> Verdict | None:
    """Take one word before "said" for a person."""
    return Verdict(Kind.PERSON) if len(c.texts) == 1 and c.after in _SPEAKING and c.before != "the" else None


def _rest(c: Candidate) -> Verdict | None:
    if len(c.texts) > 1:
        return Verdict(Kind.ORG, sure=False)
    if c.before.lower() == "the":
        return Verdict(Kind.ORG, sure=False)
    return Verdict(Kind.PERSON, sure=False)


Rule = Callable[[Candidate], Verdict | None]
RULES: tuple[Rule, ...] = (
    _nameless,
    _region,
    _people,
    _everyday_word,
    _event,
    _head,
    _regal,
    _titled,
    _acronym,
    _place,
    _person,
    _territory,
    _speaks,
    _rest,
)
