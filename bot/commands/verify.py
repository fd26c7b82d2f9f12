"""A pasted quotation -> whether an article has it: exact, altered, misattributed, stitched or absent.

The archive proposes articles; the words decide. Typography does not count (see ``quote_tokens``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel, Levenshtein

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.alignment import Code, Piece, Source, Word, pieces, quote_words, trimmed
from bot.commands.claimed_speaker import Agreement, Claimed
from bot.model import Change, Check, Match, Message, Verdict
from retrieval import Query, Reading, terms

if TYPE_CHECKING:
    from retrieval import Archive


SENTENCES = 40  # that the archive is asked to propose
ARTICLES = 40  # looked through where it has nothing to propose
CHARACTERS = 300_000  # of articles that are looked through, the first whatever its length
PLACES = 3_000  # that are compared with the quotation as wholes
COVERED = 0.85  # share of the words that pieces must have, to have been stitched, or a place with a sentence more
HALF = 0.5  # the same share of a place, below which one sentence more does not make it the quotation
ALIKE = 0.7  # share of the quotation's words that one place must have in order, to be what was altered
NEARLY = 0.93  # the same share, from which a word or two were altered whatever else may be pieced together
SHOWN = 3  # matches in a reply
FEWEST = 3  # words of a quotation: what is shorter stands everywhere
LONGEST_NAME = 5  # words

_AFTER = re.compile(r"(?P<quote>.+(?:[\"”’'.!?,)]|\s))\s*(?:—|–|--|-)\s*(?P<speaker>[^\"“”—–]{2,80})", re.DOTALL)
_BEFORE = re.compile(r"(?P<speaker>[^\"“”:.!?]{2,80}):\s*(?P<quote>.+)", re.DOTALL)
_QUOTES = '"“”„«» '
_ENDS = ".,;:!?…'’‘"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be checked: the words, and who is said to have said them."""

    quote: str
    speaker: str | None
    words: tuple[Word, ...]


def verify(holdings: Holdings, text: str) -> Check | Message:
    """Return what the articles have of a quotation; a ``Message`` where there is nothing to check."""
    archive = holdings.archive
    text = verbatim.collapse(text)
    code = Code(quote_words(text))
    sources = tuple(Source(reading, code) for reading in _readings(archive, text))
    # a name with a colon may be part of the words: the article's own reading of them goes first
    for claim in (_claim(text, None), parse(text)):
        if not claim.words:
            return Message(messages.NO_QUOTE)
        if sum(not word.is_punctuation for word in claim.words) < FEWEST:
            return Message(messages.TOO_SHORT)
        quoted = code.of(claim.words)
        exact = _exact(archive, claim, (p for source in sources for p in _occurrences(claim, quoted, source)))
        if exact:
            return exact
    unpunctuated = (p for source in sources for p in _but_for_punctuation(claim, code, source))
    if found := _exact(archive, claim, unpunctuated, punctuation=True):
        return found
    place, share = _most_alike(quoted, sources)
    return (
        _altered(archive, claim, place if share >= NEARLY else None)
        or _stitched(archive, claim, pieces(quoted, sources))
        or _altered(archive, claim, _with_more(quoted, sources, place, share) if share >= HALF else None)
        or _altered(archive, claim, place if share >= ALIKE else None)
        or Check(Verdict.ABSENT, claim.quote, (), messages.ABSENT)
    )


def longest_run(holdings: Holdings, text: str) -> str:
    """Return the longest run of the words of ``text`` that stands in a row in an article; "" where there is none."""
    words = quote_words(verbatim.collapse(text))
    code = Code(words)
    sources = tuple(Source(reading, code) for reading in _readings(holdings.archive, text))
    found = max(pieces(code.of(words), sources), key=lambda piece: piece.length, default=None)
    if found is None:
        return ""
    return verbatim.collapse(text)[words[found.start].start : words[found.start + found.length - 1].end]


def parse(text: str) -> Claim:
    """Return the quotation and its speaker, parted: "… — NAME" behind it, or "NAME: …" before it."""
    for pattern in (_AFTER, _BEFORE):
        match = pattern.fullmatch(text.strip())
        if match and len(match["speaker"].split()) <= LONGEST_NAME:
            return _claim(match["quote"], match["speaker"].strip())
    return _claim(text, None)


