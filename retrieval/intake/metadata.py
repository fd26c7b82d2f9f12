"""What is known of an article beside its text -> the fields of ``Article``.

The same keys wherever they stand: front matter, a line of JSON, ``articles.toml``, the head of a web page.
A key that is wrong is refused, never guessed at, and so is one that looks like ours and is not; every other is left
alone. Capital letters make no difference, nor do letters of other widths.

An embargo that nobody reads would let an article out at once. Where one seems to be meant and none was read (a key that
is nearly ``embargo``, one inside another key, a line above the text as wires write it), the article is refused.
"""

from __future__ import annotations

import re
import time as clock
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from itertools import islice
from unicodedata import category, normalize

from rapidfuzz.distance import OSA

from retrieval.errors import BrokenFrontMatterError, EmptyArticleError, UnreadableArticleError
from retrieval.limits import AHEAD, ARTICLE, EARLIEST, ID, METADATA, Limit, shown
from retrieval.model import Article

Keys = Mapping[str, object]

# Our names, and what they are called as well; where both are given, ours is believed.
_OTHER_NAMES = (("source", "publisher"), ("published", "date"))
KNOWN = frozenset("id title source publisher url published date author wire embargo".split())
EMBARGO = "embargo"
_LETTERS = 5  # of a name, one of which may be wrong for a key to be a misprint of it: "data" is no "date"

_FIRST_LINES = 10  # of a text, not counting empty ones, in which an embargo may be announced
_LINE_START = 200  # characters of such a line that are looked at
_LAST_ZONE = timezone(timedelta(hours=-12))  # where a day ends last

