"""What is known of an article beside its text -> the fields of ``Article``.

The same keys wherever they stand: front matter, a line of JSON, ``articles.toml``, the head of a web page.
A key that is wrong is refused, never guessed at; a key that is not ours is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from retrieval.errors import BrokenFrontMatterError, EmptyArticleError, UnreadableArticleError
from retrieval.model import Article

Keys = Mapping[str, object]

# Our names, and what they are called as well; where both are given, ours is believed.
_OTHER_NAMES = (("source", "publisher"), ("published", "date"))


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
        """How a person is told where it stands."""
        return f"{self.path}, line {self.line}" if self.line else self.path


def finish(draft: Draft, known: Keys) -> Article:
    """Return the checked article; ``known`` fills the keys that it does not carry itself.

    Raises ``ArticleError`` where there is no text, where it is not text, or where a key is wrong.
    """
    text = _text(draft.text)
    keys = _renamed(known) | _renamed(draft.keys)
    return Article(
        id=_words(keys, "id") or draft.name,
        text=text,
        path=draft.path,
        title=_words(keys, "title"),
        source=_words(keys, "source"),
        url=_words(keys, "url"),
        published=_day(keys),
        author=_words(keys, "author"),
        wire=_words(keys, "wire"),
    )


def _text(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise EmptyArticleError("There is nothing in it but white space: put a text there, or take it away.")
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


def _words(keys: Keys, key: str) -> str | None:
    match keys.get(key):
        case None:
            return None
        case str(words) if words.strip():
            return " ".join(words.split())
        # YAML and JSON take "1984" for a figure
        case int(figure) if not isinstance(figure, bool):
            return str(figure)
        case other:
            raise BrokenFrontMatterError(f"Its {key!r} is {other!r}: write that as words, in quotation marks.")


def _day(keys: Keys) -> date | None:
    match keys.get("published"):
        case None:
            return None
        case datetime() as moment:
            return moment.date()
        case date() as day:
            return day
        case str(words):
            try:
                return datetime.fromisoformat(words.strip()).date()
            except ValueError as error:
                raise _wrong_day(words) from error
        case other:
            raise _wrong_day(other)


def _wrong_day(value: object) -> BrokenFrontMatterError:
    return BrokenFrontMatterError(f"The date {value!r} cannot be read: write it as 2022-04-05.")
