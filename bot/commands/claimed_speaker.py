"""A quotation found in an article, and whom it is said to be by -> whether the article says the same.

"Not by him" is a charge. It is made only where the article has another person's full name for it, and nothing near by
says that this may have been read wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from bot.commands.alignment import Piece
from retrieval import Kind, Passage, bare_name, fold, is_first_name, may_be_one, terms

if TYPE_CHECKING:
    from retrieval import Archive


NEAR = 2  # sentences on either side of a quotation in which a name may be its speaker's


class Agreement(Enum):
    """What an article says of a speaker."""

    SAME = auto()
    OPEN = auto()  # a pronoun, a role, a part of a name, or nobody: it need not be the same, and may be
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """What an article says of who says some words: ``speaker`` as it has it, None where it names nobody."""

    agreement: Agreement
    speaker: str | None = None


class Claimed:
    """Somebody who is said to have said some words."""

    def __init__(self, archive: Archive, name: str) -> None:
        meant = archive.register().meant(name)
        self.name = name
        self._words = bare_name(name)
        self._is_person = meant is not None and meant.kind is Kind.PERSON
        self._spelt = frozenset(fold(spelt) for spelt in (meant.name, *meant.variants)) if meant else frozenset()
        self._described = frozenset(terms(name))
        self._full = meant.name if meant and self._is_person else name
        known = self._is_person or is_first_name(self._words[0].title() if self._words else "")
        self._is_full = known and len(bare_name(self._full)) > 1 and name != name.lower()

    def of(self, piece: Piece) -> ParsedCommand:
        """Return what the article says of who says the words of ``piece``."""
        passages = piece.source.reading.passages
        said = [self._spoken(piece, passages[index]) for index in piece.source.sentences(piece.at, piece.end)]
        return min(said, key=lambda spoken: (spoken.agreement.value, spoken.speaker is None))

    def _spoken(self, piece: Piece, passage: Passage) -> ParsedCommand:
        who = passage.speaker
        if who is None:
            return ParsedCommand(Agreement.OPEN)
        if self._is(who, full=_is_full_name(piece, who)):
            return ParsedCommand(Agreement.SAME, who)
        return ParsedCommand(Agreement.OTHER if self._is_other(piece, passage, who) else Agreement.OPEN, who)

    def _is(self, who: str, *, full: bool) -> bool:
        # "May" and "him" have no term, and nothing is described by none
        if self._described and self._described <= frozenset(terms(who)):
            return True
        if self._is_person and len(self._words) > 1 and len(bare_name(who)) == 1:
            return False  # whose surname it is, the article does not say
        return fold(who) in self._spelt or (full and len(self._words) > 1 and may_be_one(self._full, who))

    def _is_other(self, piece: Piece, passage: Passage, who: str) -> bool:
        if not self._is_full or not _is_full_name(piece, who) or may_be_one(self._full, who):
            return False
        near = NEAR if not _is_said_beside(piece, passage, who) else 0
        return not self._stands(piece, passage.sentence.index, near)

    def _stands(self, piece: Piece, index: int, near: int) -> bool:
        """Return whether the surname stands around the words, ``near`` sentences away at the farthest."""
        held = piece.source.reading.passages[max(0, index - near) : index + near + 1]
        return bare_name(self._full)[-1] in _around(piece, held)


def _is_full_name(piece: Piece, who: str) -> bool:
    text, wanted = piece.source.reading.article.text, fold(who)
    return len(bare_name(who)) > 1 and any(
        m.kind is Kind.PERSON and wanted in (fold(m.name), fold(m.span.of(text)))
        for passage in piece.source.reading.passages
        for m in passage.mentions
    )


def _is_said_beside(piece: Piece, passage: Passage, who: str) -> bool:
    """Return whether the words themselves have the speaker's name beside them, and the word that says who speaks."""
    attribution = passage.attribution
    cued = attribution is not None and attribution.span is not None
    return cued and bare_name(who)[-1] in _around(piece, (passage,))


def _around(piece: Piece, passages: tuple[Passage, ...]) -> frozenset[str]:
    """Return the words of some sentences that do not belong to a quotation."""
    text = piece.source.reading.article.text
    first, last = piece.words[0].start, piece.words[-1].end
    parts = ((p.sentence.span.start, p.sentence.span.end) for p in passages)
    outside = (
        text[start : min(end, max(first, start))] + " " + text[max(start, min(last, end)) : end] for start, end in parts
    )
    return frozenset(word for part in outside for word in bare_name(part))
