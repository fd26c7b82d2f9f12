"""The quotations of a pasted text: each is marked in it with its verdict, and shown beside what the articles have."""

from __future__ import annotations

from pathlib import Path

from httpx import AsyncClient
from lxml import html

from adapters.page.addresses import EVERYTHING
from adapters.page.checks import MAX_QUOTATIONS, check_text
from adapters.storage.store import Store
from bot.model import Question
from bot.service import QuestionService
from retrieval.limits import MESSAGE
from tests.adapters.page.drawn import parsed, squashed
from tests.adapters.page.serving import PASSES, browser
from tests.adapters.page.test_app import FERRY_PATH
from tests.stock import service

TEXT = (
    "The ferry lay on the rocks.\n\n"
    "“Nobody was at the wheel,” said Marta Lindqvist. *“Somebody was at the wheel,”* she said later.\n\n"
    "An officer spoke of “fine weather and calm seas all week” & <b>left</b>."
)


async def posted(answering: QuestionService, text: str, store: Store | None = None) -> html.HtmlElement:
    async with browser(answering, store=store) as client:
        return parsed(await client.post("/verify", data={"text": text.replace("\n", "\r\n")}))


async def test_a_text_is_shown_with_every_quotation_marked(tmp_path: Path) -> None:
    with Store(tmp_path / "state.sqlite") as store:
        page = await posted(service(), TEXT, store)
        kept = [store.answer(number) for number in (1, 2, 3)]
    assert [given.question for given in kept if given] == [  # what is absent shows nothing of any article
        "/verify “Nobody was at the wheel,” — Marta Lindqvist",
        "/verify “Somebody was at the wheel,”",
    ]
    marks = page.xpath("//mark")
    labels = ["1: Exact · not verified", "2: Altered · not verified", "3: Absent"]
    assert [m.xpath("string(a)") for m in marks] == labels
    assert [m.get("class") for m in marks] == ["verdict unverified", "verdict altered", "verdict absent"]
    (pasted,) = page.xpath("//section[@class='pasted']")
    for link in pasted.xpath(".//a"):
        assert page.get_element_by_id(link.get("href")[1:]).tag == "h2"
        link.getparent().text = link.getparent().text.removesuffix(" ")
        link.drop_tree()
    assert pasted.text_content() == TEXT
    assert page.xpath("//textarea")[0].value.removeprefix("\n") == TEXT
    assert squashed(page.xpath("//main/p[starts-with(@class, 'message')]")[0]) == (
        "3 quotations checked: 1 altered, 1 absent, 1 exact · not verified."
        " Words outside the quotations were not compared."
    )
    assert page.xpath("//section[h2[@id='quotation-2']]//del/text()") == ["Somebody"]
    assert all(FERRY_PATH in a for a in page.xpath("//figcaption//a[@class='opens']/@href"))


async def test_a_text_without_quotations_says_so() -> None:
    page = await posted(service(), "The ferry lay on the rocks.")
    assert page.xpath("//mark") == []
    assert "quotation marks" in squashed(page.xpath("//main/p[starts-with(@class, 'message')]")[0])
    assert page.xpath("//textarea")[0].value.removeprefix("\n") == "The ferry lay on the rocks."


async def test_a_text_that_is_too_long_is_refused(client: AsyncClient) -> None:
    for text in ("a" * (MESSAGE + 1), "“" * MESSAGE * 2):
        response = await client.post("/verify", data={"text": text})
        assert response.status_code == 413
        assert "longer than 40,000 characters" in response.text
    assert (await client.post("/verify", data={"text": "“" * MESSAGE})).status_code == 200


def test_quotations_beyond_the_limit_are_counted() -> None:
    found = check_text(service(), "“Nobody was at the wheel.” " * (MAX_QUOTATIONS + 2), Question(""))
    assert found.message == (
        f"{MAX_QUOTATIONS} quotations checked: {MAX_QUOTATIONS} exact · not verified, 2 not checked."
        " Words outside the quotations were not compared."
    )


async def test_it_takes_a_pass_for_everything() -> None:
    async with browser(service(), PASSES) as client:
        assert (await client.post("/verify", data={"text": TEXT})).status_code == 403
        given = {"pass": PASSES.issue(EVERYTHING)}
        (address,) = parsed(await client.get("/verify", params=given)).xpath("//form[@method='post']/@action")
        assert parsed(await client.post(address, data={"text": TEXT})).xpath("//mark")
