"""The rules of each channel: which articles it sees, who sees answers, follow-ups; and who may ask on each platform.

An empty list allows everybody; a list allows those it names. Without a place, a question comes from this machine's own
terminal, which is never refused.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from bot.errors import WrongSinceError
from bot.model import Place, Question

_SPAN = re.compile(r"(\d{1,4}) ?(d|days?|w|weeks?|m|months?|y|years?)", re.ASCII | re.IGNORECASE)
_DAYS = {"d": 1, "w": 7}
_MONTHS = {"m": 1, "y": 12}
MONTHS = 12
WORDS = {"today": "0d", "yesterday": "1d", "last week": "1 week", "last month": "1 month", "last year": "1 year"}


@dataclass(frozen=True, slots=True)
class Since:
    """A ``day``, or else a span that ends on the day of asking: ``days`` and ``months`` long."""

    day: date | None = None
    days: int = 0
    months: int = 0

    def first(self, today: date) -> date:
        """Return the first day that is within; one that its month has not is the month's last."""
        if self.day:
            return self.day
        year, month = divmod(today.year * MONTHS + today.month - 1 - self.months, MONTHS)
        last = monthrange(year, month + 1)[1]
        return date(year, month + 1, min(today.day, last)) - timedelta(days=self.days)


def read_since(words: str, today: date) -> Since:
    """Return what ``words`` say; ``WrongSinceError`` where they say no day, or one that is still to come."""
    span = _SPAN.fullmatch(WORDS.get(" ".join(words.lower().split()), words.strip()))
    try:
        if span:
            number, unit = int(span[1]), span[2][0].lower()
            since = Since(days=number * _DAYS.get(unit, 0), months=number * _MONTHS.get(unit, 0))
        else:
            since = Since(date.fromisoformat(words.strip()))
        first = since.first(today)
    except (ValueError, OverflowError) as error:
        raise WrongSinceError(
            f"“{words}” is no day and no span of time: write 2025-01-31, 30d, 2 weeks, 6 months or 1 year."
        ) from error
    if first > today:
        raise WrongSinceError(f"{first.isoformat()} is still to come, and nothing was published since then.")
    return since


@dataclass(frozen=True, slots=True)
class Channel:
    """The rules of a channel.

    ``sources`` are those of the articles that it sees, all if ``None``. ``private`` answers to commands are for the
    asker alone. Without ``follow_ups`` only what names the bot is answered. ``steps`` are those of Slack's workflows.
    """

    sources: frozenset[str] | None = None
    private: bool = True
    follow_ups: bool = True
    steps: bool = False
    since: Since | None = None


EVERYTHING = Channel()


@dataclass(frozen=True, slots=True)
class Channels:
    """The rules of each channel, by platform and id; other channels of a platform have its defaults.

    ``elsewhere`` are the rules of this machine's own terminal and of the page.
    """

    defaults: Mapping[str, Channel] = field(default_factory=dict)
    named: Mapping[tuple[str, str], Channel] = field(default_factory=dict)
    elsewhere: Channel = EVERYTHING

    def of(self, place: Place | None) -> Channel:
        if place is None:
            return self.elsewhere
        default = self.defaults.get(place.platform, self.elsewhere)
        return self.named.get((place.platform, place.channel or ""), default)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may ask on one platform: ids of workspaces (guilds), channels, people and groups (roles)."""

    workspaces: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    outsiders: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The rule per platform; a platform without a rule allows everybody but outsiders."""

    platforms: tuple[tuple[str, Allowed], ...] = ()

    def refuses(self, question: Question) -> bool:
        asker, place = question.asker, question.place
        if place is None or asker is None:
            return False
        allowed = dict(self.platforms).get(place.platform, Allowed())
        is_listed = asker.id in allowed.people or not set(asker.groups).isdisjoint(allowed.groups)
        return not (
            (allowed.outsiders or not asker.outsider)
            and (not allowed.workspaces or place.workspace in allowed.workspaces)
            and (not allowed.channels or place.channel in allowed.channels)
            and (is_listed or not (allowed.people or allowed.groups))
        )
