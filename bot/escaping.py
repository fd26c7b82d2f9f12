"""Text that is safe to show on a terminal, in Slack, on Discord and in a spreadsheet; text without emphasis."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

# Category Cc but for the line feed (they colour, ring and forge lines), category Cs (nothing can send them), and what
# changes the direction of writing (UAX #9).
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LINE_BREAKS = re.compile(r"[\n\u2028\u2029]")

# Marks before or after a word; "2*3" and "snake_case" keep theirs.
_EMPHASIS = re.compile(
    r"(?<![\w*_~`])[*_~`]{1,6}(?=[\w\"“„‘'«(\[$£€])|(?<=[\w\"”’'».,;:!?…)\]%])[*_~`]{1,6}(?![\w*_~`])"
)
_LIST_MARK = re.compile(r"^[ \t]*(?:[-*+•◦▪‣·–]|\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)


def escape_controls(text: str) -> str:
    """Return ``text`` with control characters shown as their codes; line feeds stay."""
    return _CONTROLS.sub(_code, text)


def escape_line(text: str) -> str:
    return _LINE_BREAKS.sub(_code, escape_controls(text))


def _code(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]):02x}"


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; no spreadsheet takes a cell for a formula."""
    written = StringIO()
    cells = ([f"'{cell}" if cell[:1] in tuple("=+-@\t") else cell for cell in map(str, row)] for row in rows)
    csv.writer(written, lineterminator="\n").writerows(cells)
    return written.getvalue()


def strip_emphasis(text: str) -> str:
    """Return ``text`` without marks of emphasis around words and of lists before lines: "*words*", "2. words"."""
    return _EMPHASIS.sub("", _LIST_MARK.sub("", text))
