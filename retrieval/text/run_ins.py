"""A block -> the places where something that is not prose was run into it.

Web copy loses its line breaks: an advertisement, a link to another story or a heading then stands
in the middle of a paragraph, often with no space on either side.
A dateline stands at the head of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from retrieval.lexicon.reporting_verbs import NOUNS_TOO, VERBS, Form
from retrieval.lexicon.word_classes import classes
from retrieval.model import Span
from retrieval.text.abbreviations import STARTERS

_ADVERTISEMENT = re.compile(
    r"(?<![A-Z])(?:SKIP )?ADVERTISEMENT(?: - CONTINUE READING BELOW)?(?=[A-Z][a-z]|[^A-Za-z]|$)"
    r"|(?<=[.!?\"”’'])\s?Advertisement(?=[A-Z]| [A-Z][a-z]* [a-z])"
)
_LINK = re.compile(
    r"(?:(?<![\w|])|(?<=[a-z])|(?<=_))(?:ALSO READ|Also [Rr]ead|READ|Read)(?: (?:ALSO|also|MORE|more))? ?\|"
)
_READ_MORE = re.compile(r"(?<=[.!?\"”’'])\s?(?:READ MORE|Read [Mm]ore|READ ALSO|Read [Aa]lso|ALSO READ|Also [Rr]ead): ")
_CALL = re.compile(
    r"(?:(?<=[.!?\"”’'])|(?<=[.!?\"”’'] )|(?<=[a-z]))(?:Watch (?:the )?(?:latest|more|our|live|video)|Subscribe to"
    r"|Sign up (?:for|to|here)|Follow us|Click here|Download (?:the|our) )"
)
_CALL_END = re.compile(r"\b(?:here|below|now|app|newsletters?|channel)\s*(?::|(?=[A-Z]))")
# Where one word ends and the next begins with no space between, as only a lost line break leaves it.
_SEAM = re.compile(r"(?<=[^\W\d_A-Z][^\W\d_A-Z])(?=[A-Z])|(?<=[\w.!?][\"”’'])(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])")
_ONE_WORD = re.compile(r"(?:You|Tik|Whats|Linked|Face|Pay|Play|Snap|Space|Black|Open|Mac|Fed|Buzz|Master|Door|Sound)$")
_SENTENCE_END = re.compile(r"[.!?…][\"”’')]*\s")
_SEAM_REACH = 300
# How far into a block a dateline or a heading is looked for.
_HEAD_REACH = 150

_PLACE = r"[A-Z][A-Z.'’-]{2,}(?:[ /-][A-Z][A-Z.'’-]+){0,2}"
_REST = r"(?:, (?:[A-Z][\w.'’-]*)(?: [A-Z0-9][\w.'’-]*)*){0,3}"
_AGENCY = r"(?: ?\((?:[A-Z][\w&.]*)(?: [A-Z][\w&.]*){0,3}\))"
_DASH = r"\s?(?:--|[-–—])\s+(?=[\"“‘'A-Z0-9])"
_DATELINES = (
    re.compile(r"\((?:[A-Z]{2,6}|Reuters|Bloomberg)\)\s?(?:(?:--|[-–—])\s+)?(?=[\"“‘'A-Z])"),
    re.compile(rf"{_PLACE}{_REST}{_AGENCY}?{_DASH}"),
    re.compile(rf"[A-Z][a-z]+(?: [A-Z][a-z]+){{0,2}}{_REST}{_AGENCY}{_DASH}"),
    re.compile(
        r"(?:(?i:date|published|updated|posted)(?i: on)?:?\s+)?(?:19|20)\d\d-[01]\d-[0-3]\d\s+(?=[\"“‘'A-Z])",
    ),
)

_MAYBE_DATELINE = re.compile(r"\(|[A-Z][A-Z]|\d\d\d\d-|(?i:date|publ|updat|post)|[A-Z][^(]{3,80}\(")

_CAPITALS = re.compile(
    r"(?!(?:RELATED|READ|MORE|SEE|WATCH|LISTEN|ALSO|VIDEO|PHOTOS?|IMAGE|CREDIT)\b)"
    r"[A-Z][A-Z'’&,-]{2,}(?: [A-Z0-9'’&,-]+){0,14} ?[:–—]\s+(?=[\"“‘'A-Z])"
)
_HEADING = re.compile(r"(?P<words>[A-Z][\w’'-]*(?: [\w’'-]+){1,5}):\s+(?=[A-Z][\w’'-]*\s+[\w’'-]+\s+[\w’'-])")
# A clause that ends in a colon is prose: somebody says something, or something is said to be.
_CLAUSE_WORDS = (
    classes("auxiliaries", "third_persons", "first_persons", "second_persons", "demonstratives", "degrees", "units")
    | {word for word, verb in VERBS.items() if verb.form in (Form.THIRD, Form.PAST) and word not in NOUNS_TOO}
    | {"also", "see", "related", "follows", "following", "includes", "including"}
)
_SHORT = 4  # letters: "need", "feed" and "seed" are no past forms
_SUBJECTS = classes("articles", "possessives") | {"this", "that"}
_QUESTION_WORDS = classes("interrogatives") | {"who"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where a sentence must end, whatever stands there, and the rule that found it."""

    at: int
    rule: str


Rule = Callable[[str, Span], Iterator[Cut]]


