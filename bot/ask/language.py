"""A question -> how to tell its asker that it is in a language which is not read; None where it may be English."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from retrieval import STOPWORDS

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Words of grammar, one of which asks, that tell a language; a name ("De la Rue") has some of them as well.
_ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its words that ask, and all its words of grammar."""

    told: str
    asking: frozenset[str]
    grammar: frozenset[str]


def told_in_its_language(text: str) -> str | None:
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
    held = tomllib.loads(files("bot.ask").joinpath("languages.toml").read_text(encoding="utf-8"))
    return tuple(
        Language(row["told"], asking := frozenset(row["asking"].split()), asking | frozenset(row["others"].split()))
        for row in held.values()
    )
