"""The commands that serve: the platforms, together or alone, the page, an assistant."""

import asyncio
import sys
from contextlib import closing
from dataclasses import replace
from typing import Any

import click

from adapters import background, process
from adapters.draft_workers import DraftWorkers
from adapters.settings import SettingsError, load
from adapters.terminal.asking import service_over
from adapters.terminal.options import Bounds, InputError, articles_option, bounds_options


@click.command()
@articles_option
def slack(paths: tuple[str, ...]) -> None:
    _serve(("slack",), paths)


@click.command()
@articles_option
@click.option("--sync", is_flag=True, help="Register the commands with Discord again, even if they haven't changed.")
@click.option(
    "--invite",
    "application",
    is_flag=False,
    flag_value="",
    metavar="[ID]",
    help="Only print the link that invites the bot; ID is the application's id. Default: ask Discord with the token.",
)
def discord(paths: tuple[str, ...], application: str | None, *, sync: bool) -> None:
    service = _library("discord")
    if application and not application.isdecimal():
        raise InputError("An application id has digits only. It is on the application's page, General Information.")
    if sync or application == "":  # both ask Discord
        process.ready_platforms(load(), ("discord",))
    try:
        if application is not None:
            click.echo(service.invite(int(application or service.ask_discord(load())[0].id)))
            return
        if sync:
            service.resync(load())
    except service.DiscordError as error:
        raise click.ClickException(str(error)) from error
    _serve(("discord",), paths)


@click.command()
@articles_option
def run(paths: tuple[str, ...]) -> None:
    _serve((), paths)


@click.command()
@articles_option
@click.option("--link", is_flag=True, help="Only print a link that opens the whole page.")
def page(paths: tuple[str, ...], *, link: bool) -> None:
    if not link:
        _serve(("page",), paths)
        return
    click.echo(_library("page").entrance_url(load()))


@click.command()
@bounds_options
def mcp(bounds: Bounds) -> None:
    """Serve an AI assistant on this machine: Model Context Protocol over standard input and output."""
    serve_own = _library("mcp").serve_own
    service = service_over(bounds, serving=True)
    with closing(DraftWorkers(service.library)) as service.proofer, background.prepared_while_idle(service):
        asyncio.run(serve_own(service, load()))


def _library(package: str) -> Any:  # noqa: ANN401 - a module
    """Import a platform's module ``service``, whose library is an extra."""
    [platform] = (platform for platform in process.PLATFORMS if platform.package == package)
    if fault := platform.library_fault():
        raise InputError(fault)
    return process.load_platform(package)


def _serve(names: tuple[str, ...], paths: tuple[str, ...]) -> None:
    settings = load()
    ready = process.ready_platforms(settings, names)
    service = service_over(Bounds(paths), serving=True)
    try:
        with closing(DraftWorkers(service.library)) as service.proofer, background.prepared_while_idle(service):
            served = replace(settings, articles=paths or settings.articles)
            status = process.serve(ready, service, served, feeds=not names)
    except SettingsError as error:
        # exit status 1, not 2: a port may be free when the program is started again
        raise click.ClickException(str(error)) from error
    sys.exit(status)
