"""A sentence -> why it is not part of the report, or nothing.

Words in quotation marks are never boilerplate, unless they are a heading ('Nobody came').
A rule looks at one sentence and its surroundings; the first that applies decides.
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
class Surroundings:
    """Where a sentence is in its article.

    ``block`` counts the blocks of the article from 0, ``blocks`` is how many there are.
    ``sentences`` is how many sentences the block has, ``rule`` what cut this one off.
    ``has_credit`` where the block holds a picture credit, ``is_gallery`` where it is a row of pictures,
    ``after_quotation`` where a quotation ends right before the sentence.
    """

    block: int
    blocks: int
    sentences: int
    rule: str
    title: str | None = None
    has_credit: bool = False
    is_gallery: bool = False
    after_quotation: bool = False

    @property
    def is_only_sentence(self) -> bool:
        return self.sentences == 1


def classify(words: str, place: Surroundings, *, quoted: bool) -> tuple[Boilerplate | None, str]:
    """Return the kind of boilerplate that ``words`` (white space collapsed) are, and the name of the rule."""
    for kind, name, applies in () if not words else _RULES[-1:] if quoted else _RULES:
        if applies(words, place):
            return kind, name
    return None, ""


def _is_link(words: str, place: Surroundings) -> object:
    # titles of other pages, one after the other, below the report
    row = place.block == place.blocks - 1 and not _FULL_STOP.search(words) and patterns.HEADLINE_END.search(words)
    return row or patterns.LINK.match(words)


def _is_credit(words: str, place: Surroundings) -> object:
    picture = place.sentences <= _CAPTION_SENTENCES and patterns.PICTURE.match(words)
    reporters = patterns.REPORTERS.match(words) or ("contributed" in words and patterns.CONTRIBUTORS.match(words))
    return place.rule == "run-in credit" or picture or reporters


def _is_byline(words: str, place: Surroundings) -> object:
    signature = place.after_quotation and patterns.SIGNATURE.match(words)
    return signature or patterns.POSTED.match(words) or (place.is_only_sentence and patterns.BYLINE.match(words))


def _is_dateline(words: str, place: Surroundings) -> object:
    day = patterns.UPDATED.match(words) or (place.is_only_sentence and patterns.DATELINE.match(words))
    return place.rule == "dateline" or day


def _is_title(words: str, place: Surroundings) -> bool:
    if place.rule == "run-in title":
        return True
    if place.block or place.blocks == 1 or not place.is_only_sentence:
        return False
    if place.title and _plain(words) == _plain(place.title):
        return True
    return (not _FULL_STOP.search(words) and words[-1] not in ":,;") or _is_in_title_case(words)


def _is_caption(words: str, place: Surroundings) -> object:
    return (place.has_credit and place.sentences <= _CAPTION_SENTENCES) or patterns.SHOWN.match(words)


def _is_heading(words: str, place: Surroundings) -> bool:
    capitals = words.isupper()
    only = place.is_only_sentence
    if place.rule == "run-in heading" or (not place.block and only and words[-1] == ":" and capitals):
        return True
    if not only or place.block == place.blocks - 1 or words[-1] in ":,;–—-":
        return False
    short = len(words.split()) <= _HEADING_WORDS and not words[0].islower()
    stopped = _FULL_STOP.search(words) is not None
    return (capitals and (short or not stopped)) or (short and not stopped)


def _plain(words: str) -> str:
    return " ".join(words.rstrip(".").casefold().split())


def _is_in_title_case(words: str) -> bool:
    """Whether every long word begins with a capital, as in American headlines."""
    long = [word for word in words.split() if len(word) > 4]  # noqa: PLR2004 - "with", "from", "over" stay small
    return len(long) > 2 and all(not word.lstrip("\"“‘'([")[:1].islower() for word in long)  # noqa: PLR2004


_RULES: tuple[tuple[Boilerplate, str, Callable[[str, Surroundings], object]], ...] = (
    (Boilerplate.CAPTION, "gallery", lambda _, place: place.is_gallery),
    (Boilerplate.ADVERTISEMENT, "advertisement", lambda words, _: patterns.ADVERTISEMENT.match(words)),
    (Boilerplate.LINK, "link", _is_link),
    (Boilerplate.CALL, "call", lambda words, _: patterns.CALL.match(words) or patterns.TO_THE_READER.search(words)),
    (Boilerplate.CREDIT, "credit", _is_credit),
    (Boilerplate.BYLINE, "by-line", _is_byline),
    (Boilerplate.DATELINE, "dateline", _is_dateline),
    (Boilerplate.TITLE, "title", _is_title),
    (Boilerplate.CAPTION, "caption", _is_caption),
    (Boilerplate.HEADING, "heading", _is_heading),
)
