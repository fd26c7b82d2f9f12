"""The versions of an article in a real browser: at any size, by keyboard, without colour, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from adapters.page.addresses import article_path
from tests.adapters.page.chromium import found_in_every_look
from tests.adapters.page.corrected import FIRST, THIRD, corrected
from tests.adapters.page.serving import served

OLD, NEWEST = (article_path(article.id, article.digest) for article in (FIRST, THIRD))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with corrected(tmp_path_factory.mktemp("versions")) as service, served(service) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    heard: list[str] = []
    context = browser.new_context(base_url=address)
    made = context.new_page()
    made.on("console", lambda message: heard.append(message.text))
    yield made
    context.close()
    assert heard == []


@pytest.mark.parametrize("place", [OLD, NEWEST], ids=["superseded", "newest"])
def test_axe_finds_nothing_and_nothing_runs_out_sideways(page: Page, place: str) -> None:
    page.goto(place)
    assert found_in_every_look(page) == {}


def test_from_an_old_sentence_the_keyboard_leads_to_what_changed_and_to_the_newest(page: Page) -> None:
    page.goto(OLD)
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "The newest version"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "changes"
    page.goto(OLD)
    page.get_by_role("link", name="The newest version").press("Enter")
    page.wait_for_url(f"**{NEWEST}")


def test_a_printed_page_says_that_it_is_superseded_and_what_changed(page: Page) -> None:
    page.goto(OLD)
    pdf = PdfReader(BytesIO(page.pdf(format="A4")))
    text = " ".join("\n".join(sheet.extract_text() for sheet in pdf.pages).split())
    for words in ("Superseded on 10 May 2031.", "Was, sentence 0", "Now, sentence 0", "214 people"):
        assert words in text
