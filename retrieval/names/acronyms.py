"""A name -> whether it is an acronym, its letters, and the initials by which a full name is found for it."""

from __future__ import annotations

import re

from retrieval.names.gazetteer import is_abbreviated_state, is_word

_ABBREVIATED = re.compile(r"(?:[A-Z]\.){2,}")


def is_acronym(name: str) -> bool:
    """Return whether one word may be a body's acronym: in capitals, or said as a word that is no other (Unesco).

    >>> [is_acronym(word) for word in ("WCU", "U.N.", "Unesco", "Care", "N.J.", "Lisewood Port")]
    [True, True, True, False, False, False]
    """
    return " " not in name and (name.isupper() or not is_word(name)) and not is_abbreviated_state(name)


def letters(acronym: str) -> str:
    """Return an acronym without its stops."""
    return acronym.replace(".", "").upper()


def initials(name: str) -> str:
    """Return the first letters of a name's words that have capitals; an abbreviation among them gives all of its own.

    >>> initials("U.S. Office of Lake Surveys"), initials("Woods-Holm Trust")
    ('USOLS', 'WHT')
    """
    parts = (part for part in re.split(r"[ -]", name) if part and part[0].isupper())
    return "".join(letters(part) if _ABBREVIATED.fullmatch(part) else part[0] for part in parts)
