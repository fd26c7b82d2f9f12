"""Runs of capital words -> parts that each may be one name, without days, titles, and peoples before a name.

Also whether a name is an acronym, its letters, and the initials by which a full name is found for it.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from retrieval.lexicon.word_classes import classes
from retrieval.names import outlets
from retrieval.names.gazetteer import is_abbreviated_state, is_first_name, is_people, is_place, is_region, is_word
from retrieval.names.runs import Run, RunWord
from retrieval.names.titles import (
    ABBREVIATED_TITLES,
    BODIES,
    CALENDAR,
    EVENTS,
    HONORIFICS,
    NAMELESS,
    OFFICES,
    OPENERS,
    REGAL,
    ROLE_MODIFIERS,
    ROLES,
    SITES,
    SPEAKING,
)

_HEADS = BODIES | SITES | EVENTS
_NUMBERED = classes("numbered_bodies")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_LONGEST_STATE = 6  # words
_RANKS = frozenset(("general", "elect", "designate", "in-chief"))  # "Director-General"
_SENTENCE_OPENERS = classes("sentence_openers")
_AMBIGUOUS = classes("months_as_names") | {"Will"}


class NamePart(NamedTuple):
    """Words ``first`` to ``last`` of a sentence; ``titled`` where a title comes before it.

    ``role`` are the words of the title, first and last; ``before_title`` where one follows: "Acme | Chairman …".
    """

    first: int
    last: int
    titled: bool = False
    role: tuple[int, int] | None = None
    before_title: bool = False


def name_parts_of(run: Run) -> list[NamePart]:
    words = run.words
    parts: list[NamePart] = []
    for part in _between_days(words, NamePart(run.first, run.last)):
        if _is_paper(words, part):
            parts.append(part._replace(first=part.last))
            continue
        trimmed = _trimmed(words, part)
        if trimmed is not None:
            parts += _untitled(words, trimmed)
    return [p for part in parts for p in _unmixed(words, part)]


def _is_paper(words: list[RunWord], part: NamePart) -> bool:
    """Whether the part is a paper's short name with its article: "the Guardian", which is no guardian."""
    last = part.last
    short = part.first == last or (part.first == last - 1 and words[part.first].text == "The")
    return short and words[last].text in outlets.SHORT and last > 0 and words[last - 1].text in ("the", "The")


def _between_days(words: list[RunWord], part: NamePart) -> list[NamePart]:
    within = range(part.first, part.last + 1)
    days = [i for i in within if words[i].text in CALENDAR and not _names_more(words, part, i)]
    edges = pairwise((part.first - 1, *days, part.last + 1))
    return [part._replace(first=before + 1, last=after - 1) for before, after in edges if after - before > 1]


def _names_more(words: list[RunWord], part: NamePart, i: int) -> bool:
    """Whether a day or a month is part of a name: "Sunday Times", "Theresa May"."""
    if i == part.last:
        return i > part.first and words[i].text == "May"
    return words[i + 1].text in BODIES or _is_first_name_here(words, i)


def _is_first_name_here(words: list[RunWord], i: int) -> bool:
    """Whether a month or an auxiliary is a first name: "his mother, June Thale,"; not "Will Thale resign?"."""
    if words[i].text not in _AMBIGUOUS or i + 1 == len(words) or not words[i + 1].capital or words[-1].text == "?":
        return False
    surname = words[i + 1].text
    if is_people(surname) or is_region(surname) or words[i].end + 1 != words[i + 1].start:
        return False
    before = words[i - 1].text if i else ""
    is_subject = i + 2 < len(words) and words[i + 2].text in SPEAKING | {","}
    if not before[-1:].isalnum() and before not in (",", "("):
        return is_subject  # "Will Thale said", but "Will Thale say"
    in_place = before in SPEAKING | {",", "(", "and"} and (is_subject or not is_word(surname))
    return in_place or is_role(before)


@lru_cache(maxsize=1 << 16)
def is_opener(text: str) -> bool:
    """Whether a capital word only opens a sentence (or a title in capitals)."""
    return text.lower().replace("’", "'") in OPENERS and (len(text) == 1 or not text.isupper())


