"""What the commands share: options, settings, and errors as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import click

from adapters import backup
from adapters.settings import Settings, SettingsError, load
from adapters.storage.database import StoreError, StoreSchemaError
from bot.errors import GoldenError
from retrieval import BusyArchiveError, RetrievalError, UnreachableArchiveError

P = ParamSpec("P")
T = TypeVar("T")

articles_option = click.option(
    "--articles",
    "paths",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="A file or folder of articles; repeatable. Default: STET_ARTICLES, then the archive, then the samples.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class InputError(click.ClickException):
    """Wrong usage or unreadable input: exit status 2. Anything else that fails exits with 1."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which articles a command searches: where they are, of which outlets and since when."""

    paths: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    since: str = ""


def bounds_options(command: Callable[..., T]) -> Callable[..., T]:
    """Add options to a command, which gets them as ``bounds``."""

    @articles_option
    @click.option(
        "--source", "sources", multiple=True, metavar="NAME", help="Search only this outlet's articles; repeatable."
    )
    @click.option(
        "--since",
        metavar="DAY|SPAN",
        default="",
        help="Search only articles published since: 2025-01-31, 30d, 2 weeks, 6 months. Default: STET_SINCE.",
    )
    @wraps(command)
    def call(*args: object, paths: tuple[str, ...], sources: tuple[str, ...], since: str, **others: object) -> T:
        return command(*args, bounds=Bounds(paths, sources, since), **others)

    return call


def loaded() -> Settings:
    """Return the settings, once a restore that was killed is finished."""
    settings = load()
    backup.finish(settings)
    return settings


def with_settings(command: Callable[Concatenate[Settings, P], T]) -> Callable[P, T]:
    @wraps(command)
    def call(*args: P.args, **options: P.kwargs) -> T:
        return command(loaded(), *args, **options)

    return call


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """Turn this program's errors into ``ClickException``.

    The exit status is 1 where another attempt may succeed (the archive is busy or cannot be reached), so that a
    service manager starts the program again.
    """
    try:
        yield
    except StoreSchemaError as error:
        raise InputError(str(error)) from error
    except (BusyArchiveError, UnreachableArchiveError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except (RetrievalError, SettingsError, GoldenError) as error:
        raise InputError(str(error)) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another file.") from error
