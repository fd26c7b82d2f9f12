"""Whether a sentence has the type of answer asked for: 1 where it has, 0 where it may have, -1 where it has not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.ask.question_types import AnswerType
from retrieval import Kind, Manner, Mention, Passage, Voice, terms

COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
    " thirty forty fifty sixty seventy eighty ninety hundreds? thousands? millions? billions? dozens?"
    " half quarter third several none once twice"
).replace(" ", "|")
_COUNT = rf"(?:\d[\d,.]*|{COUNTS})"
_NUMBER = re.compile(rf"\b{_COUNT}(?:st|nd|rd|th)?\b", re.IGNORECASE)
_AGE = re.compile(
    r",\s\d{1,3}\s?(?:[,.;)]|$)|\b\d{1,3}[- ](?:year|month)s?[- ]olds?\b|\baged?\s\d|\byears of age\b|\(\d{2}\)"
    r"|\b(?:is|was|turn(?:ed|s))\s\d{1,3}\b|\bin (?:his|her|their) (?:early |mid-?|late )?[a-z]+ties\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$£€¥]\s?\d|\d\s?%|\b(?:per ?cent|percent)\b"
    r"|\d[\w\s.,-]{0,20}\b(?:dollars?|pounds?|euros?|cents?|tons?|tonnes?)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    rf"\b(?:{_COUNT}|an?|few|many)\b[\w\s,.-]{{0,16}}\b(?:second|minute|hour|day|night|week|month|year|decade|centur"
    r"|mile|kilomet|met(?:er|re)|feet|foot|inch|acre|pound|kilo|ton|mph|km|mm|cm|knot|degree|storey|stor(?:y|ies))",
    re.IGNORECASE,
)
DATE = (
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may(?= \d)|(?<=\d )may|june|july"
    r"|august|september|october|november|december|(?:jan|feb|aug|sept?|oct|nov|dec)\."
    r"|yesterday|today|tomorrow|tonight"
    r"|(?:last|next|this|earlier this|later this) (?:week|month|year|night|morning|summer|spring|autumn|fall|winter)"
    r"|morning|noon|midnight|(?:hours?|days?|weeks?|months?|years?|decades?) (?:ago|later|before|after|earlier)"
    r"|(?:1[5-9]|20)\d\d|\d{1,2}(?::\d\d)?\s?[ap]\.?m)(?!\w)"
)
_DATE = re.compile(DATE, re.IGNORECASE)
_SPOT = re.compile(r"\b(?:in|at|near|outside|behind|inside|under|along|across|around|from|to|off)\s(?:the\s)?[A-Z]")
_REASON = re.compile(
    r"\b(?:because|due to|caused?|causing|owing to|thanks to|result(?:ed|s|ing)? (?:of|from|in)|in order to|so that"
    r"|reasons?|led to|leading to|prompt(?:ed|ing|s)|sparked|triggered|blam\w+|amid|aim\w*|in response|for fear|since"
    r"|to (?:protect|prevent|ensure|avoid|help|allow|make|meet|give|stop|reduce|improve|keep))\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:den(?:y|ies|ied|ying|ials?)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|refut\w+|disput\w+|untrue|false|fake[sd]?"
    r"|baseless|unfounded|no (?:evidence|truth|involvement)|not true|never)\b",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"\b(?:is|was|are|were|called|known as|means?|stands? for)\b|, (?:an?|the|who|which)\b|\(")
_QUOTED = re.compile(r"[“”\"]")


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence: its text, its passage, and the terms of the question."""

    text: str
    passage: Passage
    asked: frozenset[str]


def holds(kind: AnswerType, view: SentenceView) -> float:
    """Return how surely the sentence has an answer of ``kind``, -1 to 1; 0 where any sentence may have it."""
    return HOLDS[kind](view) if kind in HOLDS else 0.0


def holds_new(kind: AnswerType, view: SentenceView) -> float:
    """Return 1 where the sentence has a name, date or number of ``kind`` that is not in the question, -1 where not.

    0 for other kinds.
    """
    if kind in NEW_NAMES:
        return 1.0 if _new(view, NEW_NAMES[kind]) else -1.0
    if kind in FIGURES:
        found = FIGURES[kind].finditer(_without_names(view) if kind is AnswerType.NUMBER else view.text)
        return 1.0 if any(not view.asked.issuperset(terms(match.group())) for match in found) else -1.0
    return 0.0


