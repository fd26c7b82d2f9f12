"""A pasted quotation -> whether an article has it: exact, altered, misattributed, stitched or absent.

The archive proposes articles; the words decide. Typography does not count (see ``wording``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel, Levenshtein

from bot import verbatim, voice
from bot.holdings import Holdings
from bot.model import Change, Check, Match, Message, Verdict
from bot.pieces import Piece, Source, pieces
from bot.wording import Word, trimmed, wording
from retrieval.archive.terms import fold, terms
from retrieval.model import Reading
from retrieval.search import Archive, Query

SENTENCES = 40  # that the archive is asked to propose
COVERED = 0.85  # share of the quotation's words that its pieces must have, to have been stitched
ALIKE = 0.7  # share of the quotation's words that one place must have in order, to be what was altered
NEARLY = 0.93  # the same share, from which a word or two were altered whatever else may be pieced together
ARTICLES = 2000  # looked through where the archive has nothing to propose
SHOWN = 3  # matches in a reply
LONGEST_NAME = 5  # words

_AFTER = re.compile(r"(?P<quote>.+(?:[\"”’'.!?,)]|\s))\s*(?:—|–|--|-)\s*(?P<speaker>[^\"“”—–]{2,80})", re.DOTALL)
_BEFORE = re.compile(r"(?P<speaker>[^\"“”:.!?]{2,80}):\s*(?P<quote>.+)", re.DOTALL)
_QUOTES = '"“”„«» \n\t'


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be checked: the words, and who is said to have said them."""

    quote: str
    speaker: str | None
    words: tuple[Word, ...]


def verify(holdings: Holdings, text: str) -> Check | Message:
    """Return what the articles have of a quotation; a ``Message`` where there is nothing to check."""
    archive = holdings.archive
    sources = tuple(map(Source, _readings(archive, text)))
    # a name with a colon may be part of the words: the article's own reading of them goes first
    for claim in (_claim(text, None), parse(text)):
        if not claim.words:
            return Message(voice.NO_QUOTE)
        exact = _exact(archive, claim, sources)
        if exact:
            return exact
    return (
        _altered(archive, claim, sources, NEARLY)
        or _stitched(archive, claim, sources)
        or _altered(archive, claim, sources, ALIKE)
        or Check(Verdict.ABSENT, claim.quote, (), voice.ABSENT)
    )


def parse(text: str) -> Claim:
    """Take a speaker off: "… — NAME" after the quotation, or "NAME: …" before it."""
    for pattern in (_AFTER, _BEFORE):
        match = pattern.fullmatch(text.strip())
        if match and len(match["speaker"].split()) <= LONGEST_NAME:
            return _claim(match["quote"], match["speaker"].strip())
    return _claim(text, None)


def _claim(quote: str, speaker: str | None) -> Claim:
    bare = quote.strip(_QUOTES)
    return Claim(bare, speaker, trimmed(wording(bare)))


def _readings(archive: Archive, quote: str) -> Iterator[Reading]:
    """Give the articles of the sentences most like the quotation; all, where it has no word to search by."""
    query = Query(terms=tuple((term, 1.0) for term in dict.fromkeys(terms(quote))))
    found = dict.fromkeys(hit.article_id for hit in archive.search(query, SENTENCES))
    yield from (archive.reading(i) for i in found or [article.id for article in archive.articles()[:ARTICLES]])


def _exact(archive: Archive, claim: Claim, sources: Iterable[Source]) -> Check | None:
    """Find all the words in a row; capitals count, but for the first word's."""
    everywhere = [piece for source in sources for piece in _occurrences(claim, source)]
    if not everywhere:
        return None
    said = [piece for piece in everywhere if claim.speaker is None or _says(archive, piece, claim.speaker)]
    matches = _matches(archive, claim, said or everywhere)
    if not said and claim.speaker:
        return Check(Verdict.MISATTRIBUTED, claim.quote, matches, voice.misattributed(claim.speaker))
    return Check(Verdict.EXACT, claim.quote, matches, voice.EXACT)


def _occurrences(claim: Claim, source: Source) -> Iterable[Piece]:
    length = len(claim.words)
    tail = [word.cased for word in claim.words[1:]]
    for at in source.places.get(claim.words[0].form, ()):
        if [word.cased for word in source.words[at + 1 : at + length]] == tail:
            yield Piece(source, 0, at, length)


def _says(archive: Archive, piece: Piece, speaker: str) -> bool:
    """Tell whether the article has ``speaker`` say it: by a spelling of the name, or the words of a description."""
    meant = archive.register().meant(speaker)
    spelt = {fold(name) for name in (meant.name, *meant.variants)} if meant else set()
    described = frozenset(terms(speaker))
    indexes = piece.source.sentences(piece.at, piece.end)
    said = [piece.source.reading.passages[index].speaker for index in indexes]
    return any(who and (fold(who) in spelt or described <= frozenset(terms(who))) for who in said)


def _stitched(archive: Archive, claim: Claim, sources: Sequence[Source]) -> Check | None:
    """Find the words in pieces from different places."""
    found = pieces(claim.words, sources)
    places = [piece for number, piece in enumerate(found) if not number or not piece.continues(found[number - 1])]
    covered = sum(piece.length for piece in found)
    if len(places) < 2 or covered < COVERED * len(claim.words):  # noqa: PLR2004 - stitching takes two
        return None
    return Check(Verdict.STITCHED, claim.quote, _matches(archive, claim, places), voice.STITCHED)


def _altered(archive: Archive, claim: Claim, sources: Iterable[Source], alike: float) -> Check | None:
    """Find the place most like the quotation, if it has ``alike`` of its words in order."""
    forms = [word.form for word in claim.words]
    places = [(_shared(forms, place), place) for source in sources for place in _places(source, len(forms))]
    # of equals the shortest, then the first
    shared, best = max(places, key=lambda found: (found[0], -found[1].length), default=(0, None))
    if best is None or shared < alike * len(forms):
        return None
    return Check(Verdict.ALTERED, claim.quote, _matches(archive, claim, [best]), voice.ALTERED)


def _shared(forms: Sequence[str], place: Piece) -> int:
    """Count the words that the quotation and a place share, in order."""
    there = [word.form for word in place.words]
    return (len(forms) + len(there) - Indel.distance(forms, there)) // 2


def _places(source: Source, length: int) -> Iterator[Piece]:
    """Give each run of whole sentences that is long enough to hold ``length`` words, and no longer than it must be."""
    starts = source.starts
    for number, first in enumerate(starts[:-1]):
        last = next((end for end in starts[number + 1 :] if end - first >= length), starts[-1])
        if last > first:
            yield Piece(source, 0, first, last - first)


def _matches(archive: Archive, claim: Claim, places: Sequence[Piece]) -> tuple[Match, ...]:
    """Return the sentences of each place as extracts, each with what the quotation made of the place's words."""
    matches: list[Match] = []
    for place in places:
        difference = _difference(claim, place)
        article_id = place.source.reading.article.id
        for index in place.source.sentences(place.at, place.end):
            extract = verbatim.extract(archive, article_id, index)
            if extract and len(matches) < SHOWN:
                matches.append(Match(extract, difference))
    return tuple(matches)


def _difference(claim: Claim, place: Piece) -> tuple[tuple[Change, str], ...]:
    """Compare a place with the quotation word by word; what the place has more at either end is left out."""
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
