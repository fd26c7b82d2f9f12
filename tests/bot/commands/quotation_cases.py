"""Quotations made of the sentences of articles, exact, altered, misattributed or stitched, as people may paste them.

    STET_TEST_SHARED=… python -m pytest tests/bot/commands/test_quotation_cases.py -m rest

draws them from the development articles.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
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
class Line:
    """A sentence of an article on one line, with its passage."""

    text: str
    passage: Passage
    article: str


class Maker:
    """Makes cases of the sentences of some articles, the same for the same seed."""

    def __init__(self, readings: Sequence[Reading], seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._readings = {reading.article.id: reading for reading in readings}
        every = (
            Line(" ".join(passage.sentence.span.of(reading.article.text).split()), passage, reading.article.id)
            for reading in readings
            for passage in reading.passages
            if passage.sentence.boilerplate is None
        )
        self._lines = [line for line in every if LEAST <= len(WORD.findall(line.text)) <= MOST]
        words = (word for line in self._lines for word in WORD.findall(line.text))
        self._words = [word for word in words if word.islower() and len(word) > 3]
        people = {m.name for r in readings for p in r.passages for m in p.mentions if m.kind is Kind.PERSON}
        self._people = sorted(name for name in people if re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", name))

    def altered(self, number: int) -> Iterator[str]:
        """Yield so many texts of each kind with one word, figure, name or negation changed."""
        for alter in (self._outside, self._behind_dash, self._word, self._figure, self._name, self._negation):
            made = filter(None, (alter(line.text) for line in self._drawn()))
            yield from map(self._shaped, islice(made, number))

    def exact(self, number: int) -> Iterator[str]:
        """Yield so many texts of each kind as the articles have them."""
        said = (match[1].strip(" ,.") for line in self._drawn() for match in INNER.finditer(line.text))
        for texts in (
            (line.text for line in self._drawn() if INNER.search(line.text)),
            (line.text for line in self._drawn()),
            filter(None, map(self._two, self._drawn())),
            (words for words in said if len(words.split()) >= 3),
        ):
            yield from map(self._shaped, islice(texts, number))

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

    def claimed(self, *, right: bool) -> Iterator[str]:
        """Yield quotations with a speaker, the one whom the article names or somebody else."""
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
            form, words = self._chance.choice(CLAIMS), match[1].strip(" ,")
            words = words.strip(" .") if "”," in form or ",”" in form else words
            yield form.format(words=words, name=by, surname=by.split()[-1])

    def _outside(self, text: str) -> str:
        match = INNER.search(text)
        if not match or len(match[1].split()) < 3:
            return ""
        before, behind = (0, match.start()), (match.end(), len(text))
        start, end = max(before, behind, key=lambda span: span[1] - span[0])
        return self._word(text, start, end) if len(WORD.findall(text[start:end])) >= 3 else ""

    def _behind_dash(self, text: str) -> str:
        match = DASHED.search(text)
        return self._word(text, match.end()) if match else ""

    def _word(self, text: str, start: int = 0, end: int | None = None) -> str:
        found = [
            match
            for match in WORD.finditer(text, start, len(text) if end is None else end)
            if match[0].islower() and len(match[0]) > 2
        ]
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
