"""A question and a sentence -> the words that answer: a figure, a sum, an age, a time or a day; None where unsure.

An answer is marked where only one thing in the sentence can be it, or only one comes before what the question counts.
Names are never marked: a sentence has several, and marking the wrong one is worse than marking none.
"""

from __future__ import annotations

import re

from bot.ask.answer_types import COUNTS, DATE
from bot.ask.model import Analysis
from bot.ask.question_types import AnswerType
from retrieval import Mention, Span, terms, words

# "one of them", "half" and "none" are no figures
_COUNT = rf"(?:\d+(?:[.,]\d+)*|\b(?:{COUNTS.partition('|')[2].partition('|half|')[0]})\b)"
_AMOUNT = rf"(?:[$£€¥]\s?)?{_COUNT}(?:[ -](?:trillion|dozen|{_COUNT}))*"
_FIGURE = rf"(?<![\w.,$£€¥]){_AMOUNT}(?:(?: to |–){_AMOUNT})?(?![\w-])(?:\s?(?:%|per\s?cent\b))?"
_TIME = r"(?:second|minute|hour|day|night|week|month|year|decade)s?|centur(?:y|ies)"
_LENGTH = r"(?:mile|kilomet(?:er|re)|met(?:er|re)|acre|degree|knot|ton|tonne)s?|feet|foot|inch(?:es)?|km|mph"
_NOT_ALONE = rf"(?!(?:{_TIME}) )"  # "days later" is no date, "two days later" is
_PATTERNS = {
    AnswerType.NUMBER: rf"{_FIGURE}(?!\s(?:{_TIME})\b)",
    AnswerType.MONEY: rf"{_FIGURE}(?:\s(?:dollars|pounds|euros)\b)?",
    AnswerType.DURATION: rf"{_FIGURE}[ -](?:more )?(?:{_TIME}|{_LENGTH})\b",
    AnswerType.AGE: r"\b\d{1,3}(?=[- ](?:year|month)s?[- ]old)|(?:(?<=\baged )|(?<=\bage )|(?<=, ))\d{1,3}(?=\W|$)",
    AnswerType.DATE: rf"{_NOT_ALONE}(?:(?:\d{{1,2}}|{_COUNT}) )?{DATE}(?:,? {_NOT_ALONE}(?:\d{{1,2}}\b(?!:)|{DATE}))*",
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
_TERMS_AFTER = 3  # after a figure, among which is what it counts


def answer_span(analysis: Analysis, text: str, mentions: tuple[Mention, ...]) -> Span | None:
    """Return the code points of ``text`` (a sentence, white space collapsed) that answer, or None where unsure."""
    kind, asked = analysis.types[0], " ".join(words(analysis.text))
    if kind not in _FOUND or (kind is AnswerType.DATE and not _WHEN.match(asked)):
        return None
    taken = _names(text, mentions)
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
    return found[0] if len(found) == 1 and _fits(kind, asked, found[0].of(text)) else None


def _fits(kind: AnswerType, asked: str, answer: str) -> bool:
    """Return whether a figure is money where money is asked for, and a time where a time is."""
    if kind is AnswerType.MONEY:
        return _SUM.search(answer) is not None
    return not _LASTING.search(asked) or _SPAN_OF_TIME.search(answer) is not None


def _names(text: str, mentions: tuple[Mention, ...]) -> list[Span]:
    """Return the spans of names with a digit: "the 14 July Society" has no figure."""
    names = {mention.name for mention in mentions if any(map(str.isdigit, mention.name))}
    return [span for name in names for span in _spans(re.compile(re.escape(name)), text)]


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(*match.span()) for match in pattern.finditer(text)]
