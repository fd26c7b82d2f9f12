"""``stet export --site``: the folder that it writes, opened from the disk by a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner
from lxml import html
from playwright.sync_api import Page

from adapters.terminal.cli import cli
from bot.evaluation import golden
from tests.adapters.page.chromium import chromium
from tests.adapters.program import Stet

pytestmark = pytest.mark.rest

SEEDS = Path(__file__).parents[3] / "seeds"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    given = {"XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder), "STET_ENCODER": "none"}
    done = CliRunner().invoke(cli, ["export", "--site", str(folder / "site")], env=given)
    assert done.output.endswith(f"Open {folder}/site/index.html in a browser.\n")
    return folder / "site"


@pytest.fixture
def opened(site: Path) -> Iterator[tuple[Page, list[str]]]:
    """Return the first page in a browser, and a list that gets every address it fetches."""
    fetched: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: fetched.append(request.url))
        page.goto((site / "index.html").as_uri())
        yield page, fetched


def test_the_samples_can_be_looked_through(site: Path, opened: tuple[Page, list[str]]) -> None:
    page, fetched = opened
    questions = [each.question for each in golden.load(SEEDS / "questions.toml") if not each.previous and each.answers]
    listed = page.locator("main ul.examples").first.locator("a")
    assert listed.all_inner_texts()[:10] == questions[:10]
    assert page.locator("form").count() == 0
    listed.first.click()
    assert page.locator("h1").inner_text() == questions[0]
    assert "buried in mass graves" in page.locator("blockquote").first.inner_text()
    page.locator("figcaption a.opens").first.click()
    assert "buried in mass graves" in page.locator(f"#{urlsplit(page.url).fragment}").inner_text()
    assert page.evaluate("getComputedStyle(document.body).maxWidth || 'none'")
    assert any(address.endswith("/style.css") for address in fetched)
    assert all(address.startswith(site.as_uri()) for address in fetched)


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: html.parse(str(path)).getroot() for path in site.rglob("*.html")}
    assert len(pages) > 20
    broken = []
    for path, page in pages.items():
        for target in page.xpath("//@href | //@src"):
            parts = urlsplit(target)
            if parts.scheme:
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            is_there = file.is_file() and (
                not parts.fragment or pages[file].get_element_by_id(parts.fragment, None) is not None
            )
            if not is_there:
                broken.append((path.name, target))
    assert broken == []
    contents = "//main//*[self::figure or self::li or self::article or contains(@class, 'band')]"
    assert [path.name for path, page in pages.items() if not page.xpath(contents)] == []
    fetched = [target for page in pages.values() for target in page.xpath("//link/@href | //@src")]
    assert [target for target in fetched if urlsplit(target).scheme] == []


def test_given_articles_get_given_questions(tmp_path: Path, folder: Path, stet: Stet) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": "ferry", "question": "how many people on board the ferry"}', encoding="utf-8")
    given = ("--articles", str(folder), "--questions", str(questions))
    assert stet("export", "--site", tmp_path / "site", *given)[0] == 0
    answers = (tmp_path / "site" / "pages").glob("how-many-people-on-board-*.html")
    assert any("212 people" in path.read_text(encoding="utf-8") for path in answers)
    (tmp_path / "file").touch()
    status, _, err = stet("export", "--site", tmp_path / "file", "--articles", folder)
    assert (status, "cannot be written" in err) == (2, True)
