"""The page in a real browser: by keyboard, by screen reader, at any size, on paper; and what it does not do."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from adapters.page import rendering
from adapters.page.access import FORBIDDEN
from adapters.page.addresses import Pages, Passes, article_path
from adapters.slack.blocks import draw
from adapters.storage.store import Store
from bot.escaping import escape_controls
from bot.model import Question
from bot.service import QuestionService
from retrieval import load_articles
from retrieval.model import Article, Reading
from retrieval.pipeline import read_all, read_one
from tests import stock
from tests.adapters.page.articles import FIRST, HOSTILE, THIRD, corrected
from tests.adapters.page.conftest import DRIFTS, SIZES, found_in_every_look, violations
from tests.adapters.page.serving import SECRET, SETTINGS, served
from tests.shelf import FIXTURES
from tests.stock import BRIDGE, FERRY
from tests.support.nightly import NIGHTLY
from tests.support.tables import rows

ASKED = "how many people on board the ferry"
ARTICLES = (FERRY, BRIDGE, *HOSTILE)
COPIED = """\
“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher.
— Marta Lindqvist
[!] NOT VERIFIED, in the outlet's words: The accounts could not be independently verified.
The Sandholm Echo · Ferry runs aground off Sandholm · 9 May 2031
https://echo.example/ferry#:~:text=%E2%80%9CNobody%20was%20at%20the%20wheel%2C%E2%80%9D%20said%20Marta%20Lindqvist\
%2C%2034%2C%20a%20teacher."""
FERRY_PATH = article_path(FERRY.id, FERRY.digest)
PLACES = {"article": FERRY_PATH, "sentence": f"{FERRY_PATH}#s2", **dict(rows(__file__, "places"))}
UNSURE = PLACES["unsure"]
QUOTING = "“Nobody was at the helm,” said Marta Lindqvist. “The ice was thin,” said no one."
# what is sent: from where, what is pasted there, the button, and what is shown then
SENT = {
    "a checked text": ("/verify", QUOTING, "Check", ".checked"),
    "a text too long": ("/verify", "w" * 40_001, "Check", "text=longer than"),
    "an answer not right": (UNSURE, "", "Not right", "label[for=why]"),
}


@pytest.fixture(scope="module")
def service() -> QuestionService:
    return stock.service(ARTICLES)


@pytest.fixture(scope="module")
def address(service: QuestionService) -> Iterator[str]:
    with served(service) as found:
        yield found


@pytest.fixture(scope="module")
def corrections(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve an article of several versions; return the address."""
    with corrected(tmp_path_factory.mktemp("versions")) as service, served(service) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with browser.new_page(base_url=address, permissions=["clipboard-read", "clipboard-write"]) as opened:
        yield opened


def test_the_link_in_a_slack_reply_leads_to_the_marked_sentence(browser: Browser, service: QuestionService) -> None:
    with served(service, replace(SETTINGS, page_secret=SECRET)) as address, browser.new_page() as page:
        leading = QuestionService(service.library, pages=Pages(address, Passes(SECRET)))
        reply = draw(leading.answer(Question(ASKED)))
        links = re.findall(rf"<({re.escape(address)}[^|]*)\|", json.dumps(reply.blocks, ensure_ascii=False))
        page.goto(links[0])
        marked = page.locator(".sentence:target .words")
        assert marked.inner_text() == FERRY.text.partition("\n")[0]
        assert marked.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        box = marked.bounding_box()
        assert 0 <= box["y"] < 720


