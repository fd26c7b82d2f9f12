"""Standard output, as a person reads it."""

from __future__ import annotations

import sys

import click
from rich.console import Console, RenderableType

UNBROKEN = 100_000  # columns: what is piped is broken by whoever reads it, not by us


def put(content: RenderableType) -> None:
    """Print: with colour and width where the terminal has them, in plain unbroken lines where output is piped."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may not have every letter
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(content)
        return
    console.width = UNBROKEN
    with console.capture() as captured:
        console.print(content)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())
