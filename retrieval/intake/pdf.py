"""A PDF -> its text layer, by pypdf, with words that were hyphenated across lines joined again."""

import logging
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, pairwise, takewhile
from math import hypot, inf
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import LimitReachedError
from pypdf.generic import ContentStream, FloatObject, NameObject

from retrieval.errors import ArticleError, TooLargeError, UnreadableArticleError
from retrieval.intake.marks import Notes
from retrieval.intake.metadata import ArticleDraft
from retrieval.lexicon.word_classes import classes
from retrieval.limits import ARTICLE, DRAWN, FILE, PAGES, read_bytes
from retrieval.model import Body, LeftOut, LeftOutKind
from retrieval.names.gazetteer import is_word

# the refusal of a broken file says enough
logging.getLogger("pypdf").setLevel(logging.CRITICAL)

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPLIT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)([-\u00ad\u2010])[^\S\n]*\n[^\S\n]*([^\W\d_]+)([^\s\w]*) ?")
# keep their hyphen: "self-defence", "long-term"
_PREFIXES = classes("prefixes") | {"half", "all", "well", "cross", "long", "short", "high", "low"}

_SHOWING = frozenset((b"Tj", b"TJ", b"'", b'"'))
_LONGEST_MARK = 12  # characters of a superscript
_BREAKS = re.compile(r"(\n)")
_CLOSING = re.compile(r"[,.;:!?)\]”’]")
_RAISED, _SMALL = 0.15, 0.85  # of the size of the line
_FLAGGED = 0.05  # points: no text is so small
_GAP = re.compile(r"\s{3,}")
_PROSE = 30  # characters of a line
_MANY = 0.25  # of the lines
_GUTTER = 0.5  # of the size of the text, before a column
_NARROW = frozenset(" iljtfrI.,;:'!|()[]\"‘’“”-")
_NARROWEST = 80.0  # points of a column
_EDGE = 3.0  # points by which lines of a column begin differently
_NOTE = 0.92  # of the size of the text
_SAME_SIZE = 0.05
_FEW = 3  # lines, or words of a line
_NOTE_MARK = re.compile(r"\A\s*+[(\[]?(?:(\d{1,3})|[*†‡§¶]{1,3})[.)\]]?\s+(?=\S)")
_FOLIO = re.compile(r"\W*(?:p(?:age|\.)?\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+|\b[ivxl]+\b")


@dataclass(slots=True, eq=False)
class _Line:
    """A line of a page, or its part in one column, with the places of its runs of text: x, y, size, and their start."""

    text: str = ""
    runs: list[tuple[float, float, float, int]] = field(default_factory=list)

    @property
    def x(self) -> float:
        return self.runs[0][0] if self.runs else 0.0

    @property
    def y(self) -> float:
        return self.runs[0][1] if self.runs else 0.0

    @property
    def size(self) -> float:
        return max((size for _, _, size, _ in self.runs), default=0.0)


def read_pdf(file: Path) -> Iterator[ArticleDraft]:
    """Yield the text layer, page after page and column after column; footnotes come last.

    Running heads, page numbers and footnote marks are left out.
    Raises ``UnreadableArticleError`` where the file is broken, locked, a scan without text, or has columns that cannot
    be told apart, ``TooLargeError`` where it is beyond the limits.
    """
    content, marks = read_bytes(file, FILE), Notes()
    try:
        pages = list(_pages(PdfReader(BytesIO(content)), marks))
    except ArticleError:
        raise
    except LimitReachedError as error:
        raise TooLargeError(DRAWN.refusal) from error
    except Exception as error:  # pypdf may raise anything for a broken file
        raise UnreadableArticleError(
            "The PDF cannot be read: it is broken or locked with a password. Save the article as text instead."
        ) from error
    heads, notes = _without_furniture(pages)
    text = "\n".join("\n".join(line.text for line in page).strip("\n") for page in pages)
    text += "\n".join(["\n", *notes] if notes else [])
    if not text.strip():
        raise UnreadableArticleError("It is a scan without a text layer: have its text recognised, or type it out.")
    text = marks.in_text(join_hyphenated(text))
    left_out = (*(LeftOut(LeftOutKind.RUNNING_HEAD, words) for words in heads), *marks.left_out)
    yield ArticleDraft(Body(text, left_out=left_out), {})


def _pages(pdf: PdfReader, notes: Notes) -> Iterator[list[_Line]]:
    PAGES.check(len(pdf.pages))
    drawn = characters = 0
    for number, page in enumerate(pdf.pages, start=1):
        if (contents := page.get_contents()) is not None:
            drawn += len(contents.get_data())
            DRAWN.check(drawn)
            _show_one_by_one(page, contents)
        lines = _lines(page, notes)
        characters += sum(len(line.text) + 1 for line in lines)
        ARTICLE.check(characters)
        if (columns := _columns(lines)) is None:
            raise UnreadableArticleError(f"The columns of page {number} are mixed: save its text as .txt.")
        yield columns


