"""Proof -> the draft with what was found in it: a page in one file, or Word comments. No word of it is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise

from docx import Document

from adapters.page.rendering import render
from bot import messages, source_lines, verdicts
from bot.commands.proof import heading
from bot.escaping import escape_controls
from bot.model import Finding, Proof
from retrieval import read_word_file

AUTHOR, INITIALS = "Stet", "St"
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def comment(finding: Finding) -> Iterator[str]:
    """Yield what a finding says, line by line: what differs, and the archive's sentences with source and caveat."""
    yield heading(finding)
    yield verdicts.explanation(finding.check) if finding.check else finding.what
    for extract in finding.extracts:
        yield f"“{extract.text}”{f' — {extract.speaker}' if extract.speaker else ''}"
        yield source_lines.source(extract.citation)
        yield from (f"{messages.CAVEAT} {caveat.text}" for caveat in extract.caveats)
        yield from (f"{messages.NOTICES[notice.why]} {notice.text}" for notice in extract.notices)


def html(proof: Proof, title: str) -> str:
    """Return a page that loads nothing: the draft with its findings marked and numbered, and the findings below."""
    notes = [tuple(comment(finding)) for finding in proof.findings]
    summary = messages.proofed(proof.words, proof.quotations, len(proof.to_check))
    right = {number for number, finding in enumerate(proof.findings, 1) if finding.is_correct}
    marked = ((text, numbers, right.issuperset(numbers)) for text, numbers in pieces(proof))
    return render("draft", title=title, summary=summary, marked=marked, notes=notes) + "\n"


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


def docx(proof: Proof, original: bytes | None = None) -> bytes:
    """Return a Word file with a comment on each finding: the ``original`` .docx, or a new one with the draft's text."""
    word = read_word_file(_new_file(proof) if original is None else original)
    for finding in proof.findings:
        span = finding.span
        runs = [run for start, end, run in word.runs if start < span.end and span.start < end]
        if runs:
            words = escape_controls("\n".join(comment(finding)))
            word.document.add_comment([runs[0], runs[-1]], words, AUTHOR, INITIALS)
    saved = BytesIO()
    word.document.save(saved)
    return saved.getvalue()


def _new_file(proof: Proof) -> bytes:
    """Return a Word file with the draft's lines as paragraphs, in runs that begin and end with findings."""
    document = Document()
    edges = sorted({edge for finding in proof.findings for edge in (finding.span.start, finding.span.end)})
    at = 0
    for line in proof.text.split("\n"):
        paragraph = document.add_paragraph()
        cuts = [at, *(edge for edge in edges if at < edge < at + len(line)), at + len(line)]
        for start, end in pairwise(cuts):
            paragraph.add_run(_NOT_IN_XML.sub("\ufffd", proof.text[start:end]))
        at += len(line) + 1
    saved = BytesIO()
    document.save(saved)
    return saved.getvalue()
