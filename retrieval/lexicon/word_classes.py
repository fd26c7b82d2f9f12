"""The names of classes of words -> their words, as the TOML files beside this module hold them.

A file holds parts (its TOML tables), a part holds classes (a name and its words, parted by white space; names of
several words are parted by commas). The classes of a part are disjoint, and a part or class is named once in all
files: the table that a rule needs is a union of them, and no word is typed a second time.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

_FOLDER = files("retrieval.lexicon")
_OF_ITS_OWN_FORM = "reporting_verbs.toml"  # each verb with its forms: read elsewhere
_IRREGULAR_PLURALS = (
    ("person", "people"),
    ("child", "children"),
    ("man", "men"),
    ("sis", "ses"),
    ("wife", "wives"),
    ("arch", "archs"),
)
_SIBILANTS = ("s", "x", "z", "ch", "sh")


class LexiconError(Exception):
    """A class is not in the lexicon, is named twice, or holds a word that another of its part holds."""


@cache
def word_classes() -> dict[str, tuple[str, ...]]:
    """Return every class and every part of the lexicon with its words in order."""
    found: dict[str, tuple[str, ...]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml") and file.name != _OF_ITS_OWN_FORM:
            for part, held in tomllib.loads(file.read_text(encoding="utf-8")).items():
                _put(found, part, {name: _words(text) for name, text in held.items()})
    return found


def _put(known: dict[str, tuple[str, ...]], part: str, classes: dict[str, tuple[str, ...]]) -> None:
    """Put a part and its classes to those known; refuse a name that is, and a word that stands twice in the part."""
    again = known.keys() & {part, *classes}
    if again:
        raise LexiconError(f"named twice: {', '.join(sorted(again))}")
    words = tuple(word for each in classes.values() for word in each)
    if len(words) != len(set(words)):
        raise LexiconError(f"twice in {part}: {', '.join(sorted({w for w in words if words.count(w) > 1}))}")
    known |= classes
    known[part] = words


def _words(text: str) -> tuple[str, ...]:
    if "," not in text:
        return tuple(text.split())
    return tuple(" ".join(name.split()) for name in text.split(","))


def ordered(name: str) -> tuple[str, ...]:
    """Return the words of one class in the file's order."""
    try:
        return word_classes()[name]
    except KeyError:
        raise LexiconError(f"no class of words is named {name!r}") from None


def classes(*names: str) -> frozenset[str]:
    """Return the words of all these classes and parts."""
    return frozenset(word for name in names for word in ordered(name))


def capitalized(*names: str) -> frozenset[str]:
    """Return the words of all these classes, each with a capital."""
    return frozenset(word[0].upper() + word[1:] for word in classes(*names))


def nouns(*names: str) -> frozenset[str]:
    """Return the nouns of all these classes in the singular and in the plural."""
    return frozenset(form for word in classes(*names) for form in (word, plural(word)))


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    for ending, instead in _IRREGULAR_PLURALS:
        if noun.endswith(ending):
            return noun.removesuffix(ending) + instead
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"
