"""Checks every quotation in a pasted text."""

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

MAX_QUOTATIONS = 100  # of one text
LABELS = {
    Verdict.EXACT: "Exact",
    Verdict.ALTERED: "Altered",
    Verdict.MISATTRIBUTED: "Said by another",
    Verdict.STITCHED: "Stitched",
    Verdict.ABSENT: "Absent",
}


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of the text: ``pasted`` with its marks, ``claim`` as it was checked."""

    number: int
    pasted: str
    claim: str
    check: Check

    @property
    def label(self) -> str:
        return LABELS[self.check.verdict]

    @property
    def sections(self) -> tuple[Section, ...]:
        return outline(self.check).sections

    @property
    def notices(self) -> tuple[Notice, ...]:
        return notices(outline(self.check).extracts)


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text in ``pieces``, in order, quotations and the text between them; ``message`` sums up the verdicts."""

    pieces: tuple[str | CheckedQuotation, ...]
    message: str

    @property
    def quotations(self) -> tuple[CheckedQuotation, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, CheckedQuotation))


def check_text(service: QuestionService, text: str, question: Question) -> CheckedText:
    """Check each quotation of ``text`` as the command ``verify`` checks one."""
    try:
        pasted = tuple(quotations(service.holdings, text))
    except ArchiveError:
        return CheckedText((text,), messages.UNAVAILABLE)
    if not pasted:
        return CheckedText((text,), messages.NO_QUOTE_IN_MESSAGE)
    pieces = tuple(_pieces(service, text, pasted[:MAX_QUOTATIONS], question))
    counts = Counter(piece.label for piece in pieces if isinstance(piece, CheckedQuotation))
    summary = [messages.checked(counts.total()), *(f"{counts[each]} {each.lower()}" for each in counts)]
    left = len(pasted) - counts.total()
    return CheckedText(pieces, ", ".join([*summary, f"{left} not checked"] if left else summary) + ".")


def _pieces(
    service: QuestionService, text: str, pasted: tuple[Quotation, ...], question: Question
) -> Iterator[str | CheckedQuotation]:
    begin = number = 0
    for quotation in pasted:
        claim = _claim(quotation)
        check = service.command("verify", claim, question)
        if isinstance(check, Check):  # otherwise the reply says why there is nothing to check
            number += 1
            yield text[begin : quotation.start]
            yield CheckedQuotation(number, text[quotation.start : quotation.end], claim, check)
            begin = quotation.end
    yield text[begin:]


def _claim(quotation: Quotation) -> str:
    """Return what ``verify`` is asked; a block of lines may have marks of its own."""
    if quotation.speaker or any(mark in quotation.words for mark in '“”"«»„'):
        return quotation.claim
    return f"“{quotation.words}”"
