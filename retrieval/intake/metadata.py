"""An article's metadata -> the fields of ``Article``.

The keys are the same everywhere: front matter, a line of JSON, ``articles.toml``, the head of a web page.
A wrong value is refused, never guessed at, and so is a key that is nearly one of ours; other keys are ignored, unless
they say that the article is not published. Case and full-width letters make no difference. An article whose day cannot
be read, or may be one of two, is taken in without it, with a warning.

An embargo that is not understood would publish an article at once. Where one seems to be meant (a key that is nearly
``embargo``, one inside another key, a line above the text as wires write it) and none was read, the article is refused.
"""

import re
import time as clock
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from itertools import islice

from rapidfuzz.distance import OSA

from retrieval import errors
from retrieval.intake import publication
from retrieval.intake.publication import Keys, UnclearDayError, day_of, flag, is_notice, plain, refuse_unpublished
from retrieval.limits import ARTICLE, EARLIEST, ID, METADATA, Limit, shown
from retrieval.model import Article, Body

Rejected = tuple[str, errors.ArticleError]  # the place, for people (from a reader: the one in its file), and the reason

# Our names and their synonyms; where both are given, ours is used.
_OTHER_NAMES = (("source", "publisher"), ("published", "date"))
KNOWN = frozenset("id title source publisher url published date author wire embargo".split())
EMBARGO = "embargo"
_LETTERS_PER_MISPRINT = 5  # so "data" is no misprint of "date"

_FIRST_LINES = 10  # of a text, without empty ones, that may announce an embargo

CREDENTIALS = re.compile(r"(?<=://)[^\s/?#]*@")
_HALF = re.compile("[\ud800-\udfff]")
_UNWRITTEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # no key of an article has such a character


@dataclass(frozen=True, slots=True)
class ArticleDraft:
    """An article before checks. ``name`` is the id it gets if its keys have none, ``path`` where it came from.

    What is read from a file need have neither: they are the file's then. ``line`` is its line there, 0 where the file
    is one article. Line ends of a body with a layout are line feeds; ``warnings`` say what may be missing from it.
    """

    body: Body
    keys: Keys
    line: int = 0
    name: str = ""
    path: str = ""
    warnings: tuple[str, ...] = ()
    origin: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}, line {self.line}" if self.line else self.path


def finish(
    draft: ArticleDraft, known: Keys, zone: tzinfo | None = None, warn: Callable[[Rejected], None] = lambda _: None
) -> Article:
    """Return the checked article. ``known`` are keys for those that it lacks itself.

    ``zone`` is the time zone of an embargo that names none; ``warn`` gets what is not known of it.
    Raises ``ArticleError`` where there is no text, where it is not text, where it is not published, or where a key is
    wrong.
    """
    text = _text(draft.body.text)
    _refuse_misprints(draft, known)
    keys = _renamed(known) | _renamed(draft.keys)
    first = [line.strip() for line in islice((line for line in text.split("\n") if line.strip()), _FIRST_LINES)]
    if EMBARGO not in keys and (notice := next(filter(is_notice, first), None)):
        raise errors.BrokenFrontMatterError(
            f"Its line {shown(notice)} mentions an embargo that was not understood. Write"
            " `embargo: 2026-03-01T18:00+01:00` between two lines `---` at the beginning, or a past day if there is"
            " none."
        )
    embargo = _embargo(keys, zone)
    file = "" if embargo or draft.line or "published" in keys else draft.name.rpartition("/")[2]
    refuse_unpublished({**known, **draft.keys}, embargo, file, zone)
    published, warnings = None, draft.warnings
    try:
        published = _day(keys)
    except UnclearDayError as error:
        warnings = (f"It is read without its date {shown(str(keys['published']))}. {error}", *warnings)
    for warning in warnings:
        warn((draft.place, errors.ArticleWarning(warning)))
    url = _words(keys, "url")
    return Article(
        id=_words(keys, "id", ID) or draft.name,
        text=text,
        path=draft.path,
        url=url and CREDENTIALS.sub("", url),  # readers see it
        published=published,
        embargo=embargo,
        layout=draft.body.layout,
        origin=draft.origin,
        **{key: _words(keys, key) for key in ("title", "source", "author", "wire")},
    )


