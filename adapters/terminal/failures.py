"""What ended the console script -> a sentence on standard error."""

from __future__ import annotations

import traceback

import click

from adapters.settings import debugging
from bot.visible import visible_line


def explain(error: Exception) -> None:
    """Print to standard error what went wrong and what to do; with STET_DEBUG the traceback too."""
    if debugging():
        traceback.print_exception(error)
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return
        case click.NoSuchOption(ctx=click.Context(command_path=path)):
            message = (
                f"{error.format_message()} `{path} --help` lists them. Put -- before words that begin with a dash."
            )
        case click.UsageError(ctx=click.Context(command_path=path)):
            message = f"{error.format_message()} `{path} --help` says what there is."
        case click.ClickException():
            message = error.format_message()
        case _:
            message = f"something went wrong ({type(error).__name__}: {error}). STET_DEBUG=1 shows where."
    first, *others = map(visible_line, message.splitlines() or [""])
    click.echo("\n".join((f"stet: {first}", *others)), err=True)
