"""Quotations made of articles' sentences, as people may paste them: none that was altered is exact, and the others are.

``STET_TEST_SHARED`` names the development articles, of which cases are made too.
"""

import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import pytest

from bot.command import Library
from bot.commands.verify import check
from bot.model import Check, Listing, Verdict
from retrieval.archive.archive import open_archive
from retrieval.model import Article, Kind, Passage, Reading, Voice
from retrieval.pipeline import read_separately
from tests.shared import shared
from tests.shelf import FIXTURES, SEEDS, readings
from tests.support.nightly import examples

pytestmark = pytest.mark.rest

SEED = 41
INNER = re.compile(r"[“\"]([^“”\"]{15,}?)[”\"]")
DASHED = re.compile(r"(?:\s[–—-]\s|—|:\s)(?=\w)")
WORD = re.compile(r"\b[a-z]{3,}\b")
INSIDE = re.compile(r"(?<=\w )[a-z]{3,} (?=\w+ \w+)")
PAIR = re.compile(r"\b[a-z]{3,} [a-z]{3,}\b")
NAME = re.compile(r"(?<=[\w,] )[A-Z][a-z]{3,}\b")
FIGURE = re.compile(r"\d+")
COUNTED = re.compile(r" not\b|\b(?:is|are|was|were|has|have|had|will|would|could|should)\b(?! not)")
SPEAKER = re.compile(r"(?:[A-Z][\w.'’-]+ ){1,2}[A-Z][\w'’-]+")
LEAST, MOST = 8, 60  # words of a sentence
SHAPES: tuple[Callable[[str], str], ...] = (
    *(form.format for form in ("{}", "“{}”", '"{}"', "‘{}’", "'{}'", "«{}»", "> {}", "• {}")),
    lambda words: words.replace("“", '"').replace("”", '"').replace("’", "'"),
    lambda words: re.sub(r"(?<=[a-z][.!?]) (?=[A-Z])", "", words),
    lambda words: unicodedata.normalize("NFD", words),
    lambda words: words.replace(" ", "\u00a0", 3),
    lambda words: words.replace(" ", "\n", 2).replace(" ", "  ", 1),
    lambda words: re.sub("[–—]", "-", words),
    lambda words: f"{words[:1].swapcase()}{words[1:].rstrip('.,”')},",
)
CLAIMS = (
    "“{words}” — {name}¦“{words}” - {surname}¦{name}: “{words}”¦{name} said: “{words}”¦“{words},” said {name}.¦"
    "“{words},” {name} said.¦According to {name}, “{words}”¦“{words},” {surname} wrote on Twitter.¦"
    "{surname} told reporters: ‘{words}’"
).split("¦")


