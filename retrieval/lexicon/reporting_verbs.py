"""The reporting verbs of English, from the TOML file beside: ``VERBS`` maps every inflected form to its ``Verb``.

The frames of verbs (before the subject, with a particle, as a noun as well) are sets of lemmas and of forms.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from retrieval.lexicon.word_classes import read_table


class Force(Enum):
    """What a reporting verb needs beside it to report."""

    SAYING = auto()  # nothing: it means speech wherever it is a verb
    ACT = auto()  # an object or a preposition: to condemn, to call for
    CLAUSE = auto()  # a quotation, "that", a clause or a colon: to add, to find, to suggest
    THINKING = auto()  # as CLAUSE, and nobody need have said it aloud


class Form(Enum):
    """A verb's form; ``PAST`` may be the participle too, where that has no form of its own."""

    BASE = auto()
    THIRD = auto()
    PAST = auto()
    PARTICIPLE = auto()
    ING = auto()


@dataclass(frozen=True, slots=True)
class Verb:
    lemma: str
    form: Form
    force: Force


def _forms_of(lemma: str, forms: list[str]) -> dict[str, Form]:
    """Map the forms of one verb; what is both base and past ("put") counts as the past, if there is no other past."""
    third, past, participle, ing = (form.split("/") if form != "-" else [] for form in forms)
    return {
        lemma: Form.BASE,
        **dict.fromkeys(third, Form.THIRD),
        **dict.fromkeys((word for word in participle if word != lemma), Form.PARTICIPLE),
        **dict.fromkeys((word for word in past if word != lemma or len(past) == 1), Form.PAST),
        **dict.fromkeys(ing, Form.ING),
    }


def _lemmas(frame: str) -> frozenset[str]:
    return frozenset(lemma for lemma, _, _, frames in _ROWS if frame in frames)


def _forms(frame: str, *forms: Form) -> Iterator[str]:
    yield from (word for _, _, own, frames in _ROWS if frame in frames for word, form in own.items() if form in forms)


# The lemma of each verb, its force, its forms and its frames.
_ROWS = tuple(
    (lemma, Force[force.upper()], _forms_of(lemma, forms.split()), frame.split())
    for force, verbs in read_table("retrieval.lexicon", "reporting_verbs.toml").items()
    for lemma, text in verbs.items()
    for forms, _, frame in (text.partition(","),)
)
# Where two verbs share a form, the first in the file counts.
VERBS = {word: Verb(lemma, form, force) for lemma, force, own, _ in reversed(_ROWS) for word, form in own.items()}
# Lemmas that may come before their subject; that a text may have for its subject.
INVERTING = _lemmas("inverts")
FINDING = _lemmas("finds")
# Lemmas that have a source for their subject, beside the verbs of saying.
SOURCED = _lemmas("source")
# Past forms that name no speaker: it is said to be.
HEARSAY = frozenset(_forms("hearsay", Form.PAST, Form.PARTICIPLE))
# Lemmas with the particles that belong to them.
PARTICLES = frozenset((lemma, word[1:]) for lemma, _, _, frames in _ROWS for word in frames if word[0] == "+")
# Forms that are nouns as well.
NOUNS_TOO = frozenset((*_forms("noun", Form.BASE, Form.THIRD), *_forms("gerund", Form.ING)))
