"""A full stop (or question mark, or ellipsis) -> whether it ends a sentence.

A rule looks at one stop and says yes, no, or nothing; the first that speaks is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from retrieval.text.abbreviations import (
    AFTER_THE_HOUR,
    ASKING,
    LETTERED,
    NUMBERING,
    SHORTENED,
    STARTERS,
    STATES,
    TITLES,
)
from retrieval.text.stops import OPENING, Stop

_BEGINS = frozenset("@#$£€¥₹&")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_INITIAL = re.compile(r"(?:^|[\W_])[^\W\d_]$")
_HOUR = re.compile(r"[ap]\.?m", re.IGNORECASE)
_PARTY = re.compile(r"[A-Z]{1,3}[-–](?:[A-Z]\.)?[A-Z][a-z]*$")
_ADDRESS = re.compile(r"[@/\\]|www\.|https?:", re.IGNORECASE)
_BRAND = re.compile(r"[a-z]{1,2}[A-Z]")
_NUMBER = re.compile(r"\d+|[ivxIVX]+|[a-hA-H]")
_CLAUSE = re.compile(
    rf"(?:[\w’'.-]+,? ){{1,8}}?(?:{ASKING})"
    r"(?:[.,:]|$| (?:in|on|at|to|during|after|before|by|from|as|when|while|with)\b)"
)

# How far behind a stop the clause is looked for that names a speaker, in code points.
_CLAUSE_LENGTH = 160

Rule = Callable[[Stop], bool | None]


# 3.5, example.org, p.m
def _a_stop_in_a_number_or_name(stop: Stop) -> bool | None:
    if stop.gap or stop.quoted or stop.close > stop.end:
        return None
    return False if stop.first.islower() or (stop.word[-1:].isdigit() and stop.first.isdigit()) else None


# “Why?” she asked; a broken sentence stays one
def _more_of_the_same_clause(stop: Stop) -> bool | None:
    if stop.text[stop.then] in ",;:.!?)]}/%" or not stop.first:
        return False
    if not stop.first.islower():
        return None
    return bool(stop.gap and _BRAND.match(stop.next_word))


# “Why?” Ms Bell asked.
def _a_clause_that_names_the_speaker(stop: Stop) -> bool | None:
    if not stop.quoted or stop.marked or stop.text[stop.end - 1] not in "?!":
        return None
    return False if _CLAUSE.match(stop.text[stop.then : stop.then + _CLAUSE_LENGTH]) else None


# “We waited... and waited.”
def _an_ellipsis(stop: Stop) -> bool | None:
    mark = stop.text[stop.start : stop.end]
    if "…" not in mark and ".." not in mark:
        return None
    if stop.quoted or mark[-1] in "?!":
        return None
    return stop.first.isupper() and not stop.next_word.startswith(("I’", "I'")) and stop.next_word != "I"


# 1. First, …
def _a_list_number(stop: Stop) -> bool | None:
    begins = stop.start - len(stop.word)
    at_the_head = begins == 0 or stop.text[begins - 1] == "\n"
    return False if at_the_head and stop.gap and _NUMBER.fullmatch(stop.word) else None


# Mr. Bell, Gen. Ruiz
def _a_title(stop: Stop) -> bool | None:
    return False if stop.word in TITLES and _single(stop) else None


# No. 5, p. 3
def _a_number_that_follows(stop: Stop) -> bool | None:
    return False if stop.word in NUMBERING and stop.first.isdigit() and _single(stop) else None


# Ann Bell (D-Mass.) Tuesday asked; but: voted with Ann Bell (D-N.C.) The …
def _a_party_and_its_state(stop: Stop) -> bool | None:
    if not _PARTY.match(stop.token) or not _single(stop):
        return None
    return stop.gap and (stop.marked or stop.next_word.lower() in STARTERS)


# 6 p.m. Monday; but: 6 p.m. The …
def _the_hour(stop: Stop) -> bool | None:
    if not _HOUR.fullmatch(stop.word.lstrip("0123456789:.")) or not _single(stop):
        return None
    if stop.close > stop.end:
        return None
    following = stop.next_word.lower()
    return following not in AFTER_THE_HOUR if stop.gap else following in STARTERS


# the U.S. Senate, Acme Inc. shares; but: in the U.S. The …
def _an_abbreviation(stop: Stop) -> bool | None:
    state = stop.word in STATES and stop.before.endswith(",")
    if not _single(stop) or not (state or stop.word in SHORTENED or _DOTTED.fullmatch(stop.word)):
        return None
    return stop.gap and (stop.marked or stop.close > stop.end or stop.next_word.lower() in STARTERS)


# J. K. Bell; but: vitamin C. Doctors …
def _an_initial(stop: Stop) -> bool | None:
    if len(stop.word) != 1 or not stop.word.isupper() or not _single(stop):
        return None
    if stop.next_word.lower() in STARTERS:
        return stop.gap
    return stop.gap and stop.before.lower() in LETTERED


# One sentence ends.The next has no space before it.
def _glued(stop: Stop) -> bool | None:
    if stop.gap or stop.quoted or stop.close > stop.end:
        return None
    if _ADDRESS.search(stop.token):
        return False
    if stop.marked or stop.text[stop.end - 1] in "!?…":
        return True
    if stop.first.isdigit():
        return len(stop.word) > 3 and stop.word.isalpha() and stop.word.islower()  # noqa: PLR2004 - "No.5", "fig.3"
    if _INITIAL.search(stop.word):
        return False
    return stop.first.isupper() or not stop.first.isascii()


def _anything_else(stop: Stop) -> bool | None:
    return stop.first.isalnum() or stop.marked or stop.first in _BEGINS or stop.first in OPENING or stop.gap


def _single(stop: Stop) -> bool:
    return stop.text[stop.start : stop.end] == "."


RULES: tuple[tuple[str, Rule], ...] = (
    ("inside a number or name", _a_stop_in_a_number_or_name),
    ("the same clause", _more_of_the_same_clause),
    ("clause that names the speaker", _a_clause_that_names_the_speaker),
    ("ellipsis", _an_ellipsis),
    ("list number", _a_list_number),
    ("title", _a_title),
    ("number follows", _a_number_that_follows),
    ("party and state", _a_party_and_its_state),
    ("hour", _the_hour),
    ("abbreviation", _an_abbreviation),
    ("initial", _an_initial),
    ("glued stop", _glued),
    ("stop", _anything_else),
)

# A trained pipeline's sentence starts are asked only where these rules spoke.
UNSURE = frozenset({"abbreviation", "initial", "hour", "ellipsis"})


def judge(stop: Stop, starts: frozenset[int] = frozenset()) -> tuple[bool, str]:
    """Return whether the stop ends a sentence, and the rule that said so.

    ``starts`` are a trained pipeline's sentence starts, in code points; empty without one.
    """
    for name, rule in RULES:
        ends = rule(stop)
        if ends is not None:
            return (stop.then in starts, "trained pipeline") if starts and name in UNSURE else (ends, name)
    raise AssertionError("the last rule always speaks")
