"""Does a sentence hold the kind of answer that is asked for? 1 where it surely does, -1 where it surely does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from retrieval.archive.terms import STOPWORDS, fold, term, words
from retrieval.model import Kind, Manner, Mention, Passage, Voice
from retrieval.search import Answering

_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred hundreds thousand thousands million millions billion billions dozen dozens half quarter third both "
    "several none scores once twice"
)
_NUMBER = re.compile(rf"\d|\b(?:{_NUMBER_WORDS.replace(' ', '|')})\b", re.IGNORECASE)
# An age is told in so few ways that a sentence without any surely holds none.
_SURELY_NOT = -1.4
_AGE = re.compile(
    r",\s(?:\w+\s)?\d{1,3}\s?(?:[,.;)]|$)|\b\d{1,3}[- ]years?[- ]olds?\b|\baged?\s\d"
    r"|\b(?:is|was|turn(?:ed|s))\s\d{1,3}\b|\bin (?:his|her|their) (?:early |mid-?|late )?[a-z]+ties\b"
    r"|\byears of age\b|\(\d{2}\)",
    re.IGNORECASE,
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_UNCOUNTED = re.compile(
    rf",\s\d{{1,3}}(?:[,.;)]|$)|\b\d{{1,3}}-year-old\b|\b(?:{_MONTHS})[a-z]*\.?\s\d{{1,2}}\b|\b\d{{1,2}}\s(?:{_MONTHS})[a-z]*\b"
    r"|(?<!\d,)\b(?:19|20)\d\d\b(?!,\d)|\b\d{1,2}:\d\d\b|\b[A-Z]+-\d+\b",
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
_LOCATED = re.compile(
    r"\b(?:in|at|near|off|from|to|outside|behind|inside|around|across|of|on|towards?|into) (?:the )?(?:[a-z]+ ){0,2}$",
    re.IGNORECASE,
)
_SPOT = re.compile(
    r"\b(?:in|at|near|outside|behind|inside|under|beside|along|across|around|next to) (?:\w+ ){0,2}\w+", re.IGNORECASE
)
# "which three firms", "the name of the ferry's captain", "what are the twins called"
_NAMELESS = re.compile(
    r"\bwhich (?:(?:two|three|four|five|other|\w+ian|\w+ish) )?(?P<which>\w+)"
    r"|\bnames? of (?P<of>\w+(?: \w+){0,5})"
    r"|\bwhat (?:is|are|was|were) (?:the |his |her |their |\w+s )?(?P<called>\w+) called\b",
    re.IGNORECASE,
)
# Things that are hardly ever written of at length without their names.
_NAMED = """
    bank company firm hospital clinic school college university hotel restaurant pub bar airline airport carrier
    club team side country nation state city town village newspaper paper channel broadcaster magazine outlet
    agency party charity union prison jail ship ferry boat bridge river island province district museum church
    mosque theatre stadium hall street road minister official ambassador leader senator judge lawyer doctor player
    coach manager brand label lender retailer supermarket insurer contractor developer operator
"""
_HAVE_NAMES = frozenset(filter(None, map(term, _NAMED.split())))
_SOMEBODY = re.compile(r"\W*(?:he|she)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[“”\"]")
_REASON = re.compile(
    r"\b(?:because|due to|caused?|causing|owing to|thanks to|as a result|result(?:ed|s|ing)? (?:of|from|in)|in order to"
    r"|so that|since|reasons?|led to|leading to|prompt(?:ed|ing|s)|sparked|triggered|blam\w+|amid|after|over|aim\w*"
    r"|intended|in response|to (?:protect|prevent|ensure|avoid|help|allow|make|meet|give|stop|reduce|improve)|for fear"
    r"|means?|driven by)\b",
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

    ``counted`` are the terms of the thing whose number is asked for; ``asked`` all of the question's, ``named``
    those of its names, ``role`` those of what somebody asked for is; ``held`` are all terms that the sentence, its
    names and its speaker are found by; ``is_first`` tells that no earlier sentence of the article has these.
    """

    text: str
    passage: Passage
    own: tuple[str, ...]
    question: str
    counted: frozenset[str]
    asked: frozenset[str]
    named: frozenset[str]
    role: frozenset[str]
    held: frozenset[str]
    is_first: bool


def _number(view: View) -> float:
    if re.search(r"\bhow old|\bage\b", view.question):
        return _age(view)
    if re.search(r"\bhow (?:long|often|fast)\b", view.question):
        return 1.0 if _LASTING.search(view.text) else -1.0
    if re.search(r"\b(?:how much|what percent\w*|cost|price|worth)\b", view.question):
        return 1.0 if _MONEY.search(_figures(view)) else -1.0
    if not _NUMBER.search(_figures(view)):
        return -1.0
    return 1.0 if not view.counted or _counts(view) else -0.3


