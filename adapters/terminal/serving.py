"""The commands that serve: the platforms, together or alone, the page, an assistant."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from importlib.util import find_spec

import click

from adapters import background, platforms
from adapters.settings import SettingsError
from adapters.terminal import browsing
from adapters.terminal.asking import service_over
from adapters.terminal.configuration_check import how_to_install
from adapters.terminal.options import Scope, WrongUsage, articles_option, scoped, settings_or_usage


@click.command()
@articles_option
def slack(paths: tuple[str, ...]) -> None:
    """Serve Slack until stopped."""
    _serve(("slack",), paths)


@click.command()
@articles_option
@click.option("--sync", is_flag=True, help="Register the commands with Discord anew, changed or not.")
def discord(paths: tuple[str, ...], *, sync: bool) -> None:
    """Serve Discord until stopped."""
    _serve(("discord",), paths, sync=sync)


@click.command()
@articles_option
def run(paths: tuple[str, ...]) -> None:
    """Serve every platform that has its tokens, and keep the archive up with its feeds, until stopped."""
    _serve((), paths)


@click.command()
@articles_option
@click.option("--link", is_flag=True, help="Only print the address that opens all of it.")
def page(paths: tuple[str, ...], *, link: bool) -> None:
    """Serve the page that shows articles as they were read, until stopped."""
    if link:
        browsing.show_entrance(settings_or_usage())
        return
    _serve(("page",), paths)


@click.command()
@scoped
def mcp(scope: Scope) -> None:
    """Serve an assistant on this machine, by the Model Context Protocol over standard input and output."""
    if not find_spec("mcp"):
        raise WrongUsage(f"The library is not installed. {how_to_install('mcp')}")
    from adapters.mcp.service import serve_own  # noqa: PLC0415 - its library is an extra

    service = service_over(scope)
    with background.prepared_while_idle(service):
        asyncio.run(serve_own(service, settings_or_usage()))


def _serve(wanted: tuple[str, ...], paths: tuple[str, ...], *, sync: bool = False) -> None:
    settings = settings_or_usage()
    try:
        wires = platforms.wires(platforms.addressed(settings, wanted), wanted)
    except platforms.NotSetUpError as error:
        raise WrongUsage(str(error)) from error
    if sync:
        from adapters.discord.service import resync  # noqa: PLC0415 - its library is an extra

        resync(settings)
    service = service_over(Scope(paths))
    try:
        with background.prepared_while_idle(service):
            served = replace(settings, articles=paths or settings.articles)
            status = platforms.serve(wires, service, served, feeds=not wanted)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error  # a port may be free when it is started again
    sys.exit(status)
