"""``stet check``: what is wrong, what is set up, and what each platform still needs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import click

from adapters import articles
from adapters.articles import SEEDS, archive_path, changing, open_archive_of, open_service
from adapters.channel_rules import ChannelRulesError, default_since, read_channels, unknown_sources
from adapters.process import PLATFORMS, Platform, load_platform
from adapters.settings import ENV_FILE, TABLE, Fault, OutOfReach, Setting, Settings, SettingsError, discreet, load
from adapters.storage.database import open_to_others
from adapters.storage.store import Store, StoreError, default_path, is_server_address
from adapters.terminal import archiving
from adapters.terminal.options import with_settings
from adapters.terminal.reports import left_out_lines
from adapters.terminal.text import plain, put, waiting
from bot import messages
from bot.escaping import escape_line
from bot.model import Question
from retrieval import CAVEAT, MODEL, RetrievalError, UnreachableArchiveError, is_opensearch


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also show every setting.")
@click.option("--slack-blocks", is_flag=True, help="Let Slack check the layout of replies about the samples.")
@with_settings
def check(settings: Settings, *, everything: bool, slack_blocks: bool) -> int:
    """Say what is wrong, what is set up, and what each platform still needs.

    --slack-blocks sends a few replies about the sample articles to Slack's blocks.validate. Nothing is posted.
    """
    has_fault = False  # the exit status: a deployment stops on it
    for text in chain(report(settings, everything=everything), slack_says(settings) if slack_blocks else ()):
        line, is_fault = escape_line(text), isinstance(text, Fault)
        put(plain(f"[!] {line}", "bold red") if is_fault else plain(line), unbroken=True)
        has_fault |= is_fault
    return int(has_fault)


def report(settings: Settings, *, everything: bool = False) -> Iterator[str]:
    """Yield the report, what is wrong first; ``everything`` adds every setting. Secrets are left out."""
    findings = [type(line)(settings.redacted(line)) for line in _findings(settings)]
    yield from (Fault(line.strip()) for line in findings if isinstance(line, Fault))
    yield from (line for line in findings if not isinstance(line, Fault))
    yield ""
    yield f"Next: {_next_step(settings, findings)}"
    if everything:
        yield "Settings (environment or .env):"
        yield from (settings.redacted(_setting(settings, row)) for row in TABLE)
        return
    defaults = load({}, Path(os.devnull))
    changed = sum(getattr(settings, row.attribute) != getattr(defaults, row.attribute) for row in TABLE)
    yield f"Settings: {changed} of {len(TABLE)} were changed. `stet check --all` shows all of them."


def _next_step(settings: Settings, findings: Iterable[str]) -> str:
    faults = [line for line in findings if isinstance(line, Fault)]
    if not all(isinstance(line, OutOfReach) for line in faults):
        return "correct what is marked [!], then run `stet check` again."
    if faults:
        return "what is marked [!] could not be reached. Check the network, then run `stet check` again."
    if articles.uses_seeds(settings):
        return "add your own articles: `stet add PATH`. Until then, only the samples are searched."
    if not all(platform.library_fault() or platform.missing_settings(settings) for platform in PLATFORMS):
        return "start with `stet run`."
    if all(platform.library_fault() for platform in PLATFORMS):
        return "ask with `stet ask`, or install the library of a platform, as written above."
    return "ask with `stet ask`, or set up a platform: put its missing settings into the file .env in this folder."


def _findings(settings: Settings) -> Iterator[str]:
    try:
        if is_opensearch(settings.archive):
            yield articles.cluster_report(settings)
        else:
            yield from archiving.report(settings)
    except RetrievalError as error:
        kind = OutOfReach if isinstance(error, UnreachableArchiveError) else Fault
        yield kind(f"Archive: {error}")
    yield from _articles(settings)
    yield from _since(settings)
    for path in (ENV_FILE, Path(settings.state) if settings.state else default_path()):
        if open_to_others(path):
            yield Fault(f"Other users of this machine can read {path}. Run: chmod 600 {shlex.quote(str(path))}")
    yield from _state(settings)
    yield _meaning(settings)
    yield from articles.cache_report()
    for platform in PLATFORMS:
        yield from _platform(settings, platform)


def _articles(settings: Settings) -> Iterator[str]:
    if is_opensearch(settings.archive) and not settings.articles:
        yield from _channels(settings, None)
        return
    is_archive = archive_path(settings).exists() and not (settings.articles or articles.uses_seeds(settings))
    place = ", ".join(settings.articles) or "the samples that come with the program"
    sources = None
    if is_archive:
        yield "Articles: from the archive."
    try:
        opened = changing(open_archive_of(settings)) if is_archive else closing(articles.read_articles(settings)[0])
        with opened as archive:
            outlets = archive.outlets()
            sources = [outlet.source for outlet in outlets]
            if not is_archive:
                number = sum(outlet.articles for outlet in outlets)
                caveats = sum(each.by_outlet for reading in archive.readings((), [CAVEAT]) for each in reading.caveats)
                size = f"{archive.vocabulary().size():,} sentences, {caveats} caveats"
                yield f"Articles: {number} from {place}: {size}."
            for article_id, left_out in articles.beside_articles(settings, archive).items():
                yield from (f"  {article_id}: {line}" for line in left_out_lines(left_out))
    except (RetrievalError, StoreError) as error:
        if not is_archive:  # what is wrong with the archive is reported above, with the state below
            yield Fault(f"Articles: none could be read from {place}. {error}")
    yield from _channels(settings, sources)


def _channels(settings: Settings, sources: Collection[str] | None) -> Iterator[str]:
    """Check the file of channel rules; ``sources`` are those of the articles, None where they are unknown."""
    if not settings.channels:
        return
    try:
        channels = read_channels(settings)
    except ChannelRulesError as error:
        yield from (Fault(f"Channels: {fault}") for fault in error.faults)
        return
    except SettingsError:  # STET_SINCE is wrong, which is reported elsewhere
        return
    yield f"Channels: {settings.channels} has rules for {len(channels.named)} of them."
    for name in ("Slack", "Discord"):
        platform = name.lower()
        is_limited = any(of == platform and rules.sources is not None for (of, _), rules in channels.named.items())
        if is_limited and channels.defaults[platform].sources is None:
            yield (
                f"Channels: in {name}, direct messages, the app's Home and channels without a section search all"
                ' sources. To limit them, add "sources" under [default].'
            )
    if sources is not None:
        yield from map(Fault, unknown_sources(channels, sources))


def _since(settings: Settings) -> Iterator[str]:
    try:
        since = default_since(settings)
    except SettingsError as error:
        yield Fault(f"Since: {error}")
        return
    if since:
        yield f"Since: {messages.searched_since(since.first(datetime.now(UTC).date()), 0)}"


def _state(settings: Settings) -> Iterator[str]:
    place = str(settings.state or default_path())
    if not (is_server_address(place) or Path(place).exists()):  # the first answer makes the file
        return
    try:
        Store.of(settings, read_only=True).close()
    except StoreError as error:
        yield Fault(f"State: {error}")
    else:
        yield f"State: stored in {discreet(place)}."


def _meaning(settings: Settings) -> str:
    models = articles.meaning(settings)
    if not models:
        return "Meaning: compared by words only. STET_ENCODER is none."
    if fault := models.fault():
        return Fault(f"Meaning: compared by words only. {fault}.")
    return f"Meaning: compared by {MODEL}."


def _platform(settings: Settings, platform: Platform) -> Iterator[str]:
    missing = platform.missing_settings(settings)
    if fault := platform.library_fault():
        yield f"{platform.name}: {fault}"
    elif len(missing) == len(platform.needs):
        yield f"{platform.name}: not set up. Missing:"
        yield from (f"  {row.name}: {row.help}" for row in missing)
    else:
        module = load_platform(platform.package)
        with waiting(f"Asking {platform.name}"):
            lines = tuple(module.check(settings))
        has_fault = any(isinstance(line, Fault) for line in lines)
        yield f"{platform.name}: {'see what is marked [!].' if has_fault else 'every token is set.'}"
        yield from lines


def slack_says(settings: Settings) -> Iterator[str]:
    """Yield what Slack says of the layout of three replies about the samples."""
    if not settings.slack_bot_token:
        yield Fault("--slack-blocks needs SLACK_BOT_TOKEN.")
        return
    from adapters.slack.service import check_blocks  # noqa: PLC0415 - loads Slack's library

    service = open_service(replace(load({}, Path(os.devnull)), articles=(str(SEEDS),)))
    replies = {name: service.command(name, "", Question("")) for name in ("help", "sources", "unverified")}
    with waiting("Asking Slack"):
        lines = check_blocks(settings, {f"/{name}": reply for name, reply in replies.items()})
    yield from lines


def _setting(settings: Settings, row: Setting) -> str:
    value = getattr(settings, row.attribute)
    if row.secret:
        text = "set" if value else "not set"
    else:
        text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return f"  {row.name} = {text or '(empty)'}"
