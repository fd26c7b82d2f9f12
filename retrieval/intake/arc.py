"""Arc's export (ANS: JSON) -> drafts of the published stories.

A file has one story, a list of them, or an API's response with stories inside. A story's text is made of the elements
that its own writers wrote, HTML among them. Embedded pages, pictures and related links are named as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.errors import ArticleError, EmptyArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.markup import Body, body_of, joined, text_of
from retrieval.intake.metadata import ArticleDraft, Rejected, waiting_embargoes
from retrieval.limits import legible
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
_NAMES = ("caption", "title", "description", "text", "url", "_id")  # by which an element that isn't read is known
_WEB = ("https://", "http://")

Object = Mapping[str, object]


def arc_drafts(value: object, file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield a draft of each published story in the value of a file, and the reason for each other one."""
    stories = list(_stories(value))
    if not stories:
        raise UnreadableArticleError("It has no post of WordPress or Ghost and no story of Arc, so it is not read.")
    for number, story in enumerate(stories, start=1):
        try:
            yield arc_draft(story, f"{legible(file.name)}:{number}", legible(file))
        except ArticleError as error:
            yield f"{legible(file)}, story {number}" if len(stories) > 1 else legible(file), error


def _stories(value: object) -> Iterator[Object]:
    match value:
        case {"type": "story", **keys}:
            yield {str(key): own for key, own in keys.items()}
        case {"content_elements": list(elements)} | list(elements):
            yield from (each for each in elements if isinstance(each, dict) and each.get("type") == "story")


def arc_draft(story: Object, name: str, path: str, line: int = 0) -> ArticleDraft:
    """Return the draft of a story; ``name`` is its id if it has none.

    Raises ``UnpublishedError`` where it is not published, ``EmptyArticleError`` where it has no text.
    """
    if not _is_published(story):
        raise UnpublishedError("It is not published.")
    elements = objects_in(story, "content_elements")
    body = joined(_bodies(elements))
    if not body.text:
        raise EmptyArticleError("None of its elements has text.")
    dates = (string_in(story, key) for key in ("display_date", *_DATES))
    addresses = (string_in(story, key) for key in ("canonical_url", "website_url"))
    source = within(story, "source")
    keys = {
        "id": string_in(story, "_id"),
        "title": text_of(string_in(within(story, "headlines"), "basic")),
        "url": next((address for address in addresses if address.startswith(_WEB)), None),  # or it lacks the host
        "published": next(filter(None, dates), None),
        "author": ", ".join(
            filter(None, (string_in(each, "name") for each in objects_in(within(story, "credits"), "by")))
        ),
        "source": string_in(story, "canonical_website") or string_in(story, "website"),
        "wire": string_in(source, "name") if string_in(source, "source_type") == "wires" else None,
        **waiting_embargoes({key: value for key, value in story.items() if key not in _ELSEWHERE}),
    }
    return ArticleDraft(name, body.text, keys, path, line, body.layout, body.left_out)


def _is_published(story: Object) -> bool:
    """Whether readers have seen this revision: something says so, and nothing denies it."""
    revision, publishing = within(story, "revision"), within(story, "publishing")
    said = (revision.get("published"), publishing.get("has_published_edition"))
    dates = [moment for moment in (_moment(string_in(story, key)) for key in _DATES) if moment]
    is_draft = within(story, "workflow").get("status_code") == _DRAFT and True not in said
    is_denied = is_draft or False in said or revision.get("editions") == []
    if is_denied or string_in(story, "status").lower() not in _PUBLISHED:
        return False
    return all(moment <= datetime.now(UTC) for moment in dates) and (True in said or bool(dates))


def _moment(written: str) -> datetime | None:
    with suppress(ValueError):
        moment = datetime.fromisoformat(written)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def _bodies(elements: Sequence[Object]) -> Iterator[Body]:
    for element in elements:
        kind, content = string_in(element, "type"), string_in(element, "content")
        inside = objects_in(element, "items") or objects_in(element, "content_elements")
        match kind:
            case "text":
                yield body_of(content)
            case "header":
                yield _set_as(LayoutKind.HEADING, [body_of(content)])
            case "correction":
                yield body_of(string_in(element, "text"))
            case "list":
                yield from (_set_as(LayoutKind.LIST_ITEM, _bodies([item])) for item in inside)
            case "element_group" | "blockquote" | "quote" if string_in(element, "subtype") != "pullquote":
                cited = body_of(string_in(within(element, "citation"), "content"))
                parts = [body_of(content), *_bodies(inside), _set_as(LayoutKind.CITE, [cited])]
                yield joined(parts) if kind == "element_group" else _set_as(LayoutKind.BLOCK_QUOTATION, parts)
            case "raw_html" if not _EMBEDDED.search(content):
                yield body_of(content)
            case _:
                left_out = _LEFT_OUT.get(string_in(element, "subtype"), _LEFT_OUT.get(kind, LeftOutKind.EMBED))
                names = (text_of(string_in(element, key)) for key in _NAMES)
                words = " ".join(joined([body_of(content), *_bodies(inside)]).text.split()) or next(
                    filter(None, names), ""
                )
                yield Body(left_out=(LeftOut(left_out, f"{kind}: {words}" if words else kind),) if kind else ())


def _set_as(kind: LayoutKind, bodies: Iterable[Body]) -> Body:
    body = joined(bodies)
    whole = (LayoutSpan(kind, Span(0, len(body.text))),) if body.text else ()
    return replace(body, layout=(*whole, *body.layout))


def string_in(value: Object, key: str) -> str:
    own = value.get(key)
    return own.strip() if isinstance(own, str) else ""


def within(value: Object, key: str) -> Object:
    own = value.get(key)
    return own if isinstance(own, dict) else {}


def objects_in(value: Object, key: str) -> list[Object]:
    own = value.get(key)
    return [inside for inside in own if isinstance(inside, dict)] if isinstance(own, list) else []
