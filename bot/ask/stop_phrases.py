"""The words of a question that say what is wanted of the bot, and not what the article is about."""

from __future__ import annotations

import re

# Courtesies, and asking itself. They count for little where articles have them, and for nothing where none has.
_FURNITURE = """
need needs pls please plz thanks thx cheers hi hello hey morning ta mate guys folks anyone anybody else
got have give gimme get find show check remind wondering wonder know knows looking want wanna can could
quote quotes quoted line lines wording word words exact exactly verbatim precise precisely actual actually
statement comment comments say says said saying tell told mention mentions mentioned call calls called describe
describes described according story stories article articles piece report reports reported reporting author
true thing things stuff something anything everything someone somebody about regarding re bit part sort kind type way
lot much many number figure figures happen happens happened happening going person people man woman which what who whom
whose when where why how ever really just even still yet anyway again also basically name names
"""
FURNITURE = frozenset(_FURNITURE.split())

_GREETING = re.compile(
    r"^\s*(?:(?:hi|hello|hey|morning|afternoon|evening)\b[\s,!.]*)?"
    r"(?:(?:\w+ ){0,2}(?:desk|team|subs?)(?: here)?\s*[-–—:,]+\s*)?",
    re.IGNORECASE,
)
# What points at the asker's own day, or at the page in front of them: articles are not found by it.
_DEIXIS = re.compile(
    r"\b(?:this|the past) (?:week|month|year)\b|\b(?:recently|currently|lately|nowadays|these days|right now)\b"
    r"|\b(?:which|what|who) of the following\b"
    r"|\baccording to (?:the|this) (?:article|story|report|passage|text|author|piece|paragraph)\b",
    re.IGNORECASE,
)


def plain(question: str) -> str:
    """Return ``question`` without its greeting, and without what points at the asker's day or page."""
    return _DEIXIS.sub(_pointing, _GREETING.sub("", question, count=1))


def _pointing(match: re.Match[str]) -> str:
    # the question word says what is asked for, and stays
    first = match.group().split()[0]
    return first if first.lower() in {"which", "what", "who"} else " "
