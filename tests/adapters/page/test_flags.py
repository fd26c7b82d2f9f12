"""A reader of the page says what was read wrongly: the form, who may send it, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from lxml import html

from adapters.page import flags
from adapters.page.addresses import EVERYTHING, Passes, article_scope, flag_path, version
from adapters.storage import flags as kept_flags
from adapters.storage.records import Flag, Wrong
from adapters.storage.store import Store, StoreError
from tests.adapters.page.drawn import squashed
from tests.adapters.page.serving import PASSES, browser
from tests.adapters.page.test_app import EVERYWHERE, FERRY_PATH, FERRY_SCOPE, parsed
from tests.stock import BRIDGE, FERRY, desk

SAID = 2  # the sentence that Marta Lindqvist says
SAID_PATH = flag_path(FERRY.id, FERRY.digest, SAID)
CAVEAT = "The accounts could not be independently verified."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a new store."""
    with Store(tmp_path / "state.sqlite") as opened:
        yield opened


def fields(response: httpx.Response) -> dict[str, str]:
    """Return what a form sends where a reader touches nothing."""
    (form,) = parsed(response).xpath("//form[@method='post']")
    return {str(name): str(value) for name, value in form.form_values()}


async def test_a_wrong_speaker_is_flagged(store: Store) -> None:
    """From the row's link to the form, by one radio button and a name; what is kept says what was read, and what is."""
    async with browser(desk(), store=store) as client:
        page = parsed(await client.get(FERRY_PATH))
        (address,) = page.get_element_by_id(f"s{SAID}").xpath(".//a[text()='Read wrongly?']/@href")
        assert address == SAID_PATH
        form = await client.get(address)
        assert "As it was read: Marta Lindqvist." in squashed(parsed(form))
        sent = {**fields(form), "wrong": "speaker", "speaker": " Ole  Berg ", "note": "See the\nnext sentence."}
        answer = await client.post(address, data=sent)
        assert "It is kept" in squashed(parsed(answer))
    (flag,) = store.flags()
    assert flag.words.startswith("“Nobody was at the wheel,” said Marta Lindqvist")
    assert (flag.article, flag.path, flag.digest, flag.index) == (FERRY.id, FERRY.path, FERRY.digest, SAID)
    assert (flag.wrong, flag.right, flag.note) == (Wrong.SPEAKER, "Ole Berg", "See the next sentence.")
    assert flag.read == "Marta Lindqvist; under the caveat of sentence 4"


@pytest.mark.parametrize(
    ("index", "sent", "right"),
    [
        (SAID, {"wrong": "uncovered"}, ""),
        (SAID, {"wrong": "outlet", "speaker": "left over"}, ""),
        (5, {"wrong": "covered", "caveat": "4"}, CAVEAT),
    ],
)
async def test_a_wrong_scope_is_flagged(store: Store, index: int, sent: dict[str, str], right: str) -> None:
    """A caveat that is not about the sentence, or one that is; the caveat is kept by its words."""
    address = flag_path(FERRY.id, FERRY.digest, index)
    async with browser(desk(), store=store) as client:
        form = await client.get(address)
        assert (await client.post(address, data={**fields(form), **sent})).status_code == 200
    (flag,) = store.flags()
    assert (flag.wrong, flag.right) == (Wrong(sent["wrong"]), right)


@pytest.mark.parametrize(
    "sent",
    [{}, {"wrong": "everything"}, {"wrong": "speaker", "speaker": " "}, {"wrong": "covered", "caveat": "1"}],
    ids=["nothing picked", "no such thing", "nobody named", "no caveat there"],
)
async def test_a_flag_that_says_nothing_is_not_kept(store: Store, sent: dict[str, str]) -> None:
    """The reader is told what is missing."""
    async with browser(desk(), store=store) as client:
        token = fields(await client.get(SAID_PATH))["token"]
        answer = await client.post(SAID_PATH, data={"token": token, **sent})
    assert answer.status_code == 400
    assert "Please say which it is" in answer.text
    assert store.flags() == ()


async def test_a_form_that_another_site_sends_is_refused(store: Store) -> None:
    """Without the token of this very form: none, another sentence's, another page's; with passes and without."""
    wanted = {"wrong": "outlet"}
    elsewhere = Passes("somebody else's secret", 1).issue(f"flag {version(FERRY.digest)} {SAID} {FERRY.id}")
    for passes, given in ((None, {}), (PASSES, {"pass": PASSES.issue(FERRY_SCOPE)})):
        async with browser(desk(), passes, store=store) as client:
            other = await client.get(flag_path(FERRY.id, FERRY.digest, SAID + 1), params=given)
            for token in ("", elsewhere, fields(other)["token"], given.get("pass", "")):
                answer = await client.post(SAID_PATH, params=given, data={"token": token, **wanted})
                assert answer.status_code == 403
    assert store.flags() == ()


async def test_a_form_is_sent_within_the_rights_of_the_link(store: Store) -> None:
    """A pass for the article or for everything, on the form and with what is sent; another's opens neither."""
    wanted = {"wrong": "outlet"}
    async with browser(desk(), PASSES, store=store) as client:
        for scope in (FERRY_SCOPE, EVERYTHING):
            form = await client.get(SAID_PATH, params={"pass": PASSES.issue(scope)})
            (action,) = parsed(form).xpath("//form[@method='post']/@action")
            assert (await client.post(action, data={**fields(form), **wanted})).status_code == 200
            token = fields(form)["token"]
        bridge = PASSES.issue(article_scope(BRIDGE.id, version(BRIDGE.digest)))
        for given in ("", bridge, token):
            assert (await client.get(SAID_PATH, params={"pass": given})).status_code == 403
            sent = await client.post(SAID_PATH, params={"pass": given}, data={"token": token, **wanted})
            assert sent.status_code == 403
    assert len(store.flags()) == 1