# What announces an embargo, and is no sentence about one: how news writes of arms and oil must match nothing of this.
_WHEN = (
    r"(?:\d{1,2}[:.h]\d\d|\d\s*[ap]\.?m\b|\d{4}-\d\d-\d\d|\d{4}\s*(?:gmt|utc|cet|bst|est|edt|hrs|hours)|midnight|noon)"
)
_NOTICE = re.compile(
    rf"""
    (?:^ | [(\[{{|*–—:] | \s-\s | [.!]\s)                # at the beginning, or set apart
    [^\w(\[]* (?:(?:strict(?:ly)?|under|news|press|media|publication|note|notice|attention|still|is)\b[\s,:–—-]*){{0,3}}
    (?: embargo(?:ed)? (?:[\s_-]*(?:date|time|day|until|till|ends?|lifts?|expires?|period|notice|at)){{0,3}}
        ["'*_]* \s* [:=]
      | embargo(?:ed)? ,? \s+ (?:strictly\s+)? (?:un)?till? \b
      | embargoed \s+ (?:for|against|pending) \s+ (?:\w+\s+)? (?:release|publication|broadcast|use)
      | embargo(?:ed)? \s (?:\w+\s){{0,4}} [^\w]* {_WHEN}
      | embargo(?:ed)? \W* $
      | (?:not|hold) \s+ for \s+ (?:release|publication|broadcast) \s+ (?:(?:un)?till?|before) \b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYED_NOTICE = re.compile(r"""["']embargo\w*["']\s*:|\bembargo\w*\s*[:=]\s*["']?\d{4}-\d\d""", re.IGNORECASE)
_CAPITAL_NOTICE = re.compile(r"\bEMBARGOED\s+(?:UNTIL|TILL|TO|FOR|AT)\b|\bUNDER\s+EMBARGO\b")  # in capital letters

_CREDENTIALS = re.compile(r"(?<=://)[^\s/]*@")
_YEAR_FIRST = re.compile(r"\A(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)", re.ASCII)  # no order but one can be meant
_UNWRITTEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # no key of an article has such a character


@dataclass(frozen=True, slots=True)
class Draft:
    """An article not yet checked: the id it falls back on, its text as it came, its keys, and its file.

    ``line`` is its line in the file, 0 where the file is one article.
    """

    name: str
    text: str
    keys: Keys
    path: str
    line: int = 0

    @property
    def place(self) -> str:
        """The file, and its line where it has several articles, in words."""
        return f"{self.path}, line {self.line}" if self.line else self.path


def finish(draft: Draft, known: Keys, zone: tzinfo | None = None) -> Article:
    """Return the checked article; ``known`` fills the keys that it does not carry itself.

    ``zone`` is that of an embargo whose time says nothing of it.
    Raises ``ArticleError`` where there is no text, where it is not text, or where a key is wrong.
    """
    text = _text(draft.text)
    _refuse_misprints(draft, known)
    keys = _renamed(known) | _renamed(draft.keys)
    if EMBARGO not in keys:
        _refuse_notice(text)
    return Article(
        id=_words(keys, "id", ID) or draft.name,
        text=text,
        path=draft.path,
        title=_words(keys, "title"),
        source=_words(keys, "source"),
        url=_address(keys),
        published=_day(keys),
        author=_words(keys, "author"),
        wire=_words(keys, "wire"),
        embargo=_embargo(keys, zone),
    )


def plain(key: str) -> str:
    """Return a key as it is compared: in small letters of one width, without characters that show nothing."""
    return "".join(c for c in normalize("NFKC", key) if category(c) != "Cf").strip().lower()


def _address(keys: Keys) -> str | None:
    """Return the article's address without whoever connects, and without the password: readers are shown it."""
    url = _words(keys, "url")
    return url and _CREDENTIALS.sub("", url)


def nearest(key: str) -> str | None:
    """Return the name of ours that a key is a misprint of; None where it is one of ours, or like none."""
    key = plain(key)
    if key in KNOWN:
        return None
    if EMBARGO in key:
        return EMBARGO
    long = (name for name in sorted(KNOWN) if len(name) >= _LETTERS)
    return next((name for name in long if OSA.distance(key, name) <= len(name) // _LETTERS), None)


def embargoes(keys: Keys) -> Iterator[tuple[str, object]]:
    """Yield what among keys, and inside them, looks like an embargo: the way there ("meta.embargo") and the value."""
    left = [(str(key), str(key), value) for key, value in keys.items()]
    while left:
        way, key, value = left.pop()
        if plain(key) == EMBARGO or nearest(key) == EMBARGO:
            if value:
                yield way, value
        elif isinstance(value, str):
            if is_notice(value):
                yield way, value
        elif isinstance(value, Mapping):
            left.extend((f"{way}.{inside}", str(inside), each) for inside, each in value.items())
        elif isinstance(value, list):
            left.extend((way, "", each) for each in value)


def is_past(value: object) -> bool:
    """Return whether an embargo has surely ended, whatever its zone is."""
    try:
        until = _embargo({EMBARGO: value}, _LAST_ZONE)
    except BrokenFrontMatterError:
        return False
    return until is None or until.timestamp() <= clock.time()


def is_notice(line: str) -> bool:
    """Return whether a line announces an embargo, as wires write above a text."""
    line = normalize("NFKC", line[:_LINE_START])
    return any(notice.search(line) for notice in (_NOTICE, _KEYED_NOTICE, _CAPITAL_NOTICE))


def _refuse_misprints(draft: Draft, known: Keys) -> None:
    """Raise ``BrokenFrontMatterError`` for a key that is like one of ours, and for an embargo inside another key.

    Lines of JSON have keys of their own, and a table is told of elsewhere: of these it is the embargo alone.
    """
    for key in () if draft.line else draft.keys:
        if meant := nearest(key):
            raise BrokenFrontMatterError(f"Nothing reads its {shown(key)}: write “{meant}”, or take it away.")
    keys = {**known, **draft.keys}
    is_read = EMBARGO in map(plain, keys)
    for way, value in embargoes(keys):
        if way in keys and nearest(way) == EMBARGO:
            raise BrokenFrontMatterError(f"Nothing reads its {shown(way)}: write “{EMBARGO}”, or take it away.")
        if not (is_read or is_past(value)):
            raise BrokenFrontMatterError(
                f"Its {shown(way)} speaks of an embargo that nothing reads: write “{EMBARGO}” beside its title,"
                " or a past day there if there is none."
            )


def _refuse_notice(text: str) -> None:
    """Raise ``BrokenFrontMatterError`` where the first lines announce an embargo, which nothing has read."""
    lines = (line.strip() for line in islice((line for line in text.split("\n") if line.strip()), _FIRST_LINES))
    notice = next(filter(is_notice, lines), None)
    if notice:
        raise BrokenFrontMatterError(
            f"Its line {shown(notice)} speaks of an embargo that nothing reads: write `embargo: 2026-03-01T18:00+01:00`"
            " among its particulars, between two lines `---` at the beginning, or a past day if there is none."
        )


def _text(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise EmptyArticleError("There is nothing in it but white space: put a text there, or take it away.")
    ARTICLE.check(len(text))
    if "\0" in text:
        raise UnreadableArticleError("It is not a text: save the article as plain text in UTF-8.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnreadableArticleError("It holds half a character: save the article again in UTF-8.") from error
    return text


def _renamed(keys: Keys) -> dict[str, object]:
    """Return the keys that say something, under our names."""
    found: dict[str, object] = {}
    for key, value in keys.items():
        if value is not None and value != "":
            ours = plain(key)
            if ours in KNOWN and ours in found:
                raise BrokenFrontMatterError(f"It says “{ours}” twice: take one away.")
            found[ours] = value
    for ours, other in _OTHER_NAMES:
        if other in found:
            found.setdefault(ours, found[other])
    return found


def _words(keys: Keys, key: str, limit: Limit = METADATA) -> str | None:
    match keys.get(key):
        case None:
            return None
        case str(words) if words.strip():
            limit.check(len(words))
            if _UNWRITTEN.search(words):
                raise BrokenFrontMatterError(f"Its “{key}” holds a control character: write it anew.")
            return " ".join(words.split())
        # YAML and JSON take "1984" for a figure
        case int(figure) if not isinstance(figure, bool) and abs(figure) < 10**ID.most:
            return str(figure)
        case other:
            raise BrokenFrontMatterError(f"Its “{key}” is {shown(other)}: write that as words, in quotation marks.")


def _day(keys: Keys) -> date | None:
    match keys.get("published"):
        case None:
            return None
        case datetime() as moment:
            return _likely(moment.date())
        case date() as day:
            return _likely(day)
        case str(words):
            try:
                return _likely(datetime.fromisoformat(_YEAR_FIRST.sub(_dashed, words.strip())).date())
            except ValueError as error:
                raise _wrong_day(words) from error
        case other:
            raise _wrong_day(other)


def _dashed(match: re.Match[str]) -> str:
    return "-".join(part.zfill(2) for part in match.groups())


def _embargo(keys: Keys, zone: tzinfo | None) -> datetime | None:
    """Return when the embargo ends: at a day's beginning, where no hour is told; in ``zone``, where none is."""
    match keys.get(EMBARGO):
        case None:
            return None
        case datetime() as moment:
            return _in_zone(moment, zone)
        case date() as day:
            return _in_zone(datetime.combine(day, time()), zone)
        case str(words):
            try:
                moment = datetime.fromisoformat(words.strip())
            except ValueError as error:
                raise _wrong_moment(words) from error
            return _in_zone(moment, zone)
        case other:
            raise _wrong_moment(other)


def _in_zone(moment: datetime, zone: tzinfo | None) -> datetime:
    if moment.tzinfo is None and zone is None:
        told = moment.isoformat(timespec="minutes")
        raise BrokenFrontMatterError(
            f"The embargo {told} says nothing of the time zone: write it as {told}+01:00 or {told}Z,"
            " or name the zone of all in STET_TIMEZONE."
        )
    if moment.tzinfo is None:
        # of an hour that comes twice, the second: nobody is to see it early
        moment = max((moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1)), key=datetime.timestamp)
    try:
        return datetime.fromisoformat(moment.isoformat())  # with the offset of that day
    except ValueError as error:
        raise _wrong_moment(moment) from error


def _wrong_moment(value: object) -> BrokenFrontMatterError:
    return BrokenFrontMatterError(f"The embargo {shown(value)} cannot be read: write it as 2022-04-05T18:00+01:00.")


def _likely(day: date) -> date:
    if not EARLIEST <= day <= datetime.now(UTC).date() + AHEAD:
        raise BrokenFrontMatterError(
            f"The date {day.isoformat()} is no day of an article: write when it was published."
        )
    return day


def _wrong_day(value: object) -> BrokenFrontMatterError:
    return BrokenFrontMatterError(f"The date {shown(value)} cannot be read: write it as 2022-04-05.")
