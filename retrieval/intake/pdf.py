"""A PDF -> its text layer, by pypdf, with words that were hyphenated across lines joined again."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import LimitReachedError

from retrieval.errors import TooLargeError, UnreadableArticleError
from retrieval.intake.metadata import ArticleDraft
from retrieval.lexicon.word_classes import classes
from retrieval.limits import ARTICLE, DRAWN, FILE, PAGES, legible, read_bytes
from retrieval.names.gazetteer import is_word

# the refusal of a broken file says enough
logging.getLogger("pypdf").setLevel(logging.CRITICAL)

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPLIT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)([-\u00ad\u2010])[^\S\n]*\n[^\S\n]*([^\W\d_]+)([^\s\w]*) ?")
# keep their hyphen: "self-defence", "long-term"
_PREFIXES = classes("prefixes") | {"half", "all", "well", "cross", "long", "short", "high", "low"}


def read_pdf(file: Path) -> Iterator[ArticleDraft]:
    """Yield the text layer, page after page.

    Raises ``UnreadableArticleError`` where the file is broken, locked, or a scan without text, ``TooLargeError`` where
    it is beyond the limits.
    """
    content = read_bytes(file, FILE)
    try:
        pages = list(_pages(PdfReader(BytesIO(content))))
    except TooLargeError:
        raise
    except LimitReachedError as error:
        raise TooLargeError(DRAWN.refusal) from error
    except Exception as error:  # pypdf may raise anything for a broken file
        raise UnreadableArticleError(
            "The PDF cannot be read: it is broken or locked with a password. Save the article as text instead."
        ) from error
    text = "\n".join(page.strip("\n") for page in pages)
    if not text.strip():
        raise UnreadableArticleError("It is a scan without a text layer: have its text recognised, or type it out.")
    yield ArticleDraft(legible(file.name), join_hyphenated(text), {}, legible(file))


def _pages(pdf: PdfReader) -> Iterator[str]:
    PAGES.check(len(pdf.pages))
    drawn = characters = 0
    for page in pdf.pages:
        contents = page.get_contents()
        drawn += len(contents.get_data()) if contents is not None else 0
        DRAWN.check(drawn)
        text = page.extract_text()
        characters += len(text)
        ARTICLE.check(characters)
        yield text


def join_hyphenated(text: str) -> str:
    """Join words that were split at the end of a line; the line now ends after the word.

    A hyphen of the word itself stays: where the text has it elsewhere, after a prefix, or between two words.
    """
    elsewhere = frozenset(word.casefold() for word in _WORD.findall(text))
    return _SPLIT_WORD.sub(lambda match: _joined(match, elsewhere), text)


def _joined(match: re.Match[str], elsewhere: frozenset[str]) -> str:
    first, mark, second, closing = match.groups()
    hyphen = "" if mark == "\u00ad" or not _keeps_hyphen(first, second, elsewhere) else "-"
    return f"{first}{hyphen}{second}{closing}\n"


def _keeps_hyphen(first: str, second: str, elsewhere: frozenset[str]) -> bool:
    whole = (first + second).casefold()
    if whole in elsewhere:
        return False
    if f"{first}-{second}".casefold() in elsewhere or first.casefold() in _PREFIXES or second[0].isupper():
        return True
    return not is_word(whole) and is_word(second) and (first[0].isupper() or is_word(first))
