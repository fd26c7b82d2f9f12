"""Arc's export (ANS: JSON) -> drafts of the published stories.

A file has one story, a list of them, or an API's response with stories inside. A story's text is made of the elements
that its own writers wrote, HTML among them. Embedded pages, pictures and related links are named as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.errors import ArticleError, EmptyArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.markup import Body, body_of, joined, text_of
from retrieval.intake.metadata import EMBARGO, ArticleDraft, Rejected, embargoes, is_past
from retrieval.intake.publication import plain
from retrieval.limits import FILE, decode, legible, read_bytes, read_json
from retrieval.model import LayoutKind, LayoutSpan, LeftOut, LeftOutKind, Span

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
_WEB = ("https://", "http://")

Object = Mapping[str, object]


def read_arc(file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield a draft of each published story, and the reason for each other one."""
    stories = list(_stories(read_json(decode(read_bytes(file, FILE)))))
    if not stories:
        raise UnreadableArticleError("It has no Arc story (ANS), the only kind of JSON that is read.")
    for number, story in enumerate(stories, start=1):
        place = legible(file)
        try:
            yield arc_draft(story, f"{legible(file.name)}:{number}", place)
        except ArticleError as error:
            yield f"{place}, story {number}" if len(stories) > 1 else place, error


def _stories(value: object) -> Iterator[Object]:
    match value:
        case {"type": "story", **keys}:
            yield {str(key): each for key, each in keys.items()}
        case {"content_elements": list(elements)} | list(elements):
            yield from (each for each in elements if isinstance(each, dict) and each.get("type") == "story")


def arc_draft(story: Object, name: str, path: str, line: int = 0) -> ArticleDraft:
    """Return the draft of a story; ``name`` is its id if it has none.

    Raises ``UnpublishedError`` where it is not published, ``EmptyArticleError`` where it has no text.
    """
    if not _is_published(story):
        raise UnpublishedError("It is not published.")
    elements = _list(story, "content_elements")
    body = joined(_bodies(elements))
    if not body.text:
        raise EmptyArticleError("None of its elements has text.")
    dates = (_string(story, key) for key in ("display_date", *_DATES))
    source = _object(story, "source")
    keys = {
        "id": _string(story, "_id"),
        "title": text_of(_string(_object(story, "headlines"), "basic")),
        "url": _address(story),
        "published": next(filter(None, dates), None),
        "author": ", ".join(filter(None, (_string(each, "name") for each in _list(_object(story, "credits"), "by")))),
        "source": _string(story, "canonical_website") or _string(story, "website"),
        "wire": _string(source, "name") if _string(source, "source_type") == "wires" else None,
        **_embargoes(story),
    }
    return ArticleDraft(name, body.text, keys, path, line, body.layout, body.left_out)


def _is_published(story: Object) -> bool:
    """Whether readers have seen this revision: something says so, and nothing denies it."""
    revision, publishing = _object(story, "revision"), _object(story, "publishing")
    said = (revision.get("published"), publishing.get("has_published_edition"))
    dates = [moment for moment in (_moment(_string(story, key)) for key in _DATES) if moment]
    if _string(story, "status").lower() not in _PUBLISHED:
        return False
    if _object(story, "workflow").get("status_code") == _DRAFT and True not in said:
        return False
    if False in said or revision.get("editions") == [] or any(moment > datetime.now(UTC) for moment in dates):
        return False
    return True in said or bool(dates)


def _embargoes(story: Object) -> Object:
    """Return the keys about an embargo that has not certainly ended."""
    own = {key: value for key, value in story.items() if key not in _ELSEWHERE}
    return {EMBARGO if plain(path) == EMBARGO else path: value for path, value in embargoes(own) if not is_past(value)}


def _moment(written: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _address(story: Object) -> str | None:
    """Return the story's address, unless it lacks the host."""
    addresses = (_string(story, key) for key in ("canonical_url", "website_url"))
    return next((address for address in addresses if address.startswith(_WEB)), None)


def _bodies(elements: Sequence[Object]) -> Iterator[Body]:
    for element in elements:
        kind, content = _string(element, "type"), _string(element, "content")
        inside = _list(element, "items") or _list(element, "content_elements")
        match kind:
            case "text":
                yield body_of(content)
            case "header":
                yield _set_as(LayoutKind.HEADING, [body_of(content)])
            case "correction":
                yield body_of(_string(element, "text"))
            case "list":
                yield from (_set_as(LayoutKind.LIST_ITEM, _bodies([item])) for item in inside)
            case "element_group" | "blockquote" | "quote" if _string(element, "subtype") != "pullquote":
                cited = body_of(_string(_object(element, "citation"), "content"))
                parts = [body_of(content), *_bodies(inside), _set_as(LayoutKind.CITE, [cited])]
                yield joined(parts) if kind == "element_group" else _set_as(LayoutKind.BLOCK_QUOTATION, parts)
            case "raw_html" if not _EMBEDDED.search(content):
                yield body_of(content)
            case _:
                left_out = _LEFT_OUT.get(_string(element, "subtype"), _LEFT_OUT.get(kind, LeftOutKind.EMBED))
                words = " ".join(joined([body_of(content), *_bodies(inside)]).text.split()) or _label(element)
                yield Body(left_out=(LeftOut(left_out, f"{kind}: {words}" if words else kind),) if kind else ())


def _set_as(kind: LayoutKind, bodies: Iterable[Body]) -> Body:
    body = joined(bodies)
    whole = (LayoutSpan(kind, Span(0, len(body.text))),) if body.text else ()
    return replace(body, layout=(*whole, *body.layout))


def _label(element: Object) -> str:
    """Return the words by which an element that isn't read is known."""
    words = (text_of(_string(element, key)) for key in ("caption", "title", "description", "text", "url", "_id"))
    return next(filter(None, words), "")


def _string(value: Object, key: str) -> str:
    found = value.get(key)
    return found.strip() if isinstance(found, str) else ""


def _object(value: Object, key: str) -> Object:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _list(value: Object, key: str) -> list[Object]:
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
