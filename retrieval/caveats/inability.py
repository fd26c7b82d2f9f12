"""How it is put that something could not be stood up: the words of it, and walking among them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from retrieval.caveats.verifying import (
    BASE,
    BEING,
    HAVING,
    IMPERSONAL,
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


def owned(line: Tokens, start: int, i: int) -> Form:
    """Return how "no way", "no confirmation" is put: "Reuters had no …" is active, "there was no …" is not."""
    having = not HAVING.isdisjoint(line.lower[start:i])
    return Form.ACTIVE if having and line.word(start - 1) != "there" else Form.IMPERSONAL


def obtained(line: Tokens, start: int, i: int) -> Form:
    """Return how "could not obtain" is put, and "difficult to obtain"."""
    return Form.ACTIVE if IMPERSONAL.isdisjoint(line.lower[start:i]) else Form.IMPERSONAL
