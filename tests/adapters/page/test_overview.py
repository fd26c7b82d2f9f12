"""The table of outlets and the plot of articles above the list of sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from adapters.page.reply_view import Bar, Overview, overview
from retrieval.archive.archive import open_archive
from retrieval.pipeline import read_separately
from tests.stock import FERRY


def archive_of(*days: date | None) -> Overview:
    articles = [
        replace(FERRY, id=f"{number}.txt", text=f"{FERRY.text} {number}.", published=day, source="The Post")
        for number, day in enumerate(days)
    ]
    return overview(open_archive(read_separately(articles)))


def test_near_days_are_counted_one_by_one() -> None:
    found = archive_of(date(2031, 5, 9), date(2031, 5, 9), date(2031, 5, 11), None)
    assert found.bars == (Bar("9 May 2031", 2), Bar("10 May 2031", 0), Bar("11 May 2031", 1))
    (row,) = found.outlets
    assert (row.name, row.articles, row.first, row.last) == ("The Post", 4, date(2031, 5, 9), date(2031, 5, 11))


def test_far_days_are_counted_by_months() -> None:
    found = archive_of(date(2030, 12, 30), date(2031, 2, 1), date(2031, 3, 20))
    assert found.bars == (
        Bar("December 2030", 1),
        Bar("January 2031", 0),
        Bar("February 2031", 1),
        Bar("March 2031", 1),
    )


def test_one_day_is_no_plot() -> None:
    assert archive_of(date(2031, 5, 9), None).bars == ()