def tab_to(page: Page, condition: str, most: int) -> None:
    """Press Tab until something holds of what has the focus ``e``, or so many times."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(e => {condition})(document.activeElement)"):
            break


def test_a_question_is_asked_and_its_answer_followed_by_keyboard_alone(page: Page) -> None:
    page.goto("/unverified")
    tab_to(page, "e.name === 'q'", most=10)
    page.keyboard.type(ASKED)
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    tab_to(page, "e.className === 'opens'", most=30)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**/a/**")
    assert "212 people" in page.evaluate("document.activeElement.textContent")


IN_CI = ("sure", "nothing", "article", "sentence", "somebody", "verify")


@pytest.mark.parametrize("place", [*(PLACES if NIGHTLY else IN_CI), *SENT])
def test_axe_finds_nothing(page: Page, place: str) -> None:
    address, pasted, button, shown = SENT.get(place) or (PLACES[place], "", "", "")
    page.goto(address)
    if pasted:
        page.get_by_label("Paste").evaluate("(e, text) => { e.removeAttribute('maxlength'); e.value = text }", pasted)
    if button:
        page.get_by_role("button", name=button).click()
        page.locator(shown).first.wait_for()
    assert found_in_every_look(page) == {}


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.id)
def test_an_articles_words_and_caveats_are_there_and_nothing_runs_out_sideways(page: Page, article: Article) -> None:
    page.goto(article_path(article.id, article.digest))
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("[...document.querySelectorAll('.words')].every(e => e.scrollWidth <= e.clientWidth + 4)")
        notes = page.locator(".note q")
        assert notes.count() or article is not FERRY
        assert all(notes.nth(place).is_visible() for place in range(notes.count()))
    due = [escape_controls(" ".join(p.sentence.span.of(article.text).split())) for p in read_all([article])[0].passages]
    assert page.locator(".sentence > .words").evaluate_all("all => all.map(e => e.textContent)") == due


@pytest.mark.parametrize("article", HOSTILE, ids=lambda article: article.id)
def test_a_hostile_article_does_nothing(page: Page, address: str, article: Article) -> None:
    asked: list[str] = []
    heard: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: heard.append(message.text))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    for place in (article_path(article.id, article.digest), f"/?q={article.text[:60]}", "/sources", "/unverified"):
        page.goto(place)
        assert page.title() != "taken"
    assert all(url.startswith(address) for url in asked)
    assert heard == []


def test_a_quotation_is_copied_from_the_answer_in_twelve_keys(page: Page) -> None:
    page.goto("/")
    page.keyboard.type("who was at the wheel of the ferry")  # the words count as one key
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    tab_to(page, "e.matches('figure a.copy')", most=9)
    assert page.evaluate("document.activeElement.ariaLabel") == "Copy quotation 1 with its speaker, source and caveat"
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="Copied, with its source.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == COPIED


def test_without_script_everything_works(browser: Browser, address: str) -> None:
    with browser.new_page(base_url=address, java_script_enabled=False) as page:
        page.goto("/")
        page.get_by_role("searchbox").fill(ASKED)
        page.get_by_role("button", name="Ask").click()
        page.locator("a.opens").first.click()
        assert "212 people" in page.locator(".sentence:target .words").inner_text()
        page.locator(".sentence:target a.copy").first.click()
        assert page.locator("body").inner_text().startswith("A ferry with 212 people on board")


def test_a_form_and_a_picture_of_another_site_are_refused_and_its_link_is_followed(
    browser: Browser, service: QuestionService, tmp_path: Path
) -> None:
    state = str(tmp_path / "state.sqlite")
    with served(service, replace(SETTINGS, state=state)) as address, served(service) as elsewhere:
        page = browser.new_page()
        hostile = (
            f'<img src="{address}/?q=ferry"><iframe src="{address}/?q=ferry"></iframe>'
            f'<form method="post" action="{address}/proof"><button>Send</button></form>'
            f'<a href="{address}{UNSURE}">Ask</a>'
        )
        page.route(f"{elsewhere}/**", lambda route: route.fulfill(body=hostile, content_type="text/html"))
        page.goto(elsewhere)
        with page.expect_response("**/proof") as refusal:
            page.get_by_role("button").click()
        assert refusal.value.status == FORBIDDEN
        with Store(state) as store:
            assert not store.last_answers(1)
        page.goto(elsewhere)
        page.get_by_role("link").click()
        page.get_by_role("button", name="Not right").wait_for()
        page.close()


CROWD = """\
“We shouted all night,” said Marta Lindqvist, a teacher. “No,” said Ivo Kern. “The rail gave way,” said Lena Voss.

“It was dark,” said Ivo Kern, a pilot.

The coastguard said nothing. “Nobody was at the wheel,” said Marta Lindqvist.

The Sandholm Echo could not independently verify that anybody had shouted on the ferry that night.

Whether the rail gave way could not be independently verified by the Echo or by any other newspaper.

