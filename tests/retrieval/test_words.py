"""Classes of words that decide a reading, each by its effect on the sentence of ``test_words.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from retrieval.model import Article, Attribution, Reading
from retrieval.pipeline import read_one
from retrieval.text.terms import terms


@pytest.fixture(autouse=True)
def _every_attribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show the speakers that are only likely too: what is tested are words, not how sure a name is."""
    monkeypatch.setattr(Attribution, "displayable", property(lambda attribution: attribution))


def _speaker(reading: Reading) -> str:
    last = reading.passages[-1]
    return f"{last.voice}: {last.speaker}" if last.speaker else str(last.voice)


def _roles(reading: Reading) -> str:
    roles = (mention.role for each in reading.passages for mention in each.mentions)
    return "; ".join(role.of(reading.article.text) for role in roles if role)


READINGS: dict[str, Callable[[Reading], str]] = {
    "speaker": _speaker,
    "caveats": lambda reading: "; ".join(f"{each.kind}, {each.rule}, {each.verifier}" for each in reading.caveats),
    "names": lambda reading: "; ".join(f"{m.kind} {m.name}" for each in reading.passages for m in each.mentions),
    "roles": _roles,
    "sentences": lambda reading: str(len(reading.passages)),
    "terms": lambda reading: " ".join(terms(reading.article.text)),
}


@dataclass(frozen=True, slots=True)
class WordClass:
    """Words that read as ``expected`` in ``sentence``, and ``others`` that do not."""

    name: str
    reading: str
    sentence: str
    expected: str
    words: str
    others: str

    def words_of_class(self) -> list[str]:
        """Split the words, or the names of several words, which are separated by commas."""
        if not re.search(r"\w,", self.words):
            return self.words.split()
        return [" ".join(name.split()) for name in self.words.split(",")]

    def reads_as_expected(self, word: str) -> bool:
        shapes = {"word": word, "Word": word[:1].upper() + word[1:]}
        reading = read_one(Article("a", self.sentence.format(**shapes), source="The Courier"))
        return READINGS[self.reading](reading) == self.expected.format(**shapes)


TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CLASSES = tuple(WordClass(name, reading, *row) for reading, rows in TABLE.items() for name, row in rows.items())


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.name)
def test_words_of_a_class_read_as_the_class_does_and_others_do_not(kind: WordClass) -> None:
    assert [word for word in kind.words_of_class() if not kind.reads_as_expected(word)] == []
    assert [word for word in kind.others.split() if kind.reads_as_expected(word)] == []
    assert kind.others