@pytest.mark.parametrize("address", [flag_path(FERRY.id, "0" * 64, 1), flag_path(FERRY.id, FERRY.digest, 99)])
async def test_what_is_gone_cannot_be_flagged(store: Store, address: str) -> None:
    """Another version, no such sentence: neither has a form."""
    async with browser(desk(), store=store) as client:
        assert (await client.get(address)).status_code == 410


async def test_what_goes_between_form_and_flag_is_not_kept(store: Store) -> None:
    """The token is good, and the article another by now."""
    given = {"pass": PASSES.issue(FERRY_SCOPE)}
    async with browser(desk(), PASSES, store=store) as client:
        token = fields(await client.get(SAID_PATH, params=given))["token"]
    async with browser(desk([BRIDGE]), PASSES, store=store) as client:
        answer = await client.post(SAID_PATH, params=given, data={"token": token, "wrong": "outlet"})
    assert answer.status_code == 410
    assert store.flags() == ()


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"x" * (flags.LARGEST + 1), 413), (b"&".join([b"a=1"] * 20), 413), ("é".encode(), 413), (b"", 403)],
    ids=["too large", "too many fields", "no form", "nothing"],
)
async def test_what_is_no_form_of_ours_is_turned_away(store: Store, body: bytes, status: int) -> None:
    """In words, whatever was sent."""
    async with browser(desk(), store=store) as client:
        answer = await client.post(SAID_PATH, content=body)
    assert answer.status_code == status
    assert "not whole" in answer.text


async def test_the_longest_of_forms_is_kept(store: Store) -> None:
    """A name and a note of as many characters as the form takes, in any script; more is cut off."""
    async with browser(desk(), store=store) as client:
        form = await client.get(SAID_PATH)
        sent = {**fields(form), "wrong": "speaker", "speaker": "𝔐" * 200, "note": "𝔐" * 1_000}
        assert (await client.post(SAID_PATH, data=sent)).status_code == 200
    (flag,) = store.flags()
    assert (len(flag.right), len(flag.note)) == (200, 1_000)


async def test_one_sentence_does_not_fill_the_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same flag is kept once, and only so many of one sentence; the reader is told."""
    monkeypatch.setattr(kept_flags, "MOST", 2)
    async with browser(desk(), store=store) as client:
        sent = {**fields(await client.get(SAID_PATH)), "wrong": "speaker"}
        for name in ("Ole", "Ole", "Ada"):
            await client.post(SAID_PATH, data={**sent, "speaker": name})
        full = await client.post(SAID_PATH, data={**sent, "speaker": "Eva"})
    assert {flag.right for flag in store.flags()} == {"Ole", "Ada"}
    assert "no more is kept" in squashed(parsed(full))


async def test_a_flag_that_cannot_be_kept_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the page goes on."""

    def broken(_: Flag) -> NoReturn:
        raise StoreError("the disk is full")

    async with browser(desk(), store=store) as client:
        sent = {**fields(await client.get(SAID_PATH)), "wrong": "outlet"}
        monkeypatch.setattr(store, "record_flag", broken)
        answer = await client.post(SAID_PATH, data=sent)
        assert (answer.status_code, (await client.get(FERRY_PATH)).status_code) == (503, 200)
    assert "try again in a while" in answer.text


async def test_without_a_store_nothing_can_be_flagged() -> None:
    """Nor is it offered."""
    async with browser(desk()) as client:
        assert "Read wrongly?" not in (await client.get(FERRY_PATH)).text
        assert (await client.get(SAID_PATH)).status_code == 404


async def test_many_readers_flag_at_once(store: Store) -> None:
    """Each is kept, and other addresses stay open to reading alone."""
    async with browser(desk(), store=store) as client:
        sent = {**fields(await client.get(SAID_PATH)), "wrong": "speaker"}
        await asyncio.gather(*(client.post(SAID_PATH, data={**sent, "speaker": f"Reader {n}"}) for n in range(20)))
        for address in set(EVERYWHERE) - {"/verify"}:  # where a text is sent
            assert (await client.post(address, data=sent)).status_code == 405
    assert len(store.flags()) == 20


async def test_a_form_needs_no_script_and_carries_nothing_inline(store: Store) -> None:
    """Every field has a name that a screen reader tells."""
    async with browser(desk(), store=store) as client:
        page = parsed(await client.get(SAID_PATH))
    assert page.xpath("//main//script | //@style | //@*[starts-with(name(), 'on')]") == []
    shown = page.xpath("//form[@method='post']//*[self::input[@type != 'hidden'] or self::select or self::textarea]")
    assert shown
    assert all(named(page, field) for field in shown)


def named(page: html.HtmlElement, field: html.HtmlElement) -> bool:
    """Return whether a field has a label."""
    return bool(
        field.get("aria-label")
        or field.xpath("ancestor::label")
        or page.xpath("//label[@for=$name]", name=field.get("id") or "-")
    )
