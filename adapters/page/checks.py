"""What the page checks: every quotation in a pasted text, or a whole draft, which is never stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.datastructures import FormData, UploadFile

from adapters.marked_draft import pieces
from bot import messages, verdicts
from bot.commands.verify import PastedQuotation, quotations
from bot.model import Check, Finding, FindingKind, Message, Question, Section
from bot.outline import outline
from bot.service import QuestionService
from retrieval import ArchiveError

MAX_QUOTATIONS = 100  # of one text
LEADS = {
    FindingKind.FIGURE: verdicts.Lead.ALTERED,
    FindingKind.NAME: verdicts.Lead.ALTERED,
    FindingKind.CAVEAT_LOST: verdicts.Lead.UNVERIFIED,
    FindingKind.DENIAL_LOST: verdicts.Lead.TAKEN_BACK,
}


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of the text: ``pasted`` with its marks, ``claim`` as it was checked."""

    number: int
    pasted: str
    claim: str
    check: Check


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
        pasted = quotations(service.library, text)
    except ArchiveError:
        return CheckedText((text,), messages.UNAVAILABLE)
    if not pasted:
        return CheckedText((text,), messages.NO_QUOTE_IN_MESSAGE)
    found = tuple(_pieces(service, text, pasted[:MAX_QUOTATIONS], question))
    checks = [piece.check for piece in found if isinstance(piece, CheckedQuotation)]
    left = len(pasted) - len(checks)
    summary = f"{verdicts.summary(checks)}{f', {left} not checked' if left else ''}"
    return CheckedText(found, f"{summary}. {messages.ONLY_QUOTATIONS}")


def _pieces(
    service: QuestionService, text: str, pasted: tuple[PastedQuotation, ...], question: Question
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


@dataclass(frozen=True, slots=True)
class DrawnFinding:
    """A finding in a draft, as it is drawn; one that is correct has no sections."""

    number: int
    finding: Finding
    css: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class ProofView:
    """A draft in pieces, each with the points in it; ``message`` sums them up, or says what is wrong."""

    message: str
    pieces: tuple[tuple[str, tuple[DrawnFinding, ...]], ...] = ()
    points: tuple[DrawnFinding, ...] = ()
    left_out: tuple[str, ...] = ()


async def drafted(form: FormData) -> tuple[bytes, str]:
    """Return the uploaded file with its name, else the pasted text; close the form."""
    file, text = form.get("file"), str(form.get("text", ""))
    content, name = (await file.read(), file.filename or "") if isinstance(file, UploadFile) else (b"", "")
    await form.close()
    return (content, name) if content else (text.encode(), "")


def proof_view(service: QuestionService, draft: bytes, filename: str, question: Question) -> ProofView:
    found = service.proof(draft, question, filename)
    if isinstance(found, Message):
        return ProofView(found.text)
    points = tuple(_point(number, finding) for number, finding in enumerate(found.findings, 1))
    summary = messages.proofed(found.words, found.quotations, len(found.to_check))
    marked = tuple((text, tuple(points[number - 1] for number in numbers)) for text, numbers in pieces(found))
    return ProofView(summary, marked, points, found.left_out)


def _point(number: int, finding: Finding) -> DrawnFinding:
    check = finding.check
    lead = verdicts.lead_of(check) if check else LEADS[finding.kind]
    sections = outline(check).sections if check else (Section("", finding.extracts),)
    return DrawnFinding(number, finding, lead.css, () if finding.is_correct else sections)
