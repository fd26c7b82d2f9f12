"""HTML that is an article's body and nothing else, as editing systems keep it -> text, a paragraph a line.

What a page hides from its readers is not its article, nor is what it only calls up: scripts, frames, captions of
pictures. Which element hides is told by its attributes; what a style sheet hides cannot be told.

A saved web page is HTML too, and its main text and what its head says of it are found by trafilatura: what it hides is
taken out first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import trafilatura
from lxml import etree
from lxml.html import HtmlElement, defs, fragment_fromstring
from trafilatura.settings import Document
from trafilatura.utils import handle_compressed_file

from retrieval.errors import UnreadableArticleError
from retrieval.intake.metadata import EMBARGO, Draft, plain
from retrieval.limits import ARTICLE, ATTRIBUTES, ELEMENTS, FILE, legible, read_bytes

MARKS = 5  # "<" to an element, at the most; scripts have some too
# as XML has it: without "<" in a quotation, so that it is looked for once from each "<"
_TAG = re.compile(rb"""<[^\s<>"'=!?/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_QUOTED = re.compile(rb""""[^"]*"|'[^']*'""")
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!\s*important\s*)?(?:;|$)"
)
_WHOLE = frozenset(("html", "body"))  # hidden by some pages until their scripts have run
_UNREAD = frozenset("script style template noscript iframe object svg form button figcaption audio video".split())
_LATER = frozenset("bdi data mark time wbr".split())  # than lxml's lists, which are HTML 4's
_INLINE = (defs.special_inline_tags | defs.phrase_tags | defs.font_style_tags | _LATER) - {"br"}
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")  # what parts paragraphs where an editing system keeps them without elements
_BREAK = "\n"


def refuse_attributes(content: bytes) -> None:
    """Raise ``TooLargeError`` for markup in which one element has more attributes than the limit.

    Some parsers take a time that grows with the square of their number.
    """
    for tag in _TAG.finditer(content):
        if tag.end() - tag.start() > 2 * ATTRIBUTES.most:
            bare = _QUOTED.sub(b"", tag[0])
            ATTRIBUTES.check(max(bare.count(b"="), len(bare.split())))


def is_hidden(element: HtmlElement) -> bool:
    """Return whether an element's attributes keep it from readers."""
    if element.tag in _WHOLE or element.getparent() is None:
        return False
    attributes = element.attrib
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").strip().lower() == "true"
        or _UNSEEN.search(attributes.get("style", "").lower()) is not None
    )


def text_of(markup: str) -> str:
    r"""Return the text of an article's body.

    Raises ``TooLargeError`` where it is beyond the limits, ``UnreadableArticleError`` where it is no text at all.

    >>> text_of("<p>It <b>rained</b>.</p><p>Nobody slept.</p>")
    'It rained.\nNobody slept.'
    """
    ELEMENTS.check(markup.count("<") // MARKS)
    ARTICLE.check(len(markup) - sum(map(len, re.findall(r"<[^<>]*>", markup))))
    if not markup.strip():
        return ""
    try:
        root = fragment_fromstring(markup.replace("\0", ""), create_parent="div")
    except etree.ParserError:  # a comment, and nothing else
        return ""
    except ValueError as error:  # half a character
        raise UnreadableArticleError("Its HTML cannot be read: save the text alone.") from error
    ELEMENTS.check(sum(1 for _ in root.iter("*")))
    lines = "".join(_pieces(root)).split(_BREAK)
    return _BREAK.join(line for line in (" ".join(line.split()) for line in lines) if line)


def _pieces(root: HtmlElement) -> Iterator[str]:
    """Yield the text with a break wherever a block begins or ends; without recursion, however deep it is."""
    skipped: HtmlElement | None = None
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if skipped is not None and element is not skipped:
            continue
        if event == "start" and (element.tag in _UNREAD or is_hidden(element)):
            skipped = element
        elif event == "start":
            yield _edge(element) + _said(element.text)
        else:
            skipped = None
            yield (_edge(element) if event == "end" else "") + (_said(element.tail) if element is not root else "")


def _edge(element: HtmlElement) -> str:
    return "" if element.tag in _INLINE else _BREAK


def _said(text: str | None) -> str:
    """Return text with its own line ends as spaces, but where a blank line parts paragraphs."""
    parts = _BLANK_LINE.split((text or "").replace("\r\n", "\n"))
    return _BREAK.join(part.replace("\n", " ") for part in parts)


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
    refuse_attributes(content)
    page = trafilatura.load_html(content)
    embargoes = _embargoes(page) if isinstance(page, HtmlElement) else {}
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
    return Draft(name, found.text or "", keys | embargoes, path)


def _embargoes(page: HtmlElement) -> dict[str, object]:
    """Return what the page's ``meta`` elements say of an embargo, by their names."""
    found: dict[str, object] = {}
    for meta in page.iter("meta"):
        name = next((meta.get(key) for key in ("name", "property", "itemprop") if meta.get(key)), "")
        if EMBARGO in plain(name) and (meta.get("content") or "").strip():
            found[name] = meta.get("content")
    return found


def _extracted(page: HtmlElement) -> object:
    elements = list(page.iter("*"))
    ELEMENTS.check(len(elements))
    ARTICLE.check(sum(len(e.tail or "") + (0 if e.tag in _CODE else len(e.text or "")) for e in elements))
    for element in elements:
        if is_hidden(element):
            element.drop_tree()
    return trafilatura.bare_extraction(page, include_comments=False, with_metadata=True, date_extraction_params=_DATES)
