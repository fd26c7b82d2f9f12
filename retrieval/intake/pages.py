"""A saved web page -> its article. trafilatura finds its main text and metadata, once hidden elements are removed.

Its lines are set as in the page. What asks for consent or for a subscription is no line of an article, and neither is a
list of links below it. Where nearly nothing is left, the page is read once more with its asides.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import chain, pairwise, takewhile
from pathlib import Path

import trafilatura
from lxml.html import HtmlElement
from trafilatura.settings import Document
from trafilatura.utils import handle_compressed_file

from retrieval.errors import ArticleError, UnreadableArticleError
from retrieval.intake.marks import CODE, clean, collapsed
from retrieval.intake.markup import MARKS, drop_pull_quotes, is_hidden, joined, lay_out, refuse_attributes
from retrieval.intake.metadata import EMBARGO, KNOWN, ArticleDraft, waiting_embargoes
from retrieval.intake.publication import Keys, is_status, plain
from retrieval.limits import ARTICLE, ELEMENTS, FILE, read_bytes, read_json
from retrieval.model import Body, LayoutSpan, LeftOut, LeftOutKind, Span

# only dates that the page states, not whatever looks like one in its text
_DATES = {"extensive_search": False, "original_date": True}
_CELLS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th"))
_HOLDS_A_PAGE = frozenset(("table", "h1", "article"))  # inside a table
_BLOCKS = frozenset(("p", "br", "h2", "h3", "blockquote"))
_COLUMN_WORDS = 40
_MOST_OF = 0.9  # of a page's words, so that its columns are read one by one
_THIN_WORDS = 40  # fewer are hardly an article
_TEASER_WORDS = 150  # of a page for subscribers: what is there may be its beginning
_TEASER_LINE_WORDS = 40
_FEWEST_LINES = 3
_LONGEST_CALL = 1_500  # characters
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_QUOTED = re.compile(r"[\"“”„«»]|\b(?:said|says|told|wrote)\b")
_CONSENT = re.compile(
    r"""^(?:we|our\ (?:web)?sites?|like\ (?:most|other)\ (?:web)?sites,\ we)\b
      .*\b(?:cookies?|similar\ technolog\w+|trackers?|personal\ data|device\ identifiers)\b
    |\bthis\ (?:web)?site\ uses\ cookies\b
    |\b(?:by|when)\ (?:you\ )?(?:click|us|continu|accept|clos|select)(?:ing|e)?\b.*\byou\b.*\b(?:agree|consent|accept)\b
    |\byou\ (?:can|may|have\ the\ right\ to)\b.*\b(?:your\ mind|consent|preferences|settings|choices|opt[\ -]out)\b
    |^(?:accept|reject|decline|allow|manage|refuse)\b(?:\ \w+){0,3}\W*$|^(?:cookie|privacy)\ \w+\W*$""",
    re.IGNORECASE | re.VERBOSE,
)
_CONSENT_WORD = re.compile(r"cookie|consent|similar technolog|personal data", re.IGNORECASE)
_SUBSCRIBE = re.compile(
    r"""(?:please\ )?(?:subscribe|sign\ (?:in|up)|log\ in|register|become\ an?\ (?:member|subscriber)|start\ your)\b
      .*\b(?:read\ (?:on|more|this|the\ (?:full|rest|whole))|continue|continuing|unlock|unlimited
        |(?:full|this|our|more)\ (?:articles?|stor(?:y|ies)|content)|free\ trial)\b
    |already\ (?:an?\ )?(?:subscriber|subscribed|member|registered)\b
    |(?:want\ )?to\ (?:continue|keep|read)\b.*\b(?:subscri\w+|log\ in|sign\ in|register)\b
    |this\ (?:article|story|content|page)\ is\ (?:only\ )?(?:for|available\ to|reserved\ for|exclusive\ to)\b.*
      \b(?:subscribers|members)\b
    |you(?:\ have|['’]ve)\ (?:reached|read|used)\b.*\bfree\ articles?\b|(?:for\ )?subscribers\ only\W*$""",
    re.IGNORECASE | re.VERBOSE,
)
_FOR_SUBSCRIBERS = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.IGNORECASE)
_ARTICLE, _DATA = re.compile(r"Article|Posting|Report"), ("creativeWorkStatus", "datePublished")  # of schema.org
_STATUS_NAME = re.compile(r"(?:^|\s)status-(draft|future|pending|private)(?!\S)")
_NONE = "No article was found in the page. Save its text as .txt instead."
_LIST = "The page lists other articles and has none of its own. Add the address of each."


def read_web_page(file: Path) -> Iterator[ArticleDraft]:
    yield web_page(handle_compressed_file(read_bytes(file, FILE)))


