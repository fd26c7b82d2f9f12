"""Sentences -> the figures in them, each with what it counts, so that two for one thing can be told to differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval import classes, fold, ordered, term

_UNITS = ordered("units")
_TENS = ordered("tens")
_WORTH = {
    **{word: number for number, word in enumerate(_UNITS, 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
# a figure: digits, with separators; not a year, a time or an ordinal
_DIGITS = re.compile(r"(?!(?:1[5-9]|20)\d\d\b)\d{1,3}(?:,?\d{3})*(?:\.\d+)?")
_TOKEN = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_]+(?:['’][a-z]+)?|[^\w\s]")
# What is told of people in many words is one thing that is counted.
_EVENTS = {
    "killed": "kill killed killing dead die died dies dying death deaths fatalities drowned perished toll bodies lives",
    "injured": "injure injured injuring wounded wound wounding hurt injuries casualties",
    "missing": "missing unaccounted",
    "arrested": "arrest arrested arrests detained detain held jailed",
    "displaced": "displaced evacuated fled homeless flee",
    "rescued": "rescue rescued rescuing saved",
}
_EVENT_OF = {word: event for event, words in _EVENTS.items() for word in words.split()}
_ANYBODY = (
    classes("collectives", "degrees")
    | {"people", "person", "persons"}
    | {"men", "women"}
    | frozenset("civilians residents victims passengers".split())
)
_PASSED_OVER = (
    classes("articles", "basic_prepositions", "approximators", "as_conjunctions", "coordinators")
    | {"some", "about", "around"}
    | {"over", "up"}
    | {"least", "another", "further"}
)
# How long, how far or how much: two of them measure two things more often than one.
_MEASURES = (
    classes("time_units", "parts_of_day")
    | frozenset(
        (
            "metre meter kilometre kilometer mile foot feet inch km mph tonne ton kilo kilogram gram litre "
            "liter acre hectare degree percent per cent"
        ).split()
    )
    | {"percentage"}
)
_NOUN = 3  # words behind a figure among which what it counts stands
_EVENT = 8  # words on either side among which what happened to people stands

Figure = tuple[str, float]  # what is counted, and how many


def figures(text: str) -> frozenset[Figure]:
    """Return the figures in a sentence; what counts nothing, a date or an age, is left out."""
    tokens = [match.group().lower() for match in _TOKEN.finditer(text)]
    return frozenset(
        (counted, value) for start, end, value in _numbers(tokens) for counted in _counted(tokens, start, end)
    )


def _numbers(tokens: list[str]) -> Iterator[tuple[int, int, float]]:
    """Yield each number, in digits or in words, with the tokens it takes."""
    i = 0
    while i < len(tokens):
        value, end = _number(tokens, i)
        if value:
            yield i, end, value
        i = max(end, i + 1)


def _number(tokens: list[str], start: int) -> tuple[float, int]:
    """Return the number that begins at ``start`` and where it ends; 0 where there is none."""
    digits = _DIGITS.fullmatch(tokens[start])
    value, i = (float(tokens[start].replace(",", "")), start + 1) if digits else (0.0, start)
    while not digits and i < len(tokens) and (tokens[i] in _WORTH or (tokens[i] == "-" and value)):
        value += _WORTH.get(tokens[i], 0)
        i += 1
    while i < len(tokens) and value and tokens[i].removesuffix("s") in _TIMES:
        value *= _TIMES[tokens[i].removesuffix("s")]
        i += 1
    return value, i


def _counted(tokens: list[str], start: int, end: int) -> Iterator[str]:
    """Yield what the number between ``start`` and ``end`` counts: what happened to people, else the nouns behind it."""
    behind = [word for word in tokens[end : end + _NOUN] if word not in _PASSED_OVER]
    if behind[:1] == ["-"] or not behind:
        return
    near = (*tokens[end : end + _EVENT], *reversed(tokens[max(0, start - _EVENT) : start]))
    event = next((_EVENT_OF[word] for word in near if word in _EVENT_OF), None)
    if event and (
        behind[0] in _ANYBODY
        or behind[0] in _EVENT_OF
        or not behind[0].isalpha()
        or behind[0] in {"were", "was", "have", "had"}
    ):
        yield event
        return
    for word in behind:
        if not word.isalpha() or word in _MEASURES or word.removesuffix("s") in _MEASURES:
            return
        counted = term(fold(word))
        if counted:
            yield counted
