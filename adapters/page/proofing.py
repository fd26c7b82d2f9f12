"""A draft that is pasted or uploaded -> its proof as the page shows it. It stays in memory, and is gone afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from adapters.marked_draft import pieces
from adapters.page import labels
from bot import messages, verdicts
from bot.commands.proof import heading
from bot.model import Finding, FindingKind, Message, Notice, Proof, Question, Section
from bot.notices import notices
from bot.outline import outline
from bot.service import QuestionService
from retrieval import DRAFT, ArticleError, read_draft

MAX_BYTES = DRAFT.most + 1_000_000  # of a form with a draft and its headers
_LEADS = {
    FindingKind.FIGURE: verdicts.Lead.ALTERED,
    FindingKind.NAME: verdicts.Lead.ALTERED,
    FindingKind.CAVEAT_LOST: verdicts.Lead.UNVERIFIED,
    FindingKind.DENIAL_LOST: verdicts.Lead.TAKEN_BACK,
}


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a form, or a file with its name."""

    content: bytes
    filename: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A finding as it is drawn."""

    number: int
    finding: Finding

    @property
    def css(self) -> str:
        check = self.finding.check
        return (verdicts.lead_of(check) if check else _LEADS[self.finding.kind]).css

    @property
    def heading(self) -> str:
        return heading(self.finding)

    @property
    def what(self) -> str:
        return verdicts.explanation(self.finding.check) if self.finding.check else self.finding.what

    @property
    def sections(self) -> tuple[Section, ...]:
        if self.finding.is_correct:
            return ()
        return outline(self.finding.check).sections if self.finding.check else (Section("", self.finding.extracts),)

    @property
    def notices(self) -> tuple[Notice, ...]:
        return notices(extract for section in self.sections for extract in section.extracts)


@dataclass(frozen=True, slots=True)
class ProofView:
    """A draft in pieces, each with the numbers of the points in it; ``message`` sums them up, or says what is wrong."""

    message: str
    pieces: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    points: tuple[Point, ...] = ()
    left_out: tuple[str, ...] = ()


async def form_parts(request: Request) -> dict[str, Part] | None:
    """Return what a form with a file sends, by name; None where it is no such form, or too large."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            return None
    return _parsed(bytes(body), options[b"boundary"])


def _parsed(body: bytes, boundary: bytes) -> dict[str, Part] | None:
    found: dict[str, Part] = {}
    header, value, disposition, content = bytearray(), bytearray(), bytearray(), bytearray()

    def begin() -> None:
        for each in (header, value, disposition, content):
            each.clear()

    def end_header() -> None:
        if header.lower() == b"content-disposition":
            disposition[:] = value
        header.clear()
        value.clear()

    def end() -> None:
        _, options = parse_options_header(bytes(disposition))
        name, filename = (options.get(key, b"").decode("utf-8", "replace") for key in (b"name", b"filename"))
        found[name] = Part(bytes(content), filename)

    parser = MultipartParser(
        boundary,
        {
            "on_part_begin": begin,
            "on_header_field": lambda data, start, stop: header.extend(data[start:stop]),
            "on_header_value": lambda data, start, stop: value.extend(data[start:stop]),
            "on_header_end": end_header,
            "on_part_data": lambda data, start, stop: content.extend(data[start:stop]),
            "on_part_end": end,
        },
    )
    try:
        parser.write(body)
        parser.finalize()
    except MultipartParseError:
        return None
    return found


def proof_view(service: QuestionService, parts: dict[str, Part], question: Question) -> ProofView:
    """Return the proof of an uploaded file, else of the text that was pasted."""
    file, pasted = parts.get("file", Part(b"")), parts.get("text", Part(b""))
    try:
        text = read_draft(file.content, file.filename) if file.content else read_draft(pasted.content)
    except ArticleError as error:
        return ProofView(f"{labels.UNREADABLE_DRAFT} {error}")
    found = service.proof(text, question)
    return ProofView(found.text) if isinstance(found, Message) else _drawn(found)


def _drawn(found: Proof) -> ProofView:
    points = tuple(Point(number, finding) for number, finding in enumerate(found.findings, 1))
    summary = messages.proofed(found.words, found.quotations, len(found.to_check))
    marked = tuple((text, tuple(points[number - 1] for number in numbers)) for text, numbers in pieces(found))
    return ProofView(summary, marked, points, found.left_out)
