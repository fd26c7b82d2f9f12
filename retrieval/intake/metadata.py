"""What is known of an article beside its text -> the fields of ``Article``.

The same keys wherever they stand: front matter, a line of JSON, ``articles.toml``, the head of a web page.
A key that is wrong is refused, never guessed at; a key that is not ours is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from retrieval.bounded import shown
from retrieval.errors import BrokenFrontMatterError, EmptyArticleError, UnreadableArticleError
from retrieval.limits import AHEAD, ARTICLE, EARLIEST, ID, METADATA, Limit
from retrieval.model import Article

Keys = Mapping[str, object]

# Our names, and what they are called as well; where both are given, ours is believed.
_OTHER_NAMES = (("source", "publisher"), ("published", "date"))
KNOWN = frozenset("id title source publisher url published date author wire embargo".split())

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


def finish(draft: Draft, known: Keys) -> Article:
    """Return the checked article; ``known`` fills the keys that it does not carry itself.

    Raises ``ArticleError`` where there is no text, where it is not text, or where a key is wrong.
    """
    text = _text(draft.text)
    keys = _renamed(known) | _renamed(draft.keys)
    return Article(
        id=_words(keys, "id", ID) or draft.name,
        text=text,
        path=draft.path,
        title=_words(keys, "title"),
        source=_words(keys, "source"),
        url=_words(keys, "url"),
        published=_day(keys),
        author=_words(keys, "author"),
        wire=_words(keys, "wire"),
        embargo=_moment(keys),
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
    found = {key: value for key, value in keys.items() if value is not None and value != ""}
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
                return _likely(datetime.fromisoformat(words.strip()).date())
            except ValueError as error:
                raise _wrong_day(words) from error
        case other:
            raise _wrong_day(other)


def _moment(keys: Keys) -> datetime | None:
    """Return when the embargo ends: a time of UTC, where no zone is told; a day's beginning, where no hour is."""
    match keys.get("embargo"):
        case None:
            return None
        case datetime() as moment:
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        case date() as day:
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
        case str(words):
            try:
                return _moment({"embargo": datetime.fromisoformat(words.strip())})
            except ValueError as error:
                raise _wrong_moment(words) from error
        case other:
            raise _wrong_moment(other)


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
