"""A name as it is compared: without marks, titles and "Jr.", and by its sound.

Spellings of a word -> one key of its sound: romanisations of Cyrillic, Arabic and Greek, and their French and German
kin, have the same. Two names of a person -> whether they may be one: fuller or shorter, by initials, by a nickname.
An entity -> the keys by which it is looked up. They depend on its spellings alone, so that tables are updated one
entity at a time. A key is for comparing, never for showing.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from rapidfuzz.distance import OSA

from retrieval.model import Entity, Kind
from retrieval.names.gazetteer import same_first_name
from retrieval.names.name_parts import is_role
from retrieval.names.titles import HONORIFICS
from retrieval.text.terms import fold, term, terms, words

SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_BEFORE_NAMES = frozenset(fold(word).rstrip(".") for word in HONORIFICS) | frozenset(("the",))
_FEWEST_INITIALS = 3

# what a key of an entity is: a name, a word of one (after its length), the sound of a word, what a name or its later
# words begin with, all words of a spelling as terms, and one term
WHOLE, WORD, SOUND, BEGUN, WITHIN, SPELLING, TERM = range(7)
BETWEEN = "\0"  # what is typed, and the spelling that it begins
LAST = "\U0010ffff"

Key = tuple[str, ...]

_MARKS = re.compile(r"['’‘ʼʹ`´.\-‐‑–]")
_ARTICLE = re.compile(r"^(?:al|el|ul|ad|ar|as|ash|an)[-‐‑ ](?=\w)")

# In order; the longer first.
_SOUNDS: tuple[tuple[str, str], ...] = (
    ("shch", "s"),  # щ: Herashchenko
    ("tsch", "h"),  # ч in German; with "sch" before it, щ
    ("tch", "h"),  # ч in French
    ("sch", "s"),  # ш in German
    ("sh", "s"),
    ("kh", "h"),  # х, خ
    ("ch", "h"),  # х in German, ч in English
    ("zh", "j"),  # ж
    ("dj", "j"),  # ج in French
    ("th", "t"),  # θ, ث
    ("dh", "d"),  # ذ
    ("ph", "f"),
    ("x", "ks"),
    ("q", "k"),
    ("c", "k"),
    ("w", "v"),  # в in German and Polish
    ("ou", "u"),  # у in French
    ("oo", "u"),
    ("ee", "i"),
    ("ey", "i"),  # -ей
    ("ei", "i"),
    ("ie", "i"),  # е in French and Ukrainian
    ("ye", "e"),
    ("yo", "e"),
    ("y", "i"),
    ("j", "i"),
    ("g", "h"),  # г in Russian and in Ukrainian; in "gh", غ, it doubles the letter
)
_VOWELS = str.maketrans({"e": "a", "o": "u"})
_SHORTEST_LOOSE = 5  # letters from which one slip leaves no doubt what is meant
_FAIRLY_LONG = 6  # letters


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """Make the key of one word of a name; equal for its romanisations."""
    key = _MARKS.sub("", _ARTICLE.sub("", fold(word)))
    for letters, instead in _SOUNDS:
        key = key.replace(letters, instead)
    return re.sub(r"(.)\1+", r"\1", key)


@lru_cache(maxsize=1 << 16)
def loose(word: str) -> str:
    """Make a key that ignores which vowel was heard: Mohammed, Muhammad."""
    key = sound(word)
    return key.translate(_VOWELS) if len(key) >= _SHORTEST_LOOSE else key


def swapped(one: str, other: str) -> bool:
    """Whether two words are one with two letters changed about: Dymtro, Dmytro."""
    left, right = sound(one), sound(other)
    return sorted(left) == sorted(right) and OSA.distance(left, right, score_cutoff=1) <= 1


def misprinted(one: str, other: str) -> bool:
    """Whether two long surnames differ by one slip of the pen."""
    left, right = sound(one), sound(other)
    if min(len(one), len(other)) < _FAIRLY_LONG or left[0] != right[0]:
        return False
    return OSA.distance(left, right, score_cutoff=1) <= 1


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Write ``text`` as names are compared: small letters, no diacritics, marks or possessives."""
    for mark in ("’s ", "'s "):
        text = (text + " ").replace(mark, " ")
    return " ".join("".join(ch if ch.isalnum() else " " if ch not in "'’." else "" for ch in fold(text)).split())


def sound_key(word: str) -> str:
    return loose(word) if word.isalpha() else sound(word)


def untitled(words: list[str]) -> list[str]:
    """Drop an article or titles at the front: "the kremlin", "president tamm", "mr tamm"."""
    first = next((i for i, word in enumerate(words) if not (is_role(word) or word in _BEFORE_NAMES)), 0)
    return words[first:]


def titleless(text: str) -> tuple[str, ...]:
    """Split a name into words in small letters, without titles before it."""
    return tuple(untitled(plain(text).split()))


def bare_name(text: str) -> tuple[str, ...]:
    """Split a name likewise, also without "Jr." behind it."""
    return tuple(word for word in titleless(text) if word not in SUFFIXES)


def may_be_one(one: str, other: str) -> bool:
    """Whether two names may be one person's; what only one of them has separates nobody."""
    (*first, last), (*others_first, others_last) = bare_name(one) or ("",), bare_name(other) or ("",)
    if not first or not others_first:
        return sound(last) == sound(others_last) or last in others_first or others_last in first
    return sound(last) == sound(others_last) and any(_alike(a, b) for a in first for b in others_first)


def _alike(name: str, other: str) -> bool:
    initial = len(min(name, other, key=len)) == 1 and name[0] == other[0]
    return initial or sound(name) == sound(other) or same_first_name(name, other)


def keys_of(entity: Entity) -> set[tuple[int, str]]:
    """Return what leads to an entity: how, and the key."""
    typed = {spelling: plain(spelling).split() for spelling in (entity.name, *entity.variants)}
    found = {key for word in chain(*typed.values()) for key in ((WORD, word_key(word)), (SOUND, sound_key(word)))}
    capital = [word[0] for word in re.split(r"[ -]", entity.name) if word[:1].isupper()]
    if entity.kind is Kind.ORG and len(capital) >= _FEWEST_INITIALS:
        found.add((WHOLE, fold("".join(capital))))
    for spelling, parts in typed.items():
        found |= {(WHOLE, " ".join(parts)), (BEGUN, " ".join(parts) + BETWEEN + spelling)}
        found |= {(WITHIN, " ".join(parts[at:]) + BETWEEN + spelling) for at in range(1, len(parts))}
        found |= {(SPELLING, " ".join(key)) for key in [as_terms(words(spelling))] if key}
        found |= {(TERM, each) for each in terms(spelling)}
    return found


def word_key(word: str, length: int | None = None) -> str:
    """Return the key of a word, or what those of its ``length`` that begin with it begin with."""
    return f"{len(word) if length is None else length:06} {word}"


def as_terms(folded: Sequence[str]) -> Key:
    return tuple(term(word) or word for word in folded)
