"""What looks like an outlet's caveat and is none: rules that each excuse a trigger."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.caveats.inability import Form, Trigger
from retrieval.caveats.nouns import ACCOUNTS, CLAIM, CLAIMS, FIGURES, POINTERS, REPORTS
from retrieval.caveats.object_phrase import PICTURES, told_thing
from retrieval.caveats.verifying import BEING, SEEN
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.text.tokens import Tokens

# What offices, firms and machines verify and confirm in the course of their business.
_PAPERS_OF_BUSINESS = (
    nouns("business")
    | frozenset("vote votes voters ages customer customers users treaty nominee nominees judge judges".split())
    | frozenset("patient patients pledges".split())
    | {"voter", "user", "pledge"}
    | {"justice"}
)
_FINDING_OUT = {"could", "can", "ca", "independently"}
_STATED = PICTURES | ACCOUNTS | CLAIMS | CLAIM | POINTERS | classes("truth") | {"none", "details"}
_NEWS = _STATED | FIGURES
_TOLD_THINGS = (
    (PICTURES | FIGURES | ACCOUNTS | CLAIMS | CLAIM | REPORTS)
    | nouns("findings", "writings")
    | classes("evidence")
    | {"research", "survey", "details"}
)
_WILLING = frozenset(("will", "would", "wo", "shall"))
_ABLE = frozenset(("able", "possible", "independently"))
_NO_LONGER = frozenset("previously once formerly hitherto".split())
_PEOPLE = classes("first_persons", "second_persons") | {"he", "she", "who"}
_BADGED = frozenset(("account", "accounts"))
_POINTING_BACK = frozenset(("that", "which"))
_CONCEDING = classes("adversatives", "concessives")
_POSSESSIVES = classes("possessives", "clitic_s")
_TOLD = frozenset(("of", "from", "by"))
_CONDITIONS = (classes("conditional_conjunctions", "whether", "time_conjunctions") - {"after", "since"}) | frozenset(
    "should when".split()
)
_OFFICIALLY = frozenset(("officially", "formally", "medically", "scientifically", "clinically"))
_OURSELVES = classes("first_persons")
_DENYING = classes("denying_forms")
_OBJECT = 5  # words behind a verb that are taken for its object

Excuse = Callable[[Tokens, Trigger], bool]


def excused(line: Tokens, trigger: Trigger) -> bool:
    """Return whether ``trigger`` speaks of something other than standing up the news."""
    return any(excuse(line, trigger) for excuse in EXCUSES)


def _subject(line: Tokens, trigger: Trigger) -> tuple[str, ...]:
    return line.lower[line.clause_start(trigger.start) : trigger.start]


def _object(line: Tokens, trigger: Trigger) -> tuple[str, ...]:
    """Return the words that say what was to be verified."""
    if trigger.form is Form.PASSIVE:
        return _subject(line, trigger)
    return line.lower[trigger.end : min(line.clause_end(trigger.end), trigger.end + _OBJECT)]


def _business(line: Tokens, trigger: Trigger) -> bool:
    """Match ballots, incomes, passwords, warheads; where an outlet is unable to verify them, it is news still."""
    if trigger.form is Form.ACTIVE or "independently" in line.lower[trigger.start : trigger.end]:
        return False
    about = set(_object(line, trigger))
    return not _PAPERS_OF_BUSINESS.isdisjoint(about) and _NEWS.isdisjoint(about)


def _status(line: Tokens, trigger: Trigger) -> bool:
    """Match "the date has not been confirmed": it is not settled, and nobody failed to find out."""
    said = set(line.lower[trigger.start : trigger.end + 1])
    if trigger.form is not Form.PASSIVE or "confirmed" not in said or said & _FINDING_OUT:
        return False
    subject = _subject(line, trigger)
    if subject or BEING.isdisjoint(line.lower[trigger.start : trigger.end]):
        return _STATED.isdisjoint(subject) and not _stands_alone(line, trigger)
    return line.word(trigger.start - 1) not in _POINTING_BACK


def _stands_alone(line: Tokens, trigger: Trigger) -> bool:
    """Match "while not confirmed, …": it opens the sentence, as in "nominated, but never confirmed," it does not."""
    opens = trigger.start == 0 or (trigger.start == 1 and line.word(0) in _CONCEDING)
    return opens and line.breaks(min(trigger.end, len(line) - 1))


def _appointed(line: Tokens, trigger: Trigger) -> bool:
    """Match "she was never confirmed", "block his confirmation": a person is appointed, not verified."""
    if line.lower[trigger.end - 1] == "confirmation":
        return line.word(trigger.end - 2) in _POSSESSIVES
    return trigger.form is Form.PASSIVE and bool(_PEOPLE & set(_subject(line, trigger)[-1:]))


def _badge(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unverified account": one without the platform's tick."""
    if trigger.form is not Form.ATTRIBUTIVE:
        return False
    following = line.lower[trigger.end : trigger.end + 4]
    for i, word in enumerate(following[:3]):
        if word in _BADGED:
            return not set(following[i + 1 : i + 2]) & _TOLD
    return False


