"""Exports as JSON: WordPress's REST interface, Ghost, and Arc (``arc.py``) -> drafts of the published posts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from retrieval.errors import ArticleError, UnpublishedError, UnreadableArticleError
from retrieval.intake.arc import Object, arc_drafts, objects_in, string_in, within
from retrieval.intake.markup import body_of, text_of
from retrieval.intake.metadata import ArticleDraft, Rejected, waiting_embargoes
from retrieval.limits import FILE, decode, legible, read_bytes, read_json


def read_json_export(file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield a draft of each published post or story, and the reason for each other one."""
    value = read_json(decode(read_bytes(file, FILE)))
    posts = list(_posts(value))
    for number, post in enumerate(posts, start=1):
        try:
            yield _draft(post, f"{legible(file.name)}:{number}", legible(file))
        except ArticleError as error:
            yield f"{legible(file)}, post {number}", error
    if not posts:
        yield from arc_drafts(value, file)


def _posts(value: object) -> Iterator[Object]:
    match value:
        case {"db": [{"data": {"posts": list(posts)}}]} | {"data": {"posts": list(posts)}} | {"posts": list(posts)}:
            yield from (post for post in posts if isinstance(post, dict) and post.get("type", "post") == "post")
        case {"content": {"rendered": str()}} | [{"content": {"rendered": str()}}, *_]:  # WordPress
            posts = value if isinstance(value, list) else [value]
            yield from (post for post in posts if isinstance(post, dict) and post.get("type", "post") == "post")


def _draft(post: Object, name: str, path: str) -> ArticleDraft:
    content, title = within(post, "content"), within(post, "title")
    if content.get("protected") is True:
        raise UnpublishedError("It has a password.")
    html = string_in(content, "rendered") or string_in(post, "html")
    if not html and (string_in(post, "lexical") or string_in(post, "mobiledoc")):
        raise UnreadableArticleError("It has no HTML, only what Ghost's editor works with: export it with its HTML.")
    address, body = string_in(post, "link") or string_in(post, "url"), body_of(html)
    authors = objects_in(within(post, "_embedded"), "author") or objects_in(post, "authors")
    keys = {
        "title": text_of(string_in(title, "rendered") or string_in(post, "title")),
        "url": address if "://" in address else None,
        "published": string_in(post, "date") or string_in(post, "published_at"),
        "author": ", ".join(filter(None, (string_in(author, "name") for author in authors))),
        **{key: post[key] for key in ("status", "date_gmt", "published_at") if post.get(key)},
        **waiting_embargoes({key: post[key] for key in ("embargo", "meta", "acf") if post.get(key)}),
    }
    return ArticleDraft(
        address or string_in(post, "slug") or name, body.text, keys, path, 0, body.layout, body.left_out
    )
