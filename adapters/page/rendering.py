"""Renders the templates to HTML, with every word escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adapters.page import labels
from adapters.page.addresses import Links, article_path, copy_path, feedback_path
from adapters.page.article_view import article_view
from adapters.page.home import Home
from adapters.page.proofing import ProofView
from adapters.page.quotation_check import CheckedText
from adapters.page.reply_view import View
from adapters.page.version_view import Versions
from bot.citing import link, opens
from bot.escaping import escape_controls
from retrieval import Reading

HERE = Path(__file__).resolve().parent


@cache
def environment() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_escape_controls,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    paths = {"article_path": article_path, "copy_path": copy_path}
    templates.globals.update(paths, feedback_path=feedback_path, labels=labels, link=link)
    return templates


def _escape_controls(value: object) -> object:
    return escape_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def static(name: str) -> str:
    return (HERE / "static" / name).read_text(encoding="utf-8")


def file(readings: Sequence[Reading]) -> str:
    """Return articles as one page that loads nothing: its style is in it, allowed by its hash."""
    style = static("style.css")
    template = environment().get_template("file.html")
    return template.render(
        articles=[article_view(reading) for reading in readings],
        policy=f"default-src 'none'; style-src 'sha256-{_hash(style)}'; base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 - our own file, never filled in
    )


def article(reading: Reading, links: Links, versions: Versions | None = None) -> str:
    url = reading.article.url
    template = environment().get_template("article.html")
    return template.render(
        article=article_view(reading), links=links, versions=versions, url=url if url and opens(url) else None
    )


def reply(
    view: View, links: Links, asked: str = "", article_url: Callable[[str], tuple[str, str] | None] = lambda _: None
) -> str:
    """Return a reply's page; ``article_url`` gives URL and words for a line that names an article."""
    return environment().get_template("reply.html").render(view=view, links=links, asked=asked, article_url=article_url)


def home(contents: Home, links: Links) -> str:
    return environment().get_template("home.html").render(home=contents, links=links)


def quotations(links: Links, checked: CheckedText | None = None, text: str = "") -> str:
    return environment().get_template("quotations.html").render(links=links, checked=checked, text=text)


def proof(links: Links, found: ProofView | None = None) -> str:
    return environment().get_template("proof.html").render(links=links, proof=found)


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
