"""Who somebody is, and what they said."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.command import Library
from bot.commands.who import who
from bot.model import Answer, Card, Question
from bot.outline import outline
from bot.service import QuestionService
from retrieval.archive.archive import WritableArchive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_separately
from tests.stock import FERRY, expect, holdings, service
from tests.support.tables import cases

LOOKED = 20  # articles that a card covers


def test_what_many_said_is_shown_three_at_a_time_in_chat_and_whole_in_the_terminal() -> None:
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(7))
    office = service([replace(FERRY, id="talk.txt", text=talk)])
    page = expect(Answer, office.command("said", "brekke", Question("")))
    assert len(page.extracts) == 3
    rest = expect(Answer, office.command("more", page.more, Question("")))
    assert rest.extracts[0].text == "“Point number 3 is settled,” Ola Brekke said."
    whole = expect(Answer, office.command_in_full("said", "brekke"))
    assert len(whole.extracts) == 7


def test_a_page_of_what_was_said_looks_no_further_than_it_shows() -> None:
    opened: list[str] = []

    class OpenedVersion(WritableArchive):
        def reading(self, article_id: str) -> Reading:
            opened.append(article_id)
            return super().reading(article_id)

    text = "“It is settled,” Ola Brekke said."
    archive = OpenedVersion()
    archive.add(tuple(read_separately([replace(FERRY, id=f"{n}.txt", text=text) for n in range(50)])))
    page = expect(Answer, QuestionService(Library(archive)).command("said", "brekke", Question("")))
    assert page.more
    assert len(set(opened)) < 15


def test_who_is_in_very_many_articles_is_told_of_by_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.who.LOOKED", LOOKED)
    told = "“Point {} is settled,” said Ola Brekke."
    first = date(2026, 1, 1)
    days = [first + timedelta(days=n) for n in range(LOOKED + 2)]
    articles = [Article(f"{n}", told.format(n), published=day, source="Herald") for n, day in enumerate(days)]
    found = expect(Card, who(holdings(articles), "ola brekke"))
    assert (found.in_all, len(found.articles), found.said_in_all) == (LOOKED + 2, LOOKED, LOOKED)
    assert found.said[0].text == told.format(LOOKED + 1)
    head, said, listed = (s for s in outline(found).sections if s.heading in ("", "Said", "Articles"))
    assert head.lines == (f"Person, in {LOOKED + 2} articles.", f"The rest covers the newest {LOOKED}.")
    assert said.lines == (f"The newest of at least {LOOKED} sentences; `/said Ola Brekke` shows them all.",)
    assert listed.lines[10:] == (f"… and {LOOKED - 8} more articles.",)


@cases("first, second, several")
def test_ages_that_fit_no_one_person_are_told_of(first: str, second: str, *, several: bool) -> None:
    articles = [Article("a", first, published=date(2023, 3, 4)), Article("b", second, published=date(2025, 3, 5))]
    card = expect(Card, who(holdings(articles), "jon sarrow"))
    lines = [line for section in outline(card).sections for line in section.lines]
    assert card.may_be_several is several
    assert any("several people may be called Jon Sarrow" in line for line in lines) is several
