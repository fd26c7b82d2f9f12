"""Stored replies reviewed again: the same while nothing changed, and with the words of the articles as they are now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
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
def archive(tmp_path: Path) -> Iterator[PersistentArchive]:
    lasting = PersistentArchive(tmp_path / "archive.sqlite")
    lasting.add([read_one(FERRY), read_one(BRIDGE)])
    yield lasting
    lasting.close()


@pytest.fixture
def service(archive: PersistentArchive) -> QuestionService:
    return QuestionService(Library(archive))


def ask(service: QuestionService, question: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_contract.line(json_contract.reply(service.answer(Question(question)))))
    return found


def again(shown: dict[str, Any], archive: PersistentArchive) -> tuple[Reply | None, Review]:
    review = Review(archive)
    return reviewed(shown, review), review


@pytest.mark.parametrize("question", ASKED)
def test_a_reply_is_what_it_was_while_nothing_changed(
    question: str, service: QuestionService, archive: PersistentArchive
) -> None:
    shown = ask(service, question)
    reply, review = again(shown, archive)
    assert reply is not None
    assert review.mark == ""
    assert review.digests
    assert json.loads(json_contract.line(json_contract.reply(service.add_page_links(reply)))) == shown


@pytest.mark.parametrize("question", ["/help", "who won the regatta of Umbrel?", "/who Nosuchname"])
def test_what_cites_nothing_is_not_gone_through(
    question: str, service: QuestionService, archive: PersistentArchive
) -> None:
    reply, review = again(ask(service, question), archive)
    assert reply is None or review.notes == []


@pytest.mark.parametrize("question", ASKED)
def test_of_a_removed_article_nothing_is_left(
    question: str, service: QuestionService, archive: PersistentArchive
) -> None:
    shown = ask(service, question)
    for article in (FERRY, BRIDGE):
        archive.remove(article.id)
    reply, review = again(shown, archive)
    assert isinstance(reply, Message)
    assert reply.text == messages.WITHDRAWN
    left = dict(redacted(shown, lambda key: is_taken_down(archive, key)))
    same, once_more = again(left, archive)
    assert (same, once_more.mark) == (reply, review.mark)
    kept = json.dumps(left)
    names = ("Lindqvist", "Brandt") if question.startswith("/who") else ()  # elsewhere they are the asker's words
    for words in (*names, "aground", "Nobody was", "Somebody was", "old bridge", "crowns", "Norfar"):
        assert words not in kept


def test_a_card_loses_only_what_was_taken_down(service: QuestionService, archive: PersistentArchive) -> None:
    other = replace(BRIDGE, id="other.txt", path="stock/other.txt", text="Marta Lindqvist teaches in Oxley, she said.")
    archive.add([read_one(other)])
    shown = ask(service, "/who Marta Lindqvist")
    archive.remove(FERRY.id)
    reply, review = again(shown, archive)
    assert isinstance(reply, Card)
    assert [citation.article_id for citation in reply.articles] == ["other.txt"]
    assert Fate.WITHDRAWN in review.fates
    assert "wheel" not in json.dumps(redacted(shown, lambda key: is_taken_down(archive, key)))


def test_an_extract_that_was_copied_is_shown_with_what_it_is_now(
    service: QuestionService, archive: PersistentArchive
) -> None:
    answer = service.answer(Question(ASKED[0]))
    assert isinstance(answer, Answer)
    state = encode([address(answer.extracts[0])])
    shown = json.loads(json_contract.line(json_contract.reply(service.command("copy", state, Question("")))))
    archive.add([read_one(replace(FERRY, text=FERRY.text.replace("at the wheel", "on the bridge")))])
    reply, _ = again(shown, archive)
    assert isinstance(reply, Answer)
    [extract] = reply.extracts
    assert "at the wheel" in extract.text
    assert "on the bridge" in extract.newest.text


def test_another_archives_articles_are_unknown(service: QuestionService, tmp_path: Path) -> None:
    shown = ask(service, ASKED[0])
    other = PersistentArchive(tmp_path / "other.sqlite")
    _, review = again(shown, other)
    assert review.fates == {Fate.UNKNOWN}
    other.close()


def test_what_was_taken_down_and_put_in_again_is_as_it_was(
    service: QuestionService, archive: PersistentArchive
) -> None:
    shown = ask(service, ASKED[0])
    archive.remove(FERRY.id)
    archive.add([read_one(FERRY)])
    _, review = again(shown, archive)
    assert review.mark == ""
    assert redacted(shown, lambda key: is_taken_down(archive, key)) == shown
