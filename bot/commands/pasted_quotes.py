"""A pasted message -> its quotations, each checked for itself; without any, the words of it that stand in an article.

Nobody pastes a bare quotation: around it stand a question, a name, a greeting. What is in quotation marks, or quoted
as a block, is what is to be checked; only where nothing is, the message as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot import messages
from bot.command import Holdings
from bot.commands.alignment import quote_words, trimmed
from bot.commands.verify import longest_run, parse, verify
from bot.escaping import strip_emphasis
from bot.model import Check, Listing, Message, Section, Verdict
from bot.outline import outline
from retrieval import QUESTION, VERBS, Force

LEAST = 3  # words: what is shorter in quotation marks is a name, a title or a word at arm's length
MOST = 5  # quotations of one message
RUN = 5  # words in a row that are no accident
BESIDE = 60  # characters around a quotation in which a name stands beside it

_STANDING = (Verdict.EXACT, Verdict.MISATTRIBUTED)
_MARKED = re.compile(r"“([^“”]+)”|\"([^\"\n]+)\"|«([^«»]+)»|„([^„“”]+)[“”]")
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_PART = r"[A-Z](?:\.|[\w’'-]*)"
_NAME = rf"(?P<name>{_PART}(?:\s+(?:{_PART}|al|bin|da|de|der|di|el|la|van|von)){{0,4}})"
_DASHED = re.compile(rf"\s*[,.]?\s*(?:—|–|--|-)\s*{_NAME}")
_COLONED = re.compile(rf"{_NAME}\s*:\s*$")
_SAID_BY = re.compile(rf"\s*,?\s*(?P<verb>\w+)\s+(?:[a-z]+\s+){{0,3}}{_NAME}")
_BY_WHOM = re.compile(rf"\s*,?\s*{_NAME}\s+(?P<verb>\w+)")
_WHO_SAID = re.compile(rf"{_NAME}\s+(?P<verb>\w+)[^.!?]{{0,30}}$")


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands in quotation marks, where, and who is said beside it to have said it."""

    words: str
    speaker: str | None
    start: int
    end: int

    @property
    def claim(self) -> str:
        """The two as they are checked."""
        return f"“{self.words}” — {self.speaker}" if self.speaker else self.words


def check(holdings: Holdings, text: str) -> Check | Listing | Message:
    """Return what the articles have of the quotations in a message; a ``Message`` where there is nothing to check.

    Marks of emphasis and of lists are left out where the articles have no such words with them.
    """
    found = _check(holdings, text)
    bare = strip_emphasis(text)
    has_them = isinstance(found, Check) and found.verdict in _STANDING
    return found if has_them or bare == text else _check(holdings, bare)


def _check(holdings: Holdings, text: str) -> Check | Listing | Message:
    found = tuple(quotations(holdings, text))
    whole = verify(holdings, unmarked(text)) if len(text) <= QUESTION else None
    if whole is not None and (isinstance(whole, Message) or _settles(whole, found, text)):
        return whole if isinstance(whole, Message) else _named(whole)
    if found:
        return _each(holdings, found)
    if not isinstance(whole, Check):
        return Message(messages.NO_QUOTE_IN_MESSAGE)
    return _words_of(holdings, text) or _named(whole)


def _settles(whole: Check, found: tuple[Quotation, ...], text: str) -> bool:
    """Return whether the message is itself the quotation, or has it all but for who said it."""
    if whole.verdict in _STANDING:
        return True
    if not found:
        return whole.verdict is not Verdict.ABSENT
    return [quotation.words for quotation in found] == [parse(text).quote]


def quotations(holdings: Holdings, text: str) -> Iterator[Quotation]:
    """Yield what stands in quotation marks or block quotes, in its order, without what is too short to check."""
    taken = 0
    for match in sorted((*_MARKED.finditer(text), *_BLOCK.finditer(text)), key=lambda match: match.start()):
        if match.start() < taken:
            continue
        taken = match.end()
        words = unmarked(next((group for group in match.groups() if group), match[0]))
        if len(trimmed(quote_words(words))) >= LEAST and len(words) <= QUESTION:
            yield Quotation(words, _speaker(holdings, text, match), match.start(), match.end())


def unmarked(text: str) -> str:
    """Return a message without the marks of block quotes."""
    return " ".join(line.strip().removeprefix(">").strip() for line in text.split("\n")).strip()


def _speaker(holdings: Holdings, text: str, quoted: re.Match[str]) -> str | None:
    """Return who is said to have said it, if that is somebody whom the articles name."""
    # a mark of emphasis is known by the quotation mark beside it
    after = strip_emphasis(text[quoted.end() - 1 :][: BESIDE + 1])[1:]
    before = strip_emphasis(text[: quoted.start() + 1][-BESIDE - 1 :])[:-1]
    for match in (
        _DASHED.match(after),
        _COLONED.search(before),
        _saying(_SAID_BY.match(after)),
        _saying(_BY_WHOM.match(after)),
        _saying(_WHO_SAID.search(before)),
    ):
        if match and holdings.archive.register().meant(match["name"].rstrip(".,")):
            return match["name"].rstrip(".,")
    return None


def _saying(match: re.Match[str] | None) -> re.Match[str] | None:
    verb = VERBS.get(match["verb"].lower()) if match else None
    return match if verb and verb.force is Force.SAYING else None


def _each(holdings: Holdings, found: tuple[Quotation, ...]) -> Check | Listing:
    """Return the check of each quotation, under a heading of its own where there are several."""
    checks = [c for c in (verify(holdings, q.claim) for q in found[:MOST]) if isinstance(c, Check)]
    if len(checks) == 1:
        return _named(checks[0])
    sections = [section for checked in checks for section in _sections(checked)]
    if len(found) > MOST:
        sections.append(Section("", lines=(messages.and_more(len(found) - MOST, "quotation"),)))
    return Listing(messages.checked(len(checks)), tuple(sections))


def _sections(checked: Check) -> Iterator[Section]:
    """Return a check as sections, the first of them headed by the words and what was found of them."""
    listing = outline(_named(checked))
    first, *rest = listing.sections or (Section(""),)
    yield replace(first, heading=f"{messages.quoted(checked.quote)} {listing.title}")
    yield from rest


def _named(checked: Check) -> Check:
    """Return the check with a message that names the words which no article has."""
    return replace(checked, message=messages.absent(checked.quote)) if checked.verdict is Verdict.ABSENT else checked


def _words_of(holdings: Holdings, text: str) -> Check | None:
    """Return the longest run of the message's words that stands in an article."""
    run = longest_run(holdings, unmarked(text))
    if len(quote_words(run)) < RUN:
        return None
    found = verify(holdings, run)
    if isinstance(found, Message) or found.verdict is not Verdict.EXACT:
        return None
    return replace(found, message=messages.these_words(run))
