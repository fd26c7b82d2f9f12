"""Quotations made of the sentences of articles, exact, altered, misattributed or stitched, as people may paste them.

    STET_TEST_SHARED=… python -m pytest tests/bot/commands/test_quotation_cases.py -m rest

draws them from the development articles.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from retrieval.model import Kind, Passage, Reading, Voice

WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)*")
INNER = re.compile(r"[“\"]([^“”\"]{15,}?)[”\"]")
FIGURE = re.compile(r"\d+")
COUNTED = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|could|should)\b")
DASHED = re.compile(r"(?:\s[–—-]\s|—|:\s)(?=\w)")
LEAST, MOST = 8, 60  # words of a sentence
SHAPES: tuple[Callable[[str], str], ...] = (
    lambda words: words,
    lambda words: f"“{words}”",
    lambda words: f'"{words}"',
    lambda words: f"‘{words}’",
    lambda words: f"'{words}'",
    lambda words: f"«{words}»",
    lambda words: f"> {words}",
    lambda words: f"• {words}",
    lambda words: words.replace("“", '"').replace("”", '"').replace("’", "'"),
    lambda words: re.sub(r"(?<=[a-z][.!?]) (?=[A-Z])", "", words),
)
CLAIMS = (
    "“{words}” — {name}",
    "“{words}” - {surname}",
    "{name}: “{words}”",
    "{name} said: “{words}”",
    "“{words},” said {name}.",
    "“{words},” {name} said.",
    "According to {name}, “{words}”",
    "“{words},” {surname} wrote on Twitter.",
    "{surname} told reporters: ‘{words}’",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A text that is pasted; ``family`` says what it was made of, and by what."""

    family: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an article on one line, with its passage."""

    text: str
    passage: Passage
    article: str


def lines(readings: Iterable[Reading]) -> tuple[Line, ...]:
    found: list[Line] = []
    for reading in readings:
        for passage in reading.passages:
            text = " ".join(passage.sentence.span.of(reading.article.text).split())
            if passage.sentence.boilerplate is None and LEAST <= len(WORD.findall(text)) <= MOST:
                found.append(Line(text, passage, reading.article.id))
    return tuple(found)


class Maker:
    """Makes cases of the sentences of some articles, the same for the same seed."""

    def __init__(self, readings: Sequence[Reading], seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._lines = lines(readings)
        self._readings = {reading.article.id: reading for reading in readings}
        every = [word for line in self._lines for word in WORD.findall(line.text)]
        self._words = [word for word in every if word.islower() and len(word) > 3]
        people = {m.name for r in readings for p in r.passages for m in p.mentions if m.kind is Kind.PERSON}
        self._people = sorted(name for name in people if re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", name))

    def altered(self, number: int) -> Iterator[Case]:
        families = {
            "outside inner marks": self._outside,
            "after a dash or colon": self._behind_dash,
            "word": lambda text: self._word(text, 0, len(text)),
            "figure": self._figure,
            "name": self._name,
            "negation": self._negation,
        }
        for family, alter in families.items():
            made = (Case(family, self._shaped(altered)) for line in self._drawn() if (altered := alter(line.text)))
            yield from islice(made, number)

    def exact(self, number: int) -> Iterator[Case]:
        inner = (line.text for line in self._drawn() if INNER.search(line.text))
        yield from (Case("inner marks", self._shaped(text)) for text in islice(inner, number))
        yield from (Case("one sentence", self._shaped(line.text)) for line in islice(self._drawn(), number))
        two = (text for line in self._drawn() if (text := self._two(line)))
        yield from (Case("two sentences", self._shaped(text)) for text in islice(two, number))
        said = (match[1].strip(" ,.") for line in self._drawn() for match in INNER.finditer(line.text))
        long = (words for words in said if len(words.split()) >= 3)
        yield from (Case("inner words alone", self._shaped(words)) for words in islice(long, number))

    def claimed(self, number: int, *, right: bool) -> Iterator[Case]:
        yield from islice(self._claimed(right=right), number)

    def stitched(self, number: int) -> Iterator[Case]:
        for one, other in islice(zip(self._drawn(), self._drawn(), strict=False), number):
            if one.article != other.article:
                first, second = one.text.split()[:9], other.text.split()[-9:]
                if len(first) == len(second) == 9:
                    yield Case("stitched", f"“{' '.join((*first, *second))}”")

    def _drawn(self) -> Iterator[Line]:
        return iter(self._chance.sample(self._lines, len(self._lines)))

    def _shaped(self, text: str) -> str:
        shape = self._chance.choice(SHAPES)
        return shape(text)

    def _two(self, line: Line) -> str:
        reading = self._readings[line.article]
        after = line.passage.sentence.index + 1
        if after >= len(reading.passages) or reading.passages[after].sentence.boilerplate:
            return ""
        start, end = line.passage.sentence.span.start, reading.passages[after].sentence.span.end
        return " ".join(reading.article.text[start:end].split()) if end - start < 700 else ""

    def _claimed(self, *, right: bool) -> Iterator[Case]:
        for line in self._drawn():
            name, match = line.passage.speaker, INNER.search(line.text)
            if not (name and match and line.passage.voice is Voice.NAMED) or len(match[1].split()) < 5:
                continue
            if not re.fullmatch(r"(?:[A-Z][\w.'’-]+ ){1,2}[A-Z][\w'’-]+", name):
                continue
            other = self._chance.choice(self._people)
            if set(other.split()) & set(name.split()):
                continue
            by = name if right else other
            form = self._chance.choice(CLAIMS)
            words = match[1].strip(" ,")
            text = form.format(
                words=words.strip(" .") if "”," in form or ",”" in form else words, name=by, surname=by.split()[-1]
            )
            yield Case(f"{'right' if right else 'wrong'} speaker: {form}", text)

    def _outside(self, text: str) -> str:
        match = INNER.search(text)
        if not match or len(match[1].split()) < 3:
            return ""
        before, behind = (0, match.start()), (match.end(), len(text))
        start, end = max(before, behind, key=lambda span: span[1] - span[0])
        return self._word(text, start, end) if len(WORD.findall(text[start:end])) >= 3 else ""

    def _behind_dash(self, text: str) -> str:
        match = DASHED.search(text)
        return self._word(text, match.end(), len(text)) if match else ""

    def _word(self, text: str, start: int, end: int) -> str:
        found = [match for match in WORD.finditer(text, start, end) if match[0].islower() and len(match[0]) > 2]
        if not found:
            return ""
        match, other = self._chance.choice(found), self._chance.choice(self._words)
        return f"{text[: match.start()]}{other}{text[match.end() :]}" if other != match[0] else ""

    def _figure(self, text: str) -> str:
        match = FIGURE.search(text)
        return f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}" if match else ""

    def _name(self, text: str) -> str:
        found = [match for match in WORD.finditer(text) if match.start() and re.fullmatch("[A-Z][a-z]{3,}", match[0])]
        if not found:
            return ""
        match, other = self._chance.choice(found), self._chance.choice(self._people).split()[-1]
        return f"{text[: match.start()]}{other}{text[match.end() :]}" if other != match[0] else ""

    def _negation(self, text: str) -> str:
        if " not " in text:
            return text.replace(" not ", " ", 1)
        match = COUNTED.search(text)
        return f"{text[: match.end()]} not{text[match.end() :]}" if match else ""
