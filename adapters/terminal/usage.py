"""What is wrong with a command, its settings or its articles -> a failure in words, at the edge of the program."""

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
