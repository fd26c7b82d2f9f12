"""``stet proof``: what to correct or to check in a draft, as text, a page in one file or Word comments.

Neither the draft nor the findings are stored, and no word of the draft is changed.
"""

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import click
from docx import Document

from adapters import json_contract
from adapters.draft_workers import LOOK_SECONDS, SECONDS, LimitError, Limits, resident
from adapters.page.checks import pieces
from adapters.page.rendering import render
from adapters.terminal.asking import TERMINAL, service_over
from adapters.terminal.options import Bounds, InputError, bounds_options, json_option, writing
from adapters.terminal.text import Drawing, put, waiting
from bot import messages, source_lines, verdicts
from bot.commands.proof import heading, listing
from bot.escaping import escape_controls
from bot.model import Finding, Message, Proof, Question
from retrieval import DRAFT, ArticleError, read_bytes, read_draft, read_word_file

STDIN = "-"
AUTHOR, INITIALS = "Stet", "St"
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@contextmanager
def limited() -> Iterator[None]:
    """Give a draft up that takes too much; a process of its own would take a second to start."""
    limits = Limits(os.getpid(), resident(os.getpid()), SECONDS)

    def look(*_: object) -> None:
        try:
            limits.check()
        except LimitError as error:
            raise SystemExit from error  # nothing below takes this for a fault of its own

    if hasattr(signal, "setitimer"):  # not on Windows
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    try:
        yield
    except SystemExit as error:
        raise InputError(messages.DRAFT_TAKES_TOO_LONG) from error
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


@click.command()
@click.argument("file", metavar="FILE")
@bounds_options
@json_option
@click.option("--html", metavar="OUT", type=click.Path(path_type=Path), help="Write the marked draft as a web page.")
@click.option("--docx", metavar="OUT", type=click.Path(path_type=Path), help="Write the draft with Word comments.")
def proof(file: str, bounds: Bounds, html: Path | None, docx: Path | None, *, as_json: bool) -> None:
    """Check a draft: quotations, figures, names, and caveats and denials that it leaves out.

    FILE is text, Markdown, HTML or .docx; "-" reads text from standard input. No word is changed or stored.
    """
    content = sys.stdin.buffer.read(DRAFT.most + 1) if file == STDIN else None
    with limited():
        try:
            text = read_draft(read_bytes(Path(file), DRAFT) if content is None else content, Path(file).name)
        except ArticleError as error:
            raise InputError(f"{'The draft' if file == STDIN else file} cannot be read. {error}") from error
    service = service_over(bounds)
    with waiting("Checking the draft"), limited():
        found = service.proof(text, Question("", place=TERMINAL))
    if isinstance(found, Message):
        is_ours = found.text in {messages.FAILED, messages.UNAVAILABLE}
        raise click.ClickException(found.text) if is_ours else InputError(found.text)
    title = messages.DRAFT if file == STDIN else Path(file).name
    if html:
        with writing(html):
            html.write_text(marked_page(found, title), encoding="utf-8", errors="backslashreplace")
    if docx:
        original = Path(file).read_bytes() if file.lower().endswith(".docx") else None
        with writing(docx):
            docx.write_bytes(commented(found, original))
    if as_json:
        for line in json_contract.proof_lines(found):
            click.echo(json_contract.line(line))
    else:
        put(Drawing(listing(found)))


def marked_page(proof: Proof, title: str) -> str:
    """Return a page that loads nothing: the draft with its findings marked and numbered, and the findings below."""
    notes = [tuple(_comment(finding)) for finding in proof.findings]
    summary = messages.proofed(proof.words, proof.quotations, len(proof.to_check))
    right = {number for number, finding in enumerate(proof.findings, 1) if finding.is_correct}
    marked = ((text, numbers, right.issuperset(numbers)) for text, numbers in pieces(proof))
    return render("draft", title=title, summary=summary, marked=marked, notes=notes) + "\n"


def commented(proof: Proof, original: bytes | None = None) -> bytes:
    """Return a Word file with a comment on each finding: the ``original`` .docx, or a new one with the draft's text."""
    word = read_word_file(_new_file(proof) if original is None else original)
    for finding in proof.findings:
        span = finding.span
        runs = [run for start, end, run in word.runs if start < span.end and span.start < end]
        if runs:
            words = escape_controls("\n".join(_comment(finding)))
            word.document.add_comment([runs[0], runs[-1]], words, AUTHOR, INITIALS)
    saved = BytesIO()
    word.document.save(saved)
    return saved.getvalue()


def _comment(finding: Finding) -> Iterator[str]:
    """Yield what a finding says, line by line: what differs, and the archive's sentences with source and caveat."""
    yield heading(finding)
    yield verdicts.explanation(finding.check) if finding.check else finding.what
    for extract in finding.extracts:
        yield f"“{extract.text}”{f' — {extract.speaker}' if extract.speaker else ''}"
        yield source_lines.source(extract.citation)
        yield from (f"{messages.CAVEAT} {caveat.text}" for caveat in extract.caveats)
        yield from (f"{messages.NOTICES[notice.why]} {notice.text}" for notice in extract.notices)


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
