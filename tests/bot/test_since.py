"""How far back is asked: as it is written, and day by day."""

from __future__ import annotations

from datetime import date

import pytest

from bot import state
from bot.channels import Channel, Channels, Since, read_since
from bot.command import Holdings
from bot.errors import WrongSinceError
from bot.model import Answer, Card, Listing, NoAnswer, Place, Question, Reply
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from tests.stock import expect

TODAY = date(2021, 3, 31)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("2021-01-02", date(2021, 1, 2)),
        (" 2021-03-31 ", date(2021, 3, 31)),
        ("30d", date(2021, 3, 1)),
        ("today", date(2021, 3, 31)),
        ("Yesterday", date(2021, 3, 30)),
        ("last  week", date(2021, 3, 24)),
        ("1 day", date(2021, 3, 30)),
        ("0 days", date(2021, 3, 31)),
        ("2 weeks", date(2021, 3, 17)),
        ("2W", date(2021, 3, 17)),
        ("1 month", date(2021, 2, 28)),
        ("13m", date(2020, 2, 29)),
        ("3 months", date(2020, 12, 31)),
        ("1y", date(2020, 3, 31)),
        ("20 years", date(2001, 3, 31)),
    ],
)
def test_a_day_or_a_span_says_the_first_day(words: str, first: date) -> None:
    assert read_since(words, TODAY).first(TODAY) == first


@pytest.mark.parametrize(
    "words",
    [
        "",
        "soon",
        "30",
        "-3d",
        "3.5 weeks",
        "2021-02-30",
        "2021-13-01",
        "99999d",
        "9999 years",
        "٣d",
        "1d 2d",
        "30 minutes",
    ],
)
def test_nonsense_is_refused_with_what_to_write(words: str) -> None:
    with pytest.raises(WrongSinceError, match="write 2025-01-31") as refused:
        read_since(words, TODAY)
    assert f"“{words}”" in str(refused.value)


def test_a_day_that_is_still_to_come_is_refused() -> None:
    with pytest.raises(WrongSinceError, match="2021-04-01 is still to come"):
        read_since("2021-04-01", TODAY)


OLD = Article("old", "Ada Brandt, a pilot, said that 12 boats were lost at Oxley.", published=date(2020, 5, 1))
NEW = Article("new", "Ada Brandt, a pilot, said that 14 boats were lost at Oxley.", published=date(2021, 3, 20))
DATELESS = Article("none", "Olof Roe, a baker, said that nobody saw the boats at Oxley.")
HERE = Place("slack", "T1", "C1")


class Today:
    """The day that the desk goes by."""

    def __init__(self) -> None:
        self.day = TODAY

    def __call__(self) -> date:
        return self.day


def over(today: Today, channels: Channels) -> QuestionService:
    return QuestionService(
        Holdings(open_archive(read_separately([OLD, NEW, DATELESS]))), channels=channels, today=today
    )


def shown(reply: Reply) -> set[str]:
    match reply:
        case Answer():
            return {extract.citation.article_id for extract in reply.extracts}
        case Card():
            return {extract.citation.article_id for extract in (*reply.said, *reply.about, *reply.roles)}
        case Listing():
            return {e.citation.article_id for section in reply.sections for e in section.extracts}
    return set()


def test_what_is_older_is_not_asked_in_that_channel() -> None:
    service = over(Today(), Channels(named={("slack", "C1"): Channel(since=Since(days=30))}))
    asked = Question("how many boats were lost at Oxley?", place=HERE)
    assert "old" not in shown(service.answer(asked))
    assert shown(service.answer(asked)) >= {"new"}
    assert shown(service.command("who", "Ada Brandt", Question(""))) == {"old", "new"}
    assert shown(service.command("who", "Ada Brandt", asked)) == {"new"}
    assert shown(service.command("who", "Olof Roe", asked)) == {"none"}
    sources = expect(Listing, service.command("sources", "", asked))
    assert sources.title == "2 articles"
    assert "published since 1 March 2021" in sources.sections[0].lines[0]
    assert "1 article without a date" in sources.sections[0].lines[0]


def test_a_span_goes_on_with_the_days() -> None:
    today = Today()
    service = over(today, Channels(elsewhere=Channel(since=Since(days=30))))
    assert "new" in shown(service.answer(Question("how many boats were lost at Oxley?")))
    assert "new" in shown(service.command_in_full("who", "Ada Brandt"))
    today.day = date(2021, 4, 20)
    assert "new" not in shown(service.answer(Question("how many boats were lost at Oxley?")))
    assert shown(service.command_in_full("who", "Ada Brandt")) == set()


def test_where_nothing_is_found_it_is_said_since_when() -> None:
    service = over(Today(), Channels(elsewhere=Channel(since=Since(date(2021, 3, 1)))))
    reply = expect(NoAnswer, service.answer(Question("who was elected chancellor of Vellmark?")))
    assert "Searched 2 articles since 1 March 2021, the newest of 20 March 2021." in reply.message


def test_what_was_shown_can_be_gone_on_with_however_old_it_is_by_then() -> None:
    today = Today()
    service = over(today, Channels(elsewhere=Channel(since=Since(days=30))))
    reply = expect(Answer, service.answer(Question("how many boats were lost at Oxley?")))
    today.day = date(2021, 6, 1)
    extract = reply.extracts[0]
    gone_on = expect(
        Listing,
        service.command("context", state.encode([state.address(extract.citation, extract.index)]), Question("")),
    )
    assert not gone_on.sections[0].extracts[0].citation.superseded
