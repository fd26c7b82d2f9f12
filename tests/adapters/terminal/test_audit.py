"""``stet audit`` and ``stet feedback``: what was answered, and what people thought of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from adapters import json_contract
from adapters.answer_record import new_record
from adapters.articles import open_service
from adapters.settings import load
from adapters.storage.store import AnswerRecord, Opinion, Store, default_path
from bot.evaluation.golden import load as load_golden
from bot.model import Answer, Asker, Place, Question
from bot.service import QuestionService
from tests import stock
from tests.adapters.page.serving import browser
from tests.stock import FERRY
from tests.support.program import Stet, printed

pytestmark = pytest.mark.rest

QUESTION = "was anybody at the wheel?"
PLACE = Place("slack", "T1", "C1")


@pytest.fixture
def path() -> Path:
    place = default_path()
    place.parent.mkdir(parents=True)
    return place


def record(service: QuestionService, store: Store, *questions: Question) -> None:
    for question in questions:
        store.record_answer(new_record(question, question.text, service.answer(question)))


def listed(stet: Stet, command: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(stet, command, "--json").splitlines()]


def test_answers_are_listed_with_the_place_of_each_quotation(stet: Stet, path: Path, folder: Path) -> None:
    service = open_service(load({"STET_ARTICLES": str(folder)}, path.with_name("none")))
    question = Question(QUESTION, "who was on board?", Asker("U1"), PLACE)
    with Store(path) as store:
        record(service, store, question)
    out = printed(stet, "audit")
    assert f"slack T1 C1  U1  {QUESTION}" in out
    assert "    ferry.txt " in out
    [row] = listed(stet, "audit")
    assert row["previous"] == question.previous
    assert row["shown"][0].keys() == {"article", "digest", "start", "end", "title", "words"}
    extracts = stock.expect(Answer, service.answer(question)).extracts
    shown = [(each["article"], each["digest"], FERRY.text[each["start"] : each["end"]]) for each in row["shown"]]
    assert shown[: len(extracts)] == [(e.citation.article_id, e.citation.digest, e.text) for e in extracts]
    assert all(0 <= each["start"] < each["end"] <= len(FERRY.text) for each in row["shown"])


def test_the_log_says_of_which_articles_it_was_asked(stet: Stet, folder: Path) -> None:
    source = "The Sandholm Echo"
    stet("ask", QUESTION, "--articles", folder, "--source", source, "--since", "2001-02-03")
    assert f"    searched only {source} since 2001-02-03\n" in stet("audit")[1]
    [row] = listed(stet, "audit")
    assert (row["sources"], row["since"]) == ([source], "2001-02-03")


def test_news_is_listed_in_words(stet: Stet, path: Path) -> None:
    asked_for = json.dumps([["was the ferry lost", "aa.1"], ["Marta Lindqvist", "bb.2"]])
    with Store(path) as store:
        store.record_answer(AnswerRecord("slack", "U1", f"/watched {asked_for}", "{}"))
    assert "news on “was the ferry lost”, “Marta Lindqvist”" in stet("audit")[1]
    assert listed(stet, "audit")[0]["question"].startswith("news on “was the ferry lost”")


def test_a_read_only_state_can_be_listed(stet: Stet, read_only: Path) -> None:
    assert stet("audit", STET_STATE=read_only) == (0, "", "")
    assert printed(stet, "feedback", STET_STATE=read_only).startswith("No feedback yet.")


def test_answers_in_the_terminal_are_stored(stet: Stet, path: Path, folder: Path) -> None:
    where = ("--articles", str(folder))
    stet("ask", QUESTION, *where)
    stet("who", "Marta Lindqvist", *where)
    stet("ask", " ", *where)
    with Store(path) as store:
        assert [(given.platform, given.asker, given.question) for _, given in store.last_answers(9)] == [
            ("terminal", "", "/who Marta Lindqvist"),
            ("terminal", "", QUESTION),
        ]
    words = "“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher."
    assert words not in stet("audit", "--no-words")[1]
    assert f"        {words}\n" in stet("audit")[1]
    assert words in [place["words"] for place in listed(stet, "audit")[1]["shown"]]


def test_an_answer_that_cannot_be_stored_is_shown(stet: Stet, path: Path, folder: Path) -> None:
    path.write_text("no state", encoding="utf-8")
    status, out, err = stet("ask", QUESTION, "--articles", folder)
    assert (status, "Nobody was at the wheel" in out) == (0, True)
    assert err.startswith("stet: The answer was not stored. ")


async def test_answers_on_the_page_are_stored(path: Path) -> None:
    service = stock.service()
    with Store(path) as store:
        async with browser(service, store=store) as client:
            await client.get("/", params={"q": QUESTION})
            await client.get("/who/Marta%20Lindqvist")
            await client.get("/", params={"q": "/nosuchthing"})
        kept = [given for _, given in store.last_answers(9)]
    assert [(g.platform, g.question) for g in kept] == [("page", "/who Marta Lindqvist"), ("page", QUESTION)]
    assert kept[1].reply == json_contract.line(json_contract.reply(service.answer(Question(QUESTION, brief=True))))


OTHER_QUESTION = "what will repairs of the old bridge cost?"


@pytest.fixture
def judged(path: Path) -> Path:
    """Return a state with two answers and what people thought of them."""
    with Store(path) as store:
        asked = [Question(words, asker=Asker("U1"), place=PLACE) for words in (QUESTION, OTHER_QUESTION)]
        record(stock.service(), store, *asked)
        store.record_opinion(Opinion(1, "U1", right=True))
        store.record_opinion(Opinion(2, "U1", right=True))
        store.record_opinion(Opinion(2, "U2", right=False, why="the wrong bridge\x1b[31m"))
        store.record_opinion(Opinion(99_999, "U2", right=False))
    return path


@pytest.mark.usefixtures("judged")
def test_each_opinion_is_shown_with_its_answer(stet: Stet) -> None:
    status, out, _ = stet("feedback")
    assert (status, out.count("right  "), "\x1b" in out) == (0, 2, False)
    assert f"wrong  {OTHER_QUESTION}" in out
    assert "“the wrong bridge" in out
    rows = listed(stet, "feedback")
    verdicts = {(row["question"], row["verdict"]) for row in rows}
    assert verdicts == {(QUESTION, "right"), (OTHER_QUESTION, "right"), (OTHER_QUESTION, "wrong")}
    assert all(row["reply"]["kind"] == "answer" for row in rows)


def test_what_was_judged_right_becomes_golden(stet: Stet, judged: Path) -> None:
    file = judged.with_name("golden.jsonl")
    file.write_text(stet("feedback", "--as-golden")[1], encoding="utf-8")
    [golden] = load_golden(file)
    assert (golden.id, golden.question) == ("answer-1", QUESTION)
    assert golden.answers[0].article == FERRY.id
