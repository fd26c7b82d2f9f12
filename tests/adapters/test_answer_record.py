"""Stored replies reviewed again: the same while nothing changed, and with the words of the articles as they are now."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters import json_contract
from adapters.answer_record import redacted, reviewed
from bot import messages
from bot.command import Library
from bot.model import Answer, Card, Message, Question, Reply
from bot.revision import Fate, Review, is_taken_down
from bot.sentence_links import address, encode
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_one
from tests.stock import BRIDGE, FERRY
from tests.support.tables import rows

ASKED = rows(__file__, "asked")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[QuestionService]:
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as lasting:
        lasting.add([read_one(FERRY), read_one(BRIDGE)])
        yield QuestionService(Library(lasting))


def printed(service: QuestionService, reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_contract.line(json_contract.reply(service.add_page_links(reply))))
    return found


def ask(service: QuestionService, question: str) -> dict[str, Any]:
    return printed(service, service.answer(Question(question)))


def again(shown: dict[str, Any], service: QuestionService) -> tuple[Reply | None, Review]:
    review = Review(service.library.archive)
    return reviewed(shown, review), review


def without_removed(shown: dict[str, Any], service: QuestionService) -> dict[str, Any]:
    return redacted(shown, partial(is_taken_down, service.library.archive))


@pytest.mark.parametrize("question", ASKED)
def test_a_reply_is_what_it_was_while_nothing_changed(question: str, service: QuestionService) -> None:
    shown = ask(service, question)
    reply, review = again(shown, service)
    assert reply is not None
    assert review.mark == ""
    assert review.digests
    assert printed(service, reply) == shown
    service.library.archive.remove(FERRY.id)
    service.library.archive.add([read_one(FERRY)])
    assert again(shown, service)[1].mark == ""
    assert without_removed(shown, service) == shown


@pytest.mark.parametrize("question", ["/help", "who won the regatta of Umbrel?", "/who Nosuchname"])
def test_what_cites_nothing_is_not_gone_through(question: str, service: QuestionService) -> None:
    reply, review = again(ask(service, question), service)
    assert reply is None or review.notes == []


@pytest.mark.parametrize("question", ASKED)
def test_of_a_removed_article_nothing_is_left(question: str, service: QuestionService) -> None:
    shown = ask(service, question)
    for article in (FERRY, BRIDGE):
        service.library.archive.remove(article.id)
    reply, review = again(shown, service)
    assert isinstance(reply, Message)
    assert reply.text == messages.WITHDRAWN
    left = without_removed(shown, service)
    same, once_more = again(left, service)
    assert (same, once_more.mark) == (reply, review.mark)
    kept = json.dumps(left)
    names = ("Lindqvist", "Brandt") if question.startswith("/who") else ()  # elsewhere they are the asker's words
    for words in (*names, "aground", "Nobody was", "Somebody was", "old bridge", "crowns", "Norfar"):
        assert words not in kept


def test_a_card_loses_only_what_was_taken_down(service: QuestionService) -> None:
    other = replace(BRIDGE, id="other.txt", path="stock/other.txt", text="Marta Lindqvist teaches in Oxley, she said.")
    service.library.archive.add([read_one(other)])
    shown = ask(service, "/who Marta Lindqvist")
    service.library.archive.remove(FERRY.id)
    reply, review = again(shown, service)
    assert isinstance(reply, Card)
    assert [citation.article_id for citation in reply.articles] == ["other.txt"]
    assert Fate.WITHDRAWN in review.fates
    assert "wheel" not in json.dumps(without_removed(shown, service))


def test_an_extract_that_was_copied_is_shown_with_what_it_is_now(service: QuestionService) -> None:
    answer = service.answer(Question(ASKED[0]))
    assert isinstance(answer, Answer)
    state = encode([address(answer.extracts[0])])
    shown = printed(service, service.command("copy", state, Question("")))
    service.library.archive.add([read_one(replace(FERRY, text=FERRY.text.replace("at the wheel", "on the bridge")))])
    reply, _ = again(shown, service)
    assert isinstance(reply, Answer)
    [extract] = reply.extracts
    assert "at the wheel" in extract.text
    assert "on the bridge" in extract.newest.text


def test_another_archives_articles_are_unknown(service: QuestionService, tmp_path: Path) -> None:
    with closing(PersistentArchive(tmp_path / "other.sqlite")) as other:
        _, review = again(ask(service, ASKED[0]), QuestionService(Library(other)))
    assert review.fates == {Fate.UNKNOWN}
