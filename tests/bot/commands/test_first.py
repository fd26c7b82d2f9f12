"""``first``: when a phrase was first written, in which forms, and when somebody first said it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bot.commands.first import first, first_asked, timeline
from bot.model import Listing, Question
from bot.outline import outline
from bot.service import QuestionService
from retrieval.archive import occurrences
from retrieval.archive.archive import open_archive
from retrieval.pipeline import read_one
from retrieval.text.terms import Phrase
from tests.stock import expect, holdings
from tests.support.tables import articles, cases

ARTICLES = articles(Path(__file__).with_name("replies") / "first.toml")
QUAY, PIER = ARTICLES["quay"], ARTICLES["pier"]
HOLDINGS = holdings(ARTICLES.values())


def _found(typed: str) -> Listing:
    return expect(Listing, first(HOLDINGS, typed))


def test_many_months_are_counted_by_year() -> None:
    assert timeline([date(2020, 5, 1), date(2026, 1, 1), date(2026, 3, 1)])[::6] == (("2020", 1), ("2026", 2))


@cases("asked, wanted")
def test_a_question_for_the_first_time_is_the_command(asked: str, wanted: str) -> None:
    assert first_asked(HOLDINGS.archive, asked) == wanted


def test_a_question_gives_the_commands_reply() -> None:
    service = QuestionService(HOLDINGS)
    asked = service.answer(Question("When did we first write “harbour tax”?", brief=True))
    assert outline(asked) == outline(service.command("first", "“harbour tax”", Question("")))


def test_words_that_a_later_version_brought_count_from_its_day() -> None:
    archive = open_archive([read_one(PIER), read_one(QUAY)])
    archive.add([read_one(replace(QUAY, text=QUAY.text.replace("tax", "toll")))])
    (found,) = archive.written(_phrase("harbour toll"))
    assert found.added
    assert found.day is not None
    assert found.day > date(2025, 1, 1)
    assert [each.article_id for each in archive.written(_phrase("harbour tax"))] == ["pier.txt"]


def _phrase(words: str) -> Phrase:
    return Phrase([(word,) for word in words.split()])


def test_of_many_articles_the_first_of_each_outlet_and_the_last_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = _found("“harbour tax”")
    monkeypatch.setattr(occurrences, "LOOKED_THROUGH", 1)
    part = _found("“harbour tax”")
    assert part.extracts == whole.extracts
    assert [each.heading for each in part.sections] == [each.heading for each in whole.sections[:-1]]
    # "near" has both words in a sentence, and is looked through before the first of its outlet is found
    assert part.sections[2].lines[0].startswith("At most 3 articles, with all words in a sentence: 2031-03")
