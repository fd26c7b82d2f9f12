"""Spellings of one name -> one key: romanisations of one name have the same.

The classes are those of the usual romanisations of Cyrillic, Arabic and Greek and of their French and German kin;
a key is for comparing, never for showing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from retrieval.text.terms import fold

_MARKS = re.compile(r"['’‘ʼʹ`´.\-‐‑–]")
_ARTICLE = re.compile(r"^(?:al|el|ul|ad|ar|as|ash|an)[-‐‑ ](?=\w)")

# In order; the longer first.
_CLASSES: tuple[tuple[str, str], ...] = (
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
_SHORTEST = 5  # letters from which one slip leaves no doubt what is meant
_FAIRLY_LONG = 6


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """Make the key of one word of a name; equal for its romanisations."""
    key = _MARKS.sub("", _ARTICLE.sub("", fold(word)))
    for letters, instead in _CLASSES:
        key = key.replace(letters, instead)
    return re.sub(r"(.)\1+", r"\1", key)


@lru_cache(maxsize=1 << 16)
def loose(word: str) -> str:
    """Make a key that ignores which vowel was heard: Mohammed, Muhammad."""
    key = sound(word)
    return key.translate(_VOWELS) if len(key) >= _SHORTEST else key


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
