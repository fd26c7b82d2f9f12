"""Renders the templates to HTML, with every word escaped."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adapters.page import labels
from adapters.page.addresses import Links, article_path, copy_path
from adapters.page.article_view import article_view
from adapters.page.reply_view import View
from bot import messages, source_lines, verdicts
from bot.escaping import escape_controls
from bot.model import Change, Difference
from bot.outline import notices, outline
from bot.source_lines import link, opens
from retrieval import Reading

HERE = Path(__file__).resolve().parent
LineUrl = Callable[[str], tuple[str, str] | None]  # of the article that a line names, and words
STATIC = {"style.css": "text/css", "icon.svg": "image/svg+xml", "page.js": "text/javascript"}


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
    functions = (article_path, copy_path, corrected, link, notices, opens, outline)
    templates.globals.update({function.__name__: function for function in functions})
    templates.globals.update(source_lines=source_lines, labels=labels, messages=messages, verdicts=verdicts)
    return templates


def _escape_controls(value: object) -> object:
    return escape_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def corrected(difference: Difference) -> list[tuple[str, str]]:
    """Return a comparison as a correction: what was pasted is struck (``del``), and behind it is what was published."""
    runs = [({Change.ADDED: "del", Change.REMOVED: "ins"}.get(change, ""), words) for change, words in difference]
    for at in range(len(runs) - 1):
        if (runs[at][0], runs[at + 1][0]) == ("ins", "del"):
            runs[at : at + 2] = runs[at + 1], runs[at]
    return runs


def static(name: str) -> str:
    return (HERE / "static" / name).read_text(encoding="utf-8")


def render(name: str, **values: object) -> str:
    return environment().get_template(f"{name}.html").render(values)


def file(readings: Sequence[Reading]) -> str:
    """Return articles as one page that loads nothing: its style is in it, allowed by its hash."""
    style = static("style.css")
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    return render(
        "file",
        articles=[article_view(reading) for reading in readings],
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 - our own file, never filled in
    )


def reply(view: View, links: Links, asked: str = "", article_url: LineUrl = lambda _: None, more_url: str = "") -> str:
    return render("reply", view=view, links=links, asked=asked, article_url=article_url, more_url=more_url)
