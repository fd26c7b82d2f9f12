"""Files from outside -> bytes, text, and the values of TOML and JSON, within the limits.

Raises ``UnreadableArticleError`` where something is not what it should be, ``TooLargeError`` where it is too much.

The limits are one table, each with the words of its refusal. They are far above what a newsroom's copy has, and low
enough that whatever lies in a folder is read or refused within seconds and a few hundred megabytes. They count what is
there and never time, so that what is refused on one machine is refused on all, and again the next day.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from retrieval.errors import TooLargeError, UnreadableArticleError

# What a bracket inside means nothing: strings, also over several lines, and comments.
_QUOTED = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*')
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SHOWN = 60  # characters of input in a message


def read_bytes(file: Path, limit: Limit) -> bytes:
    """Return what an ordinary file holds, and never more of it than the limit."""
    try:
        if file.exists() and not file.is_file():
            raise UnreadableArticleError("It is no ordinary file: put the article itself there.")
        with file.open("rb") as opened:
            content = opened.read(limit.most + 1)
    except OSError as error:
        raise UnreadableArticleError(
            f"It cannot be opened ({error.strerror}): see to its name and its permissions."
        ) from error
    limit.check(len(content))
    return content


def read_lines(file: Path) -> Iterator[bytes | None]:
    """Yield the lines of a file of any size, none for one that is too long."""
    try:
        with file.open("rb") as opened:
            while line := opened.readline(LINE.most + 1):
                if len(line) <= LINE.most or line.endswith(b"\n"):
                    yield line
                    continue
                while line and not line.endswith(b"\n"):
                    line = opened.readline(LINE.most)
                yield None
    except OSError as error:
        raise UnreadableArticleError(
            f"It cannot be opened ({error.strerror}): see to its name and its permissions."
        ) from error


def decode(content: bytes) -> str:
    """Return UTF-8 as text, a byte-order mark dropped and line ends as they are."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableArticleError("It is not in UTF-8: save it again as plain text in UTF-8.") from error


def read_toml(text: str) -> dict[str, object]:
    """Return the values of a TOML text."""
    NESTING.check(depth(text))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableArticleError(f"It is not TOML ({error}), so nothing in it is known: mend it.") from error


def read_json(text: str) -> object:
    """Return the value of a JSON text."""
    NESTING.check(depth(text))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableArticleError("It is not JSON.") from error


def depth(text: str) -> int:
    """Return how many brackets stand inside one another, at most."""
    if text.count("[") + text.count("{") <= NESTING.most:
        return 0
    deepest = depth = 0
    for bracket in re.findall(r"[\[\]{}]", _QUOTED.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def shown(value: object) -> str:
    """Return a value from outside as it may stand in a message: short, on one line, and never a ``repr``."""
    match value:
        case bool():
            return "a yes or no"
        case str():
            words = " ".join("".join(c if c.isprintable() else " " for c in value[: 4 * _SHOWN]).split())
            return f"“{words[:_SHOWN]}{'…' if len(words) > _SHOWN or len(value) > 4 * _SHOWN else ''}”"
        case int() | float():
            return "a number"
        case list() | tuple() | set():
            return "a list"
        case dict():
            return "a table"
        case None:
            return "nothing"
    return "no word"


def legible(name: str | Path) -> str:
    """Return a file's name as text: control characters, and bytes that are no text, stand as their codes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of something that is taken; what it is called, and what to do where there is more."""

    most: int
    what: str
    remedy: str

    def check(self, number: int) -> None:
        """Raise ``TooLargeError`` where ``number`` is above the limit."""
        if number > self.most:
            raise TooLargeError(self.refusal)

    @property
    def refusal(self) -> str:
        """The refusal in words."""
        return f"It has more than {self.most:,} {self.what}: {self.remedy}."


FILE = Limit(20_000_000, "bytes", "save the text alone, as .txt")
EXPORT = Limit(200_000_000, "bytes", "export it in several files")
TEXT = Limit(4_000_000, "bytes", "part it into the articles that it is made of")
LINE = Limit(4_000_000, "bytes in one line", "write one article a line")
TABLE = Limit(1_000_000, "bytes", "part the folder, with a table for each part")
ARTICLE = Limit(500_000, "characters of text", "part it into the articles that it is made of")
FRONT_MATTER = Limit(20_000, "characters of front matter", "keep only the keys that are read")
METADATA = Limit(2_000, "characters in one key", "shorten it")
ID = Limit(300, "characters in its id", "give it a shorter one")
NESTING = Limit(50, "brackets inside one another", "write plain keys and values")
ELEMENTS = Limit(20_000, "elements on the page", "save its text as .txt")
ATTRIBUTES = Limit(500, "attributes in one element", "leave out those that nothing reads")
FEED_MARKS = Limit(150_000, 'marks "<" in it', "name a feed of the newest articles alone")
PAGES = Limit(500, "pages", "part it into the articles that it is made of")
DRAWN = Limit(5_000_000, "bytes drawn on its pages", "save its text as .txt")
BATCH = Limit(50_000_000, "bytes", "part it into several")

MESSAGE = 40_000  # characters, of a message that is looked through for quotations
QUESTION = 2_000  # characters, of a question and of the one before it

EARLIEST = date(1600, 1, 1)  # older than any newspaper
AHEAD = timedelta(days=366)  # from today on: copy may be held back for months, and not for years
