"""A pasted paragraph or article -> the same text with every quotation of it checked, each for itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bot import messages
from bot.commands.pasted_quotes import Quotation, quotations
from bot.model import Check, Notice, Question, Section, Verdict
from bot.notices import notices
from bot.outline import outline
from bot.service import QuestionService
from retrieval import ArchiveError

MOST = 100  # quotations of one text
LABELS = {
    Verdict.EXACT: "Exact",
    Verdict.ALTERED: "Altered",
    Verdict.MISATTRIBUTED: "Said by another",
    Verdict.STITCHED: "Stitched",
    Verdict.ABSENT: "Absent",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A quotation of the text: ``pasted`` as it stands there with its marks, ``claim`` as it was checked."""

    number: int
    pasted: str
    claim: str
    check: Check

    @property
    def label(self) -> str:
        """The verdict in a word or three."""
        return LABELS[self.check.verdict]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sentences of the articles, each with what was changed of it."""
        return outline(self.check).sections

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be told of these sentences."""
        return notices(outline(self.check).extracts)


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text in ``pieces``, in order: what is quoted in it and what is not. ``message`` says what became of it."""

    pieces: tuple[str | Checked, ...]
    message: str

    @property
    def checked(self) -> tuple[Checked, ...]:
        """The quotations that were checked, in order."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Checked))


def proofread(service: QuestionService, text: str, question: Question) -> CheckedText:
    """Return ``text`` with each of its quotations checked by the desk, as the command ``verify`` checks one."""
    try:
        found = tuple(quotations(service.holdings, text))
    except ArchiveError:
        return CheckedText((text,), messages.UNAVAILABLE)
    if not found:
        return CheckedText((text,), messages.NO_QUOTE_IN_MESSAGE)
    pieces = tuple(_pieces(service, text, found[:MOST], question))
    counts = Counter(piece.label for piece in pieces if isinstance(piece, Checked))
    told = [messages.checked(counts.total()), *(f"{counts[each]} {each.lower()}" for each in counts)]
    left = len(found) - counts.total()
    return CheckedText(pieces, ", ".join([*told, f"{left} not checked"] if left else told) + ".")


def _pieces(
    service: QuestionService, text: str, found: tuple[Quotation, ...], question: Question
) -> Iterator[str | Checked]:
    begin = number = 0
    for quotation in found:
        claim = _claim(quotation)
        check = service.command("verify", claim, question)
        if isinstance(check, Check):  # or the words say why there is nothing to check
            number += 1
            yield text[begin : quotation.start]
            yield Checked(number, text[quotation.start : quotation.end], claim, check)
            begin = quotation.end
    yield text[begin:]


def _claim(quotation: Quotation) -> str:
    """Return a quotation as one that is settled as a whole; a block of lines may have marks of its own."""
    if quotation.speaker or any(mark in quotation.words for mark in '“”"«»„'):
        return quotation.claim
    return f"“{quotation.words}”"
