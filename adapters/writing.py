"""Readings -> a web page in a file, for ``stet read --html``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from retrieval.model import Reading

WRONG = 2


class PageError(click.ClickException):
    """A page that cannot be drawn or written."""

    exit_code = WRONG


def write_page(readings: Sequence[Reading], path: Path) -> None:
    """Write the articles as one page that needs nothing else; ``PageError`` where that cannot be."""
    if not find_spec("jinja2"):
        raise PageError("The library is not installed: pip install 'stet[page]'.")
    from adapters.page.paper import file  # noqa: PLC0415 - its library is an extra

    try:
        path.write_text(file(readings), encoding="utf-8")
    except OSError as error:
        raise PageError(f"{path} cannot be written: {error.strerror}.") from error
