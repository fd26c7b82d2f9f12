"""What is held -> the export on standard output, an article at a time."""

from __future__ import annotations

import click

from adapters import export, machine
from bot import verbatim
from bot.desk import Desk
from bot.model import Question


def show(desk: Desk, *, annotations: bool) -> None:
    """Print each article as it was read, or each annotation of its caveats, a line each."""
    archive = desk.seen(Question("")).archive
    for listed in archive.listed():
        reading = verbatim.reading(archive, listed.id)
        if reading is None:  # it went meanwhile; the log says so
            continue
        for told in export.web_annotations(reading) if annotations else (export.reading(reading),):
            click.echo(machine.line(told))
