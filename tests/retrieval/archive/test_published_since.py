"""A view of an archive: what is older is not asked, and what was shown can be opened."""

from __future__ import annotations

from datetime import date

import pytest

from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Query, Scope
from retrieval.text.terms import terms

GULL, HERON = "The Gull", "The Heron"
FIRST = date(2021, 3, 1)
ARTICLES = (
    Article("old", "Ada Brandt saw the lamp. The lamp is out.", source=GULL, published=date(2021, 2, 28)),
    Article("new", "Ada Brandt lit the lamp. Ines Roe did not.", source=GULL, published=FIRST),
    Article("other", "Ines Roe saw the lamp on the quay.", source=HERON, published=date(2021, 3, 9)),
)
LAMP = Query(tuple((each, 1.0) for each in terms("lamp")))


@pytest.fixture
def whole() -> Archive:
    return open_archive(read_separately(ARTICLES))


def test_people_are_those_of_these_days_with_their_articles_of_them(whole: Archive) -> None:
    """Called as everywhere, for nothing here is a secret."""
    view = whole.scoped(Scope(since=FIRST))
    brandt = view.register().meant("brandt")
    assert brandt is not None
    assert (brandt.name, brandt.articles) == ("Ada Brandt", ("new",))
    assert {entity.name for entity in view.register().entities()} == {"Ada Brandt", "Ines Roe"}
    later = whole.scoped(Scope(since=date(2021, 3, 2)))
    assert later.register().find("brandt") == ()
    assert {entity.name for entity in later.register().entities()} == {"Ines Roe"}
    assert later.register().beginning("ada") == ("Ada Brandt",)
    assert [entity.name for entity in later.register().named(("ines", "roe"))] == ["Ines Roe"]


def test_what_was_shown_can_be_opened_however_old_it_is(whole: Archive) -> None:
    view = whole.scoped(Scope(since=FIRST))
    old = view.article("old")
    assert view.reading("old") == view.addressed(old.key) == whole.reading("old")
    assert view.history("old") == whole.history("old")
    assert view.searchable("old") == whole.searchable("old")
    assert view.history("old")[-1].corrections.get(0) is None
    with pytest.raises(KeyError):
        view.article("nothing")


def test_it_follows_the_archive(whole: Archive) -> None:
    view = whole.scoped(Scope(since=FIRST))
    before = view.revision()
    whole.add([read_one(Article("late", "The lamp burns.", published=date(2021, 4, 1)))])
    assert view.revision() != before
    assert "late" in {article.id for article in view.articles()}
    whole.remove("late")
    whole.add([read_one(Article("later", "The lamp burns.", published=date(2021, 4, 2)))])
    assert [article.id for article in whole.articles()] == ["later", "new", "old", "other"]


def test_without_a_date_an_article_is_within_where_nothing_else_is_known() -> None:
    view = open_archive(read_separately([Article("a", "The lamp burns.")])).scoped(Scope(since=FIRST))
    assert [article.id for article in view.articles()] == ["a"]
