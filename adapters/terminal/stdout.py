"""Standard output, as a person reads it."""

from __future__ import annotations

import sys

import click
from rich.console import Console, RenderableType

UNBROKEN = 100_000  # columns: what is piped is broken by whoever reads it, not by us


def put(content: RenderableType) -> None:
    """Print: with colour and width where the terminal has them, in plain unbroken lines where output is piped."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may not have every letter
    console = _console()
    if console.is_terminal:
        console.print(content)
    else:
        click.echo(plainly(content))


def plainly(content: RenderableType) -> str:
    """Return what is printed where output is piped."""
    console = _console()
    console.width = UNBROKEN
    with console.capture() as captured:
        console.print(content)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)
