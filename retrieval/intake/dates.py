"""A day as people and programs write it -> the day, where no other can be meant.

>>> day_of("Friday, December 23rd, 2022")
datetime.date(2022, 12, 23)
>>> day_of("23/12/2022")
datetime.date(2022, 12, 23)
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from itertools import chain

from retrieval.lexicon.word_classes import ordered

_MONTHS = {
    name: number
    for names in (ordered("months"), [month[:3] for month in ordered("months")])
    for number, name in enumerate(names, start=1)
} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DAYS = chain.from_iterable(map(ordered, ("weekdays", "short_weekdays", "house_weekdays")))
_WEEKDAY = rf"(?:(?:{'|'.join(_DAYS)})\b\.?,?\s+)?"
_HOUR = r"\d{1,2}(?:[:.]\d\d){0,2}(?:[.,]\d+)?\s*(?:[ap]\.?m\.?|h|hrs|hours)?"
_ZONE = r"(?:[+-]\d\d:?\d\d|\(?[a-z]{1,5}(?:[+-]\d{1,4})?\)?|local\s+time|\([a-z .]{1,40}\))"
_CLOCK = rf"(?:(?:[\s,–—|-]+|t)(?:at\s+|around\s+)?{_HOUR}(?:\s*{_ZONE}){{0,3}})?"
_BEFORE = rf"(?:(?:first\s+)?(?:published|posted|dated?)(?:\s+on)?\s*:?\s+)?{_WEEKDAY}(?:(?:on\s+)?the\s+)?"
_ORDERS = (
    rf"{_DAY}[\s-]+(?:of\s+)?{_MONTH},?[\s-]+{_YEAR}",
    rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
    rf"{_YEAR}[\s-]+{_MONTH}[\s-]+{_DAY}",
    r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)",
)
_WRITTEN = tuple(re.compile(f"{_BEFORE}{order}{_CLOCK}", re.IGNORECASE | re.ASCII) for order in _ORDERS)
_NUMBERS = re.compile(rf"{_WEEKDAY}(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}}){_CLOCK}", re.IGNORECASE | re.ASCII)
_UNNAMED = re.compile(r"\?P<\w+>|\?P=")
_ANY = re.compile(
    rf"\b(?:{'|'.join(_UNNAMED.sub('', order) for order in _ORDERS)}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}})\b",
    re.IGNORECASE | re.ASCII,
)
_LONGEST = 100  # characters


class UnclearDayError(ValueError):
    """No day, or more than one, may be meant; the message is a sentence for people."""


def day_of(written: str) -> date:
    """Return the day that is written, with its moment where it is in ISO 8601. Raises ``UnclearDayError``."""
    written = " ".join(written.split())[:_LONGEST]
    with suppress(ValueError):
        return datetime.fromisoformat(written)
    if match := next(filter(None, (pattern.fullmatch(written) for pattern in _WRITTEN)), None):
        month = match["month"].lower()
        orders = [(int(match["year"]), _MONTHS.get(month) or int(month), int(match["day"]))]
    elif match := _NUMBERS.fullmatch(written):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        orders = [(year, second, first), (year, first, second)]
    else:
        raise UnclearDayError("It names no day that can be read.")
    days = list[date]()
    for order in dict.fromkeys(orders):
        with suppress(ValueError):
            days.append(date(*order))
    if len(days) != 1:
        either = " or ".join(f"{day.day} {day:%B %Y}" for day in days)
        raise UnclearDayError(f"It may be {either}." if days else "There is no such day.")
    return days[0]


def day_in(line: str) -> date | None:
    """Return the first day that a line names; None where it names none. Raises ``UnclearDayError``."""
    match = _ANY.search(line)
    return day_of(match[0]) if match else None
