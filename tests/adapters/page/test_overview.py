"""The table of outlets and the plot of articles above the list of sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from adapters.page.reply_view import Overview, overview
from retrieval.archive.archive import open_archive
from retrieval.pipeline import read_separately
from tests.stock import FERRY


def archive_of(*days: date | None) -> Overview:
    articles = [
        replace(FERRY, id=f"{number}.txt", text=f"{FERRY.text} {number}.", published=day, source="The Post")
        for number, day in enumerate(days)
    ]
    return overview(open_archive(read_separately(articles)))


@pytest.mark.parametrize(
    ("days", "bars"),
    [
        (  # near ones are counted one by one
            (date(2031, 5, 9), date(2031, 5, 9), date(2031, 5, 11), None),
            (("9 May 2031", 2), ("10 May 2031", 0), ("11 May 2031", 1)),
        ),
        (  # far ones by months
            (date(2030, 12, 30), date(2031, 2, 1), date(2031, 3, 20)),
            (("December 2030", 1), ("January 2031", 0), ("February 2031", 1), ("March 2031", 1)),
        ),
        ((date(2031, 5, 9), None), ()),  # one is no plot
    ],
)
def test_days_are_counted(days: tuple[date | None, ...], bars: tuple[tuple[str, int], ...]) -> None:
    archive = archive_of(*days)
    assert archive.bars == bars
    (row,) = archive.outlets
    dated = [day for day in days if day]
    assert (row.name, row.articles, row.first, row.last) == ("The Post", len(days), min(dated), max(dated))
