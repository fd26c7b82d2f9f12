"""What looks like an outlet's caveat and is none: rules that each excuse a trigger."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.caveats.caveat_object import named_thing
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import Trigger, Wording
from retrieval.text.tokens import Tokens

_ABLE = frozenset(("able", "possible", "independently"))
_BADGED = frozenset(("account", "accounts"))
_POINTING_BACK = frozenset(("that", "which"))
_TOLD = frozenset(("of", "from", "by"))
_OBJECT = 5  # words behind a verb that are taken for its object

Excuse = Callable[[Tokens, Trigger], bool]


def is_excused(line: Tokens, trigger: Trigger) -> bool:
    """Return whether ``trigger`` is about something other than verifying news."""
    return any(excuse(line, trigger) for excuse in EXCUSES)


def _subject(line: Tokens, trigger: Trigger) -> tuple[str, ...]:
    return line.lower[line.clause_start(trigger.start) : trigger.start]


def _business(line: Tokens, trigger: Trigger) -> bool:
    """Match ballots, incomes, passwords, warheads, unless an outlet could not verify them."""
    if trigger.form is Wording.ACTIVE or "independently" in line.lower[trigger.start : trigger.end]:
        return False
    behind = line.lower[trigger.end : min(line.clause_end(trigger.end), trigger.end + _OBJECT)]
    about = set(_subject(line, trigger) if trigger.form is Wording.PASSIVE else behind)
    return not cues.business.isdisjoint(about) and cues.not_business.isdisjoint(about)


def _status(line: Tokens, trigger: Trigger) -> bool:
    """Match "the date has not been confirmed": it is not settled, and nobody failed to find out."""
    said = set(line.lower[trigger.start : trigger.end + 1])
    if trigger.form is not Wording.PASSIVE or "confirmed" not in said or said & cues.finding_out:
        return False
    subject = _subject(line, trigger)
    if subject or cues.being.isdisjoint(line.lower[trigger.start : trigger.end]):
        return cues.stated.isdisjoint(subject) and not _opens_sentence(line, trigger)
    return line.word(trigger.start - 1) not in _POINTING_BACK


def _opens_sentence(line: Tokens, trigger: Trigger) -> bool:
    """Match "while not confirmed, …" at the beginning of a sentence."""
    opens = trigger.start == 0 or (trigger.start == 1 and line.word(0) in cues.conceding)
    return opens and line.breaks(min(trigger.end, len(line) - 1))


def _appointed(line: Tokens, trigger: Trigger) -> bool:
    """Match "she was never confirmed", "block his confirmation": a person is appointed, not verified."""
    if line.lower[trigger.end - 1] == "confirmation":
        return line.word(trigger.end - 2) in cues.possessive_endings
    return trigger.form is Wording.PASSIVE and bool(cues.people & set(_subject(line, trigger)[-1:]))


def _badge(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unverified account": one without the platform's tick."""
    following = range(trigger.end, trigger.end + 3)
    account = next((i for i in following if line.word(i) in _BADGED), None)
    return trigger.form is Wording.ATTRIBUTIVE and account is not None and line.word(account + 1) not in _TOLD


def _condition(line: Tokens, trigger: Trigger) -> bool:
    """Match "if the images cannot be verified", not "whether the unverified images"."""
    if trigger.form is Wording.ATTRIBUTIVE:
        return False
    start = line.clause_start(trigger.start)
    if start <= 1 and line.word(0) == "whether":
        return False  # "whether it is genuine could not be verified": it is the subject
    return not cues.conditions.isdisjoint({line.word(start - 1), line.word(start)})


def _officially(line: Tokens, trigger: Trigger) -> bool:
    """Match "has not been officially confirmed", "no official confirmation"."""
    return not cues.officially.isdisjoint(line.lower[max(0, trigger.start - 1) : trigger.end + 2])


def _nor_denied(line: Tokens, trigger: Trigger) -> bool:
    """Match "could neither confirm nor deny"."""
    return trigger.form is not Wording.IMPERSONAL and not cues.denying.isdisjoint(
        line.lower[trigger.start : trigger.end + 4]
    )


def _no_news(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unconfirmed hypothesis", "unverified suppliers", not "an unconfirmed blast"."""
    epithet = trigger.form is Wording.ATTRIBUTIVE and not line.word(trigger.end).endswith("ly")
    happening = cues.happenings if line.lower[trigger.end - 1] == "unconfirmed" else frozenset[str]()
    return epithet and named_thing(line, trigger, cues.news_nouns | happening) is None


def _unwilling(line: Tokens, trigger: Trigger) -> bool:
    """Match "would not confirm", "will never be tested": nobody tried and failed."""
    said = frozenset(line.lower[trigger.start : trigger.end])
    return not cues.willing.isdisjoint(said) and _ABLE.isdisjoint(said)


def _no_longer(line: Tokens, trigger: Trigger) -> bool:
    """Match "previously unconfirmed reports"."""
    return trigger.form is Wording.ATTRIBUTIVE and line.word(trigger.start - 1) in cues.no_longer


def _disclosed(line: Tokens, trigger: Trigger) -> bool:
    """Match "they hid that the file was unverified"."""
    start = line.clause_start(trigger.start)
    content = line.word(start - 1) == "that" and start < trigger.start and not line.breaks(max(0, start - 2))
    return trigger.rule == "unverified" and content


def _required(line: Tokens, trigger: Trigger) -> bool:
    """Match "sold without verification": a newsroom would write "independent" or "there is no", or be named."""
    said = line.lower[trigger.start : trigger.end + 1]
    if "no" in said and "there" in _subject(line, trigger) + line.lower[trigger.start : trigger.start + 3]:
        return False
    impersonal = trigger.rule == "lacking" and trigger.form is Wording.IMPERSONAL
    return impersonal and not any(word.startswith("independent") for word in said)


def _unseen(line: Tokens, trigger: Trigger) -> bool:
    """Match "I had not seen him for years": a newsroom would be named."""
    seen = line.lower[trigger.end - 1] in cues.viewed and "independently" not in line.lower[trigger.start : trigger.end]
    return seen and not cues.first_persons.isdisjoint(_subject(line, trigger)[-1:])


EXCUSES: tuple[Excuse, ...] = (
    _no_news,
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
    _officially,
    _nor_denied,
)
