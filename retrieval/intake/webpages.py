"""A saved web page -> its main text and what its head says of it, by trafilatura.

What a page hides from its readers is not its article: elements with ``hidden``, ``aria-hidden="true"`` or a style that
shows nothing are taken out first. What a style sheet hides cannot be told from the page alone.
"""

from __future__ import annotations

from pathlib import Path

import trafilatura
from lxml.html import HtmlElement
from trafilatura.settings import Document
from trafilatura.utils import handle_compressed_file

from retrieval.bounded import legible, read_bytes
from retrieval.errors import UnreadableArticleError
from retrieval.intake.markup import MARKS, is_hidden
from retrieval.intake.metadata import Draft
from retrieval.limits import ARTICLE, ELEMENTS, FILE

# A date is taken from where a page states it, not from whatever looks like one in its text.
_DATES = {"extensive_search": False, "original_date": True}
_CODE = frozenset(("script", "style", "template", "noscript"))


def read_web_page(file: Path) -> Draft:
    """Return the page's text, a paragraph a line, with title, source, date, address and author where it states them.

    Raises ``UnreadableArticleError`` where no article is found in it, ``TooLargeError`` where it is beyond the limits.
    """
    return web_page(handle_compressed_file(read_bytes(file, FILE)), legible(file.name), legible(file))


def web_page(content: bytes, name: str, path: str) -> Draft:
    """Return the same of a page's bytes; ``name`` is what the article falls back on for an id."""
    ELEMENTS.check(content.count(b"<") // MARKS)
    page = trafilatura.load_html(content)
    found = _extracted(page) if isinstance(page, HtmlElement) else None
    if not isinstance(found, Document) or not (found.text or "").strip():
        raise UnreadableArticleError("No article is found in the page: save its text as .txt instead.")
    keys = {
        "title": found.title,
        "source": found.sitename or found.hostname,
        "published": found.date,
        "url": found.url,
        "author": found.author,
    }
    return Draft(name, found.text or "", keys, path)


def _extracted(page: HtmlElement) -> object:
    elements = list(page.iter("*"))
    ELEMENTS.check(len(elements))
    ARTICLE.check(sum(len(e.tail or "") + (0 if e.tag in _CODE else len(e.text or "")) for e in elements))
    for element in elements:
        if is_hidden(element):
            element.drop_tree()
    return trafilatura.bare_extraction(page, include_comments=False, with_metadata=True, date_extraction_params=_DATES)
