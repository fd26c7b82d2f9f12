"""Every view of the page at two widths: whatever can be clicked is clicked, and leads to a page without faults.

In CI every second kind of link and button is clicked, on the next view the other kinds; one at one width, the next at
the other.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page

from adapters.page import labels
from tests.adapters.page.conftest import DRIFTS
from tests.adapters.page.serving import served
from tests.shelf import SEEDS, readings, service
from tests.support.nightly import NIGHTLY, examples

MOST = examples(6, 10)  # kinds of links and buttons of a view
STEP = examples(2, 1)  # from one of them that is clicked to the next
ASKED = "how many people were killed in Bucha"
TYPED = "“a further 290 people were buried in mass graves”, said Anatoly Fedoruk."
NAVIGATION = [f"/{name}" for name in (*labels.MAIN_VIEWS, *labels.MORE_VIEWS)]
FILLED = [f"/?q={ASKED}", "/?q=who won the chess final", "/who/Dmytro Kuleba", "/who?q=Zebedee", "/said?q=Zelensky"]
FILLED += ["/first?q=mass graves", "/disputed?q=killing", "/quoted?q=Bucha", "/unverified?since=2022-04-05"]
WIDTHS, HEIGHT = (390, 1280), 844
VIEWS = (*NAVIGATION, *FILLED)
CASES = [(width, view) for width in WIDTHS[:: examples(2, 1)] for view in VIEWS]
FAULTS, KINDS = (Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8") for name in ("faults", "kinds"))

# an open menu covers what is below it
COVERED = "it => it.closest('nav') || document.querySelectorAll('nav details').forEach(menu => (menu.open = false))"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(service(readings(SEEDS))) as found:
        yield found


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    heard: list[str] = []
    size = {"width": request.param, "height": HEIGHT}
    page = browser.new_page(viewport=size, permissions=["clipboard-read", "clipboard-write"])
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("response", lambda answer: heard.append(answer.url) if answer.status >= 400 else None)
    yield page
    page.close()
    assert heard == []


@pytest.mark.parametrize(("page", "view"), CASES, indirect=["page"])
def test_whatever_is_clicked_leads_to_a_page_without_faults(page: Page, address: str, view: str) -> None:
    faults, own = {}, page.viewport_size["width"]
    page.goto(urljoin(address, view))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        faults[view, str(width)] = page.evaluate(FAULTS) + page.evaluate(DRIFTS)
    for turn, number in enumerate(range(VIEWS.index(view) % STEP, page.evaluate(KINDS, MOST), STEP)):
        page.set_viewport_size({"width": own if NIGHTLY else WIDTHS[turn % 2], "height": HEIGHT})
        faults[page.url, "at first"] = page.evaluate(FAULTS) + page.evaluate(DRIFTS)
        for field in page.locator("main textarea").all():
            field.fill(TYPED)
        thing = page.locator(f"[data-click='{number}']")
        if not thing.is_visible():
            continue
        words = thing.inner_text()
        thing.evaluate(COVERED)
        thing.click()
        page.wait_for_load_state()
        faults[page.url, words] = page.evaluate(FAULTS) + page.evaluate(DRIFTS)
        page.goto(urljoin(address, view))
        page.evaluate(KINDS, MOST)
    assert {place: found for place, found in faults.items() if found} == {}


@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_more_keeps_the_question_and_can_be_followed_up(page: Page, address: str) -> None:
    page.goto(f"{address}/?q={ASKED}")
    first = page.locator("main blockquote").all_inner_texts()
    page.locator("main a.button").click()
    page.wait_for_url("**more=**")
    assert page.locator("h1").inner_text() == page.locator("nav input").input_value() == ASKED
    assert page.locator(".column h2").all_inner_texts() == [labels.ALSO]
    shown = page.locator("main blockquote").all_inner_texts()
    assert shown[: len(first)] == first
    assert len(set(shown)) == len(shown) > len(first)
    page.get_by_role("searchbox", name=labels.FOLLOW_UP).fill(f"context {len(shown)}")
    page.keyboard.press("Enter")
    page.wait_for_url("**shown=**")
    assert shown[-1] in page.locator("main").inner_text()
