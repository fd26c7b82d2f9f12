"""Feedback of readers of the page: the form, who may send it, and what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from adapters.page.addresses import EVERYTHING, feedback_path
from adapters.storage.records import Opinion
from adapters.storage.store import Store, StoreError
from bot import messages
from tests.adapters.page.drawn import parsed, squashed
from tests.adapters.page.serving import PASSES, browser
from tests.adapters.page.test_app import ASKED, FERRY_SCOPE
from tests.stock import service


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
        assert form.get("action") == feedback_path(number)
        sent = fields(answer)
        thanked = await client.post(form.get("action"), data={**sent, "verdict": "right"})
        assert messages.THANKS in squashed(parsed(thanked))
        assert store.opinions(number) == (Opinion(number, "page", right=True),)
        asked = await client.post(form.get("action"), data={**sent, "verdict": "wrong"})
        assert store.opinions(number) == (Opinion(number, "page", right=False),)
        assert messages.WHY_WRONG in squashed(parsed(asked).xpath("//label")[0])
        (tick,) = parsed(asked).xpath("//input[@type='checkbox']")
        ticked = {tick.get("name"): tick.get("value")}
        for sent, why in (
            ({"why": "An old\nfigure"}, "An old figure"),
            (ticked, "A speaker or a caveat is wrong."),
            ({**ticked, "why": "Ole Berg\nsaid it"}, "A speaker or a caveat is wrong. Ole Berg said it"),
        ):
            thanked = await client.post(form.get("action"), data={**fields(asked), "verdict": "wrong", **sent})
            assert store.opinions(number) == (Opinion(number, "page", right=False, why=why),)
            assert parsed(thanked).xpath("//form[contains(@action, '/feedback/')]") == []


async def test_only_answers_get_feedback(store: Store) -> None:
    async with browser(service(), store=store) as client:
        for address in ("/unverified", "/?q=what+happened+at+Oxleigh", "/"):
            assert parsed(await client.get(address)).xpath("//form[contains(@action, '/feedback/')]") == []
    async with browser(service()) as client:
        assert parsed(await client.get("/", params={"q": ASKED})).xpath("//form[@method='post']") == []
        assert (await client.post(feedback_path(1), data={"verdict": "right"})).status_code == 404


async def test_a_form_that_another_site_sends_is_refused(store: Store) -> None:
    for passes, given in ((None, {}), (PASSES, {"pass": PASSES.issue(EVERYTHING)})):
        async with browser(service(), passes, store=store) as client:
            sent = fields(await client.get("/", params={"q": ASKED, **given}))
            (number, _), *_ = store.last_answers(1)
            path = feedback_path(number)
            for token in ("", given.get("pass", ""), "1.x"):
                refused = await client.post(path, params=given, data={"token": token, "verdict": "right"})
                assert refused.status_code == 403
            other = await client.post(feedback_path(number + 1), params=given, data={**sent, "verdict": "right"})
            assert other.status_code == 403
            assert (await client.post(path, params=given, data={**sent, "verdict": "fine"})).status_code == 400
            too_long = {**sent, "verdict": "wrong", "why": "w" * 20_000}
            assert (await client.post(path, params=given, data=too_long)).status_code == 413
            if passes:
                for scope in ({}, {"pass": PASSES.issue(FERRY_SCOPE)}):
                    closed = await client.post(path, params=scope, data={**sent, "verdict": "right"})
                    assert closed.status_code == 403
            assert store.opinions(number) == ()


async def test_feedback_that_cannot_be_stored_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: Opinion) -> NoReturn:
        raise StoreError("away")

    async with browser(service(), store=store) as client:
        sent = fields(await client.get("/", params={"q": ASKED}))
        (number, _), *_ = store.last_answers(1)
        monkeypatch.setattr(store, "record_opinion", away)
        answer = await client.post(feedback_path(number), data={**sent, "verdict": "right"})
    assert answer.status_code == 503
    assert "could not be saved" in answer.text
