"""The limits on what comes in: one table, each with the words of its refusal.

They are far above what a newsroom's copy has, and low enough that whatever lies in a folder is read or refused within
seconds and a few hundred megabytes. They count what is there and never time, so that what is refused on one machine is
refused on all, and again the next day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from retrieval.errors import TooLargeError


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
PAGES = Limit(500, "pages", "part it into the articles that it is made of")
DRAWN = Limit(5_000_000, "bytes drawn on its pages", "save its text as .txt")
BATCH = Limit(50_000_000, "bytes", "part it into several")

MESSAGE = 40_000  # characters, of a message that is looked through for quotations
QUESTION = 2_000  # characters, of a question and of the one before it

EARLIEST = date(1600, 1, 1)  # older than any newspaper
AHEAD = timedelta(days=366)  # from today on: copy may be held back for months, and not for years