def _figures(view: View) -> str:
    """Return the text without the numbers that count nothing: in names, dates, times and ages."""
    text, start = view.text, view.passage.sentence.span.start
    for mention in view.passage.mentions:
        place = slice(mention.span.start - start, mention.span.end - start)
        if any(c.isdigit() for c in text[place]):
            text = text[: place.start] + "_" * (place.stop - place.start) + text[place.stop :]
    return _UNCOUNTED.sub(" ", text)


def _age(view: View, reach: int = 40) -> float:
    """Tell whether an age stands within ``reach`` characters after a name that is asked about, or before it."""
    ages = [match.start() for match in _AGE.finditer(view.text)]
    if not ages:
        return _SURELY_NOT
    places = [m.start() for m in re.finditer(r"\w+", view.text) if (term(fold(m.group())) or "") in view.named]
    if not places:
        return 0.5
    return 1.0 if any(-2 * reach <= place - age <= reach for age in ages for place in places) else -0.5


def _counts(view: View, ahead: int = 5, behind: int = 2) -> bool:
    """Tell whether a number stands at most ``ahead`` words before what is counted, or ``behind`` after it."""
    found = [term(word) or word for word in words(_figures(view))]
    numbers = [i for i, word in enumerate(found) if word[0].isdigit() or word in _NUMBER_WORDS.split()]
    things = [i for i, word in enumerate(found) if word in view.counted]
    return any(-behind <= thing - number <= ahead for number in numbers for thing in things)


def _person(view: View) -> float:
    if view.role and not view.role & view.held:
        return -1.0
    return _name(view, frozenset({Kind.PERSON}), lacking=-0.7)


def _place(view: View) -> float:
    start = view.passage.sentence.span.start
    if any(_LOCATED.search(view.text[: m.span.start - start]) for m in _new(view) if m.kind in (Kind.PLACE, Kind.ORG)):
        return 1.0
    return 0.3 if _SPOT.search(view.text) else -0.7


def _name(view: View, kinds: frozenset[Kind], lacking: float) -> float:
    """Tell whether a name of one of ``kinds`` stands there that is not in the question itself."""
    new = _new(view)
    if any(m.kind in kinds for m in new):
        return 1.0 if _is_beside(view, [m for m in new if m.kind in kinds]) else -0.3
    if _has_unnamed(view):
        return -1.0
    speaker = view.passage.speaker
    if Kind.PERSON in kinds and speaker and not view.asked & {term(w) for w in words(speaker)}:
        return 1.0 if view.passage.voice is Voice.NAMED else 0.3
    if Kind.PERSON in kinds and _SOMEBODY.match(view.text):
        return 0.4
    return 0.2 if new and not _NAMELESS.search(view.question) else lacking


def _has_unnamed(view: View) -> bool:
    """Tell whether the thing whose name is asked for stands there, so that whoever speaks of it is another."""
    match = _NAMELESS.search(view.question)
    return match is not None and not match["which"] and _nameless(view.question) in view.own


def _new(view: View) -> list[Mention]:
    """Return the names that are not in the question itself."""
    return [m for m in view.passage.mentions if not view.asked & {term(w) for w in words(m.name)}]


def _nameless(question: str) -> str:
    """Return the term of the thing whose name is asked for, if one is: of a phrase the last word."""
    match = _NAMELESS.search(question)
    if match is None:
        return ""
    phrase = (match["which"] or match["called"] or match["of"]).lower().removeprefix("the ").split()
    nouns = list(takewhile(lambda word: word not in STOPWORDS, phrase))
    return term(fold(nouns[-1])) if nouns else ""


def _is_beside(view: View, names: list[Mention], reach: int = 60) -> bool:
    """Tell whether one of ``names`` is within ``reach`` characters of what it should be the name of, if it is there."""
    wanted = _nameless(view.question)
    if not wanted or wanted not in view.own:
        return True
    start = view.passage.sentence.span.start
    things = [m.start() + start for m in re.finditer(r"\w+", view.text) if term(fold(m.group())) == wanted]
    return any(abs(name.span.start - thing) <= reach for name in names for thing in things)


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
    if view.role and not view.role & view.held:
        return -1.0
    told = 0.4 if _APPOSED.search(view.text) else 0.0
    if view.named and view.is_first:
        return told + 1.2
    has_role = any(m.role and view.named & {term(w) for w in words(m.name)} for m in view.passage.mentions)
    return told + 0.3 if has_role else told


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
    held = HOLDS[kind](view) if kind in HOLDS else 0.0
    return min(held, _named_thing(view))


def _named_thing(view: View) -> float:
    """Return less than 0 where the thing whose name is asked for ("which two banks") has no new name there."""
    new = [m for m in _new(view) if m.kind is not Kind.GROUP]
    has_name = _nameless(view.question) in _HAVE_NAMES
    if has_name and not new and not view.passage.speaker:
        return -1.0
    return 1.0 if _is_beside(view, new) else -1.0 if has_name else -0.5
