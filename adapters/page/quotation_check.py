"""Checks every quotation in a pasted text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot import messages, verdicts
from bot.commands.pasted_quotes import Quotation, quotations
from bot.model import Check, Notice, Question, Section
from bot.notices import notices
from bot.outline import outline
from bot.service import QuestionService
from retrieval import ArchiveError

MAX_QUOTATIONS = 100  # of one text


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of the text: ``pasted`` with its marks, ``claim`` as it was checked."""

    number: int
    pasted: str
    claim: str
    check: Check

    @property
    def label(self) -> str:
        return verdicts.signed(self.check)

    @property
    def explanation(self) -> str:
        return verdicts.explanation(self.check)

    @property
    def css(self) -> str:
        return verdicts.lead_of(self.check).css

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
        pasted = quotations(service.holdings, text)
    except ArchiveError:
        return CheckedText((text,), messages.UNAVAILABLE)
    if not pasted:
        return CheckedText((text,), messages.NO_QUOTE_IN_MESSAGE)
    pieces = tuple(_pieces(service, text, pasted[:MAX_QUOTATIONS], question))
    checks = [piece.check for piece in pieces if isinstance(piece, CheckedQuotation)]
    left = len(pasted) - len(checks)
    summary = f"{verdicts.summary(checks)}{f', {left} not checked' if left else ''}"
    return CheckedText(pieces, f"{summary}. {messages.ONLY_QUOTATIONS}")


def _pieces(
    service: QuestionService, text: str, pasted: tuple[Quotation, ...], question: Question
) -> Iterator[str | CheckedQuotation]:
    begin = number = 0
    for quotation in pasted:
        check = service.check(quotation, question)
        if isinstance(check, Check):  # otherwise the reply says why there is nothing to check
            number += 1
            yield text[begin : quotation.start]
            yield CheckedQuotation(number, text[quotation.start : quotation.end], quotation.claim, check)
            begin = quotation.end
    yield text[begin:]
