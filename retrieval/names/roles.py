"""The words beside a person's name that say what the person is: "Estonia's foreign minister".

They are right before the name, with or without a comma, or behind it between commas.
"""

from retrieval.model import Span
from retrieval.names.name_parts import is_opener, is_role, is_title
from retrieval.names.runs import HYPHENS, RunWord
from retrieval.names.titles import BODIES, HONORIFICS, REGAL, ROLE_MODIFIERS

_POSSESSIVES = frozenset(("'s", "’s", "'", "’"))
_LINKS = frozenset("of in on at for from with to".split())
_WITHIN = frozenset("his her its their the a and &".split())
_ADJECTIVAL = ("al", "ian", "ic", "ive", "ary", "ese", "ish", "ist", "time", "term", "based", "born")
_FARTHEST = 12  # words between a role and the name it is the role of
_WIDEST = 8  # words before the role that belong to it
_LEADING = _POSSESSIVES | HYPHENS | frozenset(("a", "an"))  # these lead up to a role, beside capital words

Place = tuple[int, int]


def role_of(words: list[RunWord], name: Place, title: Place | None) -> Span | None:
    """Find the role beside the name at words ``name``; ``title`` is one in capitals before it."""
    if title:
        owned = title[0] > 1 and words[title[0] - 1].text in _POSSESSIVES
        role: Place | None = (_start(words, title[0]) if owned else title[0]), title[1]
    else:
        role = _before(words, name[0]) or _behind(words, name[1])
    return Span(words[role[0]].start, words[role[1]].end) if role else None


def _before(words: list[RunWord], first: int) -> Place | None:
    comma = first > 0 and words[first - 1].text == ","
    last = first - 1 - comma
    if last >= 0 and _says_what(words[last].text):
        return _start(words, last), last
    return _with_complement(words, last) if comma else None


def _says_what(text: str) -> bool:
    return is_role(text) and text not in HONORIFICS and text not in REGAL


def _with_complement(words: list[RunWord], last: int) -> Place | None:
    """Find "<role> of <body>," before a name: "the head of the Harbour Board, Aino Kask"."""
    for i in range(last - 1, max(last - _FARTHEST, -1), -1):
        text = words[i].text
        if text in _LINKS and _says_what(words[i - 1].text):
            return _start(words, i - 1), last
        if not (words[i].capital or _belongs(words, i)):
            return None
    return None


def _start(words: list[RunWord], role: int) -> int:
    """Find the first of the words that narrow a role: "Estonia's acting foreign | minister"."""
    first = role
    while first > 0 and role - first < _WIDEST and _narrows(words, first - 1):
        first -= 1
    while not words[first].text[0].isalnum():
        first += 1
    return first


def _narrows(words: list[RunWord], i: int) -> bool:
    text = words[i].text
    if words[i].capital:
        return not is_opener(text) and text not in HONORIFICS
    if text in _POSSESSIVES:
        return i > 0 and words[i - 1].capital and words[i].start == words[i - 1].end
    if text in HYPHENS:
        return words[i].end == words[i + 1].start
    return is_title(text) or _qualifies(text)


def _behind(words: list[RunWord], last: int) -> Place | None:
    """Find a role behind a name and its comma: ", 61, an adviser to the harbour master"."""
    i = last + 1
    if i >= len(words) or words[i].text != ",":
        return None
    if i + 2 < len(words) and words[i + 1].text.isdigit() and words[i + 2].text == ",":
        i += 2
    first = i + 1 + (i + 1 < len(words) and words[i + 1].text == "the")
    role = _role_from(words, first)
    return (first, _end(words, role)) if role is not None else None


def _role_from(words: list[RunWord], first: int) -> int | None:
    """Find the role that the words from ``first`` lead up to."""
    role = None
    for i in range(first, min(first + _WIDEST, len(words))):
        text = words[i].text
        if _says_what(text):
            role = i
        elif role is not None or not (words[i].capital or text in _LEADING or _qualifies(text)):
            break
    return role


def _qualifies(text: str) -> bool:
    return text in ROLE_MODIFIERS or text.endswith(_ADJECTIVAL)


def _end(words: list[RunWord], role: int) -> int:
    """Find the last word of a role: "editor | at the Harbour Gazette"."""
    last = role
    if role + 1 >= len(words) or words[role + 1].text not in _LINKS:
        return last
    for i in range(role + 1, min(role + _FARTHEST, len(words))):
        text = words[i].text
        if words[i].capital or _says_what(text) or text.capitalize() in BODIES:
            last = i
        elif not _belongs(words, i):
            break
    return last


def _belongs(words: list[RunWord], i: int) -> bool:
    """Whether a word without a capital may be part of what a role is of."""
    text = words[i].text
    if text in HYPHENS:
        return words[i].start == words[i - 1].end
    known = text in _LINKS or text in _WITHIN or text in _POSSESSIVES or text.capitalize() in BODIES
    return known or _says_what(text) or _qualifies(text)
