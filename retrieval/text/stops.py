"""A text and its quotation marks -> every full stop, question mark or ellipsis with what stands around it.

Whether it ends a sentence is judged in ``sentence_ends``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from retrieval.text.quotations import Marks

_STOPS = re.compile(r"[.!?…。！？؟۔।]+(?:\s+[.…]{2,})?")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DASH = re.compile(r"(?:--|[–—―-]|[•*·])\s*")
_CLOSING_BRACKETS = frozenset(")]}")
OPENING = frozenset("([{\"“”„«‘’'`¿¡<")
_SINGLE = frozenset("'’")
# "later.Mr", where two sentences are glued, ends in the word "Mr"; "D.C" stays whole
_LAST_WORD = re.compile(r"(?:(?<![^\W_])[^\W\d_]\.)*[^.]*$")

# How far the words around a stop are looked at, in code points.
_BEFORE = 40


class Stop(NamedTuple):
    """A stop and its surroundings.

    ``start`` to ``end`` is the stop, ``close`` the place after the marks and brackets that close behind it,
    ``then`` the place of what comes next; ``word`` stands before the stop, ``before`` before that,
    ``token`` is all that stands between white space and the stop.
    ``gap`` tells whether white space comes next, ``quoted`` whether a mark closes behind the stop.
    ``first`` is the next character, past opening marks and dashes; ``next_word`` the word that it begins.
    ``marked`` tells whether such an opening mark stands there.
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


def find_stops(text: str, start: int, end: int, marks: Marks) -> Iterator[Stop]:
    """Yield every stop between ``start`` and ``end`` that something follows."""
    for match in _STOPS.finditer(text, start, end):
        close, quoted = _closing(text, match.end(), end, marks)
        then = _past_space(text, close, end)
        if then >= end:
            return
        first, marked = _first(text, then, end, marks)
        following = _WORD.match(text, first, min(end, first + _BEFORE))
        words = text[max(start, match.start() - _BEFORE) : match.start()].split()
        glued = match.start() > start and text[match.start() - 1].isspace()
        token = "" if glued or not words else words[-1].lstrip("([{\"“”„«‘’'—–-")
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
            word=_last_word(token),
            before=words[-2] if len(words) > 1 else "",
            first=text[first] if first < end else "",
            next_word=following.group() if following else "",
        )


def _last_word(token: str) -> str:
    found = _LAST_WORD.search(token)
    return found.group() if found else ""


def _past_space(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at


def _closing(text: str, at: int, end: int, marks: Marks) -> tuple[int, bool]:
    """Return the place after all that closes at ``at``, and whether a quotation mark is among it."""
    quoted = False
    while at < end:
        if at in marks.ends:
            at, quoted = marks.ends[at], True
        elif text[at] in _CLOSING_BRACKETS or _is_stray(text, at, marks):
            at += 1
        else:
            break
    return at, quoted


def _is_stray(text: str, at: int, marks: Marks) -> bool:
    return text[at] in _SINGLE and at not in marks.opens and not text[at + 1 : at + 2].isalnum()


def _first(text: str, then: int, end: int, marks: Marks) -> tuple[int, bool]:
    """Return the place of the first character that is no opening mark, bracket or dash, and whether a mark opens."""
    at = then
    dash = _DASH.match(text, at, end)
    if dash:
        at = dash.end()
    marked = False
    while at < end and at - then < _BEFORE and (text[at] in OPENING or at in marks.opens):
        marked = marked or at in marks.opens
        at += 1
    return at, marked
