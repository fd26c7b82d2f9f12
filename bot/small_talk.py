"""A line somebody wrote -> whether it greets, thanks or ends, and whether it asks something of the articles.

What the bot is not asked it does not answer: these are the questions that a chat has and a newsroom's archive has not.
A line in a language that is not read is told so in that language, where it cannot be English.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from importlib.resources import files

from bot import messages
from retrieval import STOPWORDS, classes, words

# Closed classes: a line of nothing but these is no question.
_GREETINGS = (
    (classes("parts_of_day") - {"night"})
    | frozenset("hi hello hey hiya howdy greetings good".split())
    | {"there", "all"}
    | {"everyone", "team"}
)
_THANKS = (classes("courtesies", "answers", "nones") - {"well", "oh", "none", "please"}) | frozenset(
    (
        "thx ta cheers great good perfect cool nice brilliant lovely excellent super understood right fine "
        "sure lol haha wow nevermind"
    ).split()
)
_FILLING = (
    classes("then", "so") | {"you", "very", "a"} | {"it", "that", "is"} | {"much", "many", "lot"} | {"mind", "all"}
)
_ENDINGS = (("stop",), ("stop", "it"), ("be", "quiet"), ("quiet",), ("shut", "up"))
_ASKING = (
    (classes("relatives", "interrogatives", "forms_of_be", "forms_of_do", "forms_of_have", "modals") - {"be", "been"})
    | {"and", "but", "any"}
    | {"show", "tell", "find"}
    | {"list", "name", "give"}
)
# Who speaks of himself, or to those around, asks them.
_AMONG_US = (
    classes("first_persons", "second_persons", "own_possessives", "indefinite_persons")
    | {"me", "us"}
    | {"mine", "ours", "yours"}
)


class Manner(Enum):
    """What a line is that asks nothing."""

    GREETING = auto()
    THANKS = auto()  # and whatever else needs no reply
    END = auto()


_REPLIES = {
    Manner.GREETING: messages.EMPTY_QUESTION,
    Manner.THANKS: messages.WELCOME,
    Manner.END: messages.ENDED,
}


def small_talk_reply(text: str) -> str | None:
    """Return what is said to a line that asks nothing of the articles; ``None`` where it may ask something."""
    if not text.strip():
        return messages.EMPTY_QUESTION
    said = manner(text)
    return _REPLIES[said] if said else other_language_reply(text)


def manner(text: str) -> Manner | None:
    """Return what a line is that asks nothing; ``None`` for any other."""
    said = words(text)
    if said in _ENDINGS:
        return Manner.END
    if "?" not in text and not _THANKS.isdisjoint(said) and set(said) <= _THANKS | _FILLING:
        return Manner.THANKS
    if said and all(word in _GREETINGS for word in said):
        return Manner.GREETING
    return None


def asks(text: str) -> bool:
    """Return whether a line that is not addressed to the bot may ask something of the articles."""
    said = words(text)
    if not said or not _AMONG_US.isdisjoint(said):
        return False
    return "?" in text or said[0] in _ASKING


def says_nothing(text: str) -> bool:
    """Return whether a line holds no letter and no figure: marks, signs and pictures only."""
    return re.search(r"[^\W_]", text) is None


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Words of grammar, one of which asks, that tell a language; a name ("De la Rue") has some of them as well.
_ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its words that ask, and all its words of grammar."""

    told: str
    asking: frozenset[str]
    grammar: frozenset[str]


def other_language_reply(text: str) -> str | None:
    """Return the sentence for a question in a language known here that is not English."""
    asked = set(_WORD.findall(text.casefold()))
    english = len(asked & STOPWORDS)
    found = {
        language.told: len(asked & language.grammar)
        for language in _languages()
        if not asked.isdisjoint(language.asking)
    }
    told = max(found, key=lambda each: found[each], default=None)
    return told if told and found[told] >= _ENOUGH and found[told] > english else None


@lru_cache(maxsize=1)
def _languages() -> tuple[Language, ...]:
    held = tomllib.loads(files("bot").joinpath("languages.toml").read_text(encoding="utf-8"))
    return tuple(
        Language(row["told"], asking := frozenset(row["asking"].split()), asking | frozenset(row["others"].split()))
        for row in held.values()
    )
