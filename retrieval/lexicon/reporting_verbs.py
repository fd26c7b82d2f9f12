"""The reporting verbs of English: ``VERBS`` maps every inflected form to its ``Verb``; read from the TOML file beside.

What stands in which frame (before its subject, with a particle, as a noun as well) are sets of lemmas and of forms.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from importlib.resources import files

_FILE = files("retrieval.lexicon") / "reporting_verbs.toml"


class Force(Enum):
    """What a reporting verb must have beside it before it is believed to report."""

    SAYING = auto()  # nothing: it means speech wherever it is a verb
    ACT = auto()  # an object or a preposition: to condemn, to call for
    CLAUSE = auto()  # a quotation, "that", a clause or a colon: to add, to find, to suggest
    THINKING = auto()  # as CLAUSE, and nobody need have said it aloud


class Form(Enum):
    """The shape a verb stands in; a past form may be the participle too, where no ``PARTICIPLE`` is told apart."""

    BASE = auto()
    THIRD = auto()
    PAST = auto()
    PARTICIPLE = auto()
    ING = auto()


@dataclass(frozen=True, slots=True)
class Verb:
    """One inflected form of a reporting verb."""

    lemma: str
    form: Form
    force: Force


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file: a lemma, its force, its forms and its frame."""

    lemma: str
    force: Force
    forms: dict[str, Form]
    frame: tuple[str, ...]


def _rows() -> tuple[_Row, ...]:
    held = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(_row(lemma, force, text) for force, verbs in held.items() for lemma, text in verbs.items())


def _row(lemma: str, force: str, text: str) -> _Row:
    forms, _, frame = text.partition(",")
    return _Row(lemma, Force[force.upper()], _shapes(lemma, forms.split()), tuple(frame.split()))


def _shapes(lemma: str, forms: list[str]) -> dict[str, Form]:
    """Return the forms of one verb; what is base and past ("put") is taken for the past, where there is no other."""
    third, past, participle, ing = (form.split("/") if form != "-" else [] for form in forms)
    return {
        lemma: Form.BASE,
        **dict.fromkeys(third, Form.THIRD),
        **dict.fromkeys((word for word in participle if word != lemma), Form.PARTICIPLE),
        **dict.fromkeys((word for word in past if word != lemma or len(past) == 1), Form.PAST),
        **dict.fromkeys(ing, Form.ING),
    }


def _lemmas(frame: str) -> frozenset[str]:
    return frozenset(row.lemma for row in _ROWS if frame in row.frame)


def _forms(frame: str, *forms: Form) -> Iterator[str]:
    """Yield these forms of the verbs that have ``frame``."""
    yield from (word for row in _ROWS if frame in row.frame for word, form in row.forms.items() if form in forms)


_ROWS = _rows()
# Of two verbs with one form the first in the file counts.
VERBS = {word: Verb(row.lemma, form, row.force) for row in reversed(_ROWS) for word, form in row.forms.items()}
# Lemmas of what stands before its subject; of what a thing that is written may do.
INVERTING = _lemmas("inverts")
FINDING = _lemmas("finds")
# Lemmas of what has a source for its subject, beside the verbs of saying.
SOURCED = _lemmas("source")
# Pasts by which nobody is made to say it: it is said to be.
HEARSAY = frozenset(_forms("hearsay", Form.PAST, Form.PARTICIPLE))
# Lemmas with the words that belong to them, and lemmas that report with such a word alone.
PARTICLES = frozenset((row.lemma, word[1:]) for row in _ROWS for word in row.frame if word[0] == "+")
PARTICLED = _lemmas("only")
# Forms that are nouns as well.
NOUNS_TOO = frozenset((*_forms("noun", Form.BASE, Form.THIRD), *_forms("gerund", Form.ING)))
