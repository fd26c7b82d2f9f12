"""The settings: type, default, secret; words in ``settings.toml``. The only reader of the environment and of ``.env``.

``load`` gives a frozen ``Settings``; a misspelt ``STET_…`` is an error that names the closest setting.
``.env.example`` is generated from the same class, and a test compares them.

Also here, because everything that reads settings needs it: ``Fault``, a line of ``stet check`` that says what is wrong.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from os.path import expanduser
from pathlib import Path
from typing import Any, get_origin
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from rapidfuzz import process

PREFIX = "STET_"
TEXTS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
HELP, REMOVED = TEXTS["help"], TEXTS["removed"]
ENV_FILE = Path(".env")
CREDENTIALS = re.compile(r"(?<=://)[^\s/]*@")
# Tokens as Slack and Discord write them, anywhere in a text; and what may be a token if it is a whole value.
TOKEN = re.compile(r"\b(?:xox[a-z]|xapp)-[\w-]+|(?<![\w-])[\w-]{23,}+\.[\w-]{6,7}\.[\w-]{27,}")
OPAQUE = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+=-]{20,}|[0-9a-f]{32,}")
LEAST_SECRET_CHARACTERS = 4  # a shorter one is part of ordinary words


class SettingsError(Exception):
    """A setting is unknown or has a wrong value; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. ``of`` is the type its value is parsed as.

    ``clean`` makes a text, or a part of a list, usable as people write it. For a list it may raise ``ValueError`` with
    what is wrong.
    """

    default: str
    secret: bool = False
    of: type = str
    choices: tuple[str, ...] = ()
    clean: Callable[[str], str] = str
    prefix: str = PREFIX
    attribute: str = ""
    help: str = ""

    @property
    def name(self) -> str:
        return self.prefix + self.attribute.upper()


def _domain(text: str) -> str:
    """Return the host of a domain or an address."""
    host = urlsplit(text if "//" in text else f"//{text}").hostname or ""
    if "." not in host:
        raise ValueError("must be domains, such as post.example")
    return host


def _number(text: str) -> str:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("must be whole numbers, such as 1,1")
    return text


def _discord_id(text: str) -> str:
    if not re.fullmatch(r"[0-9\s]+", text):
        raise ValueError("must be ids, which are numbers on Discord. Use Copy ID in its menus")
    return text


def _setting(default: str = "", **more: Any) -> Any:  # noqa: ANN401 - of the type in its annotation
    return field(metadata={"default": default, **more})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; each is named as in the environment, without ``STET_``."""

    articles: tuple[str, ...] = _setting(clean=expanduser)
    archive: str = _setting(clean=expanduser)
    timezone: str = _setting(of=ZoneInfo)
    archive_login: str = _setting(secret=True)
    archive_ca: str = _setting(clean=expanduser)
    archive_shards: tuple[str, ...] = _setting("1,1", clean=_number)
    feeds: tuple[str, ...] = _setting()
    silence_hours: int = _setting("24")
    alarm_channel: str = _setting()
    since: str = _setting()
    encoder: str = _setting("e5", choices=("e5", "none"))
    sure: float = _setting("0.8")
    debug: bool = _setting("0")
    health: str = _setting()
    log_format: str = _setting("text", choices=("text", "json"))
    state: str = _setting(clean=expanduser)
    keep_days: int = _setting("90")
    people: tuple[str, ...] = _setting()
    allow_outsiders: bool = _setting("0")
    handover: tuple[str, ...] = _setting()
    channels: str = _setting(clean=expanduser)
    unfurl: tuple[str, ...] = _setting(clean=_domain)
    page_url: str = _setting()
    page_secret: str = _setting(secret=True)
    page_port: int = _setting("8070")
    mcp_tokens: tuple[str, ...] = _setting(secret=True)
    host: str = _setting("127.0.0.1")
    mcp_port: int = _setting("8072")
    slack_bot_token: str = _setting(prefix="", secret=True)
    slack_app_token: str = _setting(prefix="", secret=True)
    slack_signing_secret: str = _setting(prefix="", secret=True)
    slack_api_url: str = _setting("https://slack.com/api/", prefix="")
    slack_mode: str = _setting("socket", choices=("socket", "http"))
    slack_host: str = _setting("127.0.0.1")
    slack_port: int = _setting("3000")
    slack_channels: tuple[str, ...] = _setting()
    discord_token: str = _setting(prefix="", secret=True)
    discord_api_base: str = _setting("https://discord.com/api/v10", prefix="")
    discord_gateway_url: str = _setting(prefix="")
    discord_content: bool = _setting("0")
    discord_guilds: tuple[str, ...] = _setting(clean=_discord_id)
    discord_channels: tuple[str, ...] = _setting(clean=_discord_id)

    @property
    def zone(self) -> ZoneInfo | None:
        return ZoneInfo(self.timezone) if self.timezone else None

    def redacted(self, text: str) -> str:
        """Return ``text`` without the secrets, and without what looks like one but was set under another name."""
        secrets = set[str]()
        for row in TABLE:
            value = getattr(self, row.attribute)
            for part in value if isinstance(value, tuple) else (str(value),):
                if row.secret:
                    secrets |= {part, part.partition(":")[2].partition(":")[0]}  # an assistant's is NAME:TOKEN:DAY
                elif OPAQUE.fullmatch(part):
                    secrets.add(part)
        for secret in sorted(secrets, key=len, reverse=True):
            if len(secret) >= LEAST_SECRET_CHARACTERS:
                text = text.replace(secret, "…")
        return TOKEN.sub("…", discreet(text))

    def __repr__(self) -> str:
        secret = {row.attribute for row in TABLE if row.secret}
        parts = (f"{f.name}={'…' if f.name in secret else discreet(repr(getattr(self, f.name)))}" for f in fields(self))
        return f"Settings({', '.join(parts)})"


