"""A draft pasted or uploaded on the page."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from tempfile import SpooledTemporaryFile

import pytest
from httpx import AsyncClient

from adapters.page.addresses import EVERYTHING
from adapters.storage.store import Store
from retrieval import DRAFT
from tests.adapters.page.drawn import parsed, squashed
from tests.adapters.page.serving import PASSES, browser
from tests.stock import FERRY, service

DRAFTED = (
    "A ferry with 214 people on board ran aground off Sandholm on Friday, the coastguard said.\n\n"
    "“Somebody was at the wheel,” said Marta Lindqvist & <b>nobody</b> else."
)


@pytest.mark.parametrize("upload", [False, True])
async def test_a_draft_is_shown_with_its_findings_marked(client: AsyncClient, *, upload: bool) -> None:
    file = {"file": ("draft.md", DRAFTED.encode())} if upload else {"file": ("", b"")}
    page = parsed(await client.post("/proof", data={"text": "" if upload else DRAFTED}, files=file))
    marks = ["".join(mark.itertext()) for mark in page.iter("mark")]
    assert any(mark.startswith("“Somebody was at the wheel,”") for mark in marks)
    assert "212 people" in page.text_content()
    assert "& <b>nobody</b> else" in page.text_content()
    assert "could not be independently verified" in page.text_content()


async def test_what_is_wrong_is_struck_and_what_was_published_put_in(client: AsyncClient) -> None:
    page = parsed(await client.post("/proof", data={"text": DRAFTED}, files={"file": ("", b"")}))
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
        " said that the crew had left. The Echo could not verify their accounts.",
    )
    async with browser(service([article])) as client:
        draft = parsed(await client.get("/proof", params={"sample": "1"})).xpath("//textarea")[0].value.strip()
        page = parsed(await client.post("/proof", data={"text": draft}, files={"file": ("", b"")}))
    assert draft not in article.text
    labels = {squashed(each) for each in page.xpath("//h2/strong")}
    assert {"Figure", "Altered"} <= labels
    async with browser(service([])) as client:
        assert not parsed(await client.get("/proof", params={"sample": "1"})).xpath("//textarea")[0].value.strip()


async def test_nothing_of_a_draft_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with Store(path) as store:
        async with browser(service(), store=store) as client:
            await client.post("/proof", data={"text": DRAFTED}, files={"file": ("", b"")})
    with sqlite3.connect(path) as run:
        assert "Somebody was at the wheel" not in "\n".join(run.iterdump())


async def test_no_upload_is_written_to_disk(client: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(SpooledTemporaryFile, "rollover")
    large = await client.post("/proof", files={"file": ("draft.txt", b"Rain fell. " * (DRAFT.most // 11))})
    assert large.status_code == 200
    assert "more than 200,000 characters" in large.text


async def test_a_draft_needs_a_pass_and_has_limits() -> None:
    send = {"data": {"text": DRAFTED}, "files": {"file": ("", b"")}}
    async with browser(service(), PASSES) as client:
        assert (await client.get("/proof")).status_code == 403
        assert (await client.post("/proof", **send)).status_code == 403
        token = PASSES.issue(EVERYTHING)
        assert (await client.post("/proof", params={"pass": token}, **send)).status_code == 200
    async with browser(service()) as client:
        large = await client.post("/proof", files={"file": ("a.txt", b"x" * (DRAFT.most + 2_000_000))})
        assert large.status_code == 413
        assert (await client.post("/proof", content=b"text=plain")).status_code == 413
        broken = await client.post("/proof", files={"file": ("a.docx", b"PK\x03\x04 and no more")})
        assert "is no Word file" in broken.text
