"""A saved web page -> its article, found by trafilatura once hidden elements are removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import trafilatura
from lxml.html import HtmlElement
from trafilatura.settings import Document
from trafilatura.utils import handle_compressed_file

from retrieval.errors import UnreadableArticleError
from retrieval.intake.markup import MARKS, is_hidden, refuse_attributes
from retrieval.intake.metadata import EMBARGO, ArticleDraft
from retrieval.intake.publication import plain
from retrieval.limits import ARTICLE, ELEMENTS, FILE, legible, read_bytes

# only dates that the page states, not whatever looks like one in its text
_DATES = {"extensive_search": False, "original_date": True}
_CODE = frozenset(("script", "style", "template", "noscript"))


def read_web_page(file: Path) -> Iterator[ArticleDraft]:
    """Yield the page's text with title, source, date, address and author where it states them.

    Raises ``UnreadableArticleError`` where no article is found in it, ``TooLargeError`` where it is beyond the limits.
    """
    yield web_page(handle_compressed_file(read_bytes(file, FILE)), legible(file.name), legible(file))


def web_page(content: bytes, name: str, path: str) -> ArticleDraft:
    """Return the same from a page's bytes; ``name`` is the article's id if it has none."""
    ELEMENTS.check(content.count(b"<") // MARKS)
    refuse_attributes(content)
    page = trafilatura.load_html(content)
    embargoes = _embargoes(page) if isinstance(page, HtmlElement) else {}
    document = _extract(page) if isinstance(page, HtmlElement) else None
    if not isinstance(document, Document) or not (document.text or "").strip():
        raise UnreadableArticleError("No article was found in the page. Save its text as .txt instead.")
    keys = {
        "title": document.title,
        "source": document.sitename or document.hostname,
        "published": document.date,
        "url": document.url,
        "author": document.author,
    }
    return ArticleDraft(name, document.text or "", keys | embargoes, path)


def _embargoes(page: HtmlElement) -> dict[str, object]:
    """Return the page's ``meta`` elements about an embargo, by their names."""
    found: dict[str, object] = {}
    for meta in page.iter("meta"):
        name = next((meta.get(key) for key in ("name", "property", "itemprop") if meta.get(key)), "")
        if EMBARGO in plain(name) and (meta.get("content") or "").strip():
            found[name] = meta.get("content")
    return found


def _extract(page: HtmlElement) -> object:
    elements = list(page.iter("*"))
    ELEMENTS.check(len(elements))
    ARTICLE.check(sum(len(e.tail or "") + (0 if e.tag in _CODE else len(e.text or "")) for e in elements))
    for element in elements:
        if is_hidden(element):
            element.drop_tree()
    return trafilatura.bare_extraction(page, include_comments=False, with_metadata=True, date_extraction_params=_DATES)