class Maker:
    """Makes texts of the sentences of some articles, the same on every run."""

    def __init__(self, every: Sequence[Reading]) -> None:
        self._chance = random.Random(SEED)  # noqa: S311 - no secret
        self._lines = [
            (text, passage, reading)
            for reading in every
            for passage in reading.passages
            if passage.sentence.boilerplate is None and LEAST <= len((text := _text(reading, passage)).split()) <= MOST
        ]
        self._words = [word for text, _, _ in self._lines for word in WORD.findall(text)]
        people = {m.name for r in every for p in r.passages for m in p.mentions if m.kind is Kind.PERSON}
        self._people = sorted(name for name in people if re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", name))

    def altered(self, number: int) -> Iterator[str]:
        """Yield so many texts of each kind with one word, figure, name or negation changed."""
        for alter in (
            lambda text: self._changed(text, WORD, self._other_word),
            lambda text: self._changed(text, FIGURE, lambda figure: str(int(figure) + 1)),
            lambda text: self._changed(text, NAME, lambda _: self._chance.choice(self._people).split()[-1]),
            lambda text: self._changed(text, COUNTED, lambda verb: "" if verb == " not" else f"{verb} not"),
            lambda text: self._changed(text, INSIDE, lambda _: ""),
            lambda text: self._changed(text, PAIR, lambda pair: " ".join(reversed(pair.split()))),
            lambda text: self._changed(text, WORD, self._other_word, outside=INNER),
            lambda text: self._changed(text, WORD, self._other_word, behind=DASHED),
        ):
            yield from map(self._shaped, islice(filter(None, (alter(text) for text, _, _ in self._drawn())), number))

    def exact(self, number: int) -> Iterator[str]:
        """Yield so many texts of each kind as the articles have them."""
        said = (match[1].strip(" ,.") for text, _, _ in self._drawn() for match in INNER.finditer(text))
        for texts in (
            (text for text, _, _ in self._drawn()),
            (text for text, _, _ in self._drawn() if INNER.search(text)),
            (text for _, passage, reading in self._drawn() if (text := _two(reading, passage))),
            (words for words in said if len(words.split()) > 2),
        ):
            yield from map(self._shaped, islice(texts, number))

    def claimed(self, *, right: bool) -> Iterator[str]:
        """Yield quotations with a speaker, the one whom the article names or somebody else."""
        for text, passage, _ in self._drawn():
            name, match, other = passage.speaker or "", INNER.search(text), self._chance.choice(self._people)
            is_named = passage.voice is Voice.NAMED and SPEAKER.fullmatch(name)
            is_other = {*other.split()}.isdisjoint(name.split())
            if is_named and is_other and match and len(match[1].split()) > 4:
                form, by = self._chance.choice(CLAIMS), name if right else other
                words = match[1].strip(" ,." if "”," in form or ",”" in form else " ,")
                yield form.format(words=words, name=by, surname=by.split()[-1])

    def _drawn(self) -> list[tuple[str, Passage, Reading]]:
        return self._chance.sample(self._lines, len(self._lines))

    def _shaped(self, text: str) -> str:
        return self._chance.choice(SHAPES)(text)

    def _other_word(self, word: str) -> str:
        return next(other for other in iter(lambda: self._chance.choice(self._words), "") if other != word)

    def _changed(
        self,
        text: str,
        pattern: re.Pattern[str],
        new: Callable[[str], str],
        outside: re.Pattern[str] | None = None,
        behind: re.Pattern[str] | None = None,
    ) -> str:
        """Return the text with one match changed, which is outside or behind those of others; "" without one."""
        start = (found.end() if (found := behind.search(text)) else len(text)) if behind else 0
        taken = [match.span() for match in outside.finditer(text)] if outside else [(-1, -1)]
        matches = [m for m in pattern.finditer(text, start) if not any(a <= m.start() < b for a, b in taken)]
        match = self._chance.choice(matches) if matches and taken else None
        made = f"{text[: match.start()]}{new(match[0])}{text[match.end() :]}" if match else ""
        return "" if made == text else made


def _text(reading: Reading, passage: Passage) -> str:
    return " ".join(passage.sentence.span.of(reading.article.text).split())


def _two(reading: Reading, passage: Passage) -> str:
    """Return a sentence and the one behind it; "" where that is no part of the report."""
    behind = reading.passages[passage.sentence.index + 1 :][:1]
    is_report = behind and behind[0].sentence.boilerplate is None
    text = reading.article.text[passage.sentence.span.start : behind[0].sentence.span.end] if is_report else ""
    return " ".join(text.split())


def verdicts(holdings: Library, text: str) -> set[Verdict]:
    """Return the verdict on a text, or on each quotation in it."""
    found = check(holdings, text)
    if isinstance(found, Listing):
        return {section.check.verdict for section in found.sections if section.check}
    return {found.verdict} if isinstance(found, Check) else set()


def share(holdings: Library, texts: Iterable[str], *right: Verdict) -> float:
    """Return the share of the texts on which every verdict is one of ``right``."""
    found = [verdicts(holdings, text) <= {*right} for text in texts]
    return sum(found) / len(found)


@pytest.mark.parametrize(
    ("real", "number"), [(False, examples(20, 65)), pytest.param(True, 50, marks=pytest.mark.soak)]
)
def test_no_altered_quotation_is_exact_and_what_articles_have_is(number: int, *, real: bool) -> None:
    every: Sequence[Reading] = (*readings(FIXTURES), *readings(SEEDS))
    if real:
        lines = shared("data", "corpus", "news_500.jsonl").read_text(encoding="utf-8").splitlines()[:100]
        every = tuple(read_separately([Article(row["id"], row["text"]) for row in map(json.loads, lines)]))
    holdings, made = Library(open_archive(every)), Maker(every)
    assert [text for text in made.altered(number) if verdicts(holdings, text) == {Verdict.EXACT}] == []
    assert share(holdings, made.exact(number), Verdict.EXACT) >= 0.98
    assert share(holdings, islice(made.claimed(right=False), number), Verdict.MISATTRIBUTED) >= 0.95
    assert share(holdings, islice(made.claimed(right=True), number), Verdict.EXACT, Verdict.PARTIAL) >= 0.95


def test_every_sentence_of_the_seeds_is_exact() -> None:
    every = readings(SEEDS)
    holdings = Library(open_archive(every))
    sentences = [_text(reading, passage) for reading in every for passage in reading.passages]
    long = [sentence for sentence in sentences if len(sentence.split()) > 3]
    assert [sentence for sentence in long if verdicts(holdings, sentence) != {Verdict.EXACT}] == []
