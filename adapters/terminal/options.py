"""What the commands of the console share: options, settings, failures in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import click

from adapters.settings import Settings, SettingsError, load
from adapters.storage.database import StoreError
from retrieval import BusyArchiveError, RetrievalError, UnreachableArchiveError

P = ParamSpec("P")
T = TypeVar("T")

WRONG = 2  # exit status for wrong usage and unreadable input; anything else that fails is 1

articles_option = click.option(
    "--articles",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or folder of articles; repeatable. Default: STET_ARTICLES, else what was added, else the seeds.",
)
source_option = click.option(
    "--source", "sources", multiple=True, metavar="NAME", help="Search the articles of this outlet only; repeatable."
)
since_option = click.option(
    "--since",
    metavar="DAY|SPAN",
    default="",
    help="Search what was published since then: 2025-01-31, 30d, 2 weeks, 6 months. Default: STET_SINCE.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


class WrongUsage(click.ClickException):
    """Wrong usage or unreadable input, in words."""

    exit_code = WRONG


@dataclass(frozen=True, slots=True)
class Scope:
    """Which articles a command searches: where they are, of which outlets, and since when."""

    paths: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    since: str = ""


def scoped(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command the options that bound its articles, as its ``scope``."""

    @wraps(command)
    def given(*args: object, paths: tuple[str, ...], sources: tuple[str, ...], since: str, **others: object) -> T:
        return command(*args, scope=Scope(paths, sources, since), **others)

    return articles_option(source_option(since_option(given)))


def with_settings(command: Callable[Concatenate[Settings, P], T]) -> Callable[P, T]:
    """Call a command with the settings, and turn its errors into failures in words."""

    @wraps(command)
    def call(*args: P.args, **options: P.kwargs) -> T:
        with translated():
            return command(settings_or_usage(), *args, **options)

    return call


def settings_or_usage() -> Settings:
    """Return the settings; ``WrongUsage`` where they make no sense."""
    try:
        return load()
    except SettingsError as error:
        raise WrongUsage(str(error)) from error


@contextmanager
def translated() -> Iterator[None]:
    """Turn the errors of the articles, the state and the settings' files into failures in words.

    Of status 1 where the archive is away or busy, and another attempt may mend it: a service is started again then.
    """
    try:
        yield
    except (BusyArchiveError, UnreachableArchiveError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except (RetrievalError, SettingsError) as error:
        raise WrongUsage(str(error)) from error
