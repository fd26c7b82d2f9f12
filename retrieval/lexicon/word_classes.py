"""The classes of words in the TOML files beside this module.

A file has parts (its TOML tables), a part has classes (a name and its words, separated by white space, or by commas
where names of several words are among them). The classes of a part are disjoint, and no two parts or classes of all
files have one name.
"""

import tomllib
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

_FOLDER = files("retrieval.lexicon")
_REPORTING_VERBS = "reporting_verbs.toml"  # has a form of its own
_PLURALS = {"person": "people", "child": "children", "man": "men", "sis": "ses", "wife": "wives", "arch": "archs"}
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return the contents of a TOML file that is in a package of the program."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


class LexiconError(Exception):
    """No class of words has this name."""


@cache
def word_classes() -> dict[str, tuple[str, ...]]:
    """Read every class and every part, each with its words in order."""
    known: dict[str, tuple[str, ...]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml") and file.name != _REPORTING_VERBS:
            for part, rows in read_table("retrieval.lexicon", file.name).items():
                listed = ((name, text.split("," if "," in text else None)) for name, text in rows.items())
                own = {name: tuple(" ".join(each.split()) for each in words) for name, words in listed}
                known |= own | {part: tuple(chain.from_iterable(own.values()))}
    return known


def ordered(name: str) -> tuple[str, ...]:
    """Return the words of a class or part in the order of the file."""
    try:
        return word_classes()[name]
    except KeyError:
        raise LexiconError(f"no class of words is named {name!r}") from None


def classes(*names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in ordered(name))


def capitalized(*names: str) -> frozenset[str]:
    return frozenset(word[0].upper() + word[1:] for word in classes(*names))


def nouns(*names: str) -> frozenset[str]:
    return frozenset(form for word in classes(*names) for form in (word, plural(word)))


def plural(noun: str) -> str:
    for ending, instead in _PLURALS.items():  # irregular
        if noun.endswith(ending):
            return noun.removesuffix(ending) + instead
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"


class WordSets:
    """The word classes in a package's ``cues.toml``, as attributes.

    Each is a union: its own ``words``, ``classes`` of the lexicon, ``nouns`` of the lexicon in both numbers, and
    ``sets`` above it in the file.
    """

    def __init__(self, package: str) -> None:
        for name, table in read_table(package, "cues.toml").items():
            union = {key: text.split() for key, text in table.items()}
            above = (word for each in union.get("sets", ()) for word in getattr(self, each))
            own = frozenset((*union.get("words", ()), *above))
            setattr(self, name, own | classes(*union.get("classes", ())) | nouns(*union.get("nouns", ())))

    def __getattr__(self, name: str) -> frozenset[str]:
        raise AttributeError(f"the file has no word class {name!r}")