def web_page(content: bytes) -> ArticleDraft:
    """Return the page's text with title, source, date, address and author where it states them.

    Raises ``UnreadableArticleError`` where no article is found in it, ``TooLargeError`` where it is beyond the limits.
    """
    ELEMENTS.check(content.count(b"<") // MARKS)
    refuse_attributes(content)
    page = trafilatura.load_html(content)
    if not isinstance(page, HtmlElement):
        raise UnreadableArticleError(_NONE)
    said = _said_of_publication(page)
    is_paid = any(_FOR_SUBSCRIBERS.search(script.text or "") for script in page.iter("script"))
    _prepare(page)
    left_out = (*clean(page), *drop_pull_quotes(page))
    found = _extract(page)
    if _unroll(unrolled := deepcopy(page)):
        opened = _extract(unrolled)
        menus = min(sum(len(collapsed(link).split()) for link in page.iter("a")), found.words // 2)
        if opened.document is not None and opened.words >= _MOST_OF * (found.words - menus):
            found, page = opened, unrolled
    warnings = []
    if found.words < _THIN_WORDS and page.find(".//aside") is not None:
        _open_asides(page)
        opened = _extract(page)
        if opened.words > found.words:
            found = replace(opened, document=found.document or opened.document)
            warnings.append("Its text is in an aside of the page: see whether it is the article.")
    document = found.document
    if document is None or not found.words:
        raise UnreadableArticleError(_NONE)
    if found.is_list:
        raise UnreadableArticleError(_LIST)
    if found.is_paid or (is_paid and found.words < _TEASER_WORDS):
        warnings.append(f"The page is for subscribers: these {found.words} words may be only the beginning.")
    elif found.words < _THIN_WORDS:
        warnings.append(f"The page has only {found.words} words: see whether they are the whole article.")
    keys = {"title": document.title, "source": document.sitename or document.hostname, "author": document.author}
    keys |= {"published": document.date, "url": document.url}
    body = replace(found.body, left_out=(*left_out, *found.body.left_out))
    return ArticleDraft(body, keys | said, warnings=tuple(warnings))


def _said_of_publication(page: HtmlElement) -> dict[str, object]:
    """Return what a page says of an embargo and its publication, in ``meta``, data for search engines and classes."""
    found: dict[str, object] = {}
    for meta in page.iter("meta"):
        name = next((meta.get(key) for key in ("name", "property", "itemprop") if meta.get(key)), "")
        is_said = EMBARGO in plain(name) or (is_status(name) and plain(name) not in KNOWN)
        if is_said and (meta.get("content") or "").strip():
            found[name] = meta.get("content")
    for script in page.iterfind(".//script[@type='application/ld+json']"):
        with suppress(ArticleError):
            article = next(_articles_in(read_json(script.text or "")), {})
            own = {key: article[key] for key in _DATA if article.get(key)}
            found = {**own, **waiting_embargoes(article), **found}
    for posted in page.xpath("//time[@itemprop='datePublished' or @pubdate]"):
        found = {"datePublished": posted.get("datetime", "")} | found
    for post in page.xpath("//article[contains(@class, 'status-')]")[:1]:  # WordPress's
        if status := _STATUS_NAME.search(post.get("class")):
            found["status"] = status[1]
    return found


def _articles_in(data: object) -> Iterator[Keys]:
    """Yield the articles in a page's data, the outermost in front."""
    left = deque([data])
    while left:
        value = left.popleft()
        if isinstance(value, dict):
            if _ARTICLE.search(str(value.get("@type"))):
                yield value
            left.extend(value.get(key) for key in ("@graph", "mainEntity", "mainEntityOfPage"))
        elif isinstance(value, list):
            left.extend(value)


def _prepare(page: HtmlElement) -> None:
    """Remove what is hidden; refuse a page beyond the limits."""
    elements = list(page.iter("*"))
    ELEMENTS.check(len(elements))
    ARTICLE.check(sum(len(e.tail or "") + (0 if e.tag in CODE else len(e.text or "")) for e in elements))
    for element in elements:
        if is_hidden(element):
            element.drop_tree()


def _unroll(page: HtmlElement) -> bool:
    """Make plain blocks of the tables of a page's layout, whose columns have paragraphs; whether it has any."""
    words, blocks = Counter[HtmlElement | None](), Counter[HtmlElement | None]()  # of a cell
    for element in page.iter("*"):
        cell = _around(element, "td", "th")
        blocks[cell] += element.tag in _BLOCKS
        if element.tag not in CODE:
            words[element if element.tag in ("td", "th") else cell] += len((element.text or "").split())
            words[cell] += len((element.tail or "").split())
    columns = (cell for cell in blocks if cell is not None and words[cell] >= _COLUMN_WORDS and blocks[cell] > 1)
    laid_out = {_around(element, "table") for element in chain(page.iter(*_HOLDS_A_PAGE), columns)} - {None}
    laid_out.update(table for table in page.iter("table") if table.get("role") in ("presentation", "none"))
    parts = [e for e in page.iter(*_CELLS) if (e if e.tag == "table" else _around(e, "table")) in laid_out]
    for part in parts:
        part.tag = "div"
    return bool(parts)


def _around(element: HtmlElement, *tags: str) -> HtmlElement | None:
    return next(element.iterancestors(*tags), None)


def _open_asides(page: HtmlElement) -> None:
    """Make plain blocks of asides, and remove what asks for consent or a subscription."""
    for element in list(page.iter("aside", "p", "li", "h2", "h3", "h4", "div")):
        if element.tag == "aside":
            element.tag = "div"
        elif (element.tag != "div" or not len(element)) and _call_of(collapsed(element)):
            element.drop_tree()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found in a page: ``is_list`` where it is teasers or links, ``is_paid`` where it asks to subscribe."""

    body: Body
    document: Document | None = None
    is_list: bool = False
    is_paid: bool = False

    @property
    def words(self) -> int:
        return len(self.body.text.split())


def _extract(page: HtmlElement) -> Extraction:
    set_lines = _lines_by_text(lay_out(page, skipped=CODE | {"head"}))
    links = {collapsed(link) for link in page.iter("a")}
    has_table, teasers = page.find(".//table") is not None, _teasers(page)
    document = trafilatura.bare_extraction(
        deepcopy(page), include_comments=False, with_metadata=True, date_extraction_params=_DATES
    )
    if not isinstance(document, Document):
        return Extraction(Body())
    bodies, left_out = list[Body](), list[LeftOut]()
    lines = (document.text or "").split("\n")
    for line in chain.from_iterable(map(_cells, lines)) if has_table else lines:
        item = line.removeprefix("- ")
        words = item if item in set_lines else line  # the mark of a list is not the page's
        if kind := _call_of(words):
            left_out.append(LeftOut(kind, words))
        else:
            places = set_lines.get(words, [()])
            bodies.append(Body(words, places.pop(0) if len(places) > 1 else places[0]))
    is_paid = any(part.kind is LeftOutKind.TEASER for part in left_out)
    lines = [body.text for body in bodies]
    is_list = _is_list(lines, links) or (len(lines) > 1 and sum(line in teasers for line in lines) >= len(lines) - 1)
    below = list(takewhile(lambda body: body.text in links and body.text[-1:] not in ".!?", reversed(bodies)))
    if len(below) > 1 and sum(len(body.text.split()) for body in bodies[: -len(below)]) >= _THIN_WORDS:
        del bodies[-len(below) :]
        left_out += (LeftOut(LeftOutKind.TEASER, body.text) for body in reversed(below))
    return Extraction(replace(joined(bodies), left_out=tuple(left_out)), document, is_list, is_paid)


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a table; of any other line, the line."""
    is_row = line.startswith("|") and line.rstrip().endswith("|")
    return [cell.strip() for cell in line.split("|") if cell.strip("- ")] if is_row else [line]


def _lines_by_text(body: Body) -> dict[str, list[tuple[LayoutSpan, ...]]]:
    """Return how each line of a page is set, by its words: one after the other where several lines have the same."""
    lines = defaultdict[str, list[tuple[LayoutSpan, ...]]](list)
    waiting, start = deque(body.layout), 0
    around = list[LayoutSpan]()  # that reach into the line
    for line in body.text.split("\n"):
        end = start + len(line)
        while waiting and waiting[0].span.start < end:
            around.append(waiting.popleft())
        around = [part for part in around if part.span.end > start]
        places = ((p.kind, max(p.span.start, start) - start, min(p.span.end, end) - start) for p in around)
        lines[line].append(tuple(LayoutSpan(kind, Span(first, last)) for kind, first, last in places))
        start = end + 1
    return lines


def _call_of(words: str) -> LeftOutKind | None:
    """Return the kind of a line that asks the reader for consent or a subscription; None for a line of an article."""
    if not words or len(words) > _LONGEST_CALL or _QUOTED.search(words):
        return None
    sentences = _SENTENCE_END.split(words)
    if _SUBSCRIBE.match(sentences[0]):
        return LeftOutKind.TEASER
    asking = sum(_CONSENT.search(sentence) is not None for sentence in sentences)
    return LeftOutKind.OTHER if 2 * asking >= len(sentences) and _CONSENT_WORD.search(words) else None


def _teasers(page: HtmlElement) -> set[str]:
    """Return the words of blocks that are a linked heading with a line or two, where a page has several."""
    blocks = [
        e for e in page.iter("article", "li") if e.xpath(".//*[self::h2 or self::h3 or self::h4][.//a or parent::a]")
    ]
    short = [block for block in blocks if len(collapsed(block).split()) <= _TEASER_LINE_WORDS]
    return {collapsed(e) for block in short for e in block.iter("*")} if len(short) >= _FEWEST_LINES else set()


def _is_list(lines: Sequence[str], links: Collection[str]) -> bool:
    """Whether lines are links alone, or each link has a line or two about the article it leads to."""
    is_link = [line in links for line in lines]
    others = [len(line.split()) for line in lines if line not in links]
    if len(is_link) < _FEWEST_LINES + 2 or max(others, default=0) > _TEASER_LINE_WORDS:
        return False
    teasers = sum(pair == (True, False) for pair in pairwise(is_link))
    return len(others) <= 1 or (teasers >= _FEWEST_LINES and True in is_link[:2] and len(others) <= 2 * teasers)