def _trimmed(words: list[RunWord], part: NamePart) -> NamePart | None:
    first, last = part.first, part.last
    while first <= last and (not words[first].capital or is_opener(words[first].text) or words[first].text in NAMELESS):
        if first < last and (words[first].text == "New" or is_place(f"{words[first].text} {words[first + 1].text}")):
            break
        if first < last and _is_first_name_here(words, first):
            break
        first += 1
    while last >= first and (not words[last].capital or (last > first and words[last].text in _SENTENCE_OPENERS)):
        last -= 1
    texts = [word.text for word in words[first : last + 1]]
    half = len(texts) // 2
    if half > 1 and texts[:half] == texts[half:]:  # a picture's credit runs into its caption
        first += half
    if 0 < first <= last and words[last].text in _NUMBERED and _ORDINAL.fullmatch(words[first - 1].text):
        first -= 1  # "the 130th Engineer Brigade"
    return part._replace(first=first, last=last) if first <= last else None


@lru_cache(maxsize=1 << 16)
def is_title(text: str) -> bool:
    """Whether a word before a name may say what the person is."""
    return text in HONORIFICS or text in ABBREVIATED_TITLES or is_role(text)


@lru_cache(maxsize=1 << 16)
def is_role(text: str) -> bool:
    """Whether a word, in any case, singular or plural, says what a person is."""
    low = text.lower()
    head, _, rank = low.partition("-")
    return low in ROLES or (low.endswith("s") and low[:-1] in ROLES) or (rank in _RANKS and is_role(head))


def _untitled(words: list[RunWord], part: NamePart) -> list[NamePart]:
    """Cut off a title at the front, and separate what it is of from the name behind it."""
    titles = (i for i in range(part.first, part.last) if is_title(words[i].text))
    at = next((i for i in titles if words[i + 1].text in ("of", "for")), None)  # "Minister of Defence"
    if at is None:
        at = _last_title(words, part)
    if at is None:
        return [part]
    begin = at
    while begin > part.first and (words[begin - 1].text.lower() in ROLE_MODIFIERS or is_title(words[begin - 1].text)):
        begin -= 1
    has_owner = begin > part.first and words[begin - 1].capital
    parts = [part._replace(last=begin - 1, before_title=True)] if has_owner else []
    complement, end = _complement(words, at, part.last)
    if complement is not None:
        parts.append(part._replace(first=complement, last=end))
    if end < part.last:
        start = part.first if is_role(words[at].text) else begin
        role = None if words[at].text in HONORIFICS else (start, end)
        parts.append(part._replace(first=end + 1, titled=True, role=role))
    return parts


def _last_title(words: list[RunWord], part: NamePart) -> int | None:
    """Find the last title before a name; none in a body's name ("General Motors", "Writers Guild")."""
    is_surname = _is_surname(words, part)
    if words[part.last].text in _HEADS and not is_surname and words[part.first].text not in HONORIFICS:
        return None
    for i in range(part.last, part.first - 1, -1):
        text = words[i].text
        if not is_title(text) or (i == part.last and is_surname) or (text in REGAL and _is_called(words, i, part.last)):
            continue
        following = words[i + 1].text if i < part.last else ""
        if following in _HEADS or (i == part.last and i > part.first and not _all_titles(words, part)):
            return None if following in _HEADS else _lone_title(words, i)
        return i
    return None


def _is_surname(words: list[RunWord], part: NamePart) -> bool:
    """Whether a title and a first name come before the last word: "Senator Ann Hill", but not "General Motors"."""
    if part.last - part.first < 2:  # noqa: PLR2004 - a title and a first name
        return False
    title, first = words[part.last - 2].text, words[part.last - 1].text
    is_name = is_first_name(first) or not (is_word(first) or is_people(first) or is_region(first))
    return is_title(title) and first[0].isupper() and is_name


def _is_called(words: list[RunWord], at: int, last: int) -> bool:
    """Whether a title is part of a name: "Pope Francis", "Queen Margrethe II"."""
    names = [word.text for word in words[at + 1 : last + 1] if not set(word.text) <= set("IVX")]
    return len(names) == 1


def _all_titles(words: list[RunWord], part: NamePart) -> bool:
    within = words[part.first : part.last + 1]
    return all(is_title(w.text) or w.text.lower() in ROLE_MODIFIERS or not w.capital for w in within)


