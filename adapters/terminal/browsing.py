"""The page from the command line: an article drawn into a file, and the address that opens what is served."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from adapters.settings import Settings
from adapters.terminal.configuration_check import how_to_install
from retrieval import Reading

WRONG = 2


class BrowsingError(click.ClickException):
    """A page that cannot be drawn, written or opened."""

    exit_code = WRONG


def write(readings: Sequence[Reading], path: Path) -> None:
    """Write the articles as one page that needs nothing else; ``BrowsingError`` where that cannot be."""
    _need_library()
    from adapters.page.rendering import file  # noqa: PLC0415 - its library is an extra

    try:
        path.write_text(file(readings), encoding="utf-8")
    except OSError as error:
        raise BrowsingError(f"{path} cannot be written: {error.strerror}.") from error


def show_entrance(settings: Settings) -> None:
    """Print the address that opens the whole page; ``BrowsingError`` where the settings would not serve it."""
    _need_library()
    from adapters.page.service import PageError, entrance  # noqa: PLC0415 - as above

    try:
        click.echo(entrance(settings))
    except PageError as error:
        raise BrowsingError(str(error)) from error


def _need_library() -> None:
    if not (find_spec("jinja2") and find_spec("starlette") and find_spec("uvicorn")):
        raise BrowsingError(f"The library is not installed. {how_to_install('page')}")
