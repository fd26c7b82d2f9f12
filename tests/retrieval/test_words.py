"""The words that decide a reading, each in a sentence that reads otherwise without it.

``test_words.toml`` holds a sentence for each class of words, and how it reads with every one of them; a word that falls
out of the tables of ``retrieval`` reads like one of the ``others``, which are no words of the class.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from retrieval.model import Article, Attribution, Reading
from retrieval.pipeline import read_one
from retrieval.speech import speech_features
from retrieval.text.terms import terms


@pytest.fixture(autouse=True)
def _whoever_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show whomever the rules find: a word is tried, not how sure a name is."""
    monkeypatch.setattr(speech_features, "LIKELY", 0.0)
    monkeypatch.setattr(speech_features, "LIKELY_BESIDE", 0.0)
    monkeypatch.setattr(Attribution, "shown", property(lambda told: told))


@dataclass(frozen=True, slots=True)
class WordClass:
    """Words that read ``like`` in ``sentence``, and ``others`` that do not; "{word}" or "{Word}" stands for each.

    ``reads`` names the reading that is looked at. Names of several words are parted by commas, as in the lexicon.
    """

    name: str
    reads: str
    sentence: str
    like: str
    words: str
    others: str

    def listed(self) -> list[str]:
        """Return the words, or names, of the class."""
        if not re.search(r"\w,", self.words):
            return self.words.split()
        return [" ".join(name.split()) for name in self.words.split(",")]

    def tells(self, word: str) -> bool:
        """Return whether the sentence reads with ``word`` as it does with the words of the class."""
        shapes = {"word": word, "Word": word[:1].upper() + word[1:]}
        text = self.sentence.format(**shapes)
        return READINGS[self.reads](read_one(Article("a", text, source="The Courier"))) == self.like.format(**shapes)


def _speaker(reading: Reading) -> str:
    last = reading.passages[-1]
    return f"{last.voice}: {last.speaker}" if last.speaker else str(last.voice)


def _caveats(reading: Reading) -> str:
    return "; ".join(f"{each.kind}, {each.rule}, {each.verifier}" for each in reading.caveats)


def _names(reading: Reading) -> str:
    return "; ".join(f"{mention.kind} {mention.name}" for each in reading.passages for mention in each.mentions)


def _roles(reading: Reading) -> str:
    roles = (mention.role for each in reading.passages for mention in each.mentions)
    return "; ".join(role.of(reading.article.text) for role in roles if role)


def _sentences(reading: Reading) -> str:
    return str(len(reading.passages))


def _terms(reading: Reading) -> str:
    return " ".join(terms(reading.article.text))


READINGS: dict[str, Callable[[Reading], str]] = {
    "speaker": _speaker,
    "caveats": _caveats,
    "names": _names,
    "roles": _roles,
    "sentences": _sentences,
    "terms": _terms,
}
CLASSES = tuple(
    WordClass(**row)
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["classes"]
)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.name)
def test_every_word_of_a_class_reads_as_the_class_does(kind: WordClass) -> None:
    """Without any of them, its sentence is read like that of any other word."""
    assert [word for word in kind.listed() if not kind.tells(word)] == []


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.name)
def test_a_word_of_no_class_reads_otherwise(kind: WordClass) -> None:
    """So that it is the word that tells, and not its sentence."""
    assert kind.others
    assert [word for word in kind.others.split() if kind.tells(word)] == []
