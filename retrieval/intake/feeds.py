"""A feed (RSS or Atom) or a sitemap -> the addresses of its articles, with their metadata.

How feeds are followed, and why one that fails stops no other: ``retrieval/following.py``.
"""

import io
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from itertools import islice
from urllib.parse import urljoin

import feedparser
from feedparser.encodings import convert_to_utf8
from lxml import etree

from retrieval.errors import ArticleError, UnreadableArticleError, guarded
from retrieval.intake.fetching import Fetched, discreet, without_password
from retrieval.intake.markup import body_of, local_name, refuse_attributes
from retrieval.intake.metadata import ArticleDraft
from retrieval.intake.pages import web_page
from retrieval.limits import FEED_MARKS, shown
from retrieval.model import Body

LONGER, MUCH_LONGER = 1.1, 2.0  # a feed's text than the page's, in words
FEWEST_WORDS = 20  # of a feed's text that may stand for a page without an article
_SIGNATURE = re.compile(r"\n?The (?:post|article) .{1,300} (?:first )?appeared (?:first )?on .{1,100}\Z")  # WordPress's
MOST_ITEMS = 1_000  # that are read from one feed or sitemap: the first
# numeric references to surrogates (d800 to dfff), and to the few characters around them
_SURROGATES = re.compile(rb"(?:&#(?:[xX]0*[dD][89a-fA-F][0-9a-fA-F]{2}|0*5[5-7]\d{3});)+")


@dataclass(frozen=True, slots=True)
class Item:
    """An article that a feed names; ``mark`` changes when the article does, and is empty if the feed has none."""

    url: str
    mark: str = ""
    title: str | None = None
    author: str | None = None
    published: str | None = None
    markup: str = ""  # of the article, or of a summary


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed names: articles and, in a sitemap index, other sitemaps; and its outlet.

    ``unlinked`` names the items without a usable link.
    """

    items: tuple[Item, ...] = ()
    sitemaps: tuple[str, ...] = ()
    source: str | None = None
    unlinked: tuple[str, ...] = ()


def read_feed(fetched: Fetched) -> Feed | None:
    """Return what a feed or a sitemap names; None where it is neither. Raises ``TooLargeError``."""
    with guarded(discreet(fetched.url), "feed"):
        try:
            return _read(fetched, fetched.kind)
        except (ValueError, LookupError):  # an unknown encoding: "charset=undefined"
            return _read(fetched, fetched.kind.partition(";")[0])


def _read(fetched: Fetched, kind: str) -> Feed | None:
    # a sitemap is tried first: lxml is faster
    head = {"content-type": kind, "content-location": fetched.url}
    text = convert_to_utf8(head, fetched.content, {}) if fetched.content else b""
    refuse_attributes(text)
    if sitemap := _sitemap(fetched):
        return sitemap
    FEED_MARKS.check(text.count(b"<"))
    # the texts of items, which these two options would process, are not used
    options = {"resolve_relative_uris": False, "sanitize_html": False}
    feed = feedparser.parse(io.BytesIO(_SURROGATES.sub(_joined, fetched.content)), response_headers=head, **options)
    if not feed.get("version"):
        return None
    items = [_item(entry, fetched.url) for entry in feed.entries[:MOST_ITEMS]]
    named = (f"item {at} {shown(_storable(item.title))}" for at, item in enumerate(items, start=1) if not item.url)
    return Feed(tuple(item for item in items if item.url), source=feed.feed.get("title"), unlinked=tuple(named))


def _joined(found: re.Match[bytes]) -> bytes:
    """Join characters that are written as two surrogates ("&#xd83d;&#xde00;").

    A surrogate alone, which no file can store, becomes a replacement character.
    """
    codes = [int(code[1:], 16) if code[:1] in b"xX" else int(code) for code in re.findall(rb"&#(\w+);", found[0])]
    text = "".join(map(chr, codes)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.encode("ascii", "xmlcharrefreplace")


def _item(entry: feedparser.FeedParserDict, base: str) -> Item:
    """Return what a feed says of an article; its address is empty where there is none."""
    fields = dict(entry)  # feedparser's own lookup replaces a missing day with another one, with a warning
    link, mark = (_storable(fields.get(key)) for key in ("link", "updated" if fields.get("updated") else "published"))
    with suppress(ValueError):  # the fetcher refuses what is no address
        link = link and urljoin(base, link)
    published = None
    moment = fields.get("published_parsed") or fields.get("updated_parsed")
    with suppress(ValueError):  # an impossible day, which some systems write for a missing one
        published = date(*moment[:3]).isoformat() if moment else None
    parts = [part for part in (*fields.get("content", ()), fields.get("summary_detail")) if part]
    values = [(_storable(part.get("value")), part.get("type") == "text/plain") for part in parts]
    texts = (escape(value) if is_plain and "</" not in value else value for value, is_plain in values)
    markup = max(texts, key=len, default="")
    return Item(link, mark, fields.get("title"), fields.get("author"), published, markup)


def _storable(words: object) -> str:
    """Return words without surrogates, which no file can store."""
    return str(words or "").encode(errors="replace").decode()


def _sitemap(fetched: Fetched) -> Feed | None:
    try:
        root = etree.fromstring(fetched.content, etree.XMLParser(resolve_entities=False, recover=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    kind = local_name(root) if root is not None else ""
    if kind not in ("urlset", "sitemapindex"):
        return None
    rows = [{local_name(child): (child.text or "").strip() for child in row} for row in islice(root, MOST_ITEMS)]
    items = tuple(Item(row["loc"], row.get("lastmod", "")) for row in rows if row.get("loc"))
    return Feed(items) if kind == "urlset" else Feed(sitemaps=tuple(item.url for item in items))


def item_draft(fetched: Fetched, item: Item, source: str | None) -> ArticleDraft:
    """Return the article on a page, or of its feed where that is longer, with a warning. Raises ``ArticleError``.

    Metadata that the page lacks come from its feed.
    """
    place = without_password(item.url)
    try:
        body = body_of(item.markup)
    except ArticleError:  # too large, or no text at all: the page decides
        body = Body()
    text = _SIGNATURE.sub("", body.text)
    body = replace(body, text=text, layout=tuple(part for part in body.layout if part.span.end <= len(text)))
    feed_words = len(text.split())
    try:
        draft = web_page(_SURROGATES.sub(_joined, fetched.content))
    except UnreadableArticleError:
        if feed_words < FEWEST_WORDS:
            raise
        draft = ArticleDraft(Body(), {})
    page_words = len(draft.body.text.split())
    if feed_words > LONGER * page_words:
        warning = f"Its page has {page_words} words, its feed {feed_words}: the text of the feed is stored."
        if feed_words > MUCH_LONGER * page_words:
            warning += " The page may be only the beginning, or ask for a subscription."
        body = replace(body, left_out=(*draft.body.left_out, *body.left_out))
        draft = replace(draft, body=body, warnings=(warning,))
    keys = {"url": place, "title": item.title, "author": item.author, "published": item.published, "source": source}
    merged = {key: value for each in (keys, draft.keys) for key, value in each.items() if value}
    return replace(draft, name=place, path=place, keys=merged | {"url": place})
