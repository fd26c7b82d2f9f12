"""Classes of words that decide a reading, each by its effect on the sentence of ``test_words.toml``."""

import re
import tomllib
from collections.abc import Callable
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


TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CLASSES = [pytest.param(reading, *row, id=name) for reading, rows in TABLE.items() for name, row in rows.items()]


@pytest.mark.parametrize(("reading", "sentence", "expected", "words", "others"), CLASSES)
def test_words_of_a_class_read_as_the_class_does_and_others_do_not(
    reading: str, sentence: str, expected: str, words: str, others: str
) -> None:
    """The words are parted by spaces, or by commas where some are names of several words."""

    def reads_as_expected(word: str) -> bool:
        shapes = {"word": word, "Word": word[:1].upper() + word[1:]}
        read = read_one(Article("a", sentence.format(**shapes), source="The Courier"))
        return READINGS[reading](read) == expected.format(**shapes)

    by_comma = re.search(r"\w,", words)
    names = [" ".join(name.split()) for name in words.split(",")] if by_comma else words.split()
    assert [word for word in names if not reads_as_expected(word)] == []
    assert [word for word in others.split() if reads_as_expected(word)] == []
    assert others
