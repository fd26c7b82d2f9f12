"""A sentence's words -> the words by which somebody says that something could not be stood up.

Whose inability it is, is decided elsewhere: "police could not confirm" is a trigger too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.wording import Wording

# An article, or a sentence, without any of these holds no trigger; looked for before anything is taken apart.
STEMS = (
    "verif",
    "confirm",
    "corroborat",
    "authentic",
    "substantiat",
    "geolocat",
    "independently",
    "vouch",
    "veracity",
    "accuracy",
    "truth",
    "not seen",
    "not viewed",
    "not reviewed",
    "n't seen",
    "n’t seen",
)

_BASE = frozenset("verify confirm corroborate authenticate substantiate geolocate".split())
_DONE = frozenset("verified confirmed corroborated authenticated substantiated geolocated verifiable".split())
_DOING = frozenset("verifying confirming corroborating authenticating substantiating geolocating".split())
_NOUNS = frozenset("verification confirmation corroboration authentication substantiation".split())
_UNDONE = frozenset("unverified unverifiable unconfirmed uncorroborated unauthenticated".split())

# Words that speak of standing something up only together with "independently", or with its truth.
_WEAK_BASE = frozenset(
    "assess check review establish determine ascertain prove evaluate examine validate vet test".split()
)
_WEAK_DONE = frozenset(
    "assessed checked reviewed established determined ascertained proved proven evaluated examined validated vetted "
    "tested guaranteed".split()
)
_SEEN = frozenset("seen viewed reviewed examined".split())
_TRUTH = frozenset(
    "authenticity veracity accuracy truth truthfulness provenance genuineness validity genuine authentic".split()
)

_NEGATIONS = frozenset(
    "not n't n’t nt never unable impossible difficult hard failed cannot rarely seldom hardly".split()
)
_IMPERSONAL = frozenset("impossible possible difficult hard easy".split())
_BEING = frozenset("be been being is are was were 's ’s".split())
_HAVING = frozenset("has have had 've ’ve".split())
_AUXILIARIES = (
    _BEING | _HAVING | frozenset("'re ’re 'm ’m can ca could did does do will would also still so far yet".split())
)
_LINKS = (
    _BEING
    | frozenset(
        "to able in a position possible easy yet so far also even still ever or and as of at this that point time once "
        "all both any either today yesterday tonight night morning afternoon evening week immediately fully go there".split()
        + "monday tuesday wednesday thursday friday saturday sunday".split()
    )
    | _BASE
    | _DONE
    | frozenset({","})
)
_NOUN_LINKS = frozenset(
    "independent immediate further full direct outside external reliable such solid separate".split()
)
_LACKING = frozenset("no without lacks lacked lacking lack absence awaiting pending".split())
_NEGATIVE_SUBJECTS = frozenset("none neither nor nothing nobody little few no".split())
_HAMPERING = frozenset(
    """
    prevent prevents prevented preventing hamper hampers hampered hampering hinder hinders hindered hindering limit limits
    limited limiting complicate complicates complicated complicating preclude precludes precluded precluding impede impedes
    impeded impeding restrict restricts restricted restricting