def nearest(key: str) -> str | None:
    """Return the key of ours that ``key`` is a misprint of; None where it is correct, or like none."""
    key = plain(key)
    if key in KNOWN:
        return None
    if EMBARGO in key:
        return EMBARGO
    return next((name for name in sorted(KNOWN) if OSA.distance(key, name) <= len(name) // _LETTERS_PER_MISPRINT), None)


def embargoes(keys: Keys) -> Iterator[tuple[str, object]]:
    """Yield what looks like an embargo among keys and inside them: its path ("meta.embargo") and its value."""
    left = [(str(key), str(key), value) for key, value in keys.items()]
    while left:
        path, key, value = left.pop()
        if plain(key) == EMBARGO or nearest(key) == EMBARGO:
            if value:
                yield path, value
        elif isinstance(value, str):
            if is_notice(value):
                yield path, value
        elif isinstance(value, Mapping):
            left.extend((f"{path}.{inside}", str(inside), each) for inside, each in value.items())
        elif isinstance(value, list):
            left.extend((path, "", each) for each in value)


def waiting_embargoes(keys: Keys) -> Keys:
    """Return the keys about an embargo that has not certainly ended, under our name where it is theirs too."""
    both = ((EMBARGO if plain(path) == EMBARGO else path, value) for path, value in embargoes(keys))
    return {path: value for path, value in both if not is_past(value)}


def is_past(value: object) -> bool:
    """Whether an embargo has certainly ended, whatever its time zone is."""
    with suppress(errors.BrokenFrontMatterError):
        until = _embargo({EMBARGO: value}, publication.LAST_TO_HAVE_A_DAY)
        return until is None or until.timestamp() <= clock.time()
    return False


def _refuse_misprints(draft: ArticleDraft, known: Keys) -> None:
    """Raise ``BrokenFrontMatterError`` for a misprint of one of our keys, and for an embargo inside another key.

    In lines of JSON, which have keys of their own, and in tables, which are checked elsewhere, only for embargoes.
    """
    for key in () if draft.line else draft.keys:
        if meant := nearest(key):
            raise errors.BrokenFrontMatterError(f"Its key {shown(key)} is unknown. Write “{meant}”, or remove it.")
    keys = {**known, **draft.keys}
    for path, value in embargoes(keys):
        if path in keys and nearest(path) == EMBARGO:
            raise errors.BrokenFrontMatterError(f"Its key {shown(path)} is unknown. Write “{EMBARGO}”, or remove it.")
        if not (EMBARGO in map(plain, keys) or is_past(value)):
            raise errors.BrokenFrontMatterError(
                f"Its {shown(path)} mentions an embargo that was not understood. Write “{EMBARGO}” beside its title,"
                " or a past day there if there is none."
            )


def _text(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise errors.EmptyArticleError("There is nothing in it. Add a text, or remove the file.")
    ARTICLE.check(len(text))
    if "\0" in text:
        raise errors.UnreadableArticleError("It is not a text: save the article as plain text in UTF-8.")
    if _HALF.search(text):
        raise errors.UnreadableArticleError("It has half a character. Save the article again in UTF-8.")
    return text


def _renamed(keys: Keys) -> dict[str, object]:
    """Return the keys that have a value, under our names."""
    renamed: dict[str, object] = {}
    for key, value in keys.items():
        ours = plain(key)
        # some site generators have `published: true` beside the date
        if value is not None and value != "" and not (ours == "published" and flag(value) is not None):
            if ours in KNOWN and ours in renamed:
                raise errors.BrokenFrontMatterError(f"It has “{ours}” twice. Remove one.")
            renamed[ours] = value
    return {ours: renamed[other] for ours, other in _OTHER_NAMES if other in renamed} | renamed


def _words(keys: Keys, key: str, limit: Limit = METADATA) -> str | None:
    match keys.get(key):
        case None:
            return None
        case str(words) if words.strip():
            limit.check(len(words))
            if _UNWRITTEN.search(words):
                raise errors.BrokenFrontMatterError(f"Its “{key}” has a control character. Write it again.")
            return " ".join(words.split())
        # YAML and JSON read 1984 as a number
        case int(number) if not isinstance(number, bool) and abs(number) < 10**ID.most:
            return str(number)
        case other:
            raise errors.BrokenFrontMatterError(f"Its “{key}” is {shown(other)}. Write words in quotation marks.")


def _day(keys: Keys) -> date | None:
    """Return the day of publication. Raises ``UnclearDayError`` where the words may mean none, or another one."""
    if (written := keys.get("published")) is None:
        return None
    if not isinstance(written, date | str | int):
        raise errors.BrokenFrontMatterError(f"The date {shown(written)} cannot be read. Write it as 2022-04-05.")
    day = written if isinstance(written, date) else day_of(str(written))
    day = day.date() if isinstance(day, datetime) else day
    if day < EARLIEST:
        raise errors.BrokenFrontMatterError(
            f"The date {day} is not plausible for an article. Write when it was published."
        )
    return day


def _embargo(keys: Keys, zone: tzinfo | None) -> datetime | None:
    """Return when the embargo ends: at midnight if it names no hour; in ``zone`` if it names none."""
    if (value := keys.get(EMBARGO)) is None:
        return None
    try:
        written = value.strip() if isinstance(value, str) else ""
        day = value if isinstance(value, date) else datetime.fromisoformat(written)
        moment = publication.begin_of(day, zone or UTC)
        if zone is None and not (isinstance(day, datetime) and day.tzinfo):
            text = moment.replace(tzinfo=None).isoformat(timespec="minutes")
            raise errors.BrokenFrontMatterError(
                f"The embargo {text} has no time zone. Write it as {text}+01:00 or {text}Z,"
                " or set STET_TIMEZONE for all of them."
            )
        return datetime.fromisoformat(moment.isoformat())  # with the offset of that day
    except ValueError as error:
        message = f"The embargo {shown(value)} cannot be read. Write it as 2022-04-05T18:00+01:00."
        raise errors.BrokenFrontMatterError(message) from error
