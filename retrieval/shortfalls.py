"""Rules for inability put by a noun or an adjective: "no way to verify", "no confirmation", "unverified"."""

from __future__ import annotations

from retrieval.inability import REACH, Form, Trigger, links, negation_before, owned, pending_before, with_auxiliaries
from retrieval.verifying import GETTING, HAMPERING, IMPERSONAL, LACKING, MEANS, NOUN_LINKS, NOUNS
from retrieval.wording import Wording


def no_way(line: Wording, i: int) -> Trigger | None:
    """Take "no way to verify", "no means of confirming"."""
    for j in range(i - 1, max(-1, i - REACH), -1):
        word = line.lower[j]
        if word in {"way", "means", "possibility"}:
            start = j - 1 if line.lower[j - 1] not in NOUN_LINKS else j - 2
            if start < 0 or line.lower[start] not in {"no", "little"}:
                return None
            return Trigger(with_auxiliaries(line, start), i + 1, owned(line, start), "no way")
        if not links(word):
            return None
    return None


def lacking(line: Wording, i: int) -> Trigger | None:
    """Take "no independent confirmation", "without corroboration"."""
    j = i - 1
    while j >= 0 and (line.lower[j] in NOUN_LINKS or line.lower[j] in {"of", "or", *NOUNS}):
        j -= 1
    if j >= 0 and line.lower[j : j + 2] == ("any", "independent") and "no" in line.lower[line.clause_start(j) : j]:
        return Trigger(j, i + 1, Form.IMPERSONAL, "lacking")
    if j < 0 or line.lower[j] not in LACKING:
        return None
    return Trigger(with_auxiliaries(line, j), i + 1, owned(line, j), "lacking")


def not_obtained(line: Wording, i: int) -> Trigger | None:
    """Take "could not obtain independent confirmation", "difficult to get verification"."""
    j = i - 1
    while j >= 0 and line.lower[j] in NOUN_LINKS:
        j -= 1
    if j < 0 or line.lower[j] not in GETTING:
        return None
    negation = negation_before(line, j)
    if negation is None:
        return pending_before(line, j, i)
    start = with_auxiliaries(line, negation)
    form = Form.IMPERSONAL if set(line.lower[start:j]) & IMPERSONAL else Form.ACTIVE
    return Trigger(start, i + 1, form, "not obtained")


def hampered(line: Wording, i: int) -> Trigger | None:
    """Take "limiting independent verification", "hampering efforts to confirm", "ability to verify is limited"."""
    j = i - 1
    while j >= 0 and (links(line.lower[j]) or line.lower[j] in NOUN_LINKS or line.lower[j] in MEANS):
        j -= 1
    if j >= 0 and line.lower[j] in HAMPERING:
        return Trigger(j, i + 1, Form.IMPERSONAL, "hampered")
    able = set(line.lower[j + 1 : i]) & {"ability", "efforts"}
    for k in range(i + 1, min(len(line), i + 1 + REACH)):
        if able and line.lower[k] in HAMPERING:
            return Trigger(j + 1, k + 1, Form.IMPERSONAL, "hampered")
    return None


def out_of_reach(line: Wording, i: int) -> Trigger | None:
    """Take "independent verification was not possible", "getting corroboration is impossible"."""
    for j in range(i + 1, min(len(line), i + 1 + REACH)):
        word = line.lower[j]
        if word in {"impossible", "difficult", "unavailable", "hard"}:
            return Trigger(i, j + 1, Form.IMPERSONAL, "out of reach")
        if word in {"possible", "available"}:
            denied = set(line.lower[i + 1 : j]) & {"not", "n't", "n’t", "never"}
            return Trigger(i, j + 1, Form.IMPERSONAL, "out of reach") if denied else None
        if word in {",", ";"}:
            return None
    return None


def in_vain(line: Wording, i: int) -> Trigger | None:
    """Take "attempts to verify the account were unsuccessful"."""
    start = i - 1
    while start >= 0 and links(line.lower[start]):
        start -= 1
    if start < 0 or line.lower[start] not in {"attempts", "efforts", "attempt"}:
        return None
    for j in range(i + 1, min(len(line), i + 1 + REACH)):
        if line.lower[j] in {"unsuccessful", "failed", "fruitless"}:
            return Trigger(start, j + 1, Form.IMPERSONAL, "in vain")
    return None


def undone(line: Wording, i: int) -> Trigger | None:
    """Take "unverified footage", "remains unconfirmed"."""
    if i + 1 < len(line) and line.words[i + 1].isalpha() and line.lower[i + 1] not in {"by", "as", "at", "on", "in"}:
        return Trigger(i, i + 1, Form.ATTRIBUTIVE, "unverified something")
    start = with_auxiliaries(line, i)
    while start > 0 and line.lower[start - 1] in {"remain", "remains", "remained", "as", "yet", "however", "still"}:
        start = with_auxiliaries(line, start - 1)
    return Trigger(start, i + 1, Form.PASSIVE, "unverified")