""".split()
)
_GETTING = frozenset("get getting obtain obtaining find finding secure securing gain gaining provide receive".split())
_MEANS = frozenset("efforts ability attempts reporters journalists 's ’s ' ’ media their its".split())
_TRYING = frozenset("working trying attempting seeking efforts process".split())
_REACH = 9  # tokens between the inability and the word it bears on


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


Rule = Callable[[Wording, int], Trigger | None]


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


def _links(word: str) -> bool:
    return word in _LINKS or word.endswith("ly")


def _negation(line: Wording, i: int) -> int | None:
    """Return where the negation that bears on word ``i`` stands."""
    for j in range(i - 1, max(-1, i - 1 - _REACH), -1):
        word = line.lower[j]
        if word in _NEGATIONS or (word in {"yet", "remain", "remains", "remained"} and line.lower[j + 1] == "to"):
            return j
        if not _links(word):
            return None
    return None


def _with_auxiliaries(line: Wording, i: int) -> int:
    while i > 0 and (line.lower[i - 1] in _AUXILIARIES or line.lower[i - 1].endswith("ly")):
        i -= 1
    return i


def _form(line: Wording, start: int, i: int) -> Form:
    between = set(line.lower[start:i])
    if between & _IMPERSONAL:
        return Form.IMPERSONAL
    if line.lower[i] in _BASE or line.lower[i] in _WEAK_BASE or line.lower[i] == "vouch":
        return Form.ACTIVE
    if between & _BEING or not between & _HAVING:
        return Form.PASSIVE
    return Form.ACTIVE


def _denied(line: Wording, i: int) -> Trigger | None:
    """Take "could not be independently verified", "has not confirmed", "unable to corroborate"."""
    negation = _negation(line, i)
    if negation is None:
        return None
    start = _with_auxiliaries(line, negation)
    return Trigger(start, i + 1, _form(line, start, i), "denied verb")


def _seen_but_not(line: Wording, i: int) -> Trigger | None:
    """Take "has seen but not independently verified": the auxiliary stands before the first verb."""
    negation = _negation(line, i)
    if not negation or line.lower[negation - 1] not in {"but", "and", "or", "though"}:
        return None
    for j in range(negation - 2, max(-1, negation - 2 - _REACH), -1):
        if line.lower[j] in _HAVING and line.lower[j + 1] != "been":
            return Trigger(j, i + 1, Form.ACTIVE, "seen but not verified")
        if line.lower[j] in _BEING or line.breaks(j):
            return None
    return None


def _nobody(line: Wording, i: int) -> Trigger | None:
    """Take "none of the claims could be verified", "neither report has been confirmed"."""
    start = i
    while (
        start > 0
        and (line.lower[start - 1] in _AUXILIARIES or _links(line.lower[start - 1]))
        and line.lower[start - 1] != ","
    ):
        start -= 1
    clause = line.clause_start(start)
    opening = set(line.lower[clause : clause + 2]) & _NEGATIVE_SUBJECTS or line.lower[clause : clause + 2] == (
        "not",
        "all",
    )
    if start == i or clause == start or not (opening or "nor" in line.lower[clause:start]):
        return None
    if line.lower[clause] == "no" and "independently" not in line.lower[start : i + 2] and line.lower[i] == "confirmed":
        return None
    form = _form(line, start, i)
    if form is Form.ACTIVE and line.lower[clause : clause + 2] in {("no", "one"), ("nobody", line.lower[clause + 1])}:
        form = Form.IMPERSONAL
    return Trigger(start, i + 1, form, "negative subject")


def _inverted(line: Wording, i: int) -> Trigger | None:
    """Take "nor could the paper verify"."""
    for j in range(i - 1, max(-1, i - 1 - _REACH), -1):
        if line.lower[j] in {"nor", "neither"} and line.lower[j + 1] in _AUXILIARIES:
            end = i
            while end > j + 2 and (_links(line.lower[end - 1])):
                end -= 1
            return Trigger(j, i + 1, _form(line, j, i), "inverted", subject=(j + 2, end))
        if line.breaks(j):
            return None
    return None


def _owned(line: Wording, i: int) -> Form:
    """Return how "no way", "no confirmation" at ``i`` is put: "Reuters had no …" is active, "there was no …" is not."""
    start = _with_auxiliaries(line, i)
    having = set(line.lower[start:i]) & _HAVING
    there = start > 0 and line.lower[start - 1] == "there"
    return Form.ACTIVE if having and not there else Form.IMPERSONAL


def _no_way(line: Wording, i: int) -> Trigger | None:
    """Take "no way to verify", "no means of confirming"."""
    for j in range(i - 1, max(-1, i - _REACH), -1):
        word = line.lower[j]
        if word in {"way", "means", "possibility"}:
            start = j - 1 if line.lower[j - 1] not in _NOUN_LINKS else j - 2
            if start < 0 or line.lower[start] not in {"no", "little"}:
                return None
            return Trigger(_with_auxiliaries(line, start), i + 1, _owned(line, start), "no way")
        if not _links(word):
            return None
    return None


def _for_somebody(line: Wording, i: int) -> Trigger | None:
    """Take "impossible for AP to verify": the unable stands between."""
    if line.lower[i - 1] != "to" and not line.lower[i - 1].endswith("ly"):
        return None
    for j in range(i - 1, max(-1, i - 1 - _REACH), -1):
        if line.lower[j] == "for" and line.lower[j - 1] in _IMPERSONAL:
            end = i
            while line.lower[end - 1] == "to" or line.lower[end - 1].endswith("ly"):
                end -= 1
            if line.lower[j - 1] != "possible" or _negation(line, j) is not None:
                return Trigger(
                    _with_auxiliaries(line, j - 1), i + 1, Form.ACTIVE, "impossible for", subject=(j + 1, end)
                )
    return None


def _pending(line: Wording, i: int) -> Trigger | None:
    """Take "is working to verify", "is in the process of confirming"."""
    for j in range(i - 1, max(-1, i - 6), -1):
        if line.lower[j] in _TRYING:
            start = j - 2 if line.lower[j] == "process" else j
            return Trigger(_with_auxiliaries(line, max(start, 0)), i + 1, Form.ACTIVE, "pending", pending=True)
        if line.breaks(j):
            return None
    return None


def _being_done(line: Wording, i: int) -> Trigger | None:
    """Take "is still being verified"."""
    if line.lower[i - 1] != "being" and line.lower[i - 2 : i - 1] != ("being",):
        return None
    return Trigger(_with_auxiliaries(line, i), i + 1, Form.PASSIVE, "being verified", pending=True)


def _denied_from_afar(line: Wording, i: int) -> Trigger | None:
    """Take "could not travel there to confirm": only good where an outlet is the subject."""
    if line.lower[i - 1] not in {"to", "or", "and"}:
        return None
    for j in range(i - 2, max(-1, i - 2 - _REACH), -1):
        if line.lower[j] in _NEGATIONS:
            return Trigger(_with_auxiliaries(line, j), i + 1, Form.ACTIVE, "denied from afar")
        if line.breaks(j):
            return None
    return None


def _denied_weakly(line: Wording, i: int) -> Trigger | None:
    """Take "could not be independently assessed", "could not establish its authenticity"."""
    trigger = _denied(line, i) or _no_way(line, i)
    if trigger is None:
        return None
    about = set(line.lower[trigger.start : trigger.end + _REACH])
    if "independently" in about:
        return trigger
    subject = line.lower[line.clause_start(trigger.start) : trigger.start]
    return trigger if _TRUTH & (set(subject) | set(line.lower[i + 1 : i + 1 + _REACH])) else None


def _unseen(line: Wording, i: int) -> Trigger | None:
    """Take "has not seen the letter": only good where an outlet is the subject."""
    trigger = _denied(line, i)
    return trigger if trigger and trigger.form is Form.ACTIVE else None


def _lacking(line: Wording, i: int) -> Trigger | None:
    """Take "no independent confirmation", "without corroboration"."""
    j = i - 1
    while j >= 0 and (line.lower[j] in _NOUN_LINKS or line.lower[j] in {"of", "or", *_NOUNS}):
        j -= 1
    if j >= 0 and line.lower[j : j + 2] == ("any", "independent") and "no" in line.lower[line.clause_start(j) : j]:
        return Trigger(j, i + 1, Form.IMPERSONAL, "lacking")
    if j < 0 or line.lower[j] not in _LACKING:
        return None
    return Trigger(_with_auxiliaries(line, j), i + 1, _owned(line, j), "lacking")


def _not_obtained(line: Wording, i: int) -> Trigger | None:
    """Take "could not obtain independent confirmation", "difficult to get verification"."""
    j = i - 1
    while j >= 0 and line.lower[j] in _NOUN_LINKS:
        j -= 1
    if j < 0 or line.lower[j] not in _GETTING:
        return None
    negation = _negation(line, j)
    if negation is None:
        return None
    start = _with_auxiliaries(line, negation)
    form = Form.IMPERSONAL if set(line.lower[start:j]) & _IMPERSONAL else Form.ACTIVE
    return Trigger(start, i + 1, form, "not obtained")


def _hampered(line: Wording, i: int) -> Trigger | None:
    """Take "limiting independent verification", "hampering efforts to confirm", "ability to verify is limited"."""
    j = i - 1
    while j >= 0 and (_links(line.lower[j]) or line.lower[j] in _NOUN_LINKS or line.lower[j] in _MEANS):
        j -= 1
    if j >= 0 and line.lower[j] in _HAMPERING:
        return Trigger(j, i + 1, Form.IMPERSONAL, "hampered")
    able = set(line.lower[j + 1 : i]) & {"ability", "efforts"}
    for k in range(i + 1, min(len(line), i + 1 + _REACH)):
        if able and line.lower[k] in _HAMPERING:
            return Trigger(j + 1, k + 1, Form.IMPERSONAL, "hampered")
    return None


def _out_of_reach(line: Wording, i: int) -> Trigger | None:
    """Take "independent verification was not possible", "getting corroboration is impossible"."""
    for j in range(i + 1, min(len(line), i + 1 + _REACH)):
        word = line.lower[j]
        if word in {"impossible", "difficult", "unavailable", "hard"}:
            return Trigger(i, j + 1, Form.IMPERSONAL, "out of reach")
        if word in {"possible", "available"}:
            denied = set(line.lower[i + 1 : j]) & {"not", "n't", "n’t", "never"}
            return Trigger(i, j + 1, Form.IMPERSONAL, "out of reach") if denied else None
        if word in {",", ";"}:
            return None
    return None


def _in_vain(line: Wording, i: int) -> Trigger | None:
    """Take "attempts to verify the account were unsuccessful"."""
    start = i - 1
    while start >= 0 and _links(line.lower[start]):
        start -= 1
    if start < 0 or line.lower[start] not in {"attempts", "efforts", "attempt"}:
        return None
    for j in range(i + 1, min(len(line), i + 1 + _REACH)):
        if line.lower[j] in {"unsuccessful", "failed", "fruitless"}:
            return Trigger(start, j + 1, Form.IMPERSONAL, "in vain")
    return None


def _undone(line: Wording, i: int) -> Trigger | None:
    """Take "unverified footage", "remains unconfirmed"."""
    if i + 1 < len(line) and line.words[i + 1].isalpha() and line.lower[i + 1] not in {"by", "as", "at", "on", "in"}:
        return Trigger(i, i + 1, Form.ATTRIBUTIVE, "unverified something")
    start = _with_auxiliaries(line, i)
    while start > 0 and line.lower[start - 1] in {"remain", "remains", "remained", "as", "yet", "however", "still"}:
        start = _with_auxiliaries(line, start - 1)
    return Trigger(start, i + 1, Form.PASSIVE, "unverified")


_VERBS: tuple[Rule, ...] = (
    _seen_but_not,
    _denied,
    _no_way,
    _for_somebody,
    _inverted,
    _nobody,
    _in_vain,
    _pending,
    _being_done,
    _hampered,
    _denied_from_afar,
)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(_BASE | _DONE | {"vouch"}, _VERBS),
    **dict.fromkeys(_DOING, (_no_way, _pending, _out_of_reach)),
    **dict.fromkeys(_WEAK_BASE | _WEAK_DONE, (_denied_weakly,)),
    **dict.fromkeys(_SEEN, (_denied_weakly, _unseen)),
    **dict.fromkeys(_NOUNS, (_lacking, _not_obtained, _hampered, _out_of_reach)),
    **dict.fromkeys(_UNDONE, (_undone,)),
}
