"""Standard output, as a person reads it."""

from __future__ import annotations

import os
import sys

import click
from rich.console import Console, RenderableType

UNBROKEN = 100_000  # columns: what is piped is broken by whoever reads it, not by us
DROPPED_IN = {"STY", "TMUX", "XTERM_VERSION"}  # set by screen, tmux and xterm, which may show a link's words alone
WITHOUT_LINKS = {"linux", "Apple_Terminal"}  # as TERM and TERM_PROGRAM have it


def put(content: RenderableType, *, unbroken: bool = False) -> None:
    """Print: with colour and width where the terminal has them, in plain unbroken lines where output is piped.

    Lines that are copied from a terminal, commands among them, are ``unbroken`` there too.
    """
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may not have every letter
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(content, soft_wrap=unbroken)
    else:
        click.echo(plainly(content))


def plainly(content: RenderableType) -> str:
    """Return what is printed where output is piped: in no colour, even where this program writes to a terminal."""
    console = Console(highlight=False, markup=False, emoji=False, width=UNBROKEN, force_terminal=False, no_color=True)
    with console.capture() as captured:
        console.print(content)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def has_hyperlinks(console: Console) -> bool:
    """Return whether words can lead to an address there (OSC 8); FORCE_HYPERLINK says so where that is not known."""
    if not console.is_terminal or console.is_dumb_terminal:
        return False
    named = {os.environ.get(name) for name in ("TERM", "TERM_PROGRAM")}
    able = DROPPED_IN.isdisjoint(os.environ) and WITHOUT_LINKS.isdisjoint(named)
    forced = os.environ.get("FORCE_HYPERLINK")
    return able if forced is None else forced not in {"", "0"}
