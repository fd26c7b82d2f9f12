"""The limits on what comes in: what is at one is taken, and what is beyond is refused in words that say how much."""

from datetime import UTC, date, datetime, timedelta

import pytest

from retrieval import limits
from retrieval.errors import ArticleError, TooLargeError, UnpublishedError
from retrieval.intake.metadata import ArticleDraft, finish
from retrieval.limits import Limit, shown
from retrieval.model import Body

TODAY = datetime.now(UTC).date()


@pytest.mark.parametrize(
    ("limit", "most"),
    [(limits.FILE, 20_000_000), (limits.TABLE, 1_000_000), (limits.ID, 300), (limits.BATCH, 50_000_000)],
)
def test_what_is_at_a_limit_is_within_it(limit: Limit, most: int) -> None:
    limit.check(most)
    with pytest.raises(TooLargeError, match=f"^It has more than {most:,} {limit.what}: {limit.remedy}.$"):
        limit.check(most + 1)


def published(day: date) -> date | None:
    return finish(ArticleDraft(Body("A ferry sank."), {"published": day}, name="a"), {}).published


def test_an_article_may_be_as_old_as_newspapers_and_no_younger_than_today() -> None:
    for day in (date(1600, 1, 1), TODAY):
        assert published(day) == day
    with pytest.raises(UnpublishedError, match="It is not published: it is to be published on"):
        published(TODAY + timedelta(days=364))
    with pytest.raises(ArticleError, match="is not plausible"):
        published(date(1599, 12, 31))


def test_a_figure_is_an_id_as_long_as_one_in_words() -> None:
    for figure in (10**300 - 1, 1984):
        assert finish(ArticleDraft(Body("A ferry sank."), {"id": figure}, name="a"), {}).id == str(figure)
    for figure in (10**300, -(10**300)):
        with pytest.raises(ArticleError):
            finish(ArticleDraft(Body("A ferry sank."), {"id": figure}, name="a"), {})


def test_messages_quote_sixty_characters_of_input() -> None:
    assert [shown("x" * letters) for letters in (60, 61)] == [f"“{'x' * 60}”", f"“{'x' * 60}…”"]
    assert [shown("x" + " " * spaces + "y") for spaces in (238, 239)] == ["“x y”", "“x…”"]