def _lone_title(words: list[RunWord], at: int) -> int | None:
    """Return a title that no name follows if it comes behind what it is of: "Ukrainian President"."""
    before = words[at - 1].text
    nation = is_people(before) or is_region(before)
    known = nation or before.isupper() or before.lower() in ROLE_MODIFIERS or words[at].text in ABBREVIATED_TITLES
    return at if known else None


def _complement(words: list[RunWord], at: int, last: int) -> tuple[int | None, int]:
    """Find the beginning of the name that a title is of, if any, and the end of the title.

    An office is part of the title ("Secretary of State"), a state is a name of its own, and a name may follow both;
    anything else it is of takes the words up to a first name, or to the end.
    """
    if at + 2 > last or words[at + 1].text not in ("of", "for"):
        return None, at
    first = at + 3 if words[at + 2].text == "the" and at + 3 <= last else at + 2
    end = first
    if words[first].text in OFFICES:
        while end + 1 <= last and (words[end + 1].text in OFFICES or words[end + 1].text in ("and", "&")):
            end += 1
        return None, end
    for end in range(min(last, first + _LONGEST_STATE - 1), first - 1, -1):
        if is_region(" ".join(word.text for word in words[first : end + 1])):
            return first, end
    behind = _person_behind(words, first, last)
    if behind is None:
        return first, last
    return (None if words[behind - 1].text in OFFICES else first), behind - 1


def _person_behind(words: list[RunWord], first: int, last: int) -> int | None:
    """Find a person's name behind what a title is of: "National Intelligence | James R. Clapper"."""
    if is_first_name(words[first].text) and not is_place(words[first].text):
        return None
    names = (i for i in range(first + 1, last) if is_first_name(words[i].text))
    return next((i for i in names if not is_place(f"{words[i - 1].text} {words[i].text}")), None)


def _unmixed(words: list[RunWord], part: NamePart) -> list[NamePart]:
    """Separate a people, a country or a department from the name behind it: "Russian | Vladimir Putin"."""
    texts = [w.text for w in words[part.first : part.last + 1]]
    if part.titled or len(texts) == 1 or texts[-1] in _HEADS or texts[0] in REGAL:
        return [part]
    if any(not w.capital for w in words[part.first : part.last + 1]) or is_region(" ".join(texts)):
        return [part]
    # an acronym comes before a full name in a picture's credit
    body = len(texts) > 2 and len(texts[0]) > 2 and texts[0].isupper() and is_first_name(texts[1])  # noqa: PLR2004
    nation = is_people(texts[0]) and not (is_first_name(texts[0]) and not is_word(texts[1]))  # "Christian Thale"
    # "the ambassador to Ukraine | Marie Thale"
    state = len(texts) > 2 and is_region(texts[0]) and is_first_name(texts[1]) and not is_first_name(texts[0])  # noqa: PLR2004
    if (nation or body or state) and not (_HEADS.intersection(texts) or all(is_people(text) for text in texts)):
        return [part._replace(last=part.first), part._replace(first=part.first + 1)]
    behind = _person_behind(words, part.first, part.last)
    before = texts[: behind - part.first] if behind else []  # one word alone may be a first name that is not listed
    if behind and len(before) > 1 and all(map(is_word, before)) and not is_word(texts[-1]):
        return [part._replace(last=behind - 1), part._replace(first=behind)]
    return [part]


_ABBREVIATED = re.compile(r"(?:[A-Z]\.){2,}")


def is_acronym(name: str) -> bool:
    """Whether one word may be a body's acronym: in capitals, or said as a word that is no other (Unesco).

    >>> [is_acronym(word) for word in ("WCU", "U.N.", "Unesco", "Care", "N.J.", "Lisewood Port")]
    [True, True, True, False, False, False]
    """
    return " " not in name and (name.isupper() or not is_word(name)) and not is_abbreviated_state(name)


def letters(acronym: str) -> str:
    return acronym.replace(".", "").upper()


def initials(name: str) -> str:
    """Return the first letters of a name's words that have capitals; an abbreviation among them gives all of its own.

    >>> initials("U.S. Office of Lake Surveys"), initials("Woods-Holm Trust")
    ('USOLS', 'WHT')
    """
    parts = (part for part in re.split(r"[ -]", name) if part and part[0].isupper())
    return "".join(letters(part) if _ABBREVIATED.fullmatch(part) else part[0] for part in parts)
