"""Exports of editing systems -> drafts: WordPress's (WXR or its REST interface), Ghost's, and stories of Arc (ANS).

WXR is RSS with elements of its own, read as a stream, one item at a time, by a parser that resolves no entities and
uses no network; a file that declares entities is refused. If the file is broken, the items before that are read.
A file of JSON has one post or story, a list, or an API's response with several inside. A story's text is made of the
elements that its own writers wrote, HTML among them. Embedded pages, pictures and related links are named as left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from pathlib import Path

from lxml import etree

from retrieval.errors import ArticleError, EmptyArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.marks import without_codes
from retrieval.intake.markup import body_of, joined, local_name
from retrieval.intake.metadata import ArticleDraft, Rejected, waiting_embargoes
from retrieval.limits import ELEMENTS, EXPORT, FILE, cannot_open, decode, legible, read_bytes, read_json
from retrieval.model import Body, LayoutKind, LayoutSpan, LeftOut, LeftOutKind, Span

_WORDPRESS = re.compile(r"\{http://wordpress\.org/export/[^{}]*\}")  # the version is in the name
_PAGE_BREAK = re.compile(r"\n[^\S\n]*<!--(?:more|nextpage)\b[^<>]{0,200}-->[^\S\n]*\r?\n")
# a line of its own becomes what it leads to
_EMBED = re.compile(r"^[^\S\n]*+(?:<p>[^\S\n]*+)?(https?://[^\s<>\"]+)[^\S\n]*+(?:</p>[^\S\n]*+)?$", re.MULTILINE)
_CHILDREN = {
    "{http://purl.org/rss/1.0/modules/content/}encoded": "content",
    "{http://purl.org/dc/elements/1.1/}creator": "dc:creator",
}
_DATES = ("first_publish_date", "publish_date")
_PUBLISHED = frozenset(("", "published", "publish", "republished", "live", "updated"))  # what a story's status may be
_DRAFT = 1  # the workflow code of a story that only its writer has seen
_ELSEWHERE = frozenset(("content_elements", "related_content", "promo_items"))  # where a story has other stories
# what a script or a frame fills, and somebody's post that is shown
_EMBEDDED = re.compile(r"<(?:script|iframe|object|embed)\b|-(?:tweet|media|embed|post)\b", re.IGNORECASE)
_LEFT_OUT = {
    "pullquote": LeftOutKind.PULL_QUOTE,
    "interstitial_link": LeftOutKind.TEASER,
    "link_list": LeftOutKind.TEASER,
    "table": LeftOutKind.OTHER,
    "code": LeftOutKind.PAGE_CODE,
}
_NAMES = ("caption", "title", "description", "text", "url", "_id")  # by which an element that isn't read is known
_WEB = ("https://", "http://")

Fields = Mapping[str, str]
Object = Mapping[str, object]


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
            EXPORT.check(file.stat().st_size)
            for _, element in etree.iterparse(opened, events=("end",), resolve_entities=False):
                elements += 1
                ELEMENTS.check(elements)
                if (parent := element.getparent()) is None or local_name(parent) != "channel":
                    continue
                if element.getroottree().docinfo.internalDTD is not None:
                    raise UnreadableArticleError("It declares entities, which WordPress exports do not.")
                yield element
                elements = 0
                element.clear()
                while element.getprevious() is not None:
                    del parent[0]
    except OSError as error:
        raise cannot_open(error) from error
    except etree.XMLSyntaxError as error:
        raise UnreadableArticleError(
            f"It is not XML from line {error.lineno or 1} on. Export it again. The part before that is read."
        ) from error


def _draft(item: etree._Element, fields: Fields, source: str, author: str) -> ArticleDraft:
    added = [_fields(child) for child in item.iterchildren(etree.Element) if local_name(child) == "postmeta"]
    published = fields.get("wp:post_date", "")  # in the newsroom's time zone, else in UTC
    if not published or published.startswith("0000"):
        published = ""
        with suppress(ValueError, OverflowError):
            published = parsedate_to_datetime(fields.get("pubDate", "")).astimezone(UTC).date().isoformat()
    keys = {
        "title": body_of(fields.get("title", "")).text,
        "url": fields.get("link"),
        "author": author,
        "published": published,
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
        name = f"wp:{local_name(child)}" if _WORDPRESS.match(child.tag) else _CHILDREN.get(child.tag, child.tag)
        if not name.startswith("{"):
            fields.setdefault(name, (child.text or "").strip())
    return fields


def read_json_export(file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield a draft of each published post or story, and the reason for each other one."""
    value = read_json(decode(read_bytes(file, FILE)))
    posts = list(_posts(value))
    is_story = _value(value, "type") == "story"
    stories = _objects([value]) if is_story else _objects(value, "content_elements") or _objects(value)
    rows = posts or [story for story in stories if story.get("type") == "story"]
    if not rows:
        raise UnreadableArticleError("It has no post of WordPress or Ghost and no story of Arc, so it is not read.")
    for number, row in enumerate(rows, start=1):
        try:
            draft = _post_draft(row) if posts else arc_draft(row)
            yield replace(draft, name=draft.name or f"{legible(file.name)}:{number}")
        except ArticleError as error:
            yield f"post {number}" if posts else f"story {number}" if len(rows) > 1 else "", error


