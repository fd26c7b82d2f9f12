"""WordPress's export (WXR: RSS with elements of its own) -> drafts of the published posts.

The file is read as a stream, one item at a time, by a parser that resolves no entities and uses no network; a file that
declares entities is refused. If the file is broken, the items before that are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path

from lxml import etree

from retrieval.errors import ArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.marks import without_codes
from retrieval.intake.markup import body_of, local_name, text_of
from retrieval.intake.metadata import ArticleDraft, Rejected, waiting_embargoes
from retrieval.limits import ELEMENTS, EXPORT
from retrieval.model import LeftOut, LeftOutKind

_WORDPRESS = re.compile(r"\{http://wordpress\.org/export/[^{}]*\}")  # the version is in the name
_PAGE_BREAK = re.compile(r"\n[^\S\n]*<!--(?:more|nextpage)\b[^<>]{0,200}-->[^\S\n]*\r?\n")
# a line of its own becomes what it leads to
_EMBED = re.compile(r"^[^\S\n]*+(?:<p>[^\S\n]*+)?(https?://[^\s<>\"]+)[^\S\n]*+(?:</p>[^\S\n]*+)?$", re.MULTILINE)
_NAMES = {
    "{http://purl.org/rss/1.0/modules/content/}encoded": "content",
    "{http://purl.org/dc/elements/1.1/}creator": "dc:creator",
}
_PARSER = {"resolve_entities": False, "no_network": True, "huge_tree": False, "load_dtd": False}

Fields = Mapping[str, str]


def read_wordpress(file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield a draft of each published post, and the reason for each post that is left out."""
    source, authors = "", dict[str, str]()
    is_wordpress, unpublished = False, 0
    for element in _elements(file):
        match local_name(element):
            case "title":
                source = (element.text or "").strip()
            case "author":
                author = _fields(element)
                authors[author.get("wp:author_login", "")] = author.get("wp:author_display_name", "")
            case "item":
                fields = _fields(element)
                is_wordpress |= "wp:status" in fields
                if fields.get("wp:post_type") != "post":
                    continue
                if fields.get("wp:status") != "publish" or fields.get("wp:post_password"):
                    unpublished += 1
                    continue
                creator = fields.get("dc:creator", "")
                try:
                    yield _draft(element, fields, source, authors.get(creator) or creator)
                except ArticleError as error:
                    yield f"line {element.sourceline or 0}", error
    if not is_wordpress:
        raise UnreadableArticleError("It is not a WordPress export (WXR), the only kind of XML that is read.")
    if unpublished:
        yield "", UnpublishedError(f"Left out because they are not published, or have a password: {unpublished}.")


def _elements(file: Path) -> Iterator[etree._Element]:
    """Yield what is in the channel; a file of any size needs no more memory than one item."""
    elements = 0
    try:
        with file.open("rb") as opened:
            EXPORT.check(os.fstat(opened.fileno()).st_size)
            for _, element in etree.iterparse(opened, events=("end",), **_PARSER):
                elements += 1
                ELEMENTS.check(elements)
                parent = element.getparent()
                if parent is None or local_name(parent) != "channel":
                    continue
                if element.getroottree().docinfo.internalDTD is not None:
                    raise UnreadableArticleError("It declares entities, which WordPress exports do not.")
                yield element
                elements = 0
                element.clear()
                while element.getprevious() is not None:
                    del parent[0]
    except OSError as error:
        message = f"It cannot be opened ({error.strerror}): see to its name and its permissions."
        raise UnreadableArticleError(message) from error
    except etree.XMLSyntaxError as error:
        raise UnreadableArticleError(
            f"It is not XML from line {error.lineno or 1} on. Export it again. The part before that is read."
        ) from error


def _draft(item: etree._Element, fields: Fields, source: str, author: str) -> ArticleDraft:
    added = [_fields(child) for child in item.iterchildren(etree.Element) if local_name(child) == "postmeta"]
    keys = {
        "title": text_of(fields.get("title", "")),
        "url": fields.get("link"),
        "author": author,
        "published": _day(fields),
        "source": source,
        **waiting_embargoes({each.get("wp:meta_key", ""): each.get("wp:meta_value", "") for each in added}),
    }
    written = fields.get("content", "")
    content, codes = without_codes(_EMBED.sub("", _PAGE_BREAK.sub("\n\n", written)))
    body = body_of(content)
    codes += (LeftOut(LeftOutKind.EMBED, address) for address in _EMBED.findall(written))
    body = replace(body, left_out=(*codes, *body.left_out))
    return ArticleDraft(body, keys, item.sourceline or 0, fields.get("link", ""))


def _fields(element: etree._Element) -> Fields:
    """Return the text of each child by its name, without what plugins added to the export."""
    fields: dict[str, str] = {}
    for child in element.iterchildren(etree.Element):
        name = f"wp:{local_name(child)}" if _WORDPRESS.match(child.tag) else _NAMES.get(child.tag, child.tag)
        if not name.startswith("{"):
            fields.setdefault(name, (child.text or "").strip())
    return fields


def _day(fields: Fields) -> str | None:
    """Return the day of publication in the newsroom's time zone, else in UTC."""
    written = fields.get("wp:post_date", "")
    if written and not written.startswith("0000"):
        return written
    with suppress(ValueError, OverflowError):
        return parsedate_to_datetime(fields.get("pubDate", "")).astimezone(UTC).date().isoformat()
    return None
