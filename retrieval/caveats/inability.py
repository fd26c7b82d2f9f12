"""How it is put that something could not be stood up: the words of it, and walking among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from retrieval.caveats.verifying import (
    AUXILIARIES,
    BASE,
    BEING,
    HAVING,
    IMPERSONAL,
    LINKS,
    NEGATIONS,
    REMAINING,
    TRYING,
    WEAK_BASE,
)
from retrieval.text.tokens import Tokens

REACH = 9  # words between an inability and the word it bears on


class Form(StrEnum):
    """How the inability is put, which decides where to look for whose it is."""

    ACTIVE = "active"  # "Reuters could not verify"
    PASSIVE = "passive"  # "could not be verified (by Reuters)"
    IMPERSONAL = "impersonal"  # "it was not possible to verify", "no independent confirmation"
    ATTRIBUTIVE = "attributive"  # "unverified footage"


@dataclass(frozen=True, slots=True)
class Trigger:
    """Words ``start`` to ``end`` (half-open) of a sentence; ``start`` is where the subject has ended.

    ``subject`` is where the unable's name stands when it does not end at ``start`` ("nor could CNN verify").
    ``pending`` says that the work is still going on.
    """

    start: int
    end: int
    form: Form
    rule: str
    subject: tuple[int, int] | None = None
    pending: bool = False


Rule = Callable[[Tokens, int], Trigger | None]


def links(word: str, others: frozenset[str] = frozenset()) -> bool:
    """Return whether ``word`` may stand between an inability and the word it bears on; so may ``others``."""
    return word in LINKS or word in others or word.endswith("ly")


def negation_before(line: Tokens, i: int) -> int | None:
    """Return where the negation that bears on word ``i`` stands."""
    for j in line.before(i, REACH):
        word = line.lower[j]
        if word in NEGATIONS or (word in REMAINING | {"yet"} and line.word(j + 1) == "to"):
            return j
        joined = word.endswith("ed") and line.word(j + 1) in {"or", "nor"}
        if not (joined or links(word)):
            return None
    return None


def with_auxiliaries(line: Tokens, i: int) -> int:
    """Return where the auxiliaries and adverbs before word ``i`` begin."""
    return line.back_over(i, lambda word: word in AUXILIARIES or word.endswith("ly"))


def form_of(line: Tokens, start: int, i: int) -> Form:
    """Return how the verb at ``i`` is put, whose auxiliaries begin at ``start``."""
    between = set(line.lower[start:i])
    if between & IMPERSONAL:
        return Form.IMPERSONAL
    if line.lower[i] in BASE or line.lower[i] in WEAK_BASE or line.lower[i] == "vouch":
        return Form.ACTIVE
    if between & BEING or not between & HAVING:
        return Form.PASSIVE
    return Form.ACTIVE


def owned(line: Tokens, i: int) -> Form:
    """Return how "no way", "no confirmation" at ``i`` is put: "Reuters had no …" is active, "there was no …" is not."""
    start = with_auxiliaries(line, i)
    having = set(line.lower[start:i]) & HAVING
    return Form.ACTIVE if having and line.word(start - 1) != "there" else Form.IMPERSONAL


def pending_before(line: Tokens, i: int, last: int) -> Trigger | None:
    """Return the trigger that begins with "working to" before word ``i`` and ends with word ``last``."""
    for j in line.before(i, 5):
        if line.lower[j] in TRYING:
            start = max(0, j - 2) if line.lower[j] == "process" else j
            return Trigger(with_auxiliaries(line, start), last + 1, Form.ACTIVE, "pending", pending=True)
        if line.breaks(j):
            return None
    return None
