"""A question's words -> whose words are wanted, in the asker's words."""

from __future__ import annotations

import re

from bot.shorthand import FRAME
from retrieval.archive.terms import STOPWORDS

_SPEECH = (
    "say|said|says|saying|tell|told|tells|write|wrote|writes|tweet|tweeted|post|posted|claim|claimed|claims|call|called|calls"
    "|describe|described|describes|reckon|reckoned|reckons|think|thinks|warn|warned|warns|promise|promised|pledge|pledged"
    "|vow|vowed|demand|demanded|respond|responded|react|reacted|reply|replied|argue|argued|suggest|suggested|urge|urged"
    "|want|wants|ask|asked|accuse|accused|blame|blamed|condemn|condemned|admit|admitted|deny|denied|announce|announced"
    "|explain|explained|insist|insisted|add|added|put it|comment|commented|make of|made of|feel about"
)
_WORDS = (
    "quotes?|lines?|reaction|response|comeback|answer|statement|reply|remarks|comments?|words|tweets?|take|views?|verdict"
    "|denial|pledge|promise|excuse|message|speech|explanation|position|stance|plea|appeal|warning|claims?|version"
)
_LEAD = r"what\w*\s|give\s|me\s|need\s|got\s|have\s|we\s|a\s|an\s|any\s|find\s|the\s|was\s|is\s|show\s"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:did|does|do|has|have|had|is|was|will|would)\s(?P<who>(?:\w+\s){{1,5}}?)(?:{_SPEECH})\b",
        r"\baccording\sto\s(?P<who>\w+(?:\s\w+){0,3})",
        rf"\b(?:{_WORDS})\s(?:from|by|of)\s(?P<who>\w+(?:\s\w+){{0,3}}?)(?:\s(?:on|about|after|in|to|at|for)\b|$)",
        rf"^(?:{_LEAD})*(?P<who>\w+(?:\s\w+){{0,3}}?)\s(?:exact\s|full\s|actual\s|latest\s)?(?:{_WORDS})\b",
        r"^(?:what\w*\s|need\s|got\s|any\s|the\s)*(?P<who>\w+(?:\s\w+){0,3}?)\s(?:on|about|re)\s",
        rf"^(?:what\s)?(?P<who>\w+(?:\s\w+){{0,3}}?)\s(?:{_SPEECH})\b",
    )
)
_ASKING = frozenset({"who", "what", "which", "where", "when", "why", "how", "anyone", "anybody", "someone", "somebody"})


def speakers_of(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return whose words are wanted ("german foreign minister"), none where the question does not say."""
    text = " ".join(asked)
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match and (who := _named(match["who"].split())):
            return (who,)
    return ()


def _named(found: list[str]) -> str:
    if _ASKING.intersection(found):
        return ""
    return " ".join(word for word in found if word not in STOPWORDS and word not in FRAME)
