"""A block -> the places where something that is not prose was run into it.

Web copy loses its line breaks: an advertisement, a link to another story or a heading is then in the middle of a
paragraph, often with no space on either side. A dateline is at the head of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from retrieval.model import Span
from retrieval.text import boilerplate_patterns as patterns
from retrieval.text.sentence_ends import STARTERS

_ADVERTISEMENT = re.compile(
    r"(?<![A-Z])(?:SKIP )?ADVERTISEMENT(?: - CONTINUE READING BELOW)?(?=[A-Z][a-z]|[^A-Za-z]|$)"
    r"|(?<=[.!?\"”’'])\s?Advertisement(?=[A-Z]| [A-Z][a-z]* [a-z])"
)
_LINK = re.compile(
    r"(?:(?<![\w|])|(?<=[a-z])|(?<=_))(?:(?i:also )?(?:READ|Read|read)(?i: also| more)? ?\|"
    r"|(?<=[.!?\"”’']) ?(?:(?i:also read)|(?:READ|Read)(?i: also| more)): )"
)
# Where one word ends and the next begins with no space between, as only a lost line break leaves it ("seaThe", not
# "YouTube"), and the end of a sentence, beyond which no headline goes.
_SEAM = re.compile(r"(?<=[^\W\d_A-Z]{3})(?=[A-Z])|(?<=[\w.!?][\"”’'])(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])")
_SENTENCE_END = re.compile(r"[.!?…][\"”’')]*\s")
_SEAM_REACH = 300
# A heading of the kind of "Salem’s answer", at the head of a line or behind a sentence.
_HEADING = re.compile(
    r"(?:(?<=[.!?…\"”’')]\s)|(?<!.))(?=[A-Z])(?:The )?(?P<owner>\w+)['’]s(?: [a-z][\w-]*){1,3}:\s+(?=[A-Z])"
)
# Characters of a block in which a dateline is looked for.
_HEAD_OF_BLOCK = 150

_PLACE = r"[A-Z][A-Z.'’-]{2,}(?:[ /-][A-Z][A-Z.'’-]+){0,2}"
_REST = r"(?:, (?:[A-Z][\w.'’-]*)(?: [A-Z0-9][\w.'’-]*)*){0,3}"
_AGENCY = r"(?: ?\((?:[A-Z][\w&.]*)(?: [A-Z][\w&.]*){0,3}\))"
_DASH = r"\s?(?:--|[-–—])\s+(?=[\"“‘'A-Z0-9])"
_DATELINE = re.compile(
    r"\((?:[A-Z]{2,6}|Reuters|Bloomberg)\)\s?(?:(?:--|[-–—])\s+)?(?=[\"“‘'A-Z])"
    rf"|{_PLACE}{_REST}{_AGENCY}?{_DASH}"
    rf"|[A-Z][a-z]+(?: [A-Z][a-z]+){{0,2}}{_REST}{_AGENCY}{_DASH}"
    r"|(?:(?i:date|published|updated|posted)(?i: on)?:?\s+)?(?:19|20)\d\d-[01]\d-[0-3]\d\s+(?=[\"“‘'A-Z])"
)


# Characters of a text's head: headline, date and caption run into the first sentence.
_HEAD_OF_TEXT = 500
_SHORTEST_HEADLINE = 25  # characters
_CREDIT = re.compile(
    rf"(?<![\w(]){patterns.PHOTOGRAPH}|(?:Image|Media|Video) copyright [^\n]{{0,40}}?(?=Image caption)"
)
_STAFF_CREDIT = re.compile(
    rf"{patterns.OPEN}(?:[Rr]eporting|[Ee]diting|[Ww]riting) by [^()\n]{{0,200}}?{patterns.CLOSE} ?"
)


SentenceCut = tuple[int, str]  # a place where a sentence must end, and the rule that found it


def find_cuts(text: str, block: Span) -> list[SentenceCut]:
    """Find the cuts inside ``block`` in order, one a place; where two rules cut at one place, the later names it."""
    # most blocks hold none of the signs, and to look for them costs far less than the patterns
    rules = [rule for signs, rule in _RULES if any(text.find(sign, block.start, block.end) >= 0 for sign in signs)]
    cuts = {at: name for rule in rules for at, name in rule(text, block) if block.start < at < block.end}
    return sorted(cuts.items())


def _links(text: str, block: Span) -> Iterator[SentenceCut]:
    for match in _LINK.finditer(text, block.start, block.end):
        # the headline ends where the prose goes on with no space, if no sentence ends before
        limit = min(block.end, match.end() + _SEAM_REACH)
        stop = _SENTENCE_END.search(text, match.end(), limit)
        seam = _SEAM.search(text, match.end(), stop.start() if stop else limit)
        if seam:
            yield match.start(), "run-in link"
            yield seam.start(), "run-in link"


def _headings(text: str, block: Span) -> Iterator[SentenceCut]:
    for match in _HEADING.finditer(text, block.start, block.end):
        # a headline may have a colon as well, and "Here’s why:" is a clause
        if match.start() and match["owner"].lower() not in STARTERS:
            yield match.end(), "run-in heading"


def _datelines(text: str, block: Span) -> Iterator[SentenceCut]:
    match = _DATELINE.match(text, block.start, min(block.end, block.start + _HEAD_OF_BLOCK))
    if match:
        yield match.end(), "dateline"


def _tops(text: str, block: Span) -> Iterator[SentenceCut]:
    """Cut behind what was run together at the head of the text: a headline, then the date, then the agency."""
    if block.start >= _HEAD_OF_TEXT:
        return
    limit = min(block.end, block.start + _HEAD_OF_TEXT)
    if not text[: block.start].strip():
        headline = patterns.HEADLINE_END.search(text, block.start + _SHORTEST_HEADLINE, limit)
        stop = _SENTENCE_END.search(text, block.start, limit)
        if headline and not (stop and stop.start() < headline.start()):
            yield headline.start(), "run-in title"
    for pattern in (patterns.STAMP, patterns.AGENCY_DATELINE):
        match = pattern.search(text, block.start, limit)
        if match:
            yield match.end(), "dateline"


def _cut_out(pattern: re.Pattern[str], what: str, before: str = "") -> Callable[[str, Span], Iterator[SentenceCut]]:
    """Make the rule that cuts before and after every match."""

    def rule(text: str, block: Span) -> Iterator[SentenceCut]:
        for match in pattern.finditer(text, block.start, block.end):
            yield match.start(), before or what
            yield match.end(), what

    return rule


# Each rule, with signs of which the block must have one.
_RULES: tuple[tuple[tuple[str, ...], Callable[[str, Span], Iterator[SentenceCut]]], ...] = (
    (("DVERTISEMENT", "dvertisement"), _cut_out(_ADVERTISEMENT, "run-in advertisement")),
    (("|", ": "), _links),
    (("’s ", "'s "), _headings),
    (("(@",), _cut_out(patterns.POSTER, "run-in by-line", "before a by-line")),
    (("Photo", "photo", "Image"), _cut_out(_CREDIT, "run-in credit", "before a credit")),
    (("diting by", "eporting by", "riting by"), _cut_out(_STAFF_CREDIT, "run-in credit", "before a credit")),
    (("",), _tops),
    (("",), _datelines),
)
