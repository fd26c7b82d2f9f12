"""`python -m docs.screens`: the invented articles of the tests -> ``docs/img/*.png``.

Each picture is of a reply's own payload, as it would be sent, or of what is printed or served. Neither platform is
asked; with Lato and Open Sans installed the letters are nearly theirs.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from adapters.articles import open_service
from adapters.page.addresses import article_path
from adapters.settings import load
from docs.screens.pages import discord, served, slack, terminal

PROJECT = Path(__file__).resolve().parents[2]
PICTURES = PROJECT / "docs" / "img"
ARTICLES = PROJECT / "tests" / "fixtures" / "articles"
ASKED = {
    "answer": "how many dockers have stopped work at aldmouth",
    "unsure": "what does a docker at aldmouth earn",
    "nothing": "what did the choir sing",
    "who": "/who Astrid Holm",
    "disputed": "/disputed rota",
}
TYPED = (f'ask "{ASKED["answer"]}"', "who Denise Okafor")
ARTICLE = "strike.md"
DESKTOP, TABLET, PHONE = 760, 768, 390
MARGINS = 970  # the page has room for them
WIDTHS = (1280, TABLET, PHONE)
GAP, BEHIND = 16, "#8c959f"  # pixels between the parts of a sheet, and what shows there
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Shot:
    """A page at a width, in light or dark; cut at a height, or as high as it is."""

    html: str
    width: int = DESKTOP
    dark: bool = False
    height: int | None = None


Sheet = tuple[tuple[Shot, ...], ...]  # rows of what is shown beside each other


def main() -> None:
    """Ask, draw and photograph."""
    browser = found_browser()
    os.environ["FORCE_HYPERLINK"] = "1"  # whatever terminal this runs in
    photograph(browser, dict(sheets()))


def found_browser() -> str:
    """Return a browser that can draw; exit with a sentence where none is installed."""
    if browser := next(filter(None, map(shutil.which, BROWSERS)), None):
        return browser
    sys.exit(f"No browser is installed that can draw the pictures: one of {', '.join(BROWSERS)}.")


def sheets() -> Iterator[tuple[str, Sheet]]:
    """Yield each picture's name, and what is on it."""
    service = open_service(load({"STET_ARTICLES": str(ARTICLES)}, env_file=Path(os.devnull)))
    for platform, draw, dark in (("slack", slack, False), ("discord", discord, True)):  # as most have each
        for name, asked in ASKED.items():
            yield f"{platform}-{name}", ((Shot(draw(service, asked), dark=dark),),)
        answer = draw(service, ASKED["answer"])
        phones = (Shot(answer, PHONE, dark=shade) for shade in (False, True))
        yield f"{platform}-looks", ((Shot(answer, dark=not dark), *phones),)
    yield "terminal", (tuple(Shot(terminal(service, TYPED, dark=dark), dark=dark) for dark in (False, True)),)
    digest = service.library.archive.article(ARTICLE).digest
    answer, article = served(service, f"/?{urlencode({'q': ASKED['answer']})}", article_path(ARTICLE, digest))
    yield "page-article", ((Shot(article, MARGINS, height=640),),)
    yield "page-answer-looks", _looks(answer, 560)
    yield "page-article-looks", _looks(article, 640)
    asked = slack(service, ASKED["answer"])
    yield "answer-and-article", ((Shot(asked, PHONE, height=520), Shot(article, MARGINS, height=520)),)


def _looks(html: str, height: int) -> Sheet:
    return tuple(tuple(Shot(html, width, dark, height) for width in WIDTHS) for dark in (False, True))


def photograph(browser: str, drawn: dict[str, Sheet]) -> None:
    """Write each sheet as a picture."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for name, sheet in drawn.items():
            rows = [_joined([_taken(opened, shot) for shot in row]) for row in sheet]
            _joined(rows, below=True).quantize(128).save(PICTURES / f"{name}.png", optimize=True)
        opened.close()


def _taken(browser: Browser, shot: Shot) -> Image.Image:
    scheme = "dark" if shot.dark else "light"
    tab = browser.new_page(
        offline=True, color_scheme=scheme, viewport={"width": shot.width, "height": shot.height or 100}
    )
    tab.set_content(shot.html)
    png = tab.screenshot(full_page=shot.height is None)
    tab.close()
    return Image.open(BytesIO(png)).convert("RGB")


def _joined(parts: list[Image.Image], *, below: bool = False) -> Image.Image:
    """Return pictures beside each other, or below."""
    if len(parts) == 1:
        return parts[0]
    widths, heights = [part.width for part in parts], [part.height for part in parts]
    along = sum(heights if below else widths) + GAP * (len(parts) - 1)
    sheet = Image.new("RGB", (max(widths), along) if below else (along, max(heights)), BEHIND)
    at = 0
    for part in parts:
        sheet.paste(part, (0, at) if below else (at, 0))
        at += (part.height if below else part.width) + GAP
    return sheet


if __name__ == "__main__":
    main()
