"""What readers send: opinions on answers, texts whose quotations are checked, and drafts that are proofed."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import SpooledTemporaryFile
from unittest.mock import Mock

import httpx
import pytest
from httpx import AsyncClient
from lxml import html

from adapters.page.addresses import EVERYTHING
from adapters.page.checks import MAX_QUOTATIONS, check_text
from adapters.storage.store import Opinion, Store, StoreError
from bot import messages
from bot.model import Question
from bot.service import QuestionService
from retrieval import DRAFT
from retrieval.limits import MESSAGE
from tests.adapters.page.serving import PASSES, browser, parsed, squashed
from tests.adapters.page.test_app import ASKED, FERRY_PATH, FERRY_SCOPE
from tests.stock import FERRY, service


def fields(response: httpx.Response) -> dict[str, str]:
    (form,) = parsed(response).xpath("//form[@method='post']")
    return {str(name): str(value) for name, value in form.form_values()}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state.sqlite") as opened:
        yield opened


async def test_an_answer_is_judged_in_the_words_of_the_other_platforms(store: Store) -> None:
    async with browser(service(), store=store) as client:
        answer = await client.get("/", params={"q": ASKED})
        (form,) = parsed(answer).xpath("//form[@method='post']")
        buttons = {button.get("value"): squashed(button) for button in form.xpath(".//button")}
        assert buttons == {"right": messages.RIGHT, "wrong": messages.WRONG}
        (number, _), *_ = store.last_answers(1)
        assert form.get("action") == f"/feedback/{number}"
        sent = fields(answer)
        thanked = await client.post(form.get("action"), data={**sent, "verdict": "right"})
        assert messages.THANKS in squashed(parsed(thanked))
        assert [opinion for opinion, *_ in store.opinions()] == [Opinion(number, "page", right=True)]
        asked = await client.post(form.get("action"), data={**sent, "verdict": "wrong"})
        assert [opinion for opinion, *_ in store.opinions()] == [Opinion(number, "page", right=False)]
        assert messages.WHY_WRONG in squashed(parsed(asked).xpath("//label")[0])
        (tick,) = parsed(asked).xpath("//input[@type='checkbox']")
        ticked = {tick.get("name"): tick.get("value")}
        for sent, why in (
            ({"why": "An old\nfigure"}, "An old figure"),
            (ticked, "A speaker or a caveat is wrong."),
            ({**ticked, "why": "Ole Berg\nsaid it"}, "A speaker or a caveat is wrong. Ole Berg said it"),
        ):
            thanked = await client.post(form.get("action"), data={**fields(asked), "verdict": "wrong", **sent})
            assert [opinion for opinion, *_ in store.opinions()] == [Opinion(number, "page", right=False, why=why)]
            assert parsed(thanked).xpath("//form[contains(@action, '/feedback/')]") == []


async def test_only_answers_get_feedback(store: Store) -> None:
    async with browser(service(), store=store) as client:
        for address in ("/unverified", "/?q=what+happened+at+Oxleigh", "/"):
            assert parsed(await client.get(address)).xpath("//form[contains(@action, '/feedback/')]") == []
    async with browser(service()) as client:
        assert parsed(await client.get("/", params={"q": ASKED})).xpath("//form[@method='post']") == []
        assert (await client.post("/feedback/1", data={"verdict": "right"})).status_code == 404


async def test_a_form_that_another_site_sends_is_refused(store: Store) -> None:
    for passes, given in ((None, {}), (PASSES, {"pass": PASSES.issue(EVERYTHING)})):
        async with browser(service(), passes, store=store) as client:
            sent = fields(await client.get("/", params={"q": ASKED, **given}))
            (number, _), *_ = store.last_answers(1)
            path = f"/feedback/{number}"
            for token in ("", given.get("pass", ""), "1.x"):
                refused = await client.post(path, params=given, data={"token": token, "verdict": "right"})
                assert refused.status_code == 403
            other = await client.post(f"/feedback/{number + 1}", params=given, data={**sent, "verdict": "right"})
            assert other.status_code == 403
            assert (await client.post(path, params=given, data={**sent, "verdict": "fine"})).status_code == 400
            too_long = {**sent, "verdict": "wrong", "why": "w" * 20_000}
            assert (await client.post(path, params=given, data=too_long)).status_code == 413
            if passes:
                for scope in ({}, {"pass": PASSES.issue(FERRY_SCOPE)}):
                    closed = await client.post(path, params=scope, data={**sent, "verdict": "right"})
                    assert closed.status_code == 403
            assert [opinion for opinion, *_ in store.opinions()] == []


async def test_feedback_that_cannot_be_stored_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with browser(service(), store=store) as client:
        sent = fields(await client.get("/", params={"q": ASKED}))
        (number, _), *_ = store.last_answers(1)
        monkeypatch.setattr(store, "record_opinion", Mock(side_effect=StoreError("away")))
        answer = await client.post(f"/feedback/{number}", data={**sent, "verdict": "right"})
    assert answer.status_code == 503
    assert "could not be saved" in answer.text


TEXT = (
    "The ferry lay on the rocks.\n\n"
    "“Nobody was at the wheel,” said Marta Lindqvist. *“Somebody was at the wheel,”* she said later.\n\n"
    "An officer spoke of “fine weather and calm seas all week” & <b>left</b>."
)


async def posted(answering: QuestionService, text: str, store: Store | None = None) -> html.HtmlElement:
    async with browser(answering, store=store) as client:
        return parsed(await client.post("/verify", data={"text": text.replace("\n", "\r\n")}))


async def test_a_text_is_shown_with_every_quotation_marked(store: Store) -> None:
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
    shown = squashed(page.xpath("//main/p[starts-with(@class, 'message')]")[0])
    assert shown == messages.NO_QUOTE_IN_TEXT
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
    long, short = f"“{'It blew hard. ' * 300}”", "“Nobody was at the wheel.”"
    assert check_text(service(), long, Question("")).message == messages.text_too_long(4000)
    found = check_text(service(), f"{long} {short}", Question("")).message
    assert found.startswith("1 quotation checked: 1 exact · not verified, 1 not checked.")


DRAFTED = (
    "A ferry with 214 people on board ran aground off Sandholm on Friday, the coastguard said.\n\n"
    "“Somebody was at the wheel,” said Marta Lindqvist & <b>nobody</b> else."
)


@pytest.mark.parametrize("upload", [False, True])
async def test_a_draft_is_shown_with_its_findings_and_what_was_published(client: AsyncClient, *, upload: bool) -> None:
    file = {"file": ("draft.md", DRAFTED.encode())} if upload else {"file": ("", b"")}
    page = parsed(await client.post("/proof", data={"text": "" if upload else DRAFTED}, files=file))
    marks = ["".join(mark.itertext()) for mark in page.iter("mark")]
    assert any(mark.startswith("“Somebody was at the wheel,”") for mark in marks)
    for words in ("212 people", "& <b>nobody</b> else", "could not be independently verified"):
        assert words in page.text_content()
    (mark,) = page.xpath("//mark[del]")
    assert [mark.xpath("string(del)"), mark.xpath("string(ins)")] == ["214", "212"]
    (finding,) = page.xpath("//section[h2/strong='Figure']")
    assert [squashed(each) for each in finding.xpath("./p[@class='compared']/*")] == ["214", "212"]
    chips = page.xpath("//p[starts-with(@class, 'message')]/a")
    assert [page.get_element_by_id(chip.get("href")[1:]).tag for chip in chips] == ["h2"] * len(chips)
    assert len(chips) == len(page.xpath("//section[details]"))


async def test_the_sample_draft_has_mistakes_that_are_found() -> None:
    article = replace(
        FERRY,
        text="A ferry with 212 people on board ran aground off Sandholm on Friday.\n\n“We saw … nobody on deck,” said"
        " Marta Lindqvist, the harbour master.\n\n“Nobody was there yet,” said Tomas Brandt, a sailor.\n\nWitnesses"
        " said that the crew had left. The Echo could not verify that.",
    )
    async with browser(service([article])) as client:
        draft = parsed(await client.get("/proof", params={"sample": "1"})).xpath("//textarea")[0].value.strip()
        page = parsed(await client.post("/proof", data={"text": draft}, files={"file": ("", b"")}))
    assert draft not in article.text
    labels = {squashed(each) for each in page.xpath("//h2/strong")}
    assert {"Figure", "Altered"} <= labels
    async with browser(service([])) as client:
        assert not parsed(await client.get("/proof", params={"sample": "1"})).xpath("//textarea")[0].value.strip()


async def test_nothing_of_a_draft_is_stored(store: Store, tmp_path: Path) -> None:
    async with browser(service(), store=store) as client:
        await client.post("/proof", data={"text": DRAFTED}, files={"file": ("", b"")})
    with sqlite3.connect(tmp_path / "state.sqlite") as run:
        assert "Somebody was at the wheel" not in "\n".join(run.iterdump())


async def test_no_upload_is_written_to_disk(client: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(SpooledTemporaryFile, "rollover")
    large = await client.post("/proof", files={"file": ("draft.txt", b"Rain fell. " * (DRAFT.most // 11))})
    assert large.status_code == 200
    assert "more than 200,000 characters" in large.text


async def test_a_form_takes_a_pass_for_everything(guarded: AsyncClient) -> None:
    for path, files in (("/verify", {}), ("/proof", {"file": ("", b"")})):
        send = {"data": {"text": DRAFTED}, "files": files}
        assert (await guarded.get(path)).status_code == 403
        assert (await guarded.post(path, **send)).status_code == 403
        form = parsed(await guarded.get(path, params={"pass": PASSES.issue(EVERYTHING)}))
        (address,) = form.xpath("//form[@method='post']/@action")
        assert parsed(await guarded.post(address, **send)).xpath("//mark")


async def test_a_draft_has_limits(client: AsyncClient) -> None:
    large = await client.post("/proof", files={"file": ("a.txt", b"x" * (DRAFT.most + 2_000_000))})
    assert large.status_code == 413
    assert (await client.post("/proof", content=b"text=plain")).status_code == 413
    broken = await client.post("/proof", files={"file": ("a.docx", b"PK\x03\x04 and no more")})
    assert "is no Word file" in broken.text
