"""Rules for inability put by a noun or an adjective: "no way to verify", "no confirmation", "unverified"."""

from __future__ import annotations

from retrieval.caveats.inability import (
    REACH,
    Form,
    Trigger,
    links,
    negation_before,
    owned,
    pending_before,
    with_auxiliaries,
)
from retrieval.caveats.nouns import ACCOUNTS, CLAIMS, FIGURES
from retrieval.caveats.object_phrase import PICTURES
from retrieval.caveats.verifying import (
    AUXILIARIES,
    BEING,
    GETTING,
    HAMPERING,
    IMPERSONAL,
    LACKING,
    MEANS,
    NOUN_LINKS,
    NOUNS,
    REMAINING,
)
from retrieval.tables import listed
from retrieval.text.tokens import Tokens

_WAYS = listed("way means possibility")
_ATTEMPTS = listed("attempt attempts efforts")
_VAIN = listed("unsuccessful failed fruitless")
_BEYOND = listed("impossible difficult unavailable hard")
_NOT = listed("not n't n’t never")
_FINDING = listed("find found locate located obtain obtained")
_EVIDENCE = listed("evidence records record documents document documentation proof anyone witnesses")
_QUALIFIED = 5  # words in "but widely shared images"
_NEWS = PICTURES | FIGURES | ACCOUNTS | CLAIMS
_NO_NOUN = listed("by as at on in but and or when if because")


def no_way(line: Tokens, i: int) -> Trigger | None:
    """Match "no way to verify", "no means of confirming"."""
    way = line.back_over(i, lambda word: word not in _WAYS and links(word)) - 1
    if line.word(way) not in _WAYS:
        return None
    start = line.back_over(way, lambda word: word in NOUN_LINKS) - 1
    if line.word(start) not in {"no", "little"}:
        return None
    return Trigger(with_auxiliaries(line, start), i + 1, owned(line, start), "no way")


def lacking(line: Tokens, i: int) -> Trigger | None:
    """Match "no independent confirmation", "without corroboration", "no reaction or any independent confirmation"."""
    lack = line.back_over(i, lambda word: word in NOUN_LINKS or word in NOUNS or word in {"of", "or"}) - 1
    if line.word(lack) == "any" and "no" in line.lower[line.clause_start(lack) : lack]:
        return Trigger(lack, i + 1, Form.IMPERSONAL, "lacking") if line.word(lack + 1) == "independent" else None
    if line.word(lack) not in LACKING:
        return None
    return Trigger(with_auxiliaries(line, lack), i + 1, owned(line, lack), "lacking")


def not_obtained(line: Tokens, i: int) -> Trigger | None:
    """Match "could not obtain independent confirmation", "difficult to get verification"."""
    getting = line.back_over(i, lambda word: word in NOUN_LINKS) - 1
    if line.word(getting) not in GETTING:
        return None
    negation = negation_before(line, getting)
    if negation is None:
        return pending_before(line, getting, i)
    start = with_auxiliaries(line, negation)
    impersonal = not IMPERSONAL.isdisjoint(line.lower[start:getting])
    return Trigger(start, i + 1, Form.IMPERSONAL if impersonal else Form.ACTIVE, "not obtained")


def unfound(line: Tokens, i: int) -> Trigger | None:
    """Match "was unable to find records corroborating the account", "found no evidence to support it"."""
    for j in line.before(i, REACH):
        if line.lower[j] in _FINDING and not _EVIDENCE.isdisjoint(line.lower[j + 1 : i]):
            negation = negation_before(line, j)
            start = j if negation is None else negation
            if negation is not None or "no" in line.lower[j + 1 : i]:
                return Trigger(with_auxiliaries(line, start), i + 1, Form.ACTIVE, "nothing found")
        if line.breaks(j):
            return None
    return None


def hampered(line: Tokens, i: int) -> Trigger | None:
    """Match "limiting independent verification", "hampering efforts to confirm", "ability to verify is limited"."""
    start = line.back_over(i, lambda word: links(word) or word in NOUN_LINKS or word in MEANS)
    if line.word(start - 1) in HAMPERING:
        return Trigger(start - 1, i + 1, Form.IMPERSONAL, "hampered")
    if not {"ability", "efforts"}.isdisjoint(line.lower[start:i]):
        return _ending(line, start, i, HAMPERING, "hampered")
    return None


def in_vain(line: Tokens, i: int) -> Trigger | None:
    """Match "attempts to verify the account were unsuccessful"."""
    start = line.back_over(i, links) - 1
    return _ending(line, start, i, _VAIN, "in vain") if line.word(start) in _ATTEMPTS else None


def _ending(line: Tokens, start: int, i: int, words: frozenset[str], rule: str) -> Trigger | None:
    """Return the trigger from ``start`` to the first of ``words`` soon after ``i``."""
    for k in line.after(i, REACH):
        if line.lower[k] in words:
            return Trigger(start, k + 1, Form.IMPERSONAL, rule)
    return None


def out_of_reach(line: Tokens, i: int) -> Trigger | None:
    """Match "independent verification was not possible", "getting corroboration is impossible"."""
    for j in line.after(i, REACH):
        word = line.lower[j]
        if word in {",", ";"}:
            return None
        denied = word in {"possible", "available"} and not _NOT.isdisjoint(line.lower[i + 1 : j])
        if denied or word in _BEYOND:
            return Trigger(i, j + 1, Form.IMPERSONAL, "out of reach")
    return None


def undone(line: Tokens, i: int) -> Trigger | None:
    """Match "unverified footage", "remains unconfirmed", "a letter, still unverified, says"."""
    if line.word(i + 1) in {"but", "and", "though", "or"} and not _NEWS.isdisjoint(
        line.lower[i + 2 : i + 2 + _QUALIFIED]
    ):
        return Trigger(i, i + 1, Form.ATTRIBUTIVE, "unverified something")
    following = line.words[i + 1 : i + 2]
    if following and following[0].isalpha() and following[0].lower() not in _NO_NOUN:
        return Trigger(i, i + 1, Form.ATTRIBUTIVE, "unverified something")
    start = line.back_over(i, lambda word: word != "," and (word in REMAINING or links(word, AUXILIARIES)))
    if line.word(start - 1) == "," or not (BEING | REMAINING).isdisjoint(line.lower[start:i]):
        return Trigger(start, i + 1, Form.PASSIVE, "unverified")
    return None