def _lines(page: PageObject, notes: Notes) -> list[_Line]:
    """Return the lines as they are drawn, without the marks of footnotes."""
    lines = [_Line()]
    blank = ""  # spaces and breaks since the last words
    follows: str | None = None  # what is left of a superscript right before

    def show(text: str, cm: list[float], tm: list[float], _font: object, size: float) -> None:
        nonlocal blank, follows
        for part in _BREAKS.split(text):
            if not part.strip():
                blank += part
                continue
            x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            scale = abs(size) * hypot(tm[0], tm[1]) * hypot(cm[0], cm[1])
            line = lines[-1]
            is_raised = size < _FLAGGED or (_RAISED * line.size < y - line.y < line.size and x > line.runs[-1][0])
            if line.runs and is_raised and scale < _SMALL * line.size and len(part) < _LONGEST_MARK:
                follows, blank = notes.superscript(part.strip(), line.text[-_LONGEST_MARK:], "") or "", ""
                line.text += follows
                continue
            if follows is not None and abs(y - line.y) < _RAISED * line.size:
                is_figure = bool(follows) and "\n" not in blank
                line.text += blank if is_figure else "" if _CLOSING.match(part.lstrip()) else " "
                part = part if is_figure else part.lstrip()  # noqa: PLW2901
            else:
                space, *starts = blank.split("\n")
                lines[-1].text += space
                lines.extend(map(_Line, starts))
            lines[-1].runs.append((x, y, scale, len(lines[-1].text)))
            lines[-1].text += part
            blank, follows = "", None

    page.extract_text(visitor_text=show)
    return lines


def _show_one_by_one(page: PageObject, contents: ContentStream) -> None:
    """Have pypdf give each string that a page shows with a place of its own: it does so where the font is set again."""
    stream = ContentStream(contents, page.pdf, "bytes")
    operations: list[tuple[Any, bytes]] = []
    font: list[Any] | None = None
    rise = 0.0
    for operands, operator in stream.operations:
        if operator == b"Tf":
            font = operands
        elif operator == b"Ts" and operands:
            rise = float(operands[0])
        elif operator in _SHOWING and font and len(font) > 1:
            # what is raised in this way keeps its place for pypdf, and is told by its size
            size = FloatObject(float(font[1]) * _FLAGGED / 100) if rise > 0 else font[1]
            operations.append(([font[0], size], b"Tf"))
        operations.append((operands, operator))
    stream.operations = operations
    page[NameObject("/Contents")] = stream


def _columns(lines: list[_Line]) -> list[_Line] | None:
    """Return the lines in the order of reading where columns of prose are drawn row by row; None where they are mixed.

    Columns that are drawn one after the other stay as they are, and so do tables.
    """
    wide = [line for line in lines if len(line.text) > _PROSE]
    rows = [_GAP.split(line.text.strip(), maxsplit=1) for line in wide]
    if sum(min(len(part.split()) for part in row) >= _FEW for row in rows if row[1:]) > max(_FEW, _MANY * len(wide)):
        return None
    edges = _edges(lines)
    if not edges[1:]:
        return lines
    pieces = [(piece, bisect(edges, piece.x + 1) - 1) for line in lines for piece in _parts(line, edges)]
    turns = sum(before != after for (_, before), (_, after) in pairwise(pieces))
    lengths = [[len(piece.text) for piece, own in pieces if own == column] for column in range(len(edges))]
    if turns <= max(2 * len(edges), len(pieces) / 4) or min(median(own) for own in lengths) < _PROSE / 2:
        return lines
    band, placed = 0, list[tuple[int, int, _Line]]()  # a band ends where a line goes across the page
    for piece, column in sorted(pieces, key=lambda pair: -pair[0].y):
        x, _, size, at = piece.runs[-1]
        end = x + size * _width(piece.text[at:])
        is_across = column + 1 < len(edges) and end > edges[column + 1] + 3 * piece.size
        band += is_across
        placed.append((band, -1 if is_across else column, piece))
    ordered = [line for *_, line in sorted(placed, key=itemgetter(0, 1))]
    for before, after in pairwise(ordered):
        is_whole = before.text.rstrip(" \"'”’)").endswith((".", "!", "?"))
        is_other = abs(before.size - after.size) > _SAME_SIZE * after.size
        if is_other or (is_whole and after.x != before.x and after.y > before.y):
            before.text += "\n"
    return ordered


