"""A view of an archive: what is older is not asked, and what was shown can be opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from retrieval.archive.archive import Archive, PersistentArchive, open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Outlet, Query, Scope
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
    """Return an archive of every article."""
    return open_archive(read_separately(ARTICLES))


def test_only_what_is_of_these_days_is_listed_and_found(whole: Archive) -> None:
    """The day itself is one of them."""
    view = whole.scoped(Scope(since=FIRST))
    assert [article.id for article in view.articles()] == ["new", "other"]
    assert view.outlets() == (Outlet(GULL, 1, FIRST, FIRST), Outlet(HERON, 1, date(2021, 3, 9), date(2021, 3, 9)))
    assert [hit for hit in whole.search(LAMP, 9) if hit.article_id != "old"] == list(view.search(LAMP, 9))
    assert len(view.search(LAMP, 1)) == 1
    assert {place for place, _ in view.holding(terms("lamp"))} == {"new", "other"}
    assert [each.id for each in view.listed(terms("lamp"))] == ["new", "other"]
    assert view.size() == whole.size()
    assert view.frequencies(terms("lamp")) == whole.frequencies(terms("lamp"))
    assert view.spellings("quuay") == whole.spellings("quuay")


def test_people_are_those_of_these_days_with_their_articles_of_them(whole: Archive) -> None:
    """Called as everywhere, for nothing here is a secret."""
    view = whole.scoped(Scope(since=FIRST))
    brandt = view.register().meant("brandt")
    assert brandt is not None
    assert (brandt.name, brandt.articles) == ("Ada Brandt", ("new",))
    assert {entity.name for entity in view.entities()} == {"Ada Brandt", "Ines Roe"}
    later = whole.scoped(Scope(since=date(2021, 3, 2)))
    assert later.register().find("brandt") == ()
    assert {entity.name for entity in later.entities()} == {"Ines Roe"}
    assert later.register().beginning("ada") == ("Ada Brandt",)
    assert [entity.name for entity in later.named(("ines", "roe"))] == ["Ines Roe"]


def test_what_was_shown_can_be_opened_however_old_it_is(whole: Archive) -> None:
    """By its id, and by its key."""
    view = whole.scoped(Scope(since=FIRST))
    old = view.article("old")
    assert view.reading("old") == view.addressed(old.key) == whole.reading("old")
    assert view.history("old") == whole.history("old")
    assert view.searchable("old") == whole.searchable("old")
    assert view.corrected("old", 0) is None
    with pytest.raises(KeyError):
        view.article("nothing")


def test_it_follows_the_archive(whole: Archive) -> None:
    """What is put in there is here, and what is removed is gone."""
    view = whole.scoped(Scope(since=FIRST))
    before = view.revision()
    whole.add([read_one(Article("late", "The lamp burns.", published=date(2021, 4, 1)))])
    assert view.revision() != before
    assert "late" in {article.id for article in view.articles()}
    whole.remove("late")
    whole.add([read_one(Article("later", "The lamp burns.", published=date(2021, 4, 2)))])
    assert [article.id for article in whole.articles()] == ["later", "new", "old", "other"]


def test_it_can_be_bounded_by_sources_too(whole: Archive) -> None:
    """As in a channel that sees some outlets, and asks a month."""
    view = whole.scoped(Scope(frozenset({GULL}), FIRST))
    assert [article.id for article in view.articles()] == ["new"]
    assert {hit.article_id for hit in view.search(LAMP, 9)} == {"new"}
    with pytest.raises(KeyError):
        view.article("other")


def test_without_a_date_an_article_is_within_where_nothing_else_is_known() -> None:
    """Nobody knows that it is older."""
    view = open_archive(read_separately([Article("a", "The lamp burns.")])).scoped(Scope(since=FIRST))
    assert [article.id for article in view.articles()] == ["a"]


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[PersistentArchive]:
    """Return a lasting archive that was filled on the second of March."""
    moment = datetime(2021, 3, 2, 12, tzinfo=UTC).timestamp()
    with closing(PersistentArchive(tmp_path / "archive.sqlite", now=lambda: moment)) as archive:
        archive.add([read_one(Article("a", "The lamp burns."))])
        archive.add([read_one(Article("a", "The lamp burns brightly."))])
        yield archive


def test_without_a_date_an_article_goes_by_the_day_on_which_it_came(lasting: PersistentArchive) -> None:
    """Its first version, whatever came after."""
    assert [article.id for article in lasting.scoped(Scope(since=date(2021, 3, 2))).articles()] == ["a"]
    assert lasting.scoped(Scope(since=date(2021, 3, 3))).articles() == ()
    assert lasting.scoped(Scope(since=date(2021, 3, 3))).search(LAMP, 9) == ()


def test_what_is_removed_meanwhile_is_not_within(lasting: PersistentArchive) -> None:
    """Whoever had found it before."""
    view = lasting.scoped(Scope(since=date(2021, 3, 2)))
    assert view.search(LAMP, 9)
    lasting.remove("a")
    assert view.search(LAMP, 9) == view.articles() == ()