def _condition(line: Tokens, trigger: Trigger) -> bool:
    """Match "if the images cannot be verified", not "whether the unverified images": an epithet is asserted."""
    if trigger.form is Form.ATTRIBUTIVE:
        return False
    start = line.clause_start(trigger.start)
    if start <= 1 and line.word(0) == "whether":
        return False  # "whether it is genuine could not be verified": it is the subject
    return not _CONDITIONS.isdisjoint({line.word(start - 1), line.word(start)})


def _question(line: Tokens, trigger: Trigger) -> bool:
    return trigger.form is not Form.ATTRIBUTIVE and "?" in line.words[trigger.end :]


def _officially(line: Tokens, trigger: Trigger) -> bool:
    """Match "has not been officially confirmed", "no official confirmation": an office's silence."""
    return not _OFFICIALLY.isdisjoint(line.lower[max(0, trigger.start - 1) : trigger.end + 2])


def _nor_denied(line: Tokens, trigger: Trigger) -> bool:
    """Match "could neither confirm nor deny"."""
    return trigger.form is not Form.IMPERSONAL and not _DENYING.isdisjoint(line.lower[trigger.start : trigger.end + 4])


def _untold(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unconfirmed hypothesis", "unverified suppliers": nothing that was told is called unverified."""
    epithet = trigger.form is Form.ATTRIBUTIVE and not line.word(trigger.end).endswith("ly")
    return epithet and told_thing(line, trigger, _TOLD_THINGS) is None


def _unwilling(line: Tokens, trigger: Trigger) -> bool:
    """Match "would not confirm", "will never be tested": who is unwilling, or what is foretold, was not looked into."""
    said = frozenset(line.lower[trigger.start : trigger.end])
    return not _WILLING.isdisjoint(said) and _ABLE.isdisjoint(said)


def _no_longer(line: Tokens, trigger: Trigger) -> bool:
    """Match "previously unconfirmed reports"."""
    return trigger.form is Form.ATTRIBUTIVE and line.word(trigger.start - 1) in _NO_LONGER


def _disclosed(line: Tokens, trigger: Trigger) -> bool:
    """Match "they hid that the file was unverified": what somebody is said to have known, or not to have told."""
    start = line.clause_start(trigger.start)
    content = line.word(start - 1) == "that" and start < trigger.start and not line.breaks(max(0, start - 2))
    return trigger.rule == "unverified" and content


def _required(line: Tokens, trigger: Trigger) -> bool:
    """Match "sold without verification": a newsroom's own is called independent, or the newsroom named."""
    said = line.lower[trigger.start : trigger.end + 1]
    alone = trigger.rule == "lacking" and trigger.form is Form.IMPERSONAL
    return alone and not any(word.startswith("independent") for word in said)


def _unseen(line: Tokens, trigger: Trigger) -> bool:
    """Match "I had not seen him for years", "a rage that we have not seen": a newsroom's is told by its name."""
    seen = line.lower[trigger.end - 1] in SEEN and "independently" not in line.lower[trigger.start : trigger.end]
    return seen and not _OURSELVES.isdisjoint(_subject(line, trigger)[-1:])


EXCUSES: tuple[Excuse, ...] = (
    _untold,
    _unwilling,
    _no_longer,
    _required,
    _disclosed,
    _unseen,
    _business,
    _status,
    _appointed,
    _badge,
    _condition,
    _question,
    _officially,
    _nor_denied,
)