def _posts(value: object) -> Iterator[Object]:
    match value:
        case {"db": [{"data": {"posts": list(posts)}}]} | {"data": {"posts": list(posts)}} | {"posts": list(posts)}:
            yield from (post for post in posts if isinstance(post, dict) and post.get("type", "post") == "post")
        case {"content": {"rendered": str()}} | [{"content": {"rendered": str()}}, *_]:  # WordPress
            posts = value if isinstance(value, list) else [value]
            yield from (post for post in posts if isinstance(post, dict) and post.get("type", "post") == "post")


def _post_draft(post: Object) -> ArticleDraft:
    if _value(post, "content", "protected") is True:
        raise UnpublishedError("It has a password.")
    html = _string(post, "content", "rendered") or _string(post, "html")
    if not html and (_string(post, "lexical") or _string(post, "mobiledoc")):
        raise UnreadableArticleError("It has no HTML, only what Ghost's editor works with: export it with its HTML.")
    address = _string(post, "link") or _string(post, "url")
    keys = {
        "title": body_of(_string(post, "title", "rendered") or _string(post, "title")).text,
        "url": address if "://" in address else None,
        "published": _string(post, "date") or _string(post, "published_at"),
        "author": _names_of(_objects(post, "_embedded", "author") or _objects(post, "authors")),
        **{key: post[key] for key in ("status", "date_gmt", "published_at") if post.get(key)},
        **waiting_embargoes({key: post[key] for key in ("embargo", "meta", "acf") if post.get(key)}),
    }
    return ArticleDraft(body_of(html), keys, name=address or _string(post, "slug"))


def arc_draft(story: Object) -> ArticleDraft:
    """Return the draft of a story.

    Raises ``UnpublishedError`` where it is not published, ``EmptyArticleError`` where it has no text.
    """
    if not _is_published(story):
        raise UnpublishedError("It is not published.")
    body = joined(_bodies(_objects(story, "content_elements")))
    if not body.text:
        raise EmptyArticleError("None of its elements has text.")
    dates = (_string(story, key) for key in ("display_date", *_DATES))
    addresses = (_string(story, key) for key in ("canonical_url", "website_url"))
    keys = {
        "id": _string(story, "_id"),
        "title": body_of(_string(story, "headlines", "basic")).text,
        "url": next((address for address in addresses if address.startswith(_WEB)), None),  # or it lacks the host
        "published": next(filter(None, dates), None),
        "author": _names_of(_objects(story, "credits", "by")),
        "source": _string(story, "canonical_website") or _string(story, "website"),
        "wire": _string(story, "source", "name") if _string(story, "source", "source_type") == "wires" else None,
        **waiting_embargoes({key: value for key, value in story.items() if key not in _ELSEWHERE}),
    }
    return ArticleDraft(body, keys)


def _is_published(story: Object) -> bool:
    """Whether readers have seen this revision: something says so, and nothing denies it."""
    said = (_value(story, "revision", "published"), _value(story, "publishing", "has_published_edition"))
    dates = list[datetime]()
    for key in _DATES:
        with suppress(ValueError):
            moment = datetime.fromisoformat(_string(story, key))
            dates.append(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    is_draft = _value(story, "workflow", "status_code") == _DRAFT and True not in said
    is_denied = is_draft or False in said or _value(story, "revision", "editions") == []
    if is_denied or _string(story, "status").lower() not in _PUBLISHED:
        return False
    return all(moment <= datetime.now(UTC) for moment in dates) and (True in said or bool(dates))


def _bodies(elements: Sequence[Object]) -> Iterator[Body]:
    for element in elements:
        kind, content = _string(element, "type"), _string(element, "content")
        inside = _objects(element, "items") or _objects(element, "content_elements")
        match kind:
            case "text" | "raw_html" if kind == "text" or not _EMBEDDED.search(content):
                yield body_of(content)
            case "correction":
                yield body_of(_string(element, "text"))
            case "header":
                yield _set_as(LayoutKind.HEADING, [body_of(content)])
            case "list":
                yield from (_set_as(LayoutKind.LIST_ITEM, _bodies([item])) for item in inside)
            case "element_group" | "blockquote" | "quote" if _string(element, "subtype") != "pullquote":
                cited = body_of(_string(element, "citation", "content"))
                parts = [body_of(content), *_bodies(inside), _set_as(LayoutKind.CITE, [cited])]
                yield joined(parts) if kind == "element_group" else _set_as(LayoutKind.BLOCK_QUOTATION, parts)
            case _:
                left_out = _LEFT_OUT.get(_string(element, "subtype"), _LEFT_OUT.get(kind, LeftOutKind.EMBED))
                own = " ".join(joined([body_of(content), *_bodies(inside)]).text.split())
                words = next(filter(None, chain([own], (body_of(_string(element, key)).text for key in _NAMES))), "")
                yield Body(left_out=(LeftOut(left_out, f"{kind}: {words}" if words else kind),) if kind else ())


def _set_as(kind: LayoutKind, bodies: Iterable[Body]) -> Body:
    body = joined(bodies)
    whole = (LayoutSpan(kind, Span(0, len(body.text))),) if body.text else ()
    return replace(body, layout=(*whole, *body.layout))


def _names_of(authors: Iterable[Object]) -> str:
    return ", ".join(filter(None, (_string(author, "name") for author in authors)))


def _value(value: object, *path: str) -> object:
    """Return what is in an object by a key, or in an object inside it by several; None where it is not there."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _string(value: object, *path: str) -> str:
    own = _value(value, *path)
    return own.strip() if isinstance(own, str) else ""


def _objects(value: object, *path: str) -> list[Object]:
    own = _value(value, *path)
    return [inside for inside in own if isinstance(inside, dict)] if isinstance(own, list) else []
