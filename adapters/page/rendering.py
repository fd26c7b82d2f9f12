"""What is drawn -> HTML: the templates and the style, every word escaped.

A page by itself (``file``) loads nothing: its style stands in it, allowed by its hash.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from bot.escape_controls import escape_controls
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adapters.page import labels
from adapters.page.addresses import Links, article_path, copy_path, feedback_path
from adapters.page.article_view import proof
from adapters.page.home import Home
from adapters.page.quotation_check import CheckedText
from adapters.page.reply_view import View
from adapters.page.version_view import Versions
from bot.citing import link, opens
from retrieval import Reading

HERE = Path(__file__).resolve().parent


@cache
def environment() -> Environment:
    """Return the templates; whatever they show is escaped."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    paths = {"article_path": article_path, "copy_path": copy_path}
    made.globals.update(paths, feedback_path=feedback_path, voice=labels, link=link)
    return made


def _shown(value: object) -> object:
    """Return ``value`` with control characters as their codes."""
    return escape_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def static(name: str) -> str:
    """Return a file that every page uses."""
    return (HERE / "static" / name).read_text(encoding="utf-8")


def file(readings: Sequence[Reading]) -> str:
    """Return articles as one page that needs nothing else."""
    style = static("style.css")
    template = environment().get_template("file.html")
    return template.render(
        proofs=[proof(reading) for reading in readings],
        policy=f"default-src 'none'; style-src 'sha256-{_hash(style)}'; base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 - our own file, in which nothing is ever filled in
    )


def article(reading: Reading, links: Links, versions: Versions | None = None) -> str:
    """Return an article's page, with what is told of its versions."""
    url = reading.article.url
    template = environment().get_template("article.html")
    return template.render(
        proof=proof(reading), links=links, versions=versions, url=url if url and opens(url) else None
    )


def reply(view: View, links: Links, asked: str = "", held: Callable[[str], str | None] = lambda _: None) -> str:
    """Return a reply's page; ``held`` gives the address of the article that a line names."""
    return environment().get_template("reply.html").render(view=view, links=links, asked=asked, held=held)


def home(shown: Home, links: Links) -> str:
    """Return the first page."""
    return environment().get_template("home.html").render(home=shown, links=links)


def quotations(links: Links, found: CheckedText | None = None, text: str = "") -> str:
    """Return the page on which the quotations of a text are checked, with what was found of those in ``text``."""
    return environment().get_template("quotations.html").render(links=links, found=found, text=text)


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
