"""A sentence -> why it is no part of the report, or nothing.

What is said between quotation marks is never boilerplate, unless it is a heading ('Nobody came').
A rule looks at one sentence and its place; the first that speaks is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from retrieval.model import Boilerplate
from retrieval.text import boilerplate_patterns as patterns

_FULL_STOP = re.compile(r"[.!?…][\"”’')\]]*$")
_HEADING_WORDS = 14
_CAPTION_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands.

    ``block`` counts the blocks of the article from 0, ``blocks`` is how many there are.
    ``alone`` tells whether it is its block's only sentence, ``siblings`` how many the block has.
    ``rule`` is the rule that cut the sentence off, ``credited`` whether the block holds a picture credit, ``gallery``
    whether it is a row of pictures, ``signs`` whether a quotation ends right before the sentence.
    """

    block: int
    blocks: int
    siblings: int
    rule: str
    title: str | None = None
    credited: bool = False
    gallery: bool = False
    signs: bool = False

    @property
    def alone(self) -> bool:
        """Whether nothing else stands in the block."""
        return self.siblings == 1


Rule = Callable[[str, Place], Boilerplate | None]


def classify(words: str, place: Place, *, quoted: bool) -> tuple[Boilerplate | None, str]:
    """Return the kind of boilerplate that ``words`` are, and the rule that said so.

    White space in ``words`` is collapsed; no words are no boilerplate.
    """
    for name, rule in () if not words else _RULES[-1:] if quoted else _RULES:
        kind = rule(words, place)
        if kind:
            return kind, name
    return None, ""


def is_picture_credit(words: str) -> bool:
    """Return whether ``words`` say who took a picture."""
    return patterns.PICTURE.match(words) is not None


def begins_with_credit(block: str) -> bool:
    """Return whether a picture credit is run into the head of a block."""
    return patterns.PHOTOGRAPH_AT.match(block) is not None


def opens_comments(words: str) -> bool:
    """Return whether ``words`` say that what follows is by readers."""
    return patterns.COMMENTS.match(words) is not None


def is_gallery(block: str) -> bool:
    """Return whether a block is a row of pictures, each with its number and how many there are."""
    return "of" in block and patterns.GALLERY.search(block) is not None


def _advertisement(words: str, place: Place) -> Boilerplate | None:  # noqa: ARG001 - one signature for every rule
    return Boilerplate.ADVERTISEMENT if patterns.ADVERTISEMENT.match(words) else None


def _link(words: str, place: Place) -> Boilerplate | None:
    # titles of other pages, one after the other, below the report
    row = place.block == place.blocks - 1 and not _FULL_STOP.search(words) and patterns.HEADLINE_END.search(words)
    return Boilerplate.LINK if row or patterns.LINK.match(words) else None


def _call(words: str, place: Place) -> Boilerplate | None:  # noqa: ARG001
    return Boilerplate.CALL if patterns.CALL.match(words) or patterns.TO_THE_READER.search(words) else None


def _credit(words: str, place: Place) -> Boilerplate | None:
    if patterns.REPORTERS.match(words) or ("contributed" in words and patterns.CONTRIBUTORS.match(words)):
        return Boilerplate.CREDIT
    credit = place.rule == "run-in credit" or (place.siblings <= _CAPTION_SENTENCES and patterns.PICTURE.match(words))
    return Boilerplate.CREDIT if credit else None


def _byline(words: str, place: Place) -> Boilerplate | None:
    signed = patterns.POSTED.match(words) or (place.signs and patterns.SIGNATURE.match(words))
    return Boilerplate.BYLINE if signed or (place.alone and patterns.BYLINE.match(words)) else None


def _dateline(words: str, place: Place) -> Boilerplate | None:
    if place.rule == "dateline" or patterns.UPDATED.match(words):
        return Boilerplate.DATELINE
    return Boilerplate.DATELINE if place.alone and patterns.DATELINE.match(words) else None


def _title(words: str, place: Place) -> Boilerplate | None:
    if place.rule == "run-in title":
        return Boilerplate.TITLE
    if place.block or place.blocks == 1 or not place.alone:
        return None
    if place.title and _plain(words) == _plain(place.title):
        return Boilerplate.TITLE
    headline = not _FULL_STOP.search(words) and words[-1] not in ":,;"
    return Boilerplate.TITLE if headline or _in_title_case(words) else None


def _gallery(words: str, place: Place) -> Boilerplate | None:  # noqa: ARG001
    return Boilerplate.CAPTION if place.gallery else None


def _caption(words: str, place: Place) -> Boilerplate | None:
    if place.credited and place.siblings <= _CAPTION_SENTENCES:
        return Boilerplate.CAPTION
    return Boilerplate.CAPTION if patterns.SHOWN.match(words) else None


def _heading(words: str, place: Place) -> Boilerplate | None:
    if place.rule == "run-in heading" or (not place.block and place.alone and words[-1] == ":" and words.isupper()):
        return Boilerplate.HEADING
    if not place.alone or place.block == place.blocks - 1 or words[-1] in ":,;–—-":
        return None
    short = len(words.split()) <= _HEADING_WORDS and not words[0].islower()
    stopped = _FULL_STOP.search(words)
    return Boilerplate.HEADING if (words.isupper() and (short or not stopped)) or (short and not stopped) else None


def _plain(words: str) -> str:
    return " ".join(words.rstrip(".").casefold().split())


def _in_title_case(words: str) -> bool:
    """Return whether every long word begins with a capital, as in American headlines."""
    long = [word for word in words.split() if len(word) > 4]  # noqa: PLR2004 - "with", "from", "over" stay small
    return len(long) > 2 and all(not word.lstrip("\"“‘'([")[:1].islower() for word in long)  # noqa: PLR2004


_RULES: tuple[tuple[str, Rule], ...] = (
    ("gallery", _gallery),
    ("advertisement", _advertisement),
    ("link", _link),
    ("call", _call),
    ("credit", _credit),
    ("by-line", _byline),
    ("dateline", _dateline),
    ("title", _title),
    ("caption", _caption),
    ("heading", _heading),
)
