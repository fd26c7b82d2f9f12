"""A sentence's words -> the words by which somebody says that something could not be stood up.

Whose inability it is, is decided elsewhere: "police could not confirm" is a trigger too.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.inability import (
    REACH,
    Form,
    Rule,
    Trigger,
    form_of,
    links,
    negation_before,
    pending_before,
    with_auxiliaries,
)
from retrieval.shortfalls import hampered, in_vain, lacking, no_way, not_obtained, out_of_reach, undone
from retrieval.verifying import (
    AUXILIARIES,
    BASE,
    BEING,
    DOING,
    DONE,
    HAVING,
    IMPERSONAL,
    NEGATIONS,
    NEGATIVE_SUBJECTS,
    NOUNS,
    SEEN,
    TRUTH,
    UNDONE,
    WEAK_BASE,
    WEAK_DONE,
)
from retrieval.wording import Wording


def find_triggers(line: Wording) -> Iterator[Trigger]:
    """Give the triggers of a sentence, in order; at most one for each word."""
    end = 0
    for i, word in enumerate(line.lower):
        for rule in RULES.get(word, ()):
            trigger = rule(line, i)
            if trigger and trigger.end > end:
                end = trigger.end
                yield trigger
                break


def _denied(line: Wording, i: int) -> Trigger | None:
    """Take "could not be independently verified", "has not confirmed", "unable to corroborate"."""
    negation = negation_before(line, i)
    if negation is None:
        return None
    start = with_auxiliaries(line, negation)
    return Trigger(start, i + 1, form_of(line, start, i), "denied verb")


def _seen_but_not(line: Wording, i: int) -> Trigger | None:
    """Take "has seen but not independently verified": the auxiliary stands before the first verb."""
    negation = negation_before(line, i)
    if not negation or line.lower[negation - 1] not in {"but", "and", "or", "though"}:
        return None
    for j in range(negation - 2, max(-1, negation - 2 - REACH), -1):
        if line.lower[j] in HAVING and line.lower[j + 1] != "been":
            return Trigger(j, i + 1, Form.ACTIVE, "seen but not verified")
        if line.lower[j] in BEING or line.breaks(j):
            return None
    return None


def _nobody(line: Wording, i: int) -> Trigger | None:
    """Take "none of the claims could be verified", "neither report has been confirmed"."""
    start = i
    while (
        start > 0
        and (line.lower[start - 1] in AUXILIARIES or links(line.lower[start - 1]))
        and line.lower[start - 1] != ","
    ):
        start -= 1
    clause = line.clause_start(start)
    opening = set(line.lower[clause : clause + 2]) & NEGATIVE_SUBJECTS or line.lower[clause : clause + 2] == (
        "not",
        "all",
    )
    if start in {i, clause} or not (opening or "nor" in line.lower[clause:start]):
        return None
    if line.lower[clause] == "no" and "independently" not in line.lower[start : i + 2] and line.lower[i] == "confirmed":
        return None
    form = form_of(line, start, i)
    if form is Form.ACTIVE and line.lower[clause : clause + 2] in {("no", "one"), ("nobody", line.lower[clause + 1])}:
        form = Form.IMPERSONAL
    return Trigger(start, i + 1, form, "negative subject")


def _inverted(line: Wording, i: int) -> Trigger | None:
    """Take "nor could the paper verify"."""
    for j in range(i - 1, max(-1, i - 1 - REACH), -1):
        if line.lower[j] in {"nor", "neither"} and line.lower[j + 1] in AUXILIARIES:
            end = i
            while end > j + 2 and (links(line.lower[end - 1])):
                end -= 1
            return Trigger(j, i + 1, form_of(line, j, i), "inverted", subject=(j + 2, end))
        if line.breaks(j):
            return None
    return None


def _for_somebody(line: Wording, i: int) -> Trigger | None:
    """Take "impossible for AP to verify": the unable stands between."""
    if line.lower[i - 1] != "to" and not line.lower[i - 1].endswith("ly"):
        return None
    for j in range(i - 1, max(-1, i - 1 - REACH), -1):
        if line.lower[j] == "for" and line.lower[j - 1] in IMPERSONAL:
            end = i
            while line.lower[end - 1] == "to" or line.lower[end - 1].endswith("ly"):
                end -= 1
            if line.lower[j - 1] != "possible" or negation_before(line, j) is not None:
                return Trigger(
                    with_auxiliaries(line, j - 1), i + 1, Form.ACTIVE, "impossible for", subject=(j + 1, end)
                )
    return None


def _pending(line: Wording, i: int) -> Trigger | None:
    """Take "is working to verify", "is in the process of confirming"."""
    return pending_before(line, i, i)


def _being_done(line: Wording, i: int) -> Trigger | None:
    """Take "is still being verified"."""
    if line.lower[i - 1] != "being" and line.lower[i - 2 : i - 1] != ("being",):
        return None
    return Trigger(with_auxiliaries(line, i), i + 1, Form.PASSIVE, "being verified", pending=True)


def _denied_from_afar(line: Wording, i: int) -> Trigger | None:
    """Take "could not travel there to confirm": only good where an outlet is the subject."""
    if line.lower[i - 1] not in {"to", "or", "and"}:
        return None
    for j in range(i - 2, max(-1, i - 2 - REACH), -1):
        if line.lower[j] in NEGATIONS:
            return Trigger(with_auxiliaries(line, j), i + 1, Form.ACTIVE, "denied from afar")
        if line.breaks(j):
            return None
    return None


def _denied_weakly(line: Wording, i: int) -> Trigger | None:
    """Take "could not be independently assessed", "could not establish its authenticity"."""
    trigger = _denied(line, i) or no_way(line, i)
    if trigger is None:
        return None
    about = set(line.lower[trigger.start : trigger.end + REACH])
    if "independently" in about:
        return trigger
    subject = line.lower[line.clause_start(trigger.start) : trigger.start]
    return trigger if TRUTH & (set(subject) | set(line.lower[i + 1 : i + 1 + REACH])) else None


def _unseen(line: Wording, i: int) -> Trigger | None:
    """Take "has not seen the letter": only good where an outlet is the subject."""
    trigger = _denied(line, i)
    return trigger if trigger and trigger.form is Form.ACTIVE else None


_VERBS: tuple[Rule, ...] = (
    _seen_but_not,
    _denied,
    no_way,
    _for_somebody,
    _inverted,
    _nobody,
    in_vain,
    _pending,
    _being_done,
    hampered,
    _denied_from_afar,
)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(BASE | DONE | {"vouch"}, _VERBS),
    **dict.fromkeys(DOING, (no_way, _pending, out_of_reach)),
    **dict.fromkeys(WEAK_BASE | WEAK_DONE, (_denied_weakly,)),
    **dict.fromkeys(SEEN, (_denied_weakly, _unseen)),
    **dict.fromkeys(NOUNS, (lacking, not_obtained, hampered, out_of_reach)),
    **dict.fromkeys(UNDONE, (undone,)),
}
