"""``stet proof``: what to correct or to check in a draft. Neither the draft nor the findings are stored."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from adapters import json_contract, marked_draft
from adapters.draft_workers import LOOK_SECONDS, SECONDS, LimitError, Limits, resident
from adapters.terminal.asking import TERMINAL, service_over
from adapters.terminal.options import Bounds, InputError, bounds_options, json_option, writing
from adapters.terminal.text import draw, put, waiting
from bot import messages
from bot.commands.proof import listing
from bot.model import Message, Question
from retrieval import DRAFT, ArticleError, read_draft, read_draft_file

STDIN = "-"


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
    content = sys.stdin.buffer.read(DRAFT.most + 1) if file == STDIN else b""
    with limited():
        try:
            text = read_draft(content) if file == STDIN else read_draft_file(Path(file))
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
            html.write_text(marked_draft.html(found, title), encoding="utf-8", errors="backslashreplace")
    if docx:
        original = Path(file).read_bytes() if file.lower().endswith(".docx") else None
        with writing(docx):
            docx.write_bytes(marked_draft.docx(found, original))
    if as_json:
        for line in json_contract.proof_lines(found):
            click.echo(json_contract.line(line))
    else:
        put(draw(listing(found)))