TABLE = tuple(
    Setting(**{"of": get_origin(each.type) or each.type, **each.metadata}, attribute=each.name, help=HELP[each.name])
    for each in fields(Settings)
)


def own_ids(platform: str, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids that are of Slack, or of Discord, whose ids are numbers."""
    return tuple(each for each in ids if each and each.isdigit() == (platform == "discord"))


def discreet(text: str) -> str:
    """Return a text in which addresses have no user name and no password."""
    return CREDENTIALS.sub("…@", text)


def _probability(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1.0:  # also refuses "nan"
        raise ValueError
    return value


BOOLEANS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
# What reads a value of each type, and what is said where it raises.
READERS: dict[type, tuple[Callable[[str], object], str]] = {
    bool: (lambda text: BOOLEANS[text.lower()], "has another value. Set it to 1 or 0"),
    int: (lambda text: int(_number(text)), "must be a whole number, such as {}"),
    float: (_probability, "must be a number from 0 to 1, such as {}"),
    ZoneInfo: (lambda name: name and ZoneInfo(name).key, "is not a time zone. Set it to one such as Europe/Berlin"),
}


def _value(row: Setting, text: str) -> object:
    """Parse a value; a refusal doesn't repeat it, because it may be a token under the wrong name."""
    if row.choices and text not in row.choices:
        raise SettingsError(f"{row.name} has another value. Set it to {' or '.join(row.choices)}.")
    try:
        if row.of is tuple:
            separator = os.pathsep if row.name == "STET_ARTICLES" else ","
            return tuple(row.clean(part.strip()) for part in text.split(separator) if part.strip())
        return row.clean(text) if row.of is str else READERS[row.of][0](text)
    except (KeyError, ValueError, OSError) as error:
        fault = str(error) if row.of is tuple else READERS[row.of][1].format(row.default)
        raise SettingsError(f"{row.name} {fault}.") from None  # a traceback does not repeat it either


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    for removed, advice in REMOVED.items():
        name, _, value = removed.partition("=")
        if environment.get(name) and environment[name].startswith(value):
            raise SettingsError(f"{removed} was removed. {advice}")
    known = [row.name for row in TABLE]
    for name in sorted(environment):
        if name.startswith(PREFIX) and not name.startswith("STET_TEST_") and name not in known:
            nearest, _, _ = process.extract(name, known, limit=1)[0]
            raise SettingsError(f"There is no setting {name}. Did you mean {nearest}? `stet check --all` lists them.")


def load(environment: Mapping[str, str] | None = None, env_file: Path = ENV_FILE) -> Settings:
    """Return the settings of the environment, then ``env_file``, then the defaults; an empty value counts as unset.

    Raises ``SettingsError`` for an unknown ``STET_…`` name and for a wrong value.
    """
    environment = os.environ if environment is None else environment
    try:
        values = {name: value or "" for name, value in dotenv_values(env_file).items()}
    except UnicodeDecodeError as error:
        raise SettingsError(f"{env_file.resolve()} is not UTF-8. Save it again as UTF-8.") from error
    values |= {name: value for name, value in environment.items() if value}
    _refuse_unknown(values)
    parsed: dict[str, Any] = {row.attribute: _value(row, values.get(row.name) or row.default) for row in TABLE}
    return Settings(**parsed)


def example() -> str:
    head = "# Copy to .env and fill in what you need. You can also set everything in the environment.\n"
    return head + "".join(f"\n# {row.help}\n# {row.name}={row.default}\n" for row in TABLE)


class Fault(str):
    """A line that says what is wrong, and what to do."""

    __slots__ = ()


class OutOfReach(Fault):
    """A line that says what could not be asked; there may be nothing to correct but the network."""
