"""A feed (RSS or Atom) or a sitemap -> the addresses of the articles that it names, with what it says of them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from time import struct_time
from urllib.parse import urljoin

import feedparser
from lxml import etree

from retrieval.errors import ArticleError
from retrieval.intake.fetching import Fetched
from retrieval.intake.metadata import Draft
from retrieval.intake.webpages import web_page

MOST = 1_000  # items of one feed or sitemap that are looked at, the first
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
    """What a feed names: articles and, in a sitemap of sitemaps, other sitemaps; and whose it is."""

    items: tuple[Item, ...] = ()
    sitemaps: tuple[str, ...] = ()
    source: str | None = None


def read_feed(fetched: Fetched) -> Feed | None:
    """Return what a feed or a sitemap names; None where it is neither."""
    head = {"content-type": fetched.kind, "content-location": fetched.url}
    found = feedparser.parse(io.BytesIO(fetched.content), response_headers=head)
    if found.get("version"):
        items = (_item(entry, fetched.url) for entry in found.entries[:MOST])
        return Feed(tuple(item for item in items if item), source=found.feed.get("title"))
    return _sitemap(fetched)


def _item(entry: feedparser.FeedParserDict, base: str) -> Item | None:
    told = dict(entry)  # asked itself, it gives one day for another where that is missing, and warns of it
    if not told.get("link"):
        return None
    published = _day(told.get("published_parsed") or told.get("updated_parsed"))
    mark = str(told.get("updated") or told.get("published") or "")
    return Item(urljoin(base, told["link"]), mark, told.get("title"), told.get("author"), published)


def _day(told: struct_time | None) -> str | None:
    return datetime(*told[:6], tzinfo=UTC).date().isoformat() if told else None


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
    return "" if element is None or not isinstance(element.tag, str) else etree.QName(element).localname


def _addresses(root: Iterable[etree._Element]) -> Iterator[tuple[str, str]]:
    for _, element in zip(range(MOST), root, strict=False):
        told = {_local(child): (child.text or "").strip() for child in element}
        if told.get("loc"):
            yield told["loc"], told.get("lastmod", "")


def item_draft(fetched: Fetched, item: Item, source: str | None) -> Draft:
    """Return the article on a page; what the page does not say itself is as its feed has it.

    Raises ``ArticleError`` where there is none.
    """
    try:
        draft = web_page(fetched.content, item.url, item.url)
    except (ValueError, RecursionError) as error:
        raise ArticleError("The page cannot be read: save its text as .txt instead.") from error
    keys = {"url": item.url, "title": item.title, "author": item.author, "published": item.published, "source": source}
    told = {key: value for each in (keys, draft.keys) for key, value in each.items() if value}
    return Draft(item.url, draft.text, told | {"url": item.url}, item.url)