def _edges(lines: list[_Line]) -> list[float]:
    """Return where columns begin: at places where many lines, or what follows a gap in them, begin."""
    starts: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        for (before, _, size, at), (x, _, _, after) in pairwise(((inf, 0.0, 0.0, 0), *line.runs)):
            # about how much is free before a run, as a part of its size
            gap = (x - before) / (size or 1.0) - _width(line.text[at:after].rstrip()) if x > before else inf
            starts[round(x / 2)].append(gap)
    enough = max(_FEW + 1, _MANY * sum(bool(line.runs) for line in lines))
    edges: list[float] = []
    for place in sorted(starts):
        near = starts[place] + starts.get(place + 1, [])
        is_edge = len(near) >= enough and median(near) > _GUTTER
        if is_edge and (not edges or place * 2 - edges[-1] > _NARROWEST):
            edges.append(place * 2 - 1)
    return edges


def _parts(line: _Line, edges: list[float]) -> Iterator[_Line]:
    """Split a line where a run begins at the edge of a column."""
    inside = (at for x, _, _, at in line.runs[1:] if any(0 <= x - edge <= _EDGE for edge in edges))
    for start, end in pairwise((0, *inside, len(line.text))):
        if runs := [(x, y, size, at - start) for x, y, size, at in line.runs if start <= at < end]:
            yield _Line(line.text[start:end].strip(), runs)


def _without_furniture(pages: list[list[_Line]]) -> tuple[list[str], list[str]]:
    """Take running heads and page numbers off the pages, and footnotes; return the lines of both."""
    sizes: Counter[float] = Counter()
    for line in chain.from_iterable(pages):
        sizes[round(line.size, 1)] += len(line.text)
    body = max(sizes, key=lambda size: sizes[size], default=0.0)
    edges = [_set_apart(page, body) for page in pages]
    known = Counter(chain.from_iterable({_plain(line.text) for line in edge} for edge in edges))
    heads, notes = list[str](), list[str]()
    for page, edge in zip(pages, edges, strict=True):
        for line in edge:
            is_running = len(pages) > 1 and known[_plain(line.text)] > max(1, len(pages) / 4)
            if is_running or _FOLIO.fullmatch(line.text.strip()):
                heads.append(line.text.strip())
                page.remove(line)
        small = list(takewhile(lambda line: not line.text.strip() or line.size < _NOTE * body, reversed(page)))[::-1]
        marks = [(at, mark[1]) for at, line in enumerate(small) if (mark := _NOTE_MARK.match(line.text))]
        numbers = [int(number) for _, number in marks if number]
        # a table in small type is no footnote
        if marks and len(small) < len(page) and all(after == before + 1 for before, after in pairwise(numbers)):
            start, _ = marks[0]
            del page[-len(small) + start :]
            notes += [_NOTE_MARK.sub("", line.text) for line in small[start:]]
    return heads, notes


def _set_apart(page: list[_Line], body: float) -> list[_Line]:
    """Return the two highest and the two lowest lines of a page, as far as space or their size sets them apart."""
    lines = sorted((line for line in page if line.runs), key=lambda line: -line.y)
    step = 1.4 * median([before.y - after.y for before, after in pairwise(lines)] or [0.0])
    ends = [*list(pairwise(lines))[:2], *list(pairwise(lines[::-1]))[:2]]
    other = _SAME_SIZE * body
    apart = (line for line, after in ends if abs(line.y - after.y) > step or abs(line.size - body) > other)
    return list(dict.fromkeys(apart))


def _width(text: str) -> float:
    """About how wide a text is, as a part of its size: between Helvetica and Times."""
    return 0.95 * sum(
        0.28 if letter in _NARROW else 0.8 if letter in "mwMW" else 0.67 if letter.isupper() else 0.53
        for letter in text
    )


def _plain(text: str) -> str:
    return _NUMBER.sub("#", " ".join(text.casefold().split()))


def join_hyphenated(text: str) -> str:
    """Join words that were split at the end of a line; the line now ends after the word.

    A hyphen of the word itself stays: where the text has it elsewhere, after a prefix, or between two words.
    """
    elsewhere = frozenset(word.casefold() for word in _WORD.findall(text))

    def join(match: re.Match[str]) -> str:
        first, mark, second, closing = match.groups()
        hyphen = "-" if mark != "\u00ad" and _keeps_hyphen(first, second, elsewhere) else ""
        return f"{first}{hyphen}{second}{closing}\n"

    return _SPLIT_WORD.sub(join, text)


def _keeps_hyphen(first: str, second: str, elsewhere: frozenset[str]) -> bool:
    whole = (first + second).casefold()
    if whole in elsewhere:
        return False
    if f"{first}-{second}".casefold() in elsewhere or first.casefold() in _PREFIXES or second[0].isupper():
        return True
    return not is_word(whole) and is_word(second) and (first[0].isupper() or is_word(first))
