"""`python -m docs.screens`: the invented articles of the tests -> ``docs/img/*.png``.

Each picture is of a reply's own payload, as it would be sent. Only the look is ours: neither platform is asked.
The article is drawn as the page draws it, its beginning alone.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from adapters.compose import open_desk, read_articles
from adapters.discord.buttons import Act, controls
from adapters.discord.components import draw as draw_for_discord
from adapters.page.rendering import file
from adapters.settings import load
from adapters.slack.blocks import Buttons, draw as draw_for_slack
from bot.model import Question, Reply
from docs.screens import block_kit, components

HERE = Path(__file__).resolve().parent
PICTURES = HERE.parent / "img"
ARTICLES = HERE.parent.parent / "tests" / "fixtures" / "articles"
ASKED = {
    "answer": "how many dockers have stopped work at aldmouth",
    "unsure": "what does a docker at aldmouth earn",
    "nothing": "what did the choir sing",
    "who": "/who Astrid Holm",
    "disputed": "/disputed rota",
}
ARTICLE = "strike.md"
WIDTH = 700
MARGINS = {"width": 1000, "height": 640}  # wide enough for the speakers' margin and the caveats'
COLOURS = 32  # of a palette: enough for letters on white, and a third of the bytes
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ACTS = frozenset((Act.MORE, Act.CONTEXT, Act.COPY))


def main() -> None:
    """Ask, draw and photograph; exit with a sentence where no browser is installed."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"No browser is installed that can draw the pictures: one of {', '.join(BROWSERS)}.")
    photograph(browser, dict(pages()))


def pages() -> Iterator[tuple[str, str]]:
    """Yield each picture's name and its page."""
    desk = open_desk(load({"STET_ARTICLES": str(ARTICLES)}, env_file=Path(os.devnull)))
    for name, asked in ASKED.items():
        reply = desk.answer(Question(asked, brief=True))
        drawing = draw_for_slack(reply, Buttons(answer=1, desk=True))
        yield f"slack-{name}", page("slack", asked, block_kit.html(drawing.blocks))
        yield f"discord-{name}", page("discord", asked, components.html(asyncio.run(_components(reply))))
    settings = load({"STET_ARTICLES": str(ARTICLES / ARTICLE)}, env_file=Path(os.devnull))
    yield "page-article", file(tuple(read_articles(settings).library.values()))


async def _components(reply: Reply) -> list[components.Component]:
    """Return what Discord is sent; its library makes no view outside a loop."""
    return draw_for_discord(reply, controls(reply, 1, ACTS, desk=True)).to_components()


def page(platform: str, asked: str, reply: str) -> str:
    """Return a page of the question, and of the reply in HTML."""
    style = (HERE / "style.css").read_text(encoding="utf-8")
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><style>{style}</style><body class={platform}>"
        f"<p class=asker><b>Robin</b></p><p>{_typed(platform, asked)}</p>"
        f"<p class=asker><b>Stet</b> <span class=app>APP</span></p>{reply}"
    )


def _typed(platform: str, asked: str) -> str:
    """Return a question with the bot's name before it, and a command as the platform takes it."""
    if not asked.startswith("/"):
        return f"<span class=mention>@Stet</span> {escape(asked)}"
    return escape(asked.replace("/", "/stet ", 1) if platform == "slack" else asked)


def photograph(browser: str, drawn: dict[str, str]) -> None:
    """Write each page as a picture, as high as it is."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        tab = opened.new_page(offline=True)
        for name, html in drawn.items():
            tab.set_content(html)
            whole = name != "page-article"
            tab.set_viewport_size({"width": WIDTH, "height": 200} if whole else MARGINS)
            _write(PICTURES / f"{name}.png", tab.screenshot(full_page=whole))
        opened.close()


def _write(path: Path, png: bytes) -> None:
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main()
