"""The file that ``STET_CHANNELS`` names -> the rules for channels of Slack and Discord, and for assistants.

It is TOML: a section ``[default]``, one for each channel by its id, ``[slack.C0123ABCD]`` or ``[discord.1234]``, and
one for each assistant by its name, ``[mcp.research]``. Keys that a section leaves out are as in ``[default]``.
A file with any mistake in it is refused as a whole: a misspelt limit would leave articles open to everybody.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from rapidfuzz import process

from adapters.settings import Settings, SettingsError
from bot.channels import Channel, Channels, Since, read_since
from bot.errors import WrongSinceError
from retrieval import TABLE, ArticleError, decode, read_bytes, read_toml, shown

DEFAULT = "default"
CLIENT = re.compile(r"[a-z0-9][a-z0-9_-]*")  # an assistant's name
PLATFORMS = {"slack": re.compile(r"[CDG][A-Z0-9]+"), "discord": re.compile(r"\d+"), "mcp": CLIENT}
IDS = {"slack": "the id of a Slack channel", "discord": "the id of a Discord channel", "mcp": "an assistant's name"}
ALL = "all"
REPLIES = {"private": True, "public": False}
KEYS = ("sources", "replies", "follow_ups", "steps", "since")
ASSISTANT_KEYS = ("sources", "since")

Table = Mapping[str, Any]


class ChannelRulesError(SettingsError):
    """The file of channel rules cannot be used; ``faults`` say why, a sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(f"STET_CHANNELS: {fault}" for fault in self.faults))


def read_channels(settings: Settings) -> Channels:
    """Return the rules of each channel; the same for all where no file is named.

    Raises ``ChannelRulesError``, and ``SettingsError`` where STET_SINCE is wrong.
    """
    since = default_since(settings)
    content: Table = {}
    if settings.channels:
        try:
            content = read_toml(decode(read_bytes(Path(settings.channels), TABLE)))
        except ArticleError as error:
            raise ChannelRulesError([f"{settings.channels} cannot be read. {error}"]) from error
    if faults := tuple(_faults(content)):
        raise ChannelRulesError(faults)
    default = _channel(content.get(DEFAULT, {}), Channel(since=since))
    channels = {
        (platform, channel): _channel(rules, default)
        for platform in PLATFORMS
        for channel, rules in content.get(platform, {}).items()
    }
    return Channels(dict.fromkeys(PLATFORMS, default), channels, Channel(since=since))


def default_since(settings: Settings) -> Since | None:
    """Return the start of what is searched where no channel says otherwise; ``SettingsError`` if it is wrong."""
    try:
        return _since(settings.since) if settings.since else None
    except WrongSinceError as error:
        raise SettingsError(settings.redacted(f"STET_SINCE, --since: {error}")) from error


def _since(words: str) -> Since:
    return read_since(words, datetime.now(UTC).date())


def unknown_sources(channels: Channels, available: Collection[str]) -> Iterator[str]:
    """Say, a sentence each, which sources in the rules have no article."""
    every = (*channels.defaults.values(), *channels.named.values())
    sources = frozenset(source for channel in every for source in channel.sources or ())
    yield from (f"STET_CHANNELS: {fault}" for fault in missing_sources(sources, available))


def missing_sources(sources: Collection[str], available: Collection[str]) -> Iterator[str]:
    """Say, a sentence each, which of ``sources`` have no article, and the closest one that has."""
    for source in sorted(frozenset(sources).difference(available)):
        yield f"There is no article from {shown(source)}.{_suggestion(source, available)}"


def _faults(content: Table) -> Iterator[str]:
    for name, section in content.items():
        if name == DEFAULT:
            yield from _section_faults(name, section, KEYS)
        elif name not in PLATFORMS:
            yield f"There is no section {shown(name)}.{_suggestion(name, (DEFAULT, *PLATFORMS))}"
        elif not isinstance(section, dict):
            yield f"{name} is not a section. Write [{name}.ID] for each channel, with its id."
        else:
            for channel, rules in section.items():
                if not PLATFORMS[name].fullmatch(channel):
                    yield f"{shown(channel)} is not {IDS[name]}."
                yield from _section_faults(f"{name}.{channel}", rules, ASSISTANT_KEYS if name == "mcp" else KEYS)


def _section_faults(name: str, rules: object, keys: Collection[str]) -> Iterator[str]:
    if not isinstance(rules, dict):
        yield f"{shown(name)} is not a section. Write [{name}] above its keys."
        return
    for key in rules:
        if key not in keys:
            yield f"{shown(name)} has an unknown key {shown(key)}.{_suggestion(key, keys)}"
    sources = rules.get("sources", ALL)
    is_list = isinstance(sources, list) and sources and all(isinstance(each, str) and each.strip() for each in sources)
    if not is_list and sources != ALL:
        yield f'{shown(name)}: "sources" must be a list of one name or more, or "{ALL}".'
    if rules.get("replies", "private") not in tuple(REPLIES):
        yield f'{shown(name)}: "replies" must be {" or ".join(REPLIES)}.'
    since = rules.get("since", ALL)
    try:
        if since != ALL:
            # TOML has dates of its own
            _since(since.isoformat() if isinstance(since, date) else since if isinstance(since, str) else "")
    except WrongSinceError as error:
        yield f'{shown(name)}: "since": {error} "{ALL}" searches everything.'
    for key in ("follow_ups", "steps"):
        if not isinstance(rules.get(key, True), bool):
            yield f'{shown(name)}: "{key}" must be true or false.'


def _suggestion(name: str, known: Collection[str]) -> str:
    nearest = process.extractOne(name, sorted(known), score_cutoff=70)
    return f" Did you mean {shown(nearest[0])}?" if nearest else ""


def _channel(rules: Table, default: Channel) -> Channel:
    """Return the rules of a section without faults; missing keys are as in ``default``."""
    values = dict(rules)
    if "sources" in rules:
        values["sources"] = None if rules["sources"] == ALL else frozenset(rules["sources"])
    if "since" in rules:
        values["since"] = None if rules["since"] == ALL else _since(str(rules["since"]))
    if "replies" in rules:
        values["private"] = REPLIES[values.pop("replies")]
    return replace(default, **values)
