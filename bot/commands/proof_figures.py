"""The figures of a draft, each with its noun, beside those in the sentences of the archive that say nearly the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot import messages, verbatim
from bot.commands.proof_draft import ALIKE, Draft, Statement
from bot.model import Finding, FindingKind
from retrieval import Span, ordered, terms

SAME = 0.75  # likeness of a sentence of the archive with the draft's, from which what it lacks is missing in all
RELATED = 5  # articles in which a figure with its noun may be, where the nearest sentence lacks it
NOUNS = 3  # words behind a figure that may be its noun
FARTHEST = 0.1  # share of a figure by which a round one may be off
ROUND_DIGITS = 2  # that a round figure has at most, such as "about 400"

_SCALES = {"hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9}
_SCALES |= {"bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12, "dozen": 12.0}
_UNITS = {word: float(number) for number, word in enumerate(ordered("units"), 1) if number > 1}  # "one" is a pronoun
_TENS = {word: float(number * 10) for number, word in enumerate(ordered("tens"), 2)}
_ONES = {word: float(number) for number, word in enumerate(ordered("units")[:9], 1)}
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"  # noqa: E501
_WORDED = rf"(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join(_UNITS)})\b|a(?=\s(?:dozen|hundred|thousand|million|billion)\b)"  # noqa: E501
_FIGURE = re.compile(
    rf"(?<![\w.,:/])(?<![^\W\d_][-‐‑])(?P<currency>[$£€¥]\s?)?"
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<clock>[:.]\d\d(?!\d)(?=\s?[ap]\.?m\b)|:\d\d)?"
    rf"(?:st|nd|rd|th)?|(?P<words>\b(?:{_WORDED})))"
    rf"(?P<scale>(?:[\s-]?(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b)*)"
    rf"(?P<percent>\s?%|[\s-]per\s?cent\b|[\s-]percentage\spoints?\b)?(?![\w/])",
    re.IGNORECASE,
)
_MONTH_BEFORE = re.compile(rf"\b({_MONTH})\.?\s$", re.IGNORECASE)
_MONTH_BEHIND = re.compile(rf"(?:\s|-)({_MONTH})\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:about|around|almost|nearly|some|roughly|approximately|over|under|up to|at least|at most|close to"
    r"|(?:more|fewer|less) than)\s$",
    re.IGNORECASE,
)
_NOUN = re.compile(r"[\s-]+([^\W\d_][\w’'-]*)")
_LARGEST_AGE = 110


@dataclass(frozen=True, slots=True)
class DraftFigure:
    """A number at its place; ``unit`` is "%", "$", "year", "age", a month or empty, ``nouns`` the words behind it."""

    value: float
    span: Span
    text: str
    unit: str
    nouns: frozenset[str]
    is_rounded: bool

    def is_like(self, other: DraftFigure) -> bool:
        """Return whether the two count the same kind of thing."""
        return self.unit == other.unit and (bool(self.unit) or bool(self.nouns & other.nouns))

    def counts_same(self, other: DraftFigure) -> bool:
        """Return whether both have the same unit and, but for dates, a noun in common."""
        return self.unit == other.unit and (bool(self.nouns & other.nouns) or self.unit not in {"", "%", "$"})

    def equals(self, other: DraftFigure) -> bool:
        return self.value == other.value or self._rounds(other) or other._rounds(self)

    def _rounds(self, other: DraftFigure) -> bool:
        """Return whether this is the other in round figures: "about 400", "more than 400" and "nearly 500" for 412."""
        digits = f"{self.value:f}".rstrip("0").rstrip(".").rstrip("0").replace(".", "").lstrip("0")
        may_round = self.is_rounded and not other.is_rounded and self.unit not in {"year", "age", "time"}
        is_near = bool(other.value) and abs(self.value - other.value) <= FARTHEST * other.value
        if not may_round or not is_near or len(digits) > ROUND_DIGITS:
            return False
        step = 10.0 ** (math.floor(math.log10(other.value)) + 1 - len(digits))
        return self.value in {step * math.floor(other.value / step), step * math.ceil(other.value / step)}


@lru_cache(maxsize=8192)
def figures(text: str) -> tuple[DraftFigure, ...]:
    """Return the figures in a sentence, in order."""
    return tuple(_figure(text, match) for match in _FIGURE.finditer(text))


def _figure(text: str, match: re.Match[str]) -> DraftFigure:
    before, behind = text[max(0, match.start() - 24) : match.start()], text[match.end() :]
    nouns = _nouns(behind)
    shown = match[0] + (behind[: nouns[0].end()] if nouns and not match["percent"] else "")
    return DraftFigure(
        _value(match),
        Span(match.start(), match.end()),
        verbatim.collapse(shown),
        _unit(match, before, behind),
        frozenset(term for noun in nouns for term in terms(noun[1]) if not term.isdigit()),
        _ABOUT.search(before) is not None,
    )


def _value(match: re.Match[str]) -> float:
    if match["clock"]:
        return float(match["digits"]) * 100 + float(match["clock"][1:])
    if match["digits"]:
        value = float(match["digits"].replace(",", ""))
    else:
        tens, _, ones = match["words"].lower().replace("-", " ").partition(" ")
        value = 1.0 if tens == "a" else _TENS.get(tens, 0.0) + _ONES.get(ones.strip(), 0.0) or _UNITS[tens]
    for scale in re.findall(r"[a-z]+", match["scale"].lower()):
        value *= _SCALES[scale]
    return value


def _unit(match: re.Match[str], before: str, behind: str) -> str:
    if match["clock"]:
        return "time"
    if match["percent"]:
        return "%"
    if match["currency"]:
        return "$"
    month = _MONTH_BEFORE.search(before) or _MONTH_BEHIND.match(behind)
    digits = match["digits"] or ""
    if month and len(digits) <= len("31"):
        return month[1][:3].lower()
    if len(digits) == len("2031") and digits[:2] in {"18", "19", "20"} and not match["scale"]:
        return "year"
    is_between = before.endswith(", ") and behind[:1] in {",", ")", "."}
    return "age" if is_between and digits.isdigit() and float(digits) <= _LARGEST_AGE else ""


def _nouns(behind: str) -> list[re.Match[str]]:
    """Return the words behind a figure, up to a mark."""
    found: list[re.Match[str]] = []
    while len(found) < NOUNS and (match := _NOUN.match(behind, found[-1].end() if found else 0)):
        found.append(match)
    return found


def check_figures(draft: Draft) -> Iterator[Finding]:
    """Yield each figure outside quotations that the archive has differently, or not at all."""
    for statement in draft.statements:
        for figure in figures(statement.text) if statement.near else ():
            span = Span(statement.span.start + figure.span.start, statement.span.start + figure.span.end)
            if not draft.is_quoted(span) and not _is_supported(statement, figure):
                yield from _differing(draft, statement, figure, span)


def _differing(draft: Draft, statement: Statement, figure: DraftFigure, span: Span) -> Iterator[Finding]:
    near, ours = statement.near, [each.value for each in figures(statement.text)]
    differing = ((twin, other) for twin in near for other in figures(twin.text) if other.value not in ours)
    twin, other = next(((twin, other) for twin, other in differing if figure.is_like(other)), (near[0], None))
    if other or near[0].likeness >= SAME:
        what = messages.other_figure(figure.text, other.text) if other else messages.no_figure(figure.text)
        instead = other.span.of(twin.text) if other else ""
        extract = draft.extract(twin.place)
        yield from draft.finding(FindingKind.FIGURE, span, what, twin.likeness, extract, instead=instead)


def _is_supported(statement: Statement, figure: DraftFigure) -> bool:
    """Return whether a sentence that says nearly the same has the figure, or its article has it with its noun."""
    same = [each for each in figures(statement.text) if each.equals(figure)]
    if any(len(same) <= sum(each.equals(figure) for each in figures(twin.text)) for twin in statement.near):
        return True
    return any(
        each.equals(figure) and each.counts_same(figure)
        for reading in statement.readings(RELATED, ALIKE)
        for passage in reading.passages
        for each in figures(passage.sentence.span.of(reading.article.text))
    )
