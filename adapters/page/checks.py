"""What the page checks: every quotation in a pasted text, or a whole draft, which is never stored."""

from __future__ import annotations

from typing import NamedTuple

from starlette.datastructures import FormData, UploadFile

from adapters.marked_draft import pieces
from bot import messages, verdicts
from bot.commands.verify import quotations
from bot.model import Check, Finding, FindingKind, Message, Question, Section
from bot.outline import outline
from bot.service import QuestionService
from retrieval import ArchiveError

MAX_QUOTATIONS = 100  # of one text
LEADS = {
    **dict.fromkeys((FindingKind.FIGURE, FindingKind.NAME, FindingKind.CERTAINTY), verdicts.Lead.ALTERED),
    FindingKind.CAVEAT_LOST: verdicts.Lead.UNVERIFIED,
    FindingKind.DENIAL_LOST: verdicts.Lead.OUT_OF_CONTEXT,
}


class CheckedQuotation(NamedTuple):
    """A quotation of the text: ``pasted`` with its marks, ``claim`` as it was checked."""

    number: int
    pasted: str
    claim: str
    check: Check


class CheckedText(NamedTuple):
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
    parts: list[str | CheckedQuotation] = []
    checks: list[Check] = []
    begin = 0
    for quotation in pasted[:MAX_QUOTATIONS]:
        check = service.check(quotation, question)
        if isinstance(check, Check):  # otherwise the reply says why there is nothing to check
            checks.append(check)
            quoted = text[quotation.start : quotation.end]
            parts += text[begin : quotation.start], CheckedQuotation(len(checks), quoted, quotation.claim, check)
            begin = quotation.end
    left = len(pasted) - len(checks)
    summary = f"{verdicts.summary(checks)}{f', {left} not checked' if left else ''}"
    return CheckedText((*parts, text[begin:]), f"{summary}. {messages.ONLY_QUOTATIONS}")


class DrawnFinding(NamedTuple):
    """A finding in a draft, as it is drawn; one that is correct has no sections."""

    number: int
    finding: Finding
    css: str
    sections: tuple[Section, ...]


class ProofView(NamedTuple):
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
    proof = service.proof(draft, question, filename)
    if isinstance(proof, Message):
        return ProofView(proof.text)
    points: list[DrawnFinding] = []
    for number, finding in enumerate(proof.findings, 1):
        check = finding.check
        lead = verdicts.lead_of(check) if check else LEADS[finding.kind]
        sections = outline(check).sections if check else (Section("", finding.extracts),)
        points.append(DrawnFinding(number, finding, lead.css, () if finding.is_correct else sections))
    summary = messages.proofed(proof.words, proof.quotations, len(proof.to_check))
    marked = tuple((text, tuple(points[number - 1] for number in numbers)) for text, numbers in pieces(proof))
    return ProofView(summary, marked, tuple(points), proof.left_out)
