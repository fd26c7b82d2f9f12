"""A view of an archive: the articles of some sources and nothing of others; of some days, where old ones open."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.interface import Archive, places_with
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Scope
from retrieval.text.terms import terms

GULL, HERON = "The Gull", "The Heron"
# one man, spelt in two ways, and in full in one paper only
ARTICLES = (
    Article("gull.txt", "Mykhailo Tarasenko spoke at the lighthouse. “The lamp is out,” Tarasenko said.", source=GULL),
    Article(
        "heron.txt", "Mikhail Tarasenko spoke at the lighthouse. Ines Roe did not. The quay flooded.", source=HERON
    ),
    Article("note.txt", "A note on the lighthouse was found. Nobody knows whose it is."),
)


@pytest.fixture
def whole() -> Archive:
    return open_archive(read_separately(ARTICLES))


@pytest.mark.parametrize("call", ["article", "reading", "history"])
def test_what_is_outside_is_a_key_error(call: str, whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    for outside in ("heron.txt", "note.txt", "nothing"):
        with pytest.raises(KeyError):
            getattr(view, call)(outside)
        assert view.searchable([outside]) == {}


def test_a_word_that_stands_outside_alone_is_meant_by_none(whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    for within in (Scope(frozenset({HERON})), Scope(since=date(2020, 1, 1))):
        assert view.scoped(within).vocabulary().frequencies(terms("quay")) == {"quay": 0}
    assert view.vocabulary().size() == whole.vocabulary().size()
    assert whole.vocabulary().spellings("flodoed") == ("flooded",)
    assert view.vocabulary().spellings("flodoed") == ()
    assert view.vocabulary().spellings("lighthuose") == ("lighthouse",)
    assert places_with(view, terms("lighthouse")) == (("gull.txt", 0),)


def test_people_are_called_as_they_are_spelt_within(whole: Archive) -> None:
    for source, own, other in ((GULL, "Mykhailo", "Mikhail"), (HERON, "Mikhail", "Mykhailo")):
        view = whole.scoped(Scope(frozenset({source})))
        (man,) = (entity for entity in view.register().entities() if "Tarasenko" in entity.name)
        assert man.name == f"{own} Tarasenko"
        assert len(man.articles) == 1
        assert not any(other in spelt for spelt in man.variants)
        assert view.register().meant("tarasenko") == man
        assert view.register().named((own.lower(), "tarasenko")) == (man,)
        assert view.register().beginning(other) == ()
        assert view.vocabulary().frequencies(terms(f"{own} {other}")) == {own.lower(): 1, other.lower(): 0}
        reading = view.reading(man.articles[0])
        assert {m.name for p in reading.passages for m in p.mentions if "Tarasenko" in m.name} == {man.name}


def test_of_an_articles_versions_those_of_the_sources_are_there(tmp_path: Path) -> None:
    gull, heron = (replace(article, id="a") for article in ARTICLES[:2])
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as whole:
        for article in (gull, heron):
            whole.add([read_one(article)])
        assert len(whole.history("a")) == 2
        assert [version.digest for version in whole.scoped(Scope(frozenset({HERON}))).history("a")] == [heron.digest]
        with pytest.raises(KeyError):
            whole.scoped(Scope(frozenset({GULL}))).history("a")


def test_who_is_named_outside_alone_is_nobody(whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    assert "Ines Roe" in {entity.name for entity in whole.register().entities()}
    assert "Ines Roe" not in {entity.name for entity in view.register().entities()}
    assert view.register().find("ines roe") == ()
    assert view.register().beginning("in") == ()


def test_what_comes_and_goes_elsewhere_changes_nothing_within(whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    before, called = view.revision(), view.register().entities()
    assert before == whole.revision()
    whole.add([read_one(Article("elsewhere.txt", "Berta Falk closed the quay in Oxley.", source=HERON))])
    assert view.register().entities() == called
    whole.add([read_one(Article("here.txt", "Berit Falk mended the lamp.", source=GULL))])
    assert view.revision() != before
    assert view.register().beginning("be") == ("Berit Falk",)
    whole.remove("here.txt")
    assert view.register().beginning("be") == ()
    whole.remove("heron.txt")  # which spelt the man otherwise
    assert view.register().entities() == called


FIRST = date(2021, 3, 1)
DATED = (
    Article("old", "Ada Brandt saw the lamp. The lamp is out.", source=GULL, published=date(2021, 2, 28)),
    Article("new", "Ada Brandt lit the lamp. Ines Roe did not.", source=GULL, published=FIRST),
    Article("other", "Ines Roe saw the lamp on the quay.", source=HERON, published=date(2021, 3, 9)),
)


@pytest.fixture
def dated() -> Archive:
    return open_archive(read_separately(DATED))


def test_people_are_those_of_these_days_with_their_articles_of_them(dated: Archive) -> None:
    """Called as everywhere, for nothing here is a secret."""
    view = dated.scoped(Scope(since=FIRST))
    brandt = view.register().meant("brandt")
    assert brandt is not None
    assert (brandt.name, brandt.articles) == ("Ada Brandt", ("new",))
    assert {entity.name for entity in view.register().entities()} == {"Ada Brandt", "Ines Roe"}
    later = dated.scoped(Scope(since=date(2021, 3, 2)))
    assert later.register().find("brandt") == ()
    assert {entity.name for entity in later.register().entities()} == {"Ines Roe"}
    assert later.register().beginning("ada") == ("Ada Brandt",)
    assert [entity.name for entity in later.register().named(("ines", "roe"))] == ["Ines Roe"]


def test_what_was_shown_can_be_opened_however_old_it_is(dated: Archive) -> None:
    view = dated.scoped(Scope(since=FIRST))
    old = view.article("old")
    assert view.reading("old") == view.addressed(old.key) == dated.reading("old")
    assert view.history("old") == dated.history("old")
    assert view.searchable(["old"]) == dated.searchable(["old"])
    assert view.history("old")[-1].corrections.get(0) is None
    with pytest.raises(KeyError):
        view.article("nothing")
