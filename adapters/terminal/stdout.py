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
    else:
        click.echo(plainly(content))


def plainly(content: RenderableType) -> str:
    """Return what is printed where output is piped: in no colour, even where this program writes to a terminal."""
    console = Console(highlight=False, markup=False, emoji=False, width=UNBROKEN, force_terminal=False, no_color=True)
    with console.capture() as captured:
        console.print(content)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
