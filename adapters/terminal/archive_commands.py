"""The commands of the lasting archive, each loading only what it needs."""

from __future__ import annotations

import click

from adapters.terminal.usage import settings_or_usage, translated


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
