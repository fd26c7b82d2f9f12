"""A stop with what stands around it -> whether it ends a sentence, and the rule that says so.

Theory of operation
-------------------

A text is cut in three steps, from the surest sign to the least sure: lines and blank lines (``blocks``), what was run
into the prose (``run_ins``), and last the stops. Where blocks end, a sentence ends, stop or none; so all that is left
to judge here is a full stop, a question or exclamation mark or an ellipsis in the middle of a block.

``stops`` finds each one and collects what an editor would look at: the word before it, the one before that, whether
white space follows, whether a quotation mark closes behind it, and the first word that comes next. It looks past
closing marks and brackets, opening marks and dashes, since “Stay!” and (Stay.) end like Stay. What is quoted has been
found before by ``quotations``; spaCy's own sentence boundaries go wrong at just these marks and take white space into a
sentence, where every offset here has to be exact.

A rule is a function of one stop that answers yes, no or nothing. ``RULES`` is asked in order, and the first answer
counts, so a rule may rely on all those before it having had nothing to say: ``abbreviation`` never sees the stop in a
number, and ``stop``, the last, may say yes to whatever is left. The order runs by and large from form to words: first
what the characters alone decide (a lower-case letter follows: the same clause), then closed classes of words
(``abbreviations``), last the general case. A rule that has an opinion on everything would hide those behind it.

The one real ambiguity is a short word with a stop that may be its own and the sentence's at once: Corp., U.S., p.m.
Case cannot decide, because a name after it has a capital as well. The next word can: The, He, In and their like begin
sentences and hardly ever follow an abbreviation within one. They are listed (``STARTERS``), and anything else is taken
to go on. The error this makes is two sentences kept together, which can still be quoted; the other error would be half
a sentence.

An example
----------

    >>> from retrieval.text.blocks import find_blocks
    >>> from retrieval.text.quotations import find_marks
    >>> from retrieval.text.stops import find_stops
    >>> def trace(text):
    ...     for stop in find_stops(text, 0, len(text), find_marks(text, find_blocks(text))):
    ...         ends, rule = judge(stop)
    ...         print(stop.token + text[stop.start : stop.close], "ends" if ends else "goes on", rule, sep=" | ")

    >>> trace("“Who pays for it?” Ms. Finch asked at 6 p.m. Monday. Harbour Corp. Chairman Abel Moss put the bill at "
    ...     "3.5 million.The ferry sails on Friday.")
    it?” | goes on | clause that names the speaker
    Ms. | goes on | title
    p. | goes on | inside a number or name
    p.m. | goes on | hour
    Monday. | ends | stop
    Corp. | goes on | abbreviation
    3. | goes on | inside a number or name
    million. | ends | glued stop

The question mark closes a quotation, and behind it a clause with "asked" comes before any other stop that counts: it
says who asked, and belongs to the question. "Ms" is a title, whatever comes next. The first stop of "p.m." has no white
space and a small letter behind it; the second is an hour's, and a weekday goes on from an hour, where "The" would not.
"Corp" is an abbreviation and "Chairman" no starter. "million" has no white space behind it, as often where a line was
lost, but a small word before the stop and a capital after it: two sentences. The last stop ends the block, and nobody
is asked.

What it cannot do
-----------------

A name that begins a sentence right after an abbreviation is taken to belong to it:

    >>> trace("She flew to the U.S. Finch stayed.")
    U. | goes on | initial
    U.S. | goes on | abbreviation
"""

from __future__ import annotations

import re
from collections.abc import Callable

from retrieval.lexicon.reporting_verbs import INVERTING, VERBS, Force, Form
from retrieval.lexicon.word_classes import capitalized, classes
from retrieval.text.stops import Stop

# A stop after one of these never ends a sentence: a name follows.
TITLES = (classes("courtesy_titles", "cut_titles", "other_cut_titles") - {"Del"}) | {"Sir"}

# A stop after one of these ends a sentence only before a word that begins sentences.
SHORTENED = (capitalized("short_months", "house_months") - {"May"}) | classes("cut_words") | {"Del"}

# The same, but only after a comma: "Salem, Mass. police", for most of them are words as well.
STATES = classes("cut_states")

# What is told apart by letters, so that the letter is no initial: "vitamin C. Doctors say".
LETTERED = classes("lettered")

# A stop after one of these does not end a sentence before a figure.
NUMBERING = classes("numbering")

# Words that begin sentences, and seldom follow an abbreviation inside one.
STARTERS = (
    (
        classes("determiners", "pronouns", "clause_words", "auxiliaries", "negation", "prepositions", "conjunctions")
        - {"via"}
    )
    | classes("connective_adverbs", "day_adverbs", "time_adverbs", "then", "focus_adverbs", "additive_adverbs", "there")
    | {"asked", "speaking", "let"}
)

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
    if stop.quoted:
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
    return stop.first.isalnum() or stop.gap


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


def judge(stop: Stop) -> tuple[bool, str]:
    """Return whether the stop ends a sentence, and the rule that said so."""
    for name, rule in RULES:
        ends = rule(stop)
        if ends is not None:
            return ends, name
    raise AssertionError("the last rule always speaks")
