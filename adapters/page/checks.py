"""What the page checks: every quotation in a pasted text, or a whole draft, which is never stored."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from starlette.datastructures import FormData, UploadFile

from bot import messages, verdicts
from bot.commands.verify import LONGEST, quotations, too_long
from bot.model import Change, Check, Difference, Finding, FindingKind, Message, Proof, Question, Section
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
        pasted = quotations(service.library_for(question), text)
    except ArchiveError:
        return CheckedText((text,), messages.UNAVAILABLE)
    left_out = len(too_long(text, pasted))
    if not pasted:
        return CheckedText((text,), messages.text_too_long(LONGEST) if left_out else messages.NO_QUOTE_IN_TEXT)
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
    left = len(pasted) - len(checks) + left_out
    summary = f"{verdicts.summary(checks)}{f', {left} not checked' if left else ''}"
    return CheckedText((*parts, text[begin:]), f"{summary}. {messages.ONLY_QUOTATIONS}")


class DrawnFinding(NamedTuple):
    """A finding in a draft, as it is drawn; one that is correct has no sections.

    ``difference`` is what to correct, and ``outlet`` whose article has it so.
    """

    number: int
    finding: Finding
    css: str
    sections: tuple[Section, ...]
    label: str
    difference: Difference = ()
    outlet: str = ""


class ProofView(NamedTuple):
    """A draft in pieces, each with what to correct and its points; ``message`` sums these up, or says what is wrong."""

    message: str
    pieces: tuple[tuple[Difference, tuple[DrawnFinding, ...]], ...] = ()
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
        label = verdicts.label(check) if check else messages.FINDINGS[finding.kind].partition(" ")[2]
        point = DrawnFinding(number, finding, lead.css, (), label)
        if not finding.is_correct:
            first, *others = (outline(check).sections if check else ()) or (Section("", finding.extracts),)
            instead = ((Change.REMOVED, finding.instead), (Change.ADDED, finding.text)) if finding.instead else ()
            sections, difference = (replace(first, difference=()), *others), first.difference or instead
            outlet = next((extract.citation.source or "" for extract in finding.extracts), "")
            point = point._replace(sections=sections, difference=difference, outlet=outlet)
        elif check:
            point = point._replace(outlet=verdicts.speaker_there(check))
        points.append(point)
    summary = messages.proofed(proof.words, proof.quotations, len(proof.to_check))
    drawn = ((text, tuple(points[number - 1] for number in numbers)) for text, numbers in pieces(proof))
    marked = tuple((_corrected(text, within), within) for text, within in drawn)
    return ProofView(summary, marked, tuple(points), proof.left_out)


def pieces(proof: Proof) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the draft in pieces, each with the numbers of the findings in it; findings that overlap share a piece."""
    places: list[tuple[int, int, list[int]]] = []
    for number, finding in enumerate(proof.findings, 1):
        if places and finding.span.start < places[-1][1]:
            start, end, numbers = places[-1]
            places[-1] = start, max(end, finding.span.end), [*numbers, number]
        else:
            places.append((finding.span.start, finding.span.end, [number]))
    at = 0
    for start, end, numbers in places:
        yield proof.text[at:start], ()
        yield proof.text[start:end], tuple(numbers)
        at = end
    yield proof.text[at:], ()


def _corrected(text: str, points: Sequence[DrawnFinding]) -> Difference:
    """Return a piece of a draft, which begins with the first of its points, with what belongs in place of others."""
    runs: list[tuple[Change, str]] = []
    end = 0
    for finding in (point.finding for point in points):
        first, last = (place - points[0].finding.span.start for place in (finding.span.start, finding.span.end))
        if finding.instead and first >= end:
            runs += (Change.SAME, text[end:first]), (Change.REMOVED, finding.instead), (Change.ADDED, text[first:last])
            end = last
    return (*runs, (Change.SAME, text[end:]))
