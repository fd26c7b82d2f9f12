"""``stet check``: what is configured, what is missing for each platform, and where to get it, in words."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import click
from bot.escape_controls import escape_line

from adapters.settings import ENV_FILE, TABLE, Fault, Setting, Settings, SettingsError, discreet, faults_first, load
from adapters.storage.sqlite import open_to_others
from adapters.storage.store import Store, StoreError, default_path, is_server_address
from adapters.terminal.options import with_settings
from bot import messages

if TYPE_CHECKING:
    from bot.channels import Channels

PLATFORMS = (
    ("Slack", "slack_bolt", "slack", ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")),
    ("Discord", "discord", "discord", ("DISCORD_TOKEN",)),
    ("Page", "starlette", "page", ("STET_PAGE_URL",)),
    ("MCP", "mcp", "mcp", ("STET_MCP_TOKENS",)),
)


class Checking(Protocol):
    """A platform's module, as far as this one uses it."""

    def check(self, settings: Settings) -> Iterable[str]:
        """Return what the platform says to the tokens."""


def report(settings: Settings, *, everything: bool = False) -> Iterator[str]:
    """Yield the report line by line, what is wrong first, and every setting where asked; no secret is in it."""
    yield from faults_first(type(line)(settings.redacted(line)) for line in _state_of_all(settings))
    yield ""
    if everything:
        yield "Settings (environment or .env):"
        yield from (settings.redacted(_setting(settings, row)) for row in TABLE)
        return
    usual = load({}, Path(os.devnull))
    changed = sum(getattr(settings, row.attribute) != getattr(usual, row.attribute) for row in TABLE)
    yield f"Settings: {changed} of {len(TABLE)} were changed; `stet check --all` shows each."


def _state_of_all(settings: Settings) -> Iterator[str]:
    yield from _archive(settings)
    yield from _articles(settings)
    yield from _since(settings)
    yield from _open_files(settings)
    yield from _state(settings)
    yield _meaning(settings)
    yield from _kept(settings)
    for platform, module, extra, tokens in PLATFORMS:
        yield from _platform(settings, platform, module, extra, tokens)


def _articles(settings: Settings) -> Iterator[str]:
    from adapters.compose import read_articles  # noqa: PLC0415 - loads the reading
    from adapters.lasting import archive_path  # noqa: PLC0415 - the same
    from retrieval import CAVEAT, RetrievalError, is_opensearch  # noqa: PLC0415

    if is_opensearch(settings.archive) and not settings.articles:
        return
    if archive_path(settings).exists() and not settings.articles:
        yield "Articles: those of the archive."
        yield from _channels(settings, _sources(settings))
        return
    where = ", ".join(settings.articles) or "the seeds that come with the program"
    try:
        stock = read_articles(settings)
    except RetrievalError as error:
        yield Fault(f"Articles: none could be read from {where}. {error}")
        yield from _channels(settings, None)
        return
    outlets, caveats = stock.archive.outlets(), stock.archive.synopses(facets=[CAVEAT])
    articles, noted = sum(outlet.articles for outlet in outlets), sum(len(each.caveats) for each in caveats)
    yield f"Articles: {articles} from {where}: {stock.archive.vocabulary().size():,} sentences, {noted} caveats."
    yield from _channels(settings, [outlet.source for outlet in outlets])


def _sources(settings: Settings) -> Collection[str] | None:
    """Return the sources of the articles in the archive; None where it cannot be used."""
    from adapters.lasting import opened_archive  # noqa: PLC0415 - as above
    from retrieval import RetrievalError  # noqa: PLC0415 - the same

    try:
        with opened_archive(settings) as archive:
            return [outlet.source for outlet in archive.outlets()]
    except RetrievalError:
        return None


def _channels(settings: Settings, held: Collection[str] | None) -> Iterator[str]:
    """Say what is wrong with the file of channels; ``held`` are the sources of the articles, where those are known."""
    from adapters.channel_rules import ChannelRulesError, read_channels, unknown_sources  # noqa: PLC0415 - as above

    if not settings.channels:
        return
    try:
        channels = read_channels(settings)
    except ChannelRulesError as error:
        yield from (Fault(f"Channels: {fault}") for fault in error.faults)
        return
    except SettingsError:  # it is said where it is told how far back is asked
        return
    yield f"Channels: {settings.channels} has rules for {len(channels.named)} of them."
    yield from _unbounded(channels)
    if held is not None:
        yield from map(Fault, unknown_sources(channels, held))