def _claim(quote: str, speaker: str | None) -> Claim:
    bare = quote.strip(_QUOTES)
    return Claim(bare, speaker, trimmed(quote_words(bare)))


def _readings(archive: Archive, quote: str) -> Iterator[Reading]:
    """Yield the articles of the sentences most like the quotation, as many as can be looked through at once."""
    query = Query(terms=tuple((term, 1.0) for term in dict.fromkeys(terms(quote))))
    found = dict.fromkeys(hit.article_id for hit in archive.search(query, SENTENCES))
    room = CHARACTERS
    for article_id in found or _literally(archive, quote):
        reading = verbatim.reading(archive, article_id)
        if reading is None:  # it is damaged; the log says so
            continue
        if room == CHARACTERS or len(reading.article.text) <= room:
            room -= len(reading.article.text)
            yield reading


def _literally(archive: Archive, quote: str) -> tuple[str, ...]:
    """Return the articles that hold the quotation to the letter, except its first: it has no word to search for."""
    bare = quote.strip(_QUOTES + _ENDS)[1:]
    spellings = {bare, bare.replace("'", "’"), bare.replace("’", "'")}
    return tuple(each.id for each in archive.listed(quoting=spellings))[:ARTICLES]


def _exact(archive: Archive, claim: Claim, every: Iterable[Piece], *, punctuation: bool = False) -> Check | None:
    """Return the check of a quotation whose words stand in a row at each of these places."""
    places = iter(every)
    first = tuple(islice(places, SHOWN))
    if not first:
        return None
    exact = messages.PUNCTUATION if punctuation else messages.EXACT
    if claim.speaker is None:
        return Check(Verdict.EXACT, claim.quote, _matches(archive, claim, first), exact, punctuation=punctuation)
    claimed = Claimed(archive, claim.speaker)
    found = [(claimed.of(place), place) for place in chain(first, places)]
    best = min((spoken for spoken, _ in found), key=lambda spoken: spoken.agreement.value)
    shown = [place for spoken, place in found if spoken.agreement is best.agreement][:SHOWN]
    matches = _matches(archive, claim, shown)
    if best.agreement is Agreement.OTHER:
        return Check(Verdict.MISATTRIBUTED, claim.quote, matches, messages.misattributed(claim.speaker))
    said = "" if best.agreement is Agreement.SAME else f" {messages.said_as(best.speaker, claim.speaker)}"
    return Check(Verdict.EXACT, claim.quote, matches, f"{exact}{said}", punctuation=punctuation)


def _occurrences(claim: Claim, quoted: str, source: Source) -> Iterator[Piece]:
    """Yield where the words stand in a row; capitals count, except in the first word."""
    length = len(quoted)
    tail = [word.cased for word in claim.words[1:]]
    at = source.coded.find(quoted)
    while at >= 0:
        if [word.cased for word in source.words[at + 1 : at + length]] == tail:
            yield Piece(source, 0, at, length)
        at = source.coded.find(quoted, at + 1)


def _but_for_punctuation(claim: Claim, code: Code, source: Source) -> Iterator[Piece]:
    """Yield where the words stand in a row, whatever punctuation is between them."""
    words = [word for word in claim.words if not word.is_punctuation]
    quoted, tail = code.of(words), [word.cased for word in words[1:]]
    numbers = source.unpunctuated
    coded = "".join([source.coded[number] for number in numbers])
    at = coded.find(quoted)
    while at >= 0:
        there = numbers[at : at + len(quoted)]
        if [source.words[number].cased for number in there[1:]] == tail:
            yield Piece(source, 0, there[0], there[-1] + 1 - there[0])
        at = coded.find(quoted, at + 1)


