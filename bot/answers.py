"""Does a sentence hold the kind of answer that is asked for? 1 where it surely does, -1 where it surely does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from retrieval.model import Answering, Kind, Manner, Passage, Voice
from retrieval.terms import term, words

_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred hundreds thousand thousands million millions billion billions dozen dozens half quarter third both "
    "several none scores once twice"
)
_NUMBER = re.compile(rf"\d|\b(?:{_NUMBER_WORDS.replace(' ', '|')})\b", re.IGNORECASE)
_AGE = re.compile(
    r",\s(?:\w+\s)?\d{1,3}\s?,|\b\d{1,3}[- ]years?[- ]olds?\b|\baged?\s\d|\b(?:is|was|turned|turns)\s\d{1,3}\b"
    r"|\bin (?:his|her|their) (?:early |mid-?|late )?[a-z]+ties\b|\byears of age\b|\(\d{2}\)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few|half|many)\b)[\w\s,-]{0,16}"
    r"\b(?:second|minute|hour|day|night|week|month|year|decade|centur)",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$£€¥]\s?\d|\d[\w\s.,]{0,20}\b(?:dollars?|pounds?|euros?|per ?cent|percent|tons?|tonnes?|%)|\d\s?%|\d"
)
_DAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may \d|june|july|august|september"
    r"|october|november|december|jan\.|feb\.|aug\.|sept?\.|oct\.|nov\.|dec\.|yesterday|today|tomorrow|tonight"
    r"|(?:last|next|this|earlier this|end of the|later this) (?:week|month|year|night|morning|summer|spring|autumn)"
    r"|morning|noon|midnight|(?:hours?|days?|weeks?|months?|years?|decades?) (?:ago|later|before|after|earlier)"
    r"|(?:19|20)\d\d|\d{1,2}(?::\d\d)?\s?[ap]\.?m)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|at|near|from|to|outside|behind|inside|northwest|northeast|southwest|southeast|of) (?:the )?[A-Z]"
)
_SPOT = re.compile(
    r"\b(?:in|at|near|outside|behind|inside|under|beside|along|across|around|next to) (?:\w+ ){0,2}\w+", re.IGNORECASE
)
_QUOTED = re.compile(r"[“”\"]")
_REASON = re.compile(
    r"\b(?:because|due to|caused?|causing|owing to|thanks to|as a result|result(?:ed|s|ing)? (?:of|from|in)|in order to"
    r"|so that|since|reasons?|led to|leading to|prompt(?:ed|ing|s)|sparked|triggered|blam\w+|amid|after|over|aim\w*"
    r"|intended|in response|to (?:protect|prevent|ensure|avoid|help|allow|make|meet|give|stop|reduce|improve)|for fear"
    r"|where|dependent|means?|driven by|supply\w*)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:den(?:y|ies|ied|ying|ials?)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|refut\w+|disput\w+|insist\w*|not true"
    r"|untrue|false|fake[sd]?|nonsense|baseless|unfounded|no (?:evidence|truth|involvement)|never"
    r"|was not|were not|did not)\b",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    r"\b(?:is|was|are|were|called|known as|named|means?|stands? for)\b|, (?:an?|the|who|which|head|director)\b|\("
)


@dataclass(frozen=True, slots=True)
class View:
    """A sentence as it is looked at: its text, what was read in it, its terms, and those of what is asked about.

    ``counted`` are the terms of the thing whose number is asked for; ``asked`` all of the question's.
    """

    text: str
    passage: Passage
    own: tuple[str, ...]
    question: str
    counted: frozenset[str]
    asked: frozenset[str]


def _number(view: View) -> float:
    if re.search(r"\bhow old|\bage\b", view.question):
        return 1.0 if _AGE.search(view.text) else -1.0
    if re.search(r"\bhow (?:long|often|fast)\b", view.question):
        return 1.0 if _LASTING.search(view.text) else -1.0
    if re.search(r"\b(?:how much|what percent\w*|cost|price|worth)\b", view.question):
        return 1.0 if _MONEY.search(view.text) else -1.0
    if not _NUMBER.search(view.text):
        return -1.0
    return 1.0 if not view.counted or _counts(view) else 0.2


def _counts(view: View, reach: int = 5) -> bool:
    """Tell whether a number stands within ``reach`` words of what is counted."""
    found = [term(word) or word for word in words(view.text)]
    numbers = [i for i, word in enumerate(found) if word[0].isdigit() or word in _NUMBER_WORDS.split()]
    things = [i for i, word in enumerate(found) if word in view.counted]
    return any(abs(number - thing) <= reach for number in numbers for thing in things)


def _person(view: View) -> float:
    if any(m.kind is Kind.PERSON for m in view.passage.mentions) or view.passage.voice is Voice.NAMED:
        return 1.0
    if view.passage.mentions or view.passage.speaker:
        return 0.4
    return -0.5


def _place(view: View) -> float:
    fresh = [m for m in view.passage.mentions if m.kind in (Kind.PLACE, Kind.ORG)]
    if fresh and _PLACE.search(view.text):
        return 1.0
    return 0.5 if _SPOT.search(view.text) else -0.5


def _day(view: View) -> float:
    return 1.0 if _DAY.search(view.text) else -1.0


def _quotation(view: View) -> float:
    attribution = view.passage.attribution
    if attribution and (attribution.manner is Manner.QUOTED or _QUOTED.search(view.text)):
        return 1.0
    return 0.6 if attribution or _QUOTED.search(view.text) else -0.3


def _reason(view: View) -> float:
    return 1.0 if _REASON.search(view.text) else 0.0


def _denial(view: View) -> float:
    if view.passage.denial:
        return 1.0
    return 0.6 if _DENIAL.search(view.text) else -0.2


def _verification(view: View) -> float:
    if view.passage.is_caveat:
        return 1.0
    return 0.6 if view.passage.caveats else 0.0


def _definition(view: View) -> float:
    """Tell whether a name asked about stands with its role, or a thing with what it is."""
    for mention in view.passage.mentions:
        if mention.role and view.asked & {term(w) for w in words(mention.name)}:
            return 1.0
    return 0.4 if _APPOSED.search(view.text) else 0.0


HOLDS: dict[Answering, Callable[[View], float]] = {
    Answering.NUMBER: _number,
    Answering.PERSON: _person,
    Answering.PLACE: _place,
    Answering.DAY: _day,
    Answering.QUOTATION: _quotation,
    Answering.REASON: _reason,
    Answering.DENIAL: _denial,
    Answering.VERIFICATION: _verification,
    Answering.DEFINITION: _definition,
}


def holds(kind: Answering, view: View) -> float:
    """Return how surely the sentence holds an answer of ``kind``, -1 to 1; 0 where any sentence may."""
    return HOLDS[kind](view) if kind in HOLDS else 0.0
