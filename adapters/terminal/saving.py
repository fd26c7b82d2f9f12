"""``stet backup`` and ``stet restore``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import click

from adapters import backup as backups
from adapters.settings import Settings
from adapters.terminal.options import InputError, with_settings
from adapters.terminal.text import waiting

folder_argument = click.argument("folder", type=click.Path(path_type=Path))


@click.command()
@folder_argument
@with_settings
def backup(settings: Settings, folder: Path) -> None:
    """Save the archive, the state and the settings without secrets in FOLDER, also while Stet runs.

    A backup that is there is replaced once the new one is complete.
    """
    _report("Saving", backups.save(settings, folder.resolve()))


@click.command()
@folder_argument
@click.option("--replace", "replaces", is_flag=True, help="Replace the archive and the state that are there.")
@click.option("--with-removed", is_flag=True, help="Also bring back articles that were removed since the backup.")
@with_settings
def restore(settings: Settings, folder: Path, *, replaces: bool, with_removed: bool) -> None:
    """Put the archive and the state that `stet backup` saved in FOLDER in their places. Stop Stet first.

    Articles that the present archive has removed since stay removed.
    """
    lines = backups.restore(settings, folder.resolve(), replaces=replaces, with_removed=with_removed)
    _report("Restoring", lines)


def _report(doing: str, lines: Iterable[str]) -> None:
    try:
        with waiting(doing):
            report = "\n".join(lines)
    except OSError as error:
        raise InputError(f"{error.filename} cannot be used: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise InputError(f"SQLite stopped: {error}.") from error
    click.echo(report)