def _stitched(archive: Archive, claim: Claim, found: Sequence[Piece]) -> Check | None:
    """Return the check of a quotation that is put together from pieces of different places."""
    places = [piece for number, piece in enumerate(found) if not number or not piece.continues(found[number - 1])]
    covered = sum(piece.length for piece in found)
    if len(places) < 2 or covered < COVERED * len(claim.words):  # noqa: PLR2004 - stitching takes two
        return None
    return Check(Verdict.STITCHED, claim.quote, _matches(archive, claim, places), messages.STITCHED)


def _altered(archive: Archive, claim: Claim, place: Piece | None) -> Check | None:
    return Check(Verdict.ALTERED, claim.quote, _matches(archive, claim, [place]), messages.ALTERED) if place else None


def _with_more(quoted: str, sources: Iterable[Source], place: Piece | None, share: float) -> Piece | None:
    """Return the place that is the quotation with a sentence more, and little else.

    ``place`` is the one most like it without, which has this share of its words.
    """
    longer, its_share = _most_alike(quoted, sources, more=1)
    best, most = (longer, its_share) if its_share > share else (place, share)
    return best if most >= COVERED else None


def _most_alike(quoted: str, sources: Iterable[Source], more: int = 0) -> tuple[Piece | None, float]:
    """Return the place most like a quotation, and the share of the quotation's words that it has in order.

    So many sentences more than hold the quotation are looked at in each place.
    """
    every = (place for source in sources for place in _places(source, len(quoted), more))
    places = [(_shared(quoted, place), place) for place in islice(every, PLACES)]
    # of equals the shortest, then the first
    shared, best = max(places, key=lambda found: (found[0], -found[1].length), default=(0, None))
    return best, shared / len(quoted)


def _shared(quoted: str, place: Piece) -> int:
    """Return how many words the quotation and a place share, in order."""
    there = place.source.coded[place.at : place.end]
    return (len(quoted) + len(there) - Indel.distance(quoted, there)) // 2


def _places(source: Source, length: int, more: int) -> Iterator[Piece]:
    """Yield each run of whole sentences that is long enough to hold ``length`` words, and no longer than it must be.

    And ``more`` sentences behind it, where there are as many.
    """
    starts = source.starts
    for number, first in enumerate(starts[:-1]):
        last = starts[min(bisect_left(starts, first + length, number + 1) + more, len(starts) - 1)]
        if last > first:
            yield Piece(source, 0, first, last - first)


def _matches(archive: Archive, claim: Claim, places: Sequence[Piece]) -> tuple[Match, ...]:
    """Return the sentences of each place as extracts, each with what the quotation made of the place's words."""
    matches: list[Match] = []
    for place in places:
        if len(matches) == SHOWN:
            break
        difference = _difference(claim, place)
        article_id = place.source.reading.article.id
        for index in place.source.sentences(place.at, place.end):
            if len(matches) == SHOWN:
                return tuple(matches)
            extract = verbatim.extract(archive, article_id, index)
            if extract:
                matches.append(Match(extract, difference))
    return tuple(matches)


def _difference(claim: Claim, place: Piece) -> tuple[tuple[Change, str], ...]:
    """Return the changes from a place to the quotation, word by word; words beyond its ends are left out."""
    there, quoted = place.words, claim.words
    firsts = {quoted[0].form, there[0].form}  # whose capital does not count
    steps = Levenshtein.opcodes(
        *([word.form if word.form in firsts else word.cased for word in words] for words in (there, quoted))
    )
    changes: list[tuple[Change, str]] = []
    for step in steps:
        old = _between(place.source.reading.article.text, there[step.src_start : step.src_end])
        new = _between(claim.quote, quoted[step.dest_start : step.dest_end])
        if step.tag == "equal":
            changes.append((Change.SAME, old))
        else:
            changes += [(change, words) for change, words in ((Change.REMOVED, old), (Change.ADDED, new)) if words]
    return _cut(changes)


def _cut(changes: list[tuple[Change, str]]) -> tuple[tuple[Change, str], ...]:
    kept = [number for number, (change, _) in enumerate(changes) if change is not Change.REMOVED]
    return tuple(changes[kept[0] : kept[-1] + 1]) if kept else ()


def _between(text: str, words: Sequence[Word]) -> str:
    return verbatim.collapse(text[words[0].start : words[-1].end]) if words else ""
