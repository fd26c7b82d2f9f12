"""A sentence's words -> the words by which somebody says that something could not be verified.

Whose inability it is, is decided elsewhere: "police could not confirm" is a trigger too.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.caveats.inability import (
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
from retrieval.caveats.nominal_inability import (
    hampered,
    in_vain,
    lacking,
    no_way,
    not_obtained,
    out_of_reach,
    undone,
    unfound,
)
from retrieval.caveats.verifying import (
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
from retrieval.text.tokens import Tokens


def find_triggers(line: Tokens) -> Iterator[Trigger]:
    """Yield the triggers of a sentence, in order; at most one for each word."""
    end = 0
    for i, word in enumerate(line.lower):
        for rule in RULES.get(word, ()):
            trigger = rule(line, i)
            if trigger and trigger.end > end:
                end = trigger.end
                yield trigger
                break


def _denied(line: Tokens, i: int) -> Trigger | None:
    """Match "could not be independently verified", "has not confirmed", "unable to corroborate"."""
    negation = negation_before(line, i)
    if negation is None:
        return None
    start = with_auxiliaries(line, negation)
    return Trigger(start, i + 1, form_of(line, start, i), "denied verb")


def _seen_but_not(line: Tokens, i: int) -> Trigger | None:
    """Match "has seen but not independently verified": the auxiliary stands before the first verb."""
    negation = negation_before(line, i)
    if negation is None or line.word(negation - 1) not in {"but", "and", "or", "though"}:
        return None
    for j in line.before(negation - 1, REACH):
        if line.lower[j] in HAVING and line.lower[j + 1] != "been":
            return Trigger(j, i + 1, Form.ACTIVE, "seen but not verified")
        if line.lower[j] in BEING or line.breaks(j):
            return None
    return None


def _nobody(line: Tokens, i: int) -> Trigger | None:
    """Match "none of the claims could be verified", "neither report has been confirmed"."""
    start = line.back_over(i, lambda word: word != "," and links(word, AUXILIARIES))
    clause = line.clause_start(start)
    subject = line.lower[clause:start]
    if start == i or not _denies(subject) or (subject[0] == "no" and not _stood_up(line, clause, i)):
        return None
    form = form_of(line, start, i)
    nobody = form is Form.ACTIVE and subject in {("nobody",), ("no", "one")}
    return Trigger(start, i + 1, Form.IMPERSONAL if nobody else form, "negative subject")


def _denies(subject: tuple[str, ...]) -> bool:
    """Return whether a subject is a negative one."""
    opening = not NEGATIVE_SUBJECTS.isdisjoint(subject[:2]) or subject[:2] == ("not", "all")
    return opening or not {"nor", "neither"}.isdisjoint(subject)


def _stood_up(line: Tokens, start: int, i: int) -> bool:
    """Tell "no deaths have been confirmed", which counts, from "no independent source has confirmed it"."""
    return line.lower[i] != "confirmed" or not {"independent", "independently"}.isdisjoint(line.lower[start : i + 2])


def _inverted(line: Tokens, i: int) -> Trigger | None:
    """Match "nor could the paper verify"."""
    for j in line.before(i, REACH):
        if line.lower[j] in {"nor", "neither"} and line.lower[j + 1] in AUXILIARIES:
            end = max(j + 2, line.back_over(i, links))
            return Trigger(j, i + 1, form_of(line, j, i), "inverted", subject=(j + 2, end))
        if line.breaks(j):
            return None
    return None


def _for_somebody(line: Tokens, i: int) -> Trigger | None:
    """Match "impossible for AP to verify", "no way for reporters to verify": the unable stands between."""
    end = line.back_over(i, lambda word: word == "to" or word.endswith("ly"))
    if end == i:
        return None
    for j in line.before(end, REACH):
        if line.lower[j] == "for" and _is_hard(line, j):
            return Trigger(with_auxiliaries(line, j - 1), i + 1, Form.ACTIVE, "impossible for", subject=(j + 1, end))
    return None


def _is_hard(line: Tokens, end: int) -> bool:
    """Return whether the words before ``end`` are "impossible", "not possible", "no way"."""
    word = line.word(end - 1)
    if word == "way":
        return line.word(end - 2) == "no"
    return word in IMPERSONAL and (word not in {"possible", "easy"} or negation_before(line, end) is not None)


def _pending(line: Tokens, i: int) -> Trigger | None:
    """Match "is working to verify", "is in the process of confirming"."""
    return pending_before(line, i, i)


def _being_done(line: Tokens, i: int) -> Trigger | None:
    """Match "is still being verified"."""
    if "being" not in {line.word(i - 1), line.word(i - 2)}:
        return None
    return Trigger(with_auxiliaries(line, i), i + 1, Form.PASSIVE, "being verified", pending=True)


def _denied_from_afar(line: Tokens, i: int) -> Trigger | None:
    """Match "could not travel there to confirm": only good where an outlet is the subject."""
    if line.word(i - 1) not in {"to", "or", "and"}:
        return None
    for j in line.before(i - 1, REACH):
        if line.lower[j] in NEGATIONS:
            return Trigger(with_auxiliaries(line, j), i + 1, Form.ACTIVE, "denied from afar")
        if line.breaks(j):
            return None
    return None


def _denied_weakly(line: Tokens, i: int) -> Trigger | None:
    """Match "could not be independently assessed", "could not establish its authenticity"."""
    trigger = _denied(line, i) or no_way(line, i)
    if trigger is None:
        return None
    if "independently" in line.lower[trigger.start : trigger.end + REACH]:
        return trigger
    about = line.lower[line.clause_start(trigger.start) : i + 1 + REACH]
    return None if TRUTH.isdisjoint(about) else trigger


def _unseen(line: Tokens, i: int) -> Trigger | None:
    """Match "has not seen the letter": only good where an outlet is the subject."""
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
    hampered,
    unfound,
    _pending,
    _being_done,
    _denied_from_afar,
)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(BASE | DONE | {"vouch"}, _VERBS),
    **dict.fromkeys(DOING, (no_way, _pending, out_of_reach, unfound)),
    **dict.fromkeys(WEAK_BASE | WEAK_DONE, (_denied_weakly,)),
    **dict.fromkeys(SEEN, (_denied_weakly, _unseen)),
    **dict.fromkeys(NOUNS, (lacking, not_obtained, hampered, out_of_reach)),
    **dict.fromkeys(UNDONE, (undone,)),
}
