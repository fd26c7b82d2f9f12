"""A text -> its stops, and whether each ends a sentence, with the rule that decides.

The theory: ``docs/theory/sentence-ends.md``.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from retrieval.lexicon.reporting_verbs import INVERTING, VERBS, Force, Form
from retrieval.lexicon.word_classes import capitalized, classes
from retrieval.text.quotations import Marks

# A delegate's title, and a state.
_DELAWARE = frozenset(("Del",))

# A stop after one of these never ends a sentence: a name follows.
TITLES = (classes("courtesy_titles", "cut_titles", "other_cut_titles") | {"Sir"}) - _DELAWARE

# A stop after one of these ends a sentence only before a word that begins sentences.
SHORTENED = capitalized("short_months", "house_months") | classes("cut_words") | _DELAWARE

# The same, but only after a comma: "Salem, Mass. police", for most of them are words as well.
STATES = classes("cut_states")

# A single letter behind one of these is no initial: "vitamin C. Doctors say".
LETTERED = classes("lettered")

# A stop after one of these does not end a sentence before a figure.
NUMBERING = classes("numbering")

# Words that begin sentences, and seldom follow an abbreviation inside one.
STARTERS = classes(
    *("determiners", "pronouns", "clause_words", "auxiliaries", "negation", "prepositions", "conjunctions"),
    *("connective_adverbs", "day_adverbs", "time_adverbs", "then", "focus_adverbs", "additive_adverbs", "there"),
    "other_starters",
) - {"via"}

# What may follow "6 p.m." within the sentence.
AFTER_THE_HOUR = classes(
    *("time_zones", "zone_names", "weekdays", "short_weekdays", "house_weekdays"),
    *("months", "short_months", "house_months"),
)

# Verbs that name the speaker after a quotation that ends in a question or exclamation mark.
ASKING = "|".join(
    sorted(
        word
        for word, verb in VERBS.items()
        if (verb.force is Force.SAYING or verb.lemma in INVERTING) and verb.form in (Form.THIRD, Form.PAST)
    )
)

_STOPS = re.compile(r"[.!?…。！？؟۔।]+(?:\s+[.…]{2,})?")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DASH = re.compile(r"(?:--|[–—―-]|[•*·])\s*")
_CLOSING_BRACKETS = frozenset(")]}")
OPENING = frozenset("([{\"“”„«‘’'`¿¡<")
# "later.Mr", where two sentences are glued, ends in the word "Mr"; "D.C" stays as it is
_LAST_WORD = re.compile(r"(?:(?<![^\W_])[^\W\d_]\.)*[^.]*$")

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

# Code points around a stop in which its words are, and behind it the clause that names a speaker.
_REACH = 40
_CLAUSE_REACH = 160


class Stop(NamedTuple):
    """A stop and its surroundings.

    ``start`` to ``end`` is the stop, ``close`` the place after the marks and brackets that close behind it,
    ``then`` the place of what comes next; ``word`` is before the stop, ``before`` before that,
    ``token`` is everything between white space and the stop.
    ``gap`` where white space comes next, ``quoted`` where a quotation mark closes behind the stop.
    ``first`` is the next character, past opening marks and dashes; ``next_word`` the word that it begins.
    ``marked`` where such an opening mark comes next.
    """

    text: str
    start: int
    end: int
    close: int
    then: int
    gap: bool
    quoted: bool
    marked: bool
    token: str
    word: str
    before: str
    first: str
    next_word: str

    @property
    def sign(self) -> str:
        return self.text[self.start : self.end]


def find_stops(text: str, start: int, end: int, marks: Marks) -> Iterator[Stop]:
    """Yield every stop between ``start`` and ``end`` that something follows."""
    for match in _STOPS.finditer(text, start, end):
        close, quoted = _closing(text, match.end(), end, marks)
        then = close
        while then < end and text[then].isspace():
            then += 1
        if then >= end:
            return
        first, marked = _first(text, then, end, marks)
        following = _WORD.match(text, first, min(end, first + _REACH))
        words = text[max(start, match.start() - _REACH) : match.start()].split()
        is_apart = match.start() > start and text[match.start() - 1].isspace()
        token = "" if is_apart or not words else words[-1].lstrip("([{\"“”„«‘’'—–-")
        last_word = _LAST_WORD.search(token)
        yield Stop(
            text=text,
            start=match.start(),
            end=match.end(),
            close=close,
            then=then,
            gap=then > close,
            quoted=quoted,
            marked=marked,
            token=token,
            word=last_word.group() if last_word else "",
            before=words[-2] if len(words) > 1 else "",
            first=text[first] if first < end else "",
            next_word=following.group() if following else "",
        )


def _closing(text: str, at: int, end: int, marks: Marks) -> tuple[int, bool]:
    """Return the place after everything that closes at ``at``, and whether a quotation mark is among it."""
    quoted = False
    while at < end:
        stray = text[at] in "'’" and at not in marks.opens and not text[at + 1 : at + 2].isalnum()
        if at in marks.ends:
            at, quoted = marks.ends[at], True
        elif text[at] in _CLOSING_BRACKETS or stray:
            at += 1
        else:
            break
    return at, quoted


def _first(text: str, then: int, end: int, marks: Marks) -> tuple[int, bool]:
    """Return the place of the first character that is no opening mark, bracket or dash, and whether a mark opens."""
    dash = _DASH.match(text, then, end)
    at = dash.end() if dash else then
    marked = False
    while at < end and at - then < _REACH and (text[at] in OPENING or at in marks.opens):
        marked = marked or at in marks.opens
        at += 1
    return at, marked


# 3.5, example.org, p.m
def _inside_a_number_or_name(stop: Stop) -> bool | None:
    if stop.gap or stop.quoted or stop.close > stop.end:
        return None
    return False if stop.first.islower() or (stop.word[-1:].isdigit() and stop.first.isdigit()) else None


# “Why?” she asked; a broken sentence stays one
def _the_same_clause(stop: Stop) -> bool | None:
    if stop.text[stop.then] in ",;:.!?)]}/%" or not stop.first:
        return False
    if not stop.first.islower():
        return None
    return bool(stop.gap and _BRAND.match(stop.next_word))


# “Why?” Ms Bell asked.
def _clause_that_names_the_speaker(stop: Stop) -> bool | None:
    if not stop.quoted or stop.marked or stop.text[stop.end - 1] not in "?!":
        return None
    return False if _CLAUSE.match(stop.text[stop.then : stop.then + _CLAUSE_REACH]) else None


# “We waited... and waited.”
def _ellipsis(stop: Stop) -> bool | None:
    if stop.quoted or ("…" not in stop.sign and ".." not in stop.sign):
        return None
    return stop.first.isupper() and not stop.next_word.startswith(("I’", "I'")) and stop.next_word != "I"


# 1. First, …
def _list_number(stop: Stop) -> bool | None:
    begins = stop.start - len(stop.word)
    opens_line = begins == 0 or stop.text[begins - 1] == "\n"
    return False if opens_line and stop.gap and _NUMBER.fullmatch(stop.word) else None


# Mr. Bell, Gen. Ruiz
def _title(stop: Stop) -> bool | None:
    return False if stop.word in TITLES and stop.sign == "." else None


# No. 5, p. 3
def _number_follows(stop: Stop) -> bool | None:
    return False if stop.word in NUMBERING and stop.first.isdigit() and stop.sign == "." else None


# Ann Bell (D-Mass.) Tuesday asked; but: voted with Ann Bell (D-N.C.) The …
def _party_and_state(stop: Stop) -> bool | None:
    if not _PARTY.match(stop.token) or stop.sign != ".":
        return None
    return stop.gap and (stop.marked or stop.next_word.lower() in STARTERS)


# 6 p.m. Monday; but: 6 p.m. The …
def _hour(stop: Stop) -> bool | None:
    if not _HOUR.fullmatch(stop.word.lstrip("0123456789:.")) or stop.sign != ".":
        return None
    following = stop.next_word.lower()
    return following not in AFTER_THE_HOUR if stop.gap else following in STARTERS


# the U.S. Senate, Acme Inc. shares; but: in the U.S. The …
def _abbreviation(stop: Stop) -> bool | None:
    state = stop.word in STATES and stop.before.endswith(",")
    if stop.sign != "." or not (state or stop.word in SHORTENED or _DOTTED.fullmatch(stop.word)):
        return None
    return stop.gap and (stop.marked or stop.close > stop.end or stop.next_word.lower() in STARTERS)


# J. K. Bell; but: vitamin C. Doctors …
def _initial(stop: Stop) -> bool | None:
    if len(stop.word) != 1 or not stop.word.isupper() or stop.sign != ".":
        return None
    return stop.gap and (stop.next_word.lower() in STARTERS or stop.before.lower() in LETTERED)


# One sentence ends.The next has no space before it.
def _glued_stop(stop: Stop) -> bool | None:
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


def _stop(stop: Stop) -> bool | None:
    return stop.first.isalnum() or stop.gap


RULES: tuple[Callable[[Stop], bool | None], ...] = (
    *(_inside_a_number_or_name, _the_same_clause, _clause_that_names_the_speaker, _ellipsis, _list_number, _title),
    *(_number_follows, _party_and_state, _hour, _abbreviation, _initial, _glued_stop, _stop),
)


def judge(stop: Stop) -> tuple[bool, str]:
    """Decide whether the stop ends a sentence, and name the rule."""
    for rule in RULES:
        if (ends := rule(stop)) is not None:
            return ends, rule.__name__.strip("_").replace("_", " ")
    raise AssertionError("the last rule always answers")
