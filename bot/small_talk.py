"""A line somebody wrote -> whether it greets, thanks or ends, and whether it asks something of the articles.

What the bot is not asked it does not answer: these are the questions that a chat has and a newsroom's archive has not.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from retrieval import classes, words

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
