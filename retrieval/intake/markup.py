"""HTML -> text, one paragraph per line: an article's body from an editing system, or a saved web page.

Hidden elements are left out, and so are scripts, frames and captions. Only attributes tell what is hidden; style sheets
are not read. trafilatura finds a web page's main text and metadata, once hidden elements are removed.
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
from retrieval.intake.metadata import EMBARGO, ArticleDraft
from retrieval.intake.publication import plain
from retrieval.limits import ARTICLE, ATTRIBUTES, ELEMENTS, FILE, Limit, legible, read_bytes

MARKS = 5  # most "<" per element; scripts have some too
# as in XML, without "<" in quotation marks, so that each "<" starts at most one match
_TAG = re.compile(rb"""<[^\s<>"'=!?/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_ELEMENT = re.compile(r"<[^<>]*>")
_QUOTED = re.compile(rb""""[^"]*"|'[^']*'""")
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!\s*important\s*)?(?:;|$)"
)
_ROOTS = frozenset(("html", "body"))  # hidden by some pages until their scripts have run
_SKIPPED = frozenset(
    "title script style template noscript iframe object svg form button figcaption audio video".split()
)
_HTML5_INLINE = frozenset("bdi data mark time wbr".split())  # lxml's lists are HTML 4's
_INLINE = (defs.special_inline_tags | defs.phrase_tags | defs.font_style_tags | _HTML5_INLINE) - {"br"}
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")  # separates paragraphs in editing systems that write them without elements
_BREAK = "\n"


def refuse_attributes(content: bytes) -> None:
    """Raise ``TooLargeError`` for too many attributes in one element: some parsers need quadratic time."""
    for tag in _TAG.finditer(content):
        if tag.end() - tag.start() > 2 * ATTRIBUTES.most:
            bare = _QUOTED.sub(b"", tag[0])
            ATTRIBUTES.check(max(bare.count(b"="), len(bare.split())))


def local_name(element: etree._Element) -> str:
    """Return an element's name without its namespace; "" for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def is_hidden(element: HtmlElement) -> bool:
    if element.tag in _ROOTS or element.getparent() is None:
        return False
    attributes = element.attrib
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").strip().lower() == "true"
        or _UNSEEN.search(attributes.get("style", "").lower()) is not None
    )


def text_of(markup: str, limit: Limit = ARTICLE) -> str:
    r"""Return the text of an article's body, or of a draft.

    Raises ``TooLargeError`` where it is beyond the limits, ``UnreadableArticleError`` where it is no text at all.

    >>> text_of("<p>It <b>rained</b>.</p><p>Nobody slept.</p>")
    'It rained.\nNobody slept.'
    """
    ELEMENTS.check(markup.count("<") // MARKS)
    limit.check(len(markup) - sum(map(len, _ELEMENT.findall(markup))))
    refuse_attributes(markup.encode(errors="replace"))
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
    """Yield the text, with a break where a block begins or ends; without recursion, because pages may be deep."""
    skipped: HtmlElement | None = None
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if skipped is not None and element is not skipped:
            continue
        if event == "start" and (element.tag in _SKIPPED or is_hidden(element)):
            skipped = element
        elif event == "start":
            yield _edge(element) + _inline(element.text)
        else:
            skipped = None
            yield (_edge(element) if event == "end" else "") + (_inline(element.tail) if element is not root else "")


def _edge(element: HtmlElement) -> str:
    return "" if element.tag in _INLINE else _BREAK


def _inline(text: str | None) -> str:
    """Replace line ends with spaces, and blank lines with a break."""
    parts = _BLANK_LINE.split((text or "").replace("\r\n", "\n"))
    return _BREAK.join(part.replace("\n", " ") for part in parts)


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
