"""Whether a sentence has the type of answer asked for: 1 where it has, 0 where it may have, -1 where it has not.

And which of its words answer: a figure, a sum, an age, a time or a day. They are marked only where nothing else in the
sentence can be the answer, or only one thing comes before what the question counts. Names are never marked: a sentence
has several, and marking the wrong one is worse than marking none.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from bot.ask.model import Analysis, AnswerType
from retrieval import Kind, Manner, Mention, Passage, Span, Voice, terms, words

COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundreds? thousands? millions? billions?"
    " dozens? half quarter third several none once twice"
).replace(" ", "|")
_COUNT = rf"(?:(?>\d(?:[\d,.]{{0,20}}\d)?)|{COUNTS})"
_SPOT = re.compile(r"\b(?:in|at|near|outside|behind|inside|under|along|across|around|from|to|off)\s(?:the\s)?[A-Z]")
DATE = (
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may(?= \d)|(?<=\d )may|june|july"
    r"|august|september|october|november|december|(?:jan|feb|aug|sept?|oct|nov|dec)\."
    r"|yesterday|today|tomorrow|tonight"
    r"|(?:last|next|this|earlier this|later this) (?:week|month|year|night|morning|summer|spring|autumn|fall|winter)"
    r"|morning|noon|midnight|(?:hours?|days?|weeks?|months?|years?|decades?) (?:ago|later|before|after|earlier)"
    r"|(?:1[5-9]|20)\d\d|\d{1,2}(?::\d\d)?\s?[ap]\.?m)(?!\w)"
)
_SIGNS = {
    AnswerType.NUMBER: rf"\b{_COUNT}(?:st|nd|rd|th)?\b",
    AnswerType.AGE: r",\s\d{1,3}\s?(?:[,.;)]|$)|\b\d{1,3}[- ](?:year|month)s?[- ]olds?\b|\baged?\s\d|\byears of age\b"
    r"|\(\d{2}\)|\b(?:is|was|turn(?:ed|s))\s\d{1,3}\b|\bin (?:his|her|their) (?:early |mid-?|late )?[a-z]+ties\b",
    AnswerType.MONEY: r"[$£€¥]\s?\d|\d\s?%|\b(?:per ?cent|percent)\b"
    r"|\d[\w\s.,-]{0,20}\b(?:dollars?|pounds?|euros?|cents?|tons?|tonnes?|crowns?|kron(?:a|or|er)|francs?|lira|rupees?"
    r"|pesos?|yuan|yen|rou?bles?|hryvnias?|dinars?|dirhams?|ri[ay]ls?|shekels?|zlotys?|forints?|baht|rand|naira)\b",
    AnswerType.DURATION: rf"\b(?:{_COUNT}|an?|few|many)\b[\w\s,.-]{{0,16}}\b(?:second|minute|hour|day|night|week|month"
    r"|year|decade|centur|mile|kilomet|met(?:er|re)|feet|foot|inch|acre|pound|kilo|ton|mph|km|mm|cm|knot|degree"
    r"|storey|stor(?:y|ies))",
    AnswerType.DATE: DATE,
    AnswerType.REASON: r"\b(?:because|due to|caused?|causing|owing to|thanks to|result(?:ed|s|ing)? (?:of|from|in)"
    r"|in order to|so that|reasons?|led to|leading to|prompt(?:ed|ing|s)|sparked|triggered|blam\w+|amid"
    r"|aim\w*|in response|for fear|since"
    r"|to (?:protect|prevent|ensure|avoid|help|allow|make|meet|give|stop|reduce|improve|keep))\b",
    AnswerType.DENIAL: r"\b(?:den(?:y|ies|ied|ying|ials?)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|refut\w+|disput\w+"
    r"|untrue|false|fake[sd]?|baseless|unfounded|no (?:evidence|truth|involvement)|not true|never)\b",
}
_SIGN = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _SIGNS.items()}
_DEFINED = re.compile(r"\b(?:is|was|are|were|called|known as|means?|stands? for)\b|, (?:an?|the|who|which)\b|\(")
_QUOTED = re.compile(r"[“”\"]")


@dataclass(frozen=True, slots=True)
class SentenceView:
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


def _matching(kind: AnswerType, lacking: float = -1.0) -> Callable[[SentenceView], float]:
    return lambda view: 1.0 if _SIGN[kind].search(view.text) else lacking


def _measured(kind: AnswerType) -> Callable[[SentenceView], float]:
    return lambda view: 1.0 if _SIGN[kind].search(view.text) else _number(view) - 0.5


def _number(view: SentenceView) -> float:
    return 1.0 if _SIGN[AnswerType.NUMBER].search(_without_names(view)) else -1.0


def _without_names(view: SentenceView) -> str:
    """Return the text with the names that contain a digit blanked out."""
    text, start = view.text, view.passage.sentence.span.start
    for mention in view.passage.mentions:
        place = slice(mention.span.start - start, mention.span.end - start)
        if any(c.isdigit() for c in text[place]):
            text = text[: place.start] + "_" * (place.stop - place.start) + text[place.stop :]
    return text


def _new(view: SentenceView, kinds: Collection[Kind]) -> list[Mention]:
    """Return the names of ``kinds`` that are not in the question itself."""
    return [m for m in view.passage.mentions if m.kind in kinds and view.asked.isdisjoint(terms(m.name))]


def _person(view: SentenceView) -> float:
    if _new(view, (Kind.PERSON,)):
        return 1.0
    speaker = view.passage.speaker
    if speaker and view.asked.isdisjoint(terms(speaker)):
        return 1.0 if view.passage.voice is Voice.NAMED else 0.3
    return 0.0 if _new(view, (Kind.ORG, Kind.GROUP)) else -1.0


def _quotation(view: SentenceView) -> float:
    attribution = view.passage.attribution
    if attribution and (attribution.manner is Manner.QUOTED or _QUOTED.search(view.text)):
        return 1.0
    return 0.5 if attribution else -0.5


def _definition(view: SentenceView) -> float:
    """Return how surely the sentence gives the role of a name asked about, or says what a thing is, 0 to 1."""
    named = [m for m in view.passage.mentions if not view.asked.isdisjoint(terms(m.name))]
    return 1.0 if any(m.role for m in named) else 0.5 if _DEFINED.search(view.text) else 0.0


HOLDS: dict[AnswerType, Callable[[SentenceView], float]] = {
    AnswerType.NUMBER: _number,
    AnswerType.AGE: _matching(AnswerType.AGE),
    AnswerType.MONEY: _measured(AnswerType.MONEY),
    AnswerType.DURATION: _measured(AnswerType.DURATION),
    AnswerType.PERSON: _person,
    AnswerType.NAME: lambda view: 1.0 if _new(view, tuple(Kind)) else -1.0,
    AnswerType.PLACE: lambda view: 1.0 if _new(view, (Kind.PLACE,)) else 0.0 if _SPOT.search(view.text) else -1.0,
    AnswerType.DATE: _matching(AnswerType.DATE),
    AnswerType.QUOTATION: _quotation,
    AnswerType.REASON: _matching(AnswerType.REASON, lacking=0.0),
    AnswerType.DENIAL: lambda view: 1.0 if view.passage.denial or _SIGN[AnswerType.DENIAL].search(view.text) else -0.2,
    AnswerType.VERIFICATION: lambda view: 1.0 if view.passage.is_caveat else 0.6 if view.passage.caveats else 0.0,
    AnswerType.DEFINITION: _definition,
}

NEW_NAMES = {AnswerType.PERSON: (Kind.PERSON,), AnswerType.NAME: tuple(Kind), AnswerType.PLACE: (Kind.PLACE,)}
_COUNTABLE = (AnswerType.NUMBER, AnswerType.AGE, AnswerType.MONEY, AnswerType.DURATION, AnswerType.DATE)
FIGURES = {kind: _SIGN[kind] for kind in _COUNTABLE}


# "one of them", "half" and "none" are no figures
_EXACT = rf"(?:\d{{1,20}}(?:[.,]\d{{1,20}}){{0,7}}|\b(?:{COUNTS.partition('|')[2].partition('|half|')[0]})\b)"
_AMOUNT = rf"(?:[$£€¥]\s?)?{_EXACT}(?:[ -](?:trillion|dozen|{_EXACT})){{0,7}}"
_FIGURE = rf"(?<![\w.,$£€¥]){_AMOUNT}(?:(?: to |–){_AMOUNT})?(?![\w-])(?:\s?(?:%|per\s?cent\b))?"
_TIME = r"(?:second|minute|hour|day|night|week|month|year|decade)s?|centur(?:y|ies)"
_LENGTH = r"(?:mile|kilomet(?:er|re)|met(?:er|re)|acre|degree|knot|ton|tonne)s?|feet|foot|inch(?:es)?|km|mph"
_NOT_ALONE = rf"(?!(?:{_TIME}) )"  # "days later" is no date, "two days later" is
_PATTERNS = {
    AnswerType.NUMBER: rf"{_FIGURE}(?!\s(?:{_TIME})\b)",
    AnswerType.MONEY: rf"{_FIGURE}(?:\s(?:dollars|pounds|euros)\b)?",
    AnswerType.DURATION: rf"{_FIGURE}[ -](?:more )?(?:{_TIME}|{_LENGTH})\b",
    AnswerType.AGE: r"\b\d{1,3}(?=[- ](?:year|month)s?[- ]old)|(?:(?<=\baged )|(?<=\bage )|(?<=, ))\d{1,3}(?=\W|$)",
    AnswerType.DATE: rf"{_NOT_ALONE}(?:(?:\d{{1,2}}|{_EXACT}) )?{DATE}"
    rf"(?:,? {_NOT_ALONE}(?:\d{{1,2}}\b(?!:)|{DATE})){{0,7}}",
}
_FOUND = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}
_WHEN = re.compile(r"(?:\w+ )?(?:whens?|since when|(?:what|which) (?:day|date|time|year|month))\b")
_COUNTED = re.compile(
    r"\b(?:how (?:many|much|few)|numbers? of|what (?:percent\w*|share|proportion) of) ((?:\w+ ){0,3}?\w+?)"
    r"(?: (?:is|are|was|were|did|do|does|have|has|had|will|would|can|could|in|on|of|at|by|from|to|for|s)\b|$)"
)
_LASTING = re.compile(r"\bhow (?:long|often)\b")
_SPAN_OF_TIME = re.compile(rf"(?:{_TIME})$", re.IGNORECASE)
_SUM = re.compile(r"[$£€¥%]|cent$|dollars$|pounds$|euros$", re.IGNORECASE)
_ANY = re.compile("")
_TERMS_AFTER = 3  # after a figure, among which is what it counts


def answer_span(analysis: Analysis, text: str, mentions: tuple[Mention, ...]) -> Span | None:
    """Return the code points of ``text`` (a sentence, white space collapsed) that answer, or None where unsure."""
    kind, asked = analysis.types[0], " ".join(words(analysis.text))
    if kind not in _FOUND or (kind is AnswerType.DATE and not _WHEN.match(asked)):
        return None
    # "the 14 July Society" has no figure
    names = {mention.name for mention in mentions if any(map(str.isdigit, mention.name))}
    taken = [span for name in names for span in _spans(re.compile(re.escape(name)), text)]
    for other in () if kind is AnswerType.DATE else {AnswerType.AGE, AnswerType.DATE} - {kind}:
        taken += _spans(_FOUND[other], text)
    found = [
        span
        for span in _spans(_FOUND[kind], text)
        if not set(words(span.of(text))) <= {*asked.split()}
        and not any(span.start < other.end and other.start < span.end for other in taken)
    ]
    if len(found) > 1 and (counted := _COUNTED.search(asked)):
        what = set(terms(counted[1]))
        found = [span for span in found if not what.isdisjoint(terms(text[span.end :])[:_TERMS_AFTER])]
    # money where money is asked for, and a time where a time is
    unit = _SUM if kind is AnswerType.MONEY else _SPAN_OF_TIME if _LASTING.search(asked) else _ANY
    return found[0] if len(found) == 1 and unit.search(found[0].of(text)) else None


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(*match.span()) for match in pattern.finditer(text)]