def _matching(pattern: re.Pattern[str]) -> Callable[[SentenceView], float]:
    return lambda view: 1.0 if pattern.search(view.text) else -1.0


def _number(view: SentenceView) -> float:
    return 1.0 if _NUMBER.search(_without_names(view)) else -1.0


def _without_names(view: SentenceView) -> str:
    """Return the text with the names that contain a digit blanked out."""
    text, start = view.text, view.passage.sentence.span.start
    for mention in view.passage.mentions:
        place = slice(mention.span.start - start, mention.span.end - start)
        if any(c.isdigit() for c in text[place]):
            text = text[: place.start] + "_" * (place.stop - place.start) + text[place.stop :]
    return text


def _new(view: SentenceView, kinds: frozenset[Kind]) -> list[Mention]:
    """Return the names of ``kinds`` that are not in the question itself."""
    return [m for m in view.passage.mentions if m.kind in kinds and view.asked.isdisjoint(terms(m.name))]


def _person(view: SentenceView) -> float:
    if _new(view, frozenset({Kind.PERSON})):
        return 1.0
    speaker = view.passage.speaker
    if speaker and view.asked.isdisjoint(terms(speaker)):
        return 1.0 if view.passage.voice is Voice.NAMED else 0.3
    return 0.0 if _new(view, frozenset({Kind.ORG, Kind.GROUP})) else -1.0


def _name(view: SentenceView) -> float:
    return 1.0 if _new(view, frozenset(Kind)) else -1.0


def _place(view: SentenceView) -> float:
    if _new(view, frozenset({Kind.PLACE})):
        return 1.0
    return 0.0 if _SPOT.search(view.text) else -1.0


def _quotation(view: SentenceView) -> float:
    attribution = view.passage.attribution
    if attribution and (attribution.manner is Manner.QUOTED or _QUOTED.search(view.text)):
        return 1.0
    return 0.5 if attribution else -0.5


def _denial(view: SentenceView) -> float:
    return 1.0 if view.passage.denial or _DENIAL.search(view.text) else -0.2


def _verification(view: SentenceView) -> float:
    return 1.0 if view.passage.is_caveat else 0.6 if view.passage.caveats else 0.0


def _definition(view: SentenceView) -> float:
    """Return how surely the sentence gives the role of a name asked about, or says what a thing is, 0 to 1."""
    named = [m for m in view.passage.mentions if not view.asked.isdisjoint(terms(m.name))]
    return 1.0 if any(m.role for m in named) else 0.5 if _DEFINED.search(view.text) else 0.0


HOLDS: dict[AnswerType, Callable[[SentenceView], float]] = {
    AnswerType.NUMBER: _number,
    AnswerType.AGE: _matching(_AGE),
    AnswerType.MONEY: lambda view: 1.0 if _MONEY.search(view.text) else _number(view) - 0.5,
    AnswerType.DURATION: lambda view: 1.0 if _MEASURE.search(view.text) else _number(view) - 0.5,
    AnswerType.PERSON: _person,
    AnswerType.NAME: _name,
    AnswerType.PLACE: _place,
    AnswerType.DATE: _matching(_DATE),
    AnswerType.QUOTATION: _quotation,
    AnswerType.REASON: lambda view: 1.0 if _REASON.search(view.text) else 0.0,
    AnswerType.DENIAL: _denial,
    AnswerType.VERIFICATION: _verification,
    AnswerType.DEFINITION: _definition,
}

NEW_NAMES = {
    AnswerType.PERSON: frozenset({Kind.PERSON}),
    AnswerType.NAME: frozenset(Kind),
    AnswerType.PLACE: frozenset({Kind.PLACE}),
}
FIGURES = {
    AnswerType.NUMBER: _NUMBER,
    AnswerType.AGE: _AGE,
    AnswerType.MONEY: _MONEY,
    AnswerType.DURATION: _MEASURE,
    AnswerType.DATE: _DATE,
}
