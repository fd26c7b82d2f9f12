"""The file that ``STET_CHANNELS`` names -> what holds in which channel of Slack and Discord, and for which assistant.

It is TOML: a section ``[default]``, and one for each channel by its id, ``[slack.C0123ABCD]`` or ``[discord.1234]``,
and for each assistant by its name, ``[mcp.research]``.
What a channel's section leaves out is as by default. A file with any fault in it is refused as a whole: what a slip
of the pen leaves open would be open to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from rapidfuzz import process

from adapters.settings import Settings, SettingsError
from bot.channels import Channel, Channels, Since, read_since
from bot.errors import WrongSinceError
from retrieval import TABLE, ArticleError, decode, read_bytes, read_toml, shown

DEFAULT = "default"
CLIENT = re.compile(r"[a-z0-9][a-z0-9_-]*")  # an assistant's name
PLATFORMS = {"slack": re.compile(r"[CDG][A-Z0-9]+"), "discord": re.compile(r"\d+"), "mcp": CLIENT}
IDS = {"slack": "id of a channel of Slack", "discord": "id of a channel of Discord", "mcp": "name of an assistant"}
ALL = "all"
REPLIES = {"private": True, "public": False}
KEYS = ("sources", "replies", "follow_ups", "since")
BOUNDS = ("sources", "since")  # what alone holds for an assistant

Table = Mapping[str, object]


class ChannelRulesError(SettingsError):
    """The file of channels cannot be used; ``faults`` say why, a sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(f"STET_CHANNELS: {fault}" for fault in self.faults))


def read_channels(settings: Settings) -> Channels:
    """Return what holds in which channel; everything alike where no file is named.

    Raises ``ChannelRulesError``, and ``SettingsError`` where STET_SINCE makes no sense.
    """
    since = since_of(settings)
    told = _read(settings.channels) if settings.channels else {}
    faults = tuple(_faults(told))
    if faults:
        raise ChannelRulesError(faults)
    default = _channel(_table(told, DEFAULT), Channel(private=REPLIES[settings.replies], since=since))
    named = {
        (platform, channel): _channel(_table(_table(told, platform), channel), default)
        for platform in PLATFORMS
        for channel in _table(told, platform)
    }
    return Channels(dict.fromkeys(PLATFORMS, default), named, Channel(since=since))


def since_of(settings: Settings) -> Since | None:
    """Return how far back is asked where no channel says otherwise; ``SettingsError`` where that makes no sense."""
    try:
        return _since(settings.since) if settings.since else None
    except WrongSinceError as error:
        raise SettingsError(settings.redacted(f"STET_SINCE, --since: {error}")) from error


def _since(words: str) -> Since:
    return read_since(words, datetime.now(UTC).date())


def unknown_sources(channels: Channels, held: Collection[str]) -> Iterator[str]:
    """Say of which sources that are named there no article is ``held``, a sentence each."""
    everywhere = (*channels.defaults.values(), *channels.named.values())
    named = frozenset(source for channel in everywhere for source in channel.sources or ())
    yield from (f"STET_CHANNELS: {fault}" for fault in not_held(named, held))


def not_held(sources: Collection[str], held: Collection[str]) -> Iterator[str]:
    """Say of which of ``sources`` no article is ``held``, and which may be meant, a sentence each."""
    for source in sorted(frozenset(sources).difference(held)):
        yield f"No article held is of {shown(source)}.{_meant(source, held)}"


def _read(path: str) -> Table:
    try:
        return read_toml(decode(read_bytes(Path(path).expanduser(), TABLE)))
    except ArticleError as error:
        raise ChannelRulesError([f"{path} cannot be read. {error}"]) from error


def _faults(told: Table) -> Iterator[str]:
    """Yield all that is wrong with the file, in words."""
    for name, section in told.items():
        if name == DEFAULT:
            yield from _faults_of(name, section)
        elif name not in PLATFORMS:
            yield f"there is no section {shown(name)}.{_meant(name, (DEFAULT, *PLATFORMS))}"
        elif not isinstance(section, dict):
            yield f"{name} is no section: write [{name}.ID] for each channel, with its id."
        else:
            for channel, rules in section.items():
                if not PLATFORMS[name].fullmatch(channel):
                    yield f"{shown(channel)} is no {IDS[name]}."
                yield from _faults_of(f"{name}.{channel}", rules, BOUNDS if name == "mcp" else KEYS)


def _faults_of(name: str, rules: object, keys: Collection[str] = KEYS) -> Iterator[str]:
    if not isinstance(rules, dict):
        yield f"{shown(name)} is no section: write [{name}] above its keys."
        return
    for key in rules:
        if key not in keys:
            yield f"{shown(name)} has the key {shown(key)}, which nothing reads.{_meant(key, keys)}"
    if not _names_sources(rules.get("sources", ALL)):
        yield f'{shown(name)}: "sources" must be a list of one name or more, or "{ALL}".'
    if rules.get("replies", "private") not in tuple(REPLIES):
        yield f'{shown(name)}: "replies" must be {" or ".join(REPLIES)}.'
    yield from _faults_of_since(name, rules.get("since", ALL))
    if not isinstance(rules.get("follow_ups", True), bool):
        yield f'{shown(name)}: "follow_ups" must be true or false.'


def _faults_of_since(name: str, value: object) -> Iterator[str]:
    try:
        if value != ALL:
            # TOML has days of its own
            _since(value.isoformat() if isinstance(value, date) else value if isinstance(value, str) else "")
    except WrongSinceError as error:
        yield f'{shown(name)}: "since": {error} "{ALL}" asks everything.'


def _names_sources(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(name, str) and name.strip() for name in value)
    return value == ALL


def _meant(name: str, known: Collection[str]) -> str:
    nearest = process.extractOne(name, sorted(known))
    return f" Did you mean {shown(nearest[0])}?" if nearest else ""


def _channel(rules: Table, default: Channel) -> Channel:
    """Return what a section without faults says; what it leaves out is as in ``default``."""
    channel = default
    for key, value in rules.items():
        match key, value:
            case "sources", list():
                channel = replace(channel, sources=frozenset(value))
            case "sources", _:
                channel = replace(channel, sources=None)
            case "since", _:
                channel = replace(channel, since=None if value == ALL else _since(str(value)))
            case "replies", str():
                channel = replace(channel, private=REPLIES[value])
            case "follow_ups", bool():
                channel = replace(channel, follow_ups=value)
    return channel


def _table(told: Table, name: str) -> Table:
    table = told.get(name, {})
    return table if isinstance(table, dict) else {}
