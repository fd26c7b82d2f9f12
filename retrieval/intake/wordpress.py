"""WordPress's export (WXR: RSS with elements of its own) -> drafts of the posts that are published.

The file is read as a stream, an item at a time, by a parser that resolves no entity and asks nothing of the network;
a file that declares entities is refused, for no export does. What was read before a fault in the file is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from retrieval.errors import ArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.markup import text_of
from retrieval.intake.metadata import EMBARGO, Draft, is_past, plain
from retrieval.limits import ELEMENTS, EXPORT, legible

_WORDPRESS = re.compile(r"\{http://wordpress\.org/export/[^{}]*\}")  # the version is in the name
_CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
_PARSER = {"resolve_entities": False, "no_network": True, "huge_tree": False, "load_dtd": False}

# WordPress's own shortcodes; what is between the two halves of these is a caption, or an address.
_ENCLOSING = frozenset(("caption", "wp_caption", "embed"))
_SHORTCODE = re.compile(r"\[(/?)(caption|wp_caption|embed|gallery|playlist|audio|video)\b[^\[\]<>]{0,2000}\]")

Found = Draft | tuple[str, ArticleError]
Fields = Mapping[str, str]


def read_wordpress(file: Path) -> Iterator[Found]:
    """Yield a draft of each published post, and the reason why another item is none where somebody might miss it."""
    export = _Export(file)
    try:
        with file.open("rb") as opened:
            EXPORT.check(os.fstat(opened.fileno()).st_size)
            yield from export.items(opened)
    except OSError as error:
        raise UnreadableArticleError(
            f"It cannot be opened ({error.strerror}): see to its name and its permissions."
        ) from error
    except etree.XMLSyntaxError as error:
        raise UnreadableArticleError(
            f"It is no XML from line {error.lineno or 1} on: export it again. What stands before that is read."
        ) from error
    if not export.is_wordpress:
        raise UnreadableArticleError("It is no export of WordPress (WXR), the one kind of XML that is read here.")
    if export.unpublished:
        place = legible(file)
        yield (
            place,
            UnpublishedError(f"Left out as not published, or not for all: {export.unpublished}."),
        )


class _Export:
    """A file as it is read: whose it is, who writes there, and how many of its posts are not published."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._source = ""
        self._authors: dict[str, str] = {}
        self.is_wordpress = False
        self.unpublished = 0

    def items(self, opened: BinaryIO) -> Iterator[Found]:
        """Yield what comes of each item, as it is read."""
        elements = 0
        for _, element in etree.iterparse(opened, events=("end",), **_PARSER):
            elements += 1
            ELEMENTS.check(elements)
            parent = element.getparent()
            if parent is None or _local(parent) != "channel":
                continue
            self._refuse_entities(element)
            match _local(element):
                case "title":
                    self._source = (element.text or "").strip()
                case "author":
                    told = _fields(element)
                    self._authors[told.get("wp:author_login", "")] = told.get("wp:author_display_name", "")
                case "item":
                    yield from self._item(element)
            elements = 0
            _forget(element)

    @staticmethod
    def _refuse_entities(element: etree._Element) -> None:
        if element.getroottree().docinfo.internalDTD is not None:
            raise UnreadableArticleError("It declares entities, which no export of WordPress does.")

    def _item(self, item: etree._Element) -> Iterator[Found]:
        told = _fields(item)
        self.is_wordpress |= "wp:status" in told
        if told.get("wp:post_type") != "post":
            return
        if told.get("wp:status") != "publish" or told.get("wp:post_password"):
            self.unpublished += 1
            return
        line = item.sourceline or 0
        try:
            yield self._draft(told, _embargoes(item), line)
        except ArticleError as error:
            yield f"{legible(self._file)}, line {line}", error

    def _draft(self, told: Fields, embargoes: Fields, line: int) -> Draft:
        keys = {
            "title": text_of(told.get("title", "")),
            "url": told.get("link"),
            "author": self._authors.get(told.get("dc:creator", "")) or told.get("dc:creator"),
            "published": _day(told),
            "source": self._source,
            **embargoes,
        }
        name = told.get("link") or f"{legible(self._file.name)}:{line}"
        return Draft(name, text_of(_without_shortcodes(told.get("content", ""))), keys, legible(self._file), line)


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _fields(element: etree._Element) -> Fields:
    """Return the text of each child by its name, without what other programs added to the export."""
    told: dict[str, str] = {}
    for child in element.iterchildren(etree.Element):
        name = str(child.tag)
        if name == _CONTENT:
            told["content"] = child.text or ""
        elif name == _CREATOR:
            told["dc:creator"] = (child.text or "").strip()
        elif _WORDPRESS.match(name):
            told[f"wp:{_local(child)}"] = (child.text or "").strip()
        elif not name.startswith("{"):
            told.setdefault(name, (child.text or "").strip())
    return told


def _embargoes(item: etree._Element) -> Fields:
    """Return what a post's own fields ("postmeta") say of an embargo that has not surely ended, by their names."""
    found: dict[str, str] = {}
    for child in item.iterchildren(etree.Element):
        told = _fields(child) if _local(child) == "postmeta" else {}
        key, value = told.get("wp:meta_key", ""), told.get("wp:meta_value", "")
        if EMBARGO in plain(key) and value and not is_past(value):
            found[key] = value
    return found


def _forget(element: etree._Element) -> None:
    """Let go of what was read, so that a file of any size takes no more memory than an item."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _day(told: Fields) -> str | None:
    """Return the day of publication as the newsroom's own clock had it, else by the clock of London."""
    written = told.get("wp:post_date", "")
    if written and not written.startswith("0000"):
        return written
    try:
        return parsedate_to_datetime(told.get("pubDate", "")).astimezone(UTC).date().isoformat()
    except (ValueError, OverflowError):
        return None


def _without_shortcodes(markup: str) -> str:
    """Return an article's body without what WordPress would put pictures and players in the place of."""
    first, *rest = _SHORTCODE.split(markup)
    codes = [*zip(rest[::3], rest[1::3], rest[2::3], strict=True), ("", "", "")]
    kept = [first]
    for (slash, name, after), (ending, other, _) in pairwise(codes):
        between = not slash and name in _ENCLOSING and ending and other == name
        kept.append("" if between else after)
    return "".join(kept)
