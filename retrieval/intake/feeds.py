"""A feed (RSS or Atom) or a sitemap -> the addresses of the articles that it names, with what it says of them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from time import struct_time
from urllib.parse import urljoin

import feedparser
from feedparser.encodings import convert_to_utf8
from lxml import etree

from retrieval.errors import RetrievalError, UnreadArticleError, fault_of
from retrieval.intake.fetching import Fetched, discreet, without_password
from retrieval.intake.markup import refuse_attributes, web_page
from retrieval.intake.metadata import Draft
from retrieval.limits import FEED_MARKS, shown

MOST = 1_000  # items of one feed or sitemap that are looked at, the first
# the numbers of half characters: d800 to dfff
_HALF = (
    rb"&#(?:[xX]0*[dD][89a-fA-F][0-9a-fA-F]{2}"
    rb"|0*(?:55(?:29[6-9]|[3-9]\d\d)|56\d{3}|57(?:[0-2]\d\d|3(?:[0-3]\d|4[0-3]))));"
)
_HALVES = re.compile(rb"(?:%b)+" % _HALF)
_PARSER = {"resolve_entities": False, "no_network": True, "huge_tree": False, "recover": True}


@dataclass(frozen=True, slots=True)
class Item:
    """An article that a feed names; ``mark`` is what changes with it, empty where the feed does not tell."""

    url: str
    mark: str = ""
    title: str | None = None
    author: str | None = None
    published: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed names: articles and, in a sitemap of sitemaps, other sitemaps; and whose it is.

    ``unlinked`` are the items without a link that can be read, in words.
    """

    items: tuple[Item, ...] = ()
    sitemaps: tuple[str, ...] = ()
    source: str | None = None
    unlinked: tuple[str, ...] = ()


def read_feed(fetched: Fetched) -> Feed | None:
    """Return what a feed or a sitemap names; None where it is neither, ``TooLargeError`` where it is beyond limits."""
    with guarded(fetched.url, "feed"):
        try:
            return _read(fetched, fetched.kind)
        except (ValueError, LookupError):  # of an encoding that is none: "charset=undefined"
            return _read(fetched, fetched.kind.partition(";")[0])


def _read(fetched: Fetched, kind: str) -> Feed | None:
    """Return the same by a type of content; a sitemap is tried first: lxml reads the longest within a second."""
    head = {"content-type": kind, "content-location": fetched.url}
    text = convert_to_utf8(head, fetched.content, {}) if fetched.content else b""
    refuse_attributes(text)
    if found := _sitemap(fetched):
        return found
    FEED_MARKS.check(text.count(b"<"))
    # of what is inside an item's text, which these two would take apart, nothing is used
    asked = {"resolve_relative_uris": False, "sanitize_html": False}
    found = feedparser.parse(io.BytesIO(_whole(fetched.content)), response_headers=head, **asked)
    if not found.get("version"):
        return None
    entries = found.entries[:MOST]
    items = [_item(entry, fetched.url) for entry in entries]
    unlinked = tuple(
        f"item {number} {shown(_kept(entry.get('title')))}"
        for number, (entry, item) in enumerate(zip(entries, items, strict=True), start=1)
        if item is None
    )
    return Feed(tuple(filter(None, items)), source=found.feed.get("title"), unlinked=unlinked)


@contextmanager
def guarded(place: str, stage: str) -> Iterator[None]:
    """Turn whatever is raised inside into an ``ArticleError``, as a stage of reading does; not what others are."""
    try:
        yield
    except RetrievalError:
        raise
    except Exception as fault:
        place = discreet(place)
        raise UnreadArticleError(place, place, stage, *fault_of(fault)) from fault


def _whole(content: bytes) -> bytes:
    """Return a page or a feed in which characters that are written as two halves ("&#xd83d;&#xde00;") are whole ones.

    Half a character alone, of which no file can be made, is one that cannot be shown.
    """
    return _HALVES.sub(_joined, content)


def _joined(found: re.Match[bytes]) -> bytes:
    codes = [int(code[1:], 16) if code[:1] in b"xX" else int(code) for code in re.findall(rb"&#(\w+);", found[0])]
    text = "".join(map(chr, codes)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.encode("ascii", "xmlcharrefreplace")


def _item(entry: feedparser.FeedParserDict, base: str) -> Item | None:
    told = dict(entry)  # asked itself, it gives one day for another where that is missing, and warns of it
    link, mark = (_kept(told.get(key)) for key in ("link", "updated" if told.get("updated") else "published"))
    if not link:
        return None
    with suppress(ValueError):  # what is no address is left out by what asks for it
        link = urljoin(base, link)
    published = _day(told.get("published_parsed") or told.get("updated_parsed"))
    return Item(link, mark, told.get("title"), told.get("author"), published)


def _kept(told: object) -> str:
    """Return words that every file can hold."""
    return str(told or "").encode(errors="replace").decode()


def _day(told: struct_time | None) -> str | None:
    """Return the day that a feed tells; None for one that never was, as systems write it for a date they lack."""
    try:
        return datetime(*told[:6], tzinfo=UTC).date().isoformat() if told else None
    except ValueError:
        return None


def _sitemap(fetched: Fetched) -> Feed | None:
    try:
        root = etree.fromstring(fetched.content, etree.XMLParser(**_PARSER))
    except (etree.XMLSyntaxError, ValueError):
        return None
    match _local(root):
        case "urlset":
            return Feed(tuple(Item(url, mark) for url, mark in _addresses(root)))
        case "sitemapindex":
            return Feed(sitemaps=tuple(url for url, _ in _addresses(root)))
    return None


def _local(element: etree._Element | None) -> str:
    return element.tag.rpartition("}")[2] if element is not None and isinstance(element.tag, str) else ""


def _addresses(root: Iterable[etree._Element]) -> Iterator[tuple[str, str]]:
    for _, element in zip(range(MOST), root, strict=False):
        told = {_local(child): (child.text or "").strip() for child in element}
        if told.get("loc"):
            yield told["loc"], told.get("lastmod", "")


def item_draft(fetched: Fetched, item: Item, source: str | None) -> Draft:
    """Return the article on a page; what the page does not say itself is as its feed has it.

    Raises ``ArticleError`` where there is none.
    """
    place = without_password(item.url)
    with guarded(place, "page"):
        draft = web_page(_whole(fetched.content), place, place)
    keys = {"url": place, "title": item.title, "author": item.author, "published": item.published, "source": source}
    told = {key: value for each in (keys, draft.keys) for key, value in each.items() if value}
    return Draft(place, draft.text, told | {"url": place}, place)
