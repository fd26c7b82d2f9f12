"""The limits on what comes in: what is at one is taken, and what is beyond is refused in words that say how much."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from retrieval import limits
from retrieval.errors import ArticleError, TooLargeError
from retrieval.intake.metadata import ArticleDraft, finish
from retrieval.limits import Limit, shown

TODAY = datetime.now(UTC).date()


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        (limits.FILE, 20_000_000, "20,000,000 bytes: save"),
        (limits.TEXT, 4_000_000, "4,000,000 bytes: split"),
        (limits.LINE, 4_000_000, "4,000,000 bytes in one line"),
        (limits.TABLE, 1_000_000, "1,000,000 bytes"),
        (limits.ARTICLE, 500_000, "500,000 characters of text"),
        (limits.FRONT_MATTER, 20_000, "20,000 characters of front matter"),
        (limits.METADATA, 2_000, "2,000 characters in one key"),
        (limits.ID, 300, "300 characters in its id"),
        (limits.NESTING, 50, "50 brackets"),
        (limits.ELEMENTS, 20_000, "20,000 elements"),
        (limits.PAGES, 500, "500 pages"),
        (limits.DRAWN, 5_000_000, "5,000,000 bytes drawn"),
        (limits.BATCH, 50_000_000, "50,000,000 bytes"),
    ],
)
def test_what_is_at_a_limit_is_within_it(limit: Limit, most: int, words: str) -> None:
    limit.check(most)
    with pytest.raises(TooLargeError, match=f"more than {words}"):
        limit.check(most + 1)


def published(day: date) -> date | None:
    return finish(ArticleDraft("a", "A ferry sank.", {"published": day}, "a.txt"), {}).published


def test_an_article_may_be_as_old_as_newspapers_or_embargoed_for_a_year() -> None:
    for day in (date(1600, 1, 1), TODAY, TODAY + timedelta(days=364)):
        assert published(day) == day
    for day in (date(1599, 12, 31), TODAY + timedelta(days=368)):
        with pytest.raises(ArticleError, match="is not plausible"):
            published(day)


def test_a_figure_is_an_id_as_long_as_one_in_words() -> None:
    for figure in (10**300 - 1, 1984):
        assert finish(ArticleDraft("a", "A ferry sank.", {"id": figure}, "a.txt"), {}).id == str(figure)
    for figure in (10**300, -(10**300)):
        with pytest.raises(ArticleError):
            finish(ArticleDraft("a", "A ferry sank.", {"id": figure}, "a.txt"), {})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 60, "“" + "x" * 60 + "”"),
        ("x" * 61, "“" + "x" * 60 + "…”"),
        ("x" + " " * 238 + "y", "“x y”"),
        ("x" + " " * 239 + "y", "“x…”"),
    ],
)
def test_messages_quote_sixty_characters_of_input(value: str, told: str) -> None:
    assert shown(value) == told