def rules_for(text: str) -> tuple[Rule, ...]:
    """Return the rules that may find something in ``text``: most texts hold none of the words of most rules."""
    return tuple(rule for words, rule in _RULES if not words or any(word in text for word in words))


def find_cuts(text: str, block: Span, rules: tuple[Rule, ...]) -> tuple[Cut, ...]:
    """Return the cuts inside ``block`` in order, one a place; ``rules`` are those for ``text``."""
    found = {cut.at: cut for rule in rules for cut in rule(text, block) if block.start < cut.at < block.end}
    return tuple(found[at] for at in sorted(found)) if found else ()


def cut_heading(text: str, start: int, end: int) -> int:
    """Return where the heading ends that is run into the sentence at ``start``; ``start`` where there is none."""
    match = _HEADING.match(text, start, min(end, start + _HEAD_REACH))
    if match is None:
        return start
    words = match["words"].split()
    if words[0].lower() not in _QUESTION_WORDS and any(word.lower() in _CLAUSE_WORDS for word in words):
        return start
    if words[0].lower() not in _QUESTION_WORDS and _may_be_clause(words):
        return start
    # "Smith: Yes, I was there." is an interview, "Image: A man …" a caption
    last = words[-1]
    headed = last[0].islower() or words[0].endswith(("’s", "'s")) or words[0].lower() in STARTERS
    return match.end("words") + 1 if headed else start


def _may_be_clause(words: list[str]) -> bool:
    """Return whether words may be a clause ("Hopes of peace dimmed", "The wall holds"), and so no heading."""
    last = words[-1].lower()
    past = last.endswith("ed") and len(last) > _SHORT
    owned = any(word.endswith(("’s", "'s", "s’", "s'")) for word in words)
    return past or (last.endswith("s") and words[0].lower() in _SUBJECTS and not owned)


def _holds(text: str, block: Span, *words: str) -> bool:
    """Return whether one of ``words`` stands in the block; far cheaper than the pattern that needs it."""
    return any(text.find(word, block.start, block.end) >= 0 for word in words)


_ADVERTISING = ("ADVERTISEMENT", "Advertisement")
_READING_ON = (
    "ead more: ",
    "ead More: ",
    "lso read: ",
    "lso Read: ",
    "ead also: ",
    "ead Also: ",
    "MORE: ",
    "ALSO: ",
    "READ: ",
)
_CALLING = ("Watch ", "Subscribe to", "Sign up", "Follow us", "Click here", "Download ")


def _advertisements(text: str, block: Span) -> Iterator[Cut]:
    if not _holds(text, block, *_ADVERTISING):
        return
    for match in _ADVERTISEMENT.finditer(text, block.start, block.end):
        yield Cut(match.start(), "run-in advertisement")
        yield Cut(match.end(), "run-in advertisement")


def _links(text: str, block: Span) -> Iterator[Cut]:
    if not _holds(text, block, "|"):
        return
    for match in _LINK.finditer(text, block.start, block.end):
        yield Cut(match.start(), "run-in link")
        seam = _seam(text, match.end(), block.end)
        if seam:
            yield Cut(seam, "run-in link")


def _read_more(text: str, block: Span) -> Iterator[Cut]:
    if not _holds(text, block, *_READING_ON):
        return
    for match in _READ_MORE.finditer(text, block.start, block.end):
        seam = _seam(text, match.end(), block.end)
        if seam:
            yield Cut(match.start(), "run-in link")
            yield Cut(seam, "run-in link")


def _calls(text: str, block: Span) -> Iterator[Cut]:
    if not _holds(text, block, *_CALLING):
        return
    for match in _CALL.finditer(text, block.start, block.end):
        yield Cut(match.start(), "run-in call")
        limit = min(block.end, match.end() + _SEAM_REACH)
        stop = _SENTENCE_END.search(text, match.end(), limit)
        end = _CALL_END.search(text, match.start(), stop.start() if stop else limit)
        if end:
            yield Cut(end.end(), "run-in call")


def _datelines(text: str, block: Span) -> Iterator[Cut]:
    limit = min(block.end, block.start + _HEAD_REACH)
    if not _MAYBE_DATELINE.match(text, block.start, limit):
        return
    matches = (pattern.match(text, block.start, limit) for pattern in _DATELINES)
    match = next(filter(None, matches), None)
    if match:
        yield Cut(match.end(), "dateline")


def _seam(text: str, start: int, end: int) -> int | None:
    """Return where a link's headline ends and the prose goes on with no space, if no sentence ends before."""
    limit = min(end, start + _SEAM_REACH)
    stop = _SENTENCE_END.search(text, start, limit)
    for match in _SEAM.finditer(text, start, stop.start() if stop else limit):
        if not _ONE_WORD.search(text, max(start, match.start() - 8), match.start()):
            return match.start()
    return None


def _headings(text: str, block: Span) -> Iterator[Cut]:
    match = _CAPITALS.match(text, block.start, min(block.end, block.start + _HEAD_REACH))
    if match:
        yield Cut(match.end(), "run-in heading")


# where two speak of one place, the later is believed
_RULES: tuple[tuple[tuple[str, ...], Rule], ...] = (
    (_ADVERTISING, _advertisements),
    (("|",), _links),
    (_READING_ON, _read_more),
    (_CALLING, _calls),
    ((), _headings),
    ((), _datelines),
)
