"""The options that several of ``stet``'s commands take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

import click

T = TypeVar("T")

articles_option = click.option(
    "--articles",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or folder of articles; may be given several times."
    " Default: STET_ARTICLES, else what was added, else the seeds.",
)
source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME",
    help="Look through the articles of this outlet alone; may be given several times.",
)
since_option = click.option(
    "--since",
    metavar="DAY|SPAN",
    default="",
    help="Look through what was published since then: 2025-01-31, 30d, 2 weeks, 6 months. Default: STET_SINCE.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which articles a command looks through: where they lie, of which outlets they are, and since when."""

    paths: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    since: str = ""


def scoped(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command the options that bound its articles, as its ``scope``."""

    @wraps(command)
    def given(*args: object, paths: tuple[str, ...], sources: tuple[str, ...], since: str, **others: object) -> T:
        return command(*args, scope=Scope(paths, sources, since), **others)

    return articles_option(source_option(since_option(given)))
