"""A line somebody wrote -> whether it greets, thanks or ends, and whether it asks something of the articles.

What the bot is not asked it does not answer: these are the questions that a chat has and a newsroom's archive has not.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from retrieval import words

# Closed classes: a line of nothing but these is no question.
_GREETINGS = frozenset(
    "hi hello hey hiya howdy greetings morning afternoon evening good there all everyone team".split()
)
_THANKS = frozenset(
    "thanks thank thx ta cheers ok okay great good perfect cool nice brilliant lovely excellent super got understood"
    " noted right fine sure yes no yep nope lol haha wow never nevermind".split()
)
_FILLING = frozenset("you much very many so a lot it that is mind all then".split())
_ENDINGS = (("stop",), ("stop", "it"), ("be", "quiet"), ("quiet",), ("shut", "up"))
_ASKING = frozenset(
    "who whom whose what when where which why how is are was were do does did has have had can could will would"
    " should must may might and but show tell list find name give any".split()
)
# Who speaks of himself, or to those around, asks them.
_AMONG_US = frozenset(
    "i me my mine we us our ours you your yours somebody someone anybody anyone everybody everyone".split()
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
