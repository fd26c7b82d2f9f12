"""The reporting verbs of English: ``VERBS`` maps every inflected form to its ``Verb``; read from ``verbs.txt``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from importlib.resources import files

_FILE = files("retrieval.speech") / "verbs.txt"


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


def _table() -> dict[str, Verb]:
    """Return every form with its verb; of two verbs with one form the first in the file counts."""
    table: dict[str, Verb] = {}
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    for line in reversed([line for line in lines if line and not line.startswith("#")]):
        lemma, force, *forms = line.split()
        table.update({word: Verb(lemma, form, Force[force.upper()]) for word, form in _shapes(lemma, forms).items()})
    return table


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


VERBS = _table()
