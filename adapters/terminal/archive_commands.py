"""The commands of the lasting archive, each loading only what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from adapters.settings import Settings, SettingsError, load

WRONG = 2  # exit status for wrong usage and unreadable input; anything else that fails is 1


class WrongUsage(click.ClickException):
    """Wrong usage or unreadable input, in words."""

    exit_code = WRONG


def settings_or_usage() -> Settings:
    """Return the settings; ``WrongUsage`` where they make no sense."""
    try:
        return load()
    except SettingsError as error:
        raise WrongUsage(str(error)) from error


@contextmanager
def translated() -> Iterator[None]:
    """Turn the errors of the articles and of the settings' files into failures in words.

    Of status 1 where the archive is away or busy, and another attempt may mend it: a service is started again then.
    """
    from adapters.storage.database import StoreError  # noqa: PLC0415 - the same
    from retrieval import (  # noqa: PLC0415 - of no use to --help
        BusyArchiveError,
        RetrievalError,
        UnreachableArchiveError,
    )

    try:
        yield
    except (BusyArchiveError, UnreachableArchiveError) as error:
        raise click.ClickException(str(error)) from error
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except (RetrievalError, SettingsError) as error:
        raise WrongUsage(str(error)) from error


@click.command()
@click.argument("given", nargs=-1, required=True, metavar="PATH|ADDRESS...")
def add(given: tuple[str, ...]) -> None:
    """Put files, folders and web pages into the lasting archive, and follow feeds; what it has is passed over."""
    from adapters.terminal import archiving  # noqa: PLC0415 - of no use to --help

    with translated():
        archiving.add(settings_or_usage(), given)


@click.command()
@click.option("--once", is_flag=True, help="Look at what is due now, and end.")
def watch(*, once: bool) -> None:
    """Look at the feeds that are followed, each when it is due, until stopped."""
    from adapters.terminal import archiving  # noqa: PLC0415 - as above

    with translated():
        archiving.watch(settings_or_usage(), once=once)


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="ID|ADDRESS...")
def remove(named: tuple[str, ...]) -> None:
    """Take articles out of the archive, every version, and name their copies; or follow a feed no longer."""
    from adapters.terminal import archiving  # noqa: PLC0415 - as above

    with translated():
        archiving.remove(settings_or_usage(), named)


@click.command()
def reindex() -> None:
    """Build the index of the lasting archive anew, from the articles and what was read in them."""
    from adapters.terminal import archiving  # noqa: PLC0415 - as above

    with translated():
        archiving.reindex(settings_or_usage())


COMMANDS = (add, watch, remove, reindex)