None of these accounts could be independently verified.
"""
COVERED = {0: 0, 1: 1, 3: 2, 4: 0, 5: 1}  # each sentence by a caveat that covers none in the paragraph before


def crowded() -> Reading:
    reading = read_one(Article("crowd.txt", CROWD, source="The Sandholm Echo"))
    passages = tuple(
        replace(p, caveats=(reading.caveats[COVERED[at]],) if at in COVERED else (), possible_caveats=())
        for at, p in enumerate(reading.passages)
    )
    return replace(reading, passages=passages)


@pytest.mark.parametrize("width", [390, 960, 1280])
def test_who_speaks_and_caveats_stand_beside_their_sentences(browser: Browser, width: int) -> None:
    strike = load_articles([FIXTURES.folder / "strike.md"]).articles
    with browser.new_page(viewport={"width": width, "height": 900}) as page:
        page.set_content(rendering.file([crowded(), *read_all(strike)]))
        assert page.locator(".notes").count() > 3
        assert page.locator(".who").count() > 8
        assert page.evaluate(DRIFTS) == []


def test_names_are_suggested_and_taken_by_keyboard(page: Page) -> None:
    page.goto("/unverified")
    page.locator("h1").click()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.type("mart")
    options = page.locator("[role=listbox]:not([hidden]) [role=option]")
    options.first.wait_for()
    assert options.all_inner_texts()[:2] == ["Who is Marta Lindqvist?", "What did Marta Lindqvist say?"]
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert options.nth(1).get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    assert page.locator("h1").inner_text() == "What did Marta Lindqvist say?"


def test_the_table_of_outlets_is_sorted_by_its_headings(page: Page) -> None:
    page.goto("/sources")
    assert page.locator(".plot rect").count() == 2
    head = page.get_by_role("button", name="Newest")
    head.click()
    assert page.locator("tbody th").all_inner_texts()[-2:] == ["The Sandholm Echo", "Daily Quill"]
    head.click()
    assert page.locator("tbody th").all_inner_texts()[:2] == ["Daily Quill", "The Sandholm Echo"]
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "descending"


def test_of_a_long_table_the_first_rows_are_shown_and_the_others_on_demand(browser: Browser) -> None:
    outlets = [replace(FERRY, id=f"{n}.txt", text=f"It rained {n} days.", source=f"Outlet {n:02}") for n in range(30)]
    with served(stock.service(outlets)) as address, browser.new_page() as page:
        page.goto(f"{address}/sources")
        shown = page.locator("tbody th:visible")
        assert (shown.count(), shown.last.inner_text()) == (25, "Outlet 24")
        page.get_by_role("button", name="Outlet").dblclick()
        assert (shown.count(), shown.last.inner_text()) == (25, "Outlet 05")
        assert violations(page) == []
        page.get_by_role("button", name="Show all 30").click()
        assert shown.count() == 30
        assert page.evaluate("document.activeElement.textContent") == "Outlet 04"


def test_the_link_of_an_answer_is_copied(page: Page) -> None:
    page.goto(PLACES["sure"])
    page.get_by_role("link", name="Link to this answer").click()
    page.get_by_role("status").filter(has_text="Link copied.").wait_for()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    assert page.locator("h1").inner_text() == ASKED


# -- an article of several versions --------------------------------------------------------------------------------


OLD, NEWEST = (article_path(article.id, article.digest) for article in (FIRST, THIRD))


@pytest.mark.parametrize("place", [OLD, NEWEST], ids=["superseded", "newest"])
def test_axe_finds_nothing_in_a_version(page: Page, corrections: str, place: str) -> None:
    page.goto(corrections + place)
    assert found_in_every_look(page) == {}


def test_from_an_old_sentence_the_keyboard_leads_to_the_changes_and_to_the_newest(page: Page, corrections: str) -> None:
    page.goto(corrections + OLD)
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "The newest version"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "changes"
    page.goto(corrections + OLD)
    page.get_by_role("link", name="The newest version").press("Enter")
    page.wait_for_url(f"**{NEWEST}")


def test_on_paper_stand_the_words_their_caveats_and_what_changed(page: Page, corrections: str) -> None:
    changed = ("Superseded on 10 May 2031.", "Was, sentence 0", "Now, sentence 0", "214 people")
    for place, more in ((FERRY_PATH, ()), (corrections + OLD, changed)):
        page.goto(place)
        pdf = PdfReader(BytesIO(page.pdf(format="A4")))
        text = " ".join("\n".join(sheet.extract_text() for sheet in pdf.pages).split())
        for words in ("A ferry with 212 people on board", "in the outlet’s words", *more):
            assert words in text
        assert "Ask" not in text.replace("Asked", "")