def _unbounded(channels: Channels) -> Iterator[str]:
    """Say of each platform where channels are bounded to sources, and what is asked elsewhere is not."""
    for name in ("Slack", "Discord"):
        platform = name.lower()
        bounded = any(of == platform and rules.sources is not None for (of, _), rules in channels.named.items())
        if bounded and channels.defaults[platform].sources is None:
            yield (
                f"Channels: in {name}, direct messages, the app's Home and channels without a section search all"
                ' sources: write "sources" under [default] to bound them.'
            )


def _since(settings: Settings) -> Iterator[str]:
    """Say how far back is asked, where not everything is."""
    from adapters.channel_rules import since_of  # noqa: PLC0415 - as above

    try:
        since = since_of(settings)
    except SettingsError as error:
        yield Fault(f"Since: {error}")
        return
    if since:
        yield f"Since: {messages.searched_since(since.first(datetime.now(UTC).date()), 0)}"


def _archive(settings: Settings) -> Iterator[str]:
    from adapters.terminal import archiving  # noqa: PLC0415 - loads the reading
    from retrieval import RetrievalError, is_opensearch  # noqa: PLC0415

    if is_opensearch(settings.archive):
        from adapters import cluster  # noqa: PLC0415 - the same

        yield cluster.report(settings)
        return
    try:
        yield from archiving.report(settings)
    except RetrievalError as error:
        yield Fault(f"Archive: {error}")


def _open_files(settings: Settings) -> Iterator[str]:
    """Yield the files with secrets or questions that other users of this machine may read."""
    for path in (ENV_FILE, Path(settings.state) if settings.state else default_path()):
        if open_to_others(path):
            yield Fault(f"{path} can be read by other users of this machine: chmod 600 {shlex.quote(str(path))}")


def _state(settings: Settings) -> Iterator[str]:
    """Say whether a server keeps what outlasts restarts; a file is made where there is none."""
    if is_server_address(settings.state):
        try:
            Store(settings.state, settings.keep_days).close()
        except StoreError as error:
            yield Fault(f"State: {error}")
        else:
            yield f"State: kept in {discreet(settings.state)}."


def _meaning(settings: Settings) -> str:
    from adapters.compose import kept  # noqa: PLC0415 - loads the reading
    from retrieval import NoEncoderError, open_encoder  # noqa: PLC0415 - the same

    try:
        encoder = open_encoder(settings.encoder, kept(settings))
    except NoEncoderError as error:
        told = f"Meaning: compared by words alone. {error}."
        return told if settings.encoder in {"", "none", "words"} else Fault(told)  # a model that is named is wanted
    return f"Meaning: compared by {encoder.name}."


def _kept(settings: Settings) -> Iterator[str]:
    from adapters import folders  # noqa: PLC0415 - loads the reading
    from adapters.compose import kept  # noqa: PLC0415 - the same

    yield from folders.report(settings)
    yield kept(settings).report()


def _platform(settings: Settings, platform: str, module: str, extra: str, tokens: tuple[str, ...]) -> Iterator[str]:
    rows = {row.name: row for row in TABLE}
    missing = [rows[name] for name in needed(settings, tokens) if not getattr(settings, rows[name].attribute)]
    if not find_spec(module):
        yield f"{platform}: its library is not installed. {how_to_install(extra)}"
    elif missing:
        yield f"{platform}: not set up. Missing:"
        yield from (f"  {row.name}: {row.help}" for row in missing)
    else:
        yield f"{platform}: every token is set."
        # what the platform itself says to them; its package is named as its extra, and loads its library
        yield from cast("Checking", import_module(f"adapters.{extra}.service")).check(settings)


def how_to_install(extra: str) -> str:
    """Return how to install a platform's library: from the checkout, as no index has this program."""
    return f"In the checkout: pip install -e '.[{extra}]'."


def needed(settings: Settings, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens that a platform needs; Slack over HTTP has a signing secret in place of the app token."""
    if settings.slack_mode == "http" and "SLACK_APP_TOKEN" in tokens:
        return ("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET")
    return tokens


def _setting(settings: Settings, row: Setting) -> str:
    value = getattr(settings, row.attribute)
    if row.secret:
        shown = "set" if value else "not set"
    else:
        shown = ", ".join(value) if isinstance(value, tuple) else str(value)
    return f"  {row.name} = {shown or '(empty)'}"


@click.command()
@click.option("--all", "everything", is_flag=True, help="Show every setting too.")
@with_settings
def check(settings: Settings, *, everything: bool) -> None:
    """Say what is wrong, what is configured, what is missing for each platform, and where to get it."""
    from adapters.terminal.stdout import put  # noqa: PLC0415 - loads rich
    from adapters.terminal.text import plain  # noqa: PLC0415 - loads rich

    for text in report(settings, everything=everything):
        line = escape_line(text)
        put(plain(f"[!] {line}", "bold red") if isinstance(text, Fault) else plain(line), unbroken=True)
