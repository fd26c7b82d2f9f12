"""Arc's export (ANS: JSON) -> drafts of the published stories.

A file has one story, a list of them, or an API's response with stories inside. A story's text is made of the elements
that its own writers wrote, without embedded pages, pictures and related links.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from retrieval.errors import ArticleError, EmptyArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.markup import text_of
from retrieval.intake.metadata import EMBARGO, ArticleDraft, Rejected, embargoes, is_past
from retrieval.intake.publication import plain
from retrieval.limits import FILE, decode, legible, read_bytes, read_json

_DATES = ("first_publish_date", "publish_date")
_PUBLISHED = frozenset(("", "published", "publish", "republished", "live", "updated"))  # what a story's status may be
_DRAFT = 1  # the workflow code of a story that only its writer has seen
_ELSEWHERE = frozenset(("content_elements", "related_content", "promo_items"))  # where a story has other stories
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
    written = list(_paragraphs(elements)) or [
        text_of(_string(e, "content")) for e in elements if _string(e, "type") == "raw_html"
    ]
    if not any(written):
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
    return ArticleDraft(name, "\n".join(filter(None, written)), keys, path, line)


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


def _paragraphs(elements: Sequence[Object]) -> Iterator[str]:
    for element in elements:
        match _string(element, "type"):
            case "text" | "header":
                yield text_of(_string(element, "content"))
            case "correction":
                yield text_of(_string(element, "text"))
            case "list":
                yield from _paragraphs(_list(element, "items"))
            case "element_group" | "blockquote" | "quote" if _string(element, "subtype") != "pullquote":
                yield text_of(_string(element, "content"))
                yield from _paragraphs(_list(element, "content_elements"))
                yield text_of(_string(_object(element, "citation"), "content"))


def _string(value: Object, key: str) -> str:
    found = value.get(key)
    return found.strip() if isinstance(found, str) else ""


def _object(value: Object, key: str) -> Object:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _list(value: Object, key: str) -> list[Object]:
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
