"""Proof -> the draft with what was found in it: a page in one file, or Word comments. No word of it is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from io import BytesIO
from itertools import pairwise

from docx import Document

from bot import messages, source_lines, verdicts
from bot.commands.proof import heading
from bot.escaping import escape_controls
from bot.model import Extract, Finding, Proof
from retrieval import read_word_file

AUTHOR, INITIALS = "Stet", "St"
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLE = (
    "body{font:1rem/1.6 Georgia,serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "main{white-space:pre-wrap;overflow-wrap:anywhere}mark{background:#ffe58a;color:#1a1a1a}mark.right{background:#cdebcf}"
    "li{margin:0 0 1.2rem}li p{margin:.2rem 0}blockquote{margin:.3rem 0 .3rem 1rem}.source{font-size:.85rem}"
)


def comment(finding: Finding) -> Iterator[str]:
    """Yield what a finding says, line by line: what differs, and the archive's sentences with source and caveat."""
    yield heading(finding)
    yield verdicts.explanation(finding.check) if finding.check else finding.what
    for extract in finding.extracts:
        yield from _quoted(extract)


def _quoted(extract: Extract) -> Iterator[str]:
    speaker = f" — {extract.speaker}" if extract.speaker else ""
    yield f"“{extract.text}”{speaker}"
    yield source_lines.source(extract.citation)
    yield from (f"{messages.CAVEAT} {caveat.text}" for caveat in extract.caveats)
    yield from (f"{messages.NOTICES[notice.why]} {notice.text}" for notice in extract.notices)


def html(proof: Proof, title: str) -> str:
    """Return a page that loads nothing: the draft with its findings marked and numbered, and the findings below."""
    notes = "".join(_note(number, finding) for number, finding in enumerate(proof.findings, 1))
    summary = messages.proofed(proof.words, proof.quotations, len(proof.to_check))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head>\n<body><h1>{_safe(title)}</h1><p>{_safe(summary)}</p>\n"
        f"<main>{''.join(_marked(proof))}</main>\n<ol>{notes}</ol></body></html>\n"
    )


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


def _marked(proof: Proof) -> Iterator[str]:
    for text, numbers in pieces(proof):
        notes = "".join(f'<sup><a href="#f{number}">{number}</a></sup>' for number in numbers)
        kind = ' class="right"' if all(proof.findings[number - 1].is_correct for number in numbers) else ""
        yield f"<mark{kind}>{_safe(text)}</mark>{notes}" if numbers else _safe(text)


def _note(number: int, finding: Finding) -> str:
    first, *others = comment(finding)
    lines = "".join(f"<p>{_safe(line)}</p>" for line in others)
    return f'<li id="f{number}"><strong>{_safe(first)}</strong>{lines}</li>'


def _safe(text: str) -> str:
    return escape(escape_controls(text))


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
