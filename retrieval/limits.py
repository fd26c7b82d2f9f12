"""Files from outside -> bytes, text, and the values of TOML and JSON, within the limits.

Raises ``UnreadableArticleError`` for what cannot be read, ``TooLargeError`` for what is too large.

The limits are one table, each with the words of its refusal. They are far above what a newsroom's copy has, and low
enough that any file in a folder is read or refused within seconds and a few hundred megabytes. They count sizes and
never time, so that what is refused on one machine is refused on all, and again the next day.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from retrieval.errors import TooLargeError, UnreadableArticleError

# Inside these a bracket means nothing: strings, also over several lines, and comments.
_QUOTED = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*')
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_QUOTED_CHARACTERS = 60  # of input in a message
_KINDS = (
    (bool, "a yes or no"),
    ((int, float), "a number"),
    ((list, tuple, set), "a list"),
    (dict, "a table"),
    (type(None), "nothing"),
)


def read_bytes(file: Path, limit: Limit) -> bytes:
    """Read an ordinary file, and never more of it than the limit."""
    try:
        if file.exists() and not file.is_file():
            kind = "a folder" if file.is_dir() else "no ordinary file"
            raise UnreadableArticleError(f"It is {kind}: name the file itself.")
        with file.open("rb") as opened:
            content = opened.read(limit.most + 1)
    except OSError as error:
        raise cannot_open(error) from error
    limit.check(len(content))
    return content


def read_lines(file: Path) -> Iterator[bytes]:
    """Yield the lines of a file of any size; of one that is too long, only a beginning that is too long as well."""
    try:
        with file.open("rb") as opened:
            while line := opened.readline(LINE.most + 1):
                yield line
                while line and not line.endswith(b"\n"):
                    line = opened.readline(LINE.most)
    except OSError as error:
        raise cannot_open(error) from error


def cannot_open(error: OSError) -> UnreadableArticleError:
    return UnreadableArticleError(f"It cannot be opened ({error.strerror}): check its name and its permissions.")


def decode(content: bytes) -> str:
    """Decode UTF-8, without a byte-order mark and with line ends as they are."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableArticleError("It is not in UTF-8: save it again as plain text in UTF-8.") from error


def read_toml(text: str) -> dict[str, object]:
    NESTING.check(depth(text))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableArticleError(f"It is not TOML ({error}), so nothing in it can be used: correct it.") from error


def read_json(text: str) -> object:
    NESTING.check(depth(text))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableArticleError("It is not JSON.") from error


def depth(text: str) -> int:
    """Count how many brackets are inside one another, at most."""
    if text.count("[") + text.count("{") <= NESTING.most:
        return 0
    deepest = depth = 0
    for bracket in re.findall(r"[\[\]{}]", _QUOTED.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def shown(value: object) -> str:
    """Describe a value from outside for a message: short, on one line, and never a ``repr``."""
    if isinstance(value, str):
        start = value[: 4 * _QUOTED_CHARACTERS]
        words = " ".join("".join(c if c.isprintable() else " " for c in start).split())
        cut = len(words) > _QUOTED_CHARACTERS or len(value) > len(start)
        return f"“{words[:_QUOTED_CHARACTERS]}{'…' if cut else ''}”"
    return next((words for kinds, words in _KINDS if isinstance(value, kinds)), "no word")


def legible(name: str | Path) -> str:
    """Turn a file's name into text: control characters, and bytes that are no text, become their codes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of something that is accepted; what it is called, and what to do where there is more."""

    most: int
    what: str
    remedy: str

    def check(self, number: int) -> None:
        if number > self.most:
            raise TooLargeError(self.refusal)

    @property
    def refusal(self) -> str:
        return f"It has more than {self.most:,} {self.what}: {self.remedy}."


FILE = Limit(20_000_000, "bytes", "save the text alone, as .txt")
EXPORT = Limit(200_000_000, "bytes", "export it in several files")
TEXT = Limit(4_000_000, "bytes", "split it into its articles")
LINE = Limit(4_000_000, "bytes in one line", "write one article a line")
TABLE = Limit(1_000_000, "bytes", "split the folder, with a table for each part")
ARTICLE = Limit(500_000, "characters of text", "split it into its articles")
FRONT_MATTER = Limit(20_000, "characters of front matter", "keep only the keys that are read")
METADATA = Limit(2_000, "characters in one key", "shorten it")
ID = Limit(300, "characters in its id", "give it a shorter one")
NESTING = Limit(50, "brackets inside one another", "write plain keys and values")
ELEMENTS = Limit(20_000, "elements on the page", "save its text as .txt")
ATTRIBUTES = Limit(500, "attributes in one element", "leave out those that nothing reads")
FEED_MARKS = Limit(150_000, 'marks "<" in it', "name a feed of the newest articles alone")
PAGES = Limit(500, "pages", "split it into its articles")
DRAWN = Limit(5_000_000, "bytes drawn on its pages", "save its text as .txt")
DRAFT = Limit(10_000_000, "bytes", "split it, and proof each part")
DRAFT_TEXT = Limit(200_000, "characters", "split it, and proof each part")
PARTS = Limit(1_000, "parts", "save its text as .txt")
UNPACKED = Limit(100_000_000, "bytes when unpacked", "save its text as .txt")
XML = Limit(20_000_000, "bytes of text and formats when unpacked", "save its text as .txt")
XML_NODES = Limit(400_000, "elements and attributes", "save its text as .txt")
XML_DEPTH = Limit(100, "elements inside one another", "save its text as .txt")
BATCH = Limit(50_000_000, "bytes", "split it into several")

MESSAGE = 40_000  # characters of a message that is searched for quotations
QUESTION = 2_000  # characters of a question, and of the one before it

EARLIEST = date(1600, 1, 1)  # older than any newspaper
