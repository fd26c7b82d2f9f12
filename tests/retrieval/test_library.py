"""What an earlier start has read is not read again, unless something is no longer as it was."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval import pipeline
from retrieval.archive.memory import open_archive
from retrieval.cache.digest_store import VECTORS, DigestStore
from retrieval.cache.index_parts import INDEXES, KeptParts
from retrieval.cache.reading_cache import READINGS, KeptReadings
from retrieval.errors import UnreadArticleError
from retrieval.library import Cache, Library, read_library
from retrieval.model import Article, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.pipeline import PIPELINE, Annotations, Stage, Stages, read_all, read_one
from retrieval.search import Archive, Query
from retrieval.text.terms import terms
from tests.shelf import FIXTURES, golden, stock
from tests.stock import BRIDGE, FERRY

Opened = Callable[[], Cache]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for the readings, in a folder that is not there yet."""
    return tmp_path / "kept" / "readings.sqlite"


@pytest.fixture
def opened(path: Path) -> Opened:
    """Return what opens the files as a new start does."""
    indexes = path.with_name("indexes.sqlite")
    return lambda: Cache(KeptReadings(DigestStore(path, READINGS)), DigestStore(indexes, INDEXES))


def _library(
    articles: Sequence[Article],
    cache: Cache,
    aliases: Aliases = NO_ALIASES,
    advance: Callable[[], None] = lambda: None,
    on_error: Callable[[UnreadArticleError], None] = pipeline.raise_error,
) -> Library:
    return read_library(articles, aliases, advance, on_error, cache)


def _read(articles: Sequence[Article], cache: Cache) -> tuple[Reading, ...]:
    return tuple(_library(articles, cache).values())


def _refuse(found: Annotations) -> None:
    raise AssertionError(found.article.id)


def _read_by(stages: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "stages_of", lambda _: stages)


NOTHING = (Stage("nothing", _refuse),)


def test_a_second_start_reads_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the same readings, with names joined over all the articles, as if every article had been read."""
    articles = stock(FIXTURES)
    expected = read_all(articles)
    assert _read(articles, opened()) == expected
    _read_by(NOTHING, monkeypatch)
    monkeypatch.setattr(pipeline, "join_names", _refuse)
    advanced: list[int] = []
    again = _library(articles, opened(), advance=lambda: advanced.append(1))
    assert tuple(again.values()) == expected
    assert len(advanced) == len(articles)


def test_a_reading_is_taken_when_it_is_asked_for(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and no other with it."""
    articles = stock(FIXTURES)
    _read(articles, opened())
    taken: list[str] = []
    get = KeptReadings.get
    monkeypatch.setattr(KeptReadings, "get", lambda kept, asked: taken.extend(a.id for a in asked) or get(kept, asked))
    library = _library(articles, opened())
    assert len(library) == len(articles)
    assert taken == []
    assert library[articles[3].id] is library[articles[3].id]
    assert taken == [articles[3].id]


def test_who_goes_through_all_readings_holds_none(opened: Opened) -> None:
    """They are the same, and another each time."""
    _read([FERRY, BRIDGE], opened())
    library = _library([FERRY, BRIDGE], opened())
    passing = library.unheld()
    assert dict(passing) == dict(library)
    assert passing[FERRY.id] is not passing[FERRY.id]
    assert library[FERRY.id] is library[FERRY.id]


def test_only_what_is_new_is_read(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the articles, wherever the new one stands; names are joined anew."""
    _read([FERRY], opened())
    seen: list[str] = []
    _read_by((Stage("seen", lambda found: seen.append(found.article.id)), *PIPELINE), monkeypatch)
    assert _read([BRIDGE, FERRY], opened()) == read_all([BRIDGE, FERRY])
    assert seen == [BRIDGE.id]


def test_an_article_taken_away_changes_no_other(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left is as if it alone had been read, and is not read again."""
    articles = stock(FIXTURES)
    _read(articles, opened())
    _read_by(NOTHING, monkeypatch)
    assert _read(articles[1:], opened()) == read_all(articles[1:])


def test_other_aliases_join_the_names_anew(opened: Opened) -> None:
    """``names.toml`` changes no reading, and what names are called."""
    aliases = Aliases(same=(("Somebody Else", "Marta Lindqvist"),))
    _read([FERRY], opened())
    assert tuple(_library([FERRY], opened(), aliases).values()) == read_all([FERRY], aliases)
    assert read_all([FERRY], aliases) != read_all([FERRY])


def test_an_article_that_was_moved_is_shown_where_it_is_now(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder may be named otherwise from another place."""
    _read([FERRY], opened())
    _read_by(NOTHING, monkeypatch)
    [reading] = _read([replace(FERRY, path="elsewhere/ferry.txt")], opened())
    assert reading.article.path == "elsewhere/ferry.txt"


def test_an_article_that_cannot_be_read_is_tried_again(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program is no reading, and takes no other article with it."""

    def stumble(found: Annotations) -> None:
        if found.article.id == FERRY.id:
            raise KeyError

    _read_by((*PIPELINE, Stage("last", stumble)), monkeypatch)
    errors: list[UnreadArticleError] = []
    for _ in range(2):
        assert tuple(_library([FERRY, BRIDGE], opened(), on_error=errors.append).values()) == read_all([BRIDGE])
    assert [error.article for error in errors] == [FERRY.id] * 2


def test_a_start_that_is_killed_has_not_read_for_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read before is kept a few articles at a time."""
    monkeypatch.setattr(pipeline, "KEPT", 2)
    articles = stock(FIXTURES)[:5]

    def interrupt(found: Annotations) -> None:
        if found.article is articles[4]:
            raise KeyboardInterrupt

    _read_by((*PIPELINE, Stage("interrupted", interrupt)), monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        _read(articles, opened())
    assert opened().readings.known(articles) == (True,) * 4 + (False,)


def _damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 20_000)


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:700])


def _make_foreign(path: Path) -> None:
    path.write_text("Minutes of the harbour board.")


def _make_vectors(path: Path) -> None:
    path.unlink()
    other = DigestStore(path, VECTORS)
    other.put({b"digest": b"code"})
    other.close()


def _make_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("name", ["readings", "indexes"])
@pytest.mark.parametrize("harm", [_damage, _cut_short, _make_foreign, _make_vectors, _make_newer, _make_folder])
def test_whatever_is_wrong_with_a_file_the_articles_are_read(
    harm: Callable[[Path], None], name: str, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One line says so, and nobody gets an error."""
    readings, indexes = DigestStore(path, READINGS), DigestStore(path.with_name("indexes.sqlite"), INDEXES)
    _read([FERRY], Cache(KeptReadings(readings), indexes))
    readings.close()
    indexes.close()
    harmed = path.with_name(f"{name}.sqlite")
    harm(harmed)
    again = Cache(KeptReadings(DigestStore(path, READINGS)), DigestStore(path.with_name("indexes.sqlite"), INDEXES))
    assert _read([FERRY], again) == read_all([FERRY])
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert name in record.getMessage()
    assert str(harmed) in record.getMessage()


def test_a_code_that_is_no_reading_is_read_again(opened: Opened, path: Path) -> None:
    """Also where it is found out long after the start."""
    _read([FERRY], opened())
    DigestStore(path, READINGS).put({opened().readings.key(FERRY): b"[[],[[1]]]"})
    assert _read([FERRY], opened()) == read_all([FERRY])


def _same(one: Archive, other: Archive, articles: Sequence[Article]) -> None:
    """Fail where two archives do not say the same, to the last bit of a score."""
    assert one.articles() == other.articles()
    assert one.entities() == other.entities()
    assert one.size() == other.size()
    for article in articles:
        assert one.reading(article.id) == other.reading(article.id)
        assert one.searchable(article.id) == other.searchable(article.id)
    for question in golden(FIXTURES):
        asked = terms(question.question)
        for query in (Query(tuple((t, 1.5) for t in asked)), Query(tuple((t, 1.0) for t in asked), frozenset())):
            assert one.search(query, 30) == other.search(query, 30)
        assert [one.holding([term]) for term in asked] == [other.holding([term]) for term in asked]
        assert one.frequencies(asked) == other.frequencies(asked)
        words = question.question.split()
        assert one.named(words) == other.named(words)
        assert [one.spellings(f"{word}x") for word in words] == [other.spellings(f"{word}x") for word in words]
    assert one.register().beginning("m") == other.register().beginning("m")


def _open(library: Library) -> Archive:
    return open_archive(library, library.articles.values(), library.parts)


def test_an_archive_from_kept_parts_is_the_one_that_was_built(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """In everything that an archive is asked, and nothing of it is built again."""
    articles = stock(FIXTURES)
    built = open_archive(read_all(articles))
    _same(_open(_library(articles, opened())), built, articles)
    for name in ("index", "fields", "entities"):
        monkeypatch.setattr(f"retrieval.archive.snapshot.{name}", _refuse)
    _same(_open(_library(articles, opened())), built, articles)


@pytest.mark.parametrize("name", ["sentences", "paragraphs", "articles", "names", "boilerplate", "words", "entities"])
def test_a_part_that_is_missing_or_none_of_ours_is_built_anew(name: str, opened: Opened) -> None:
    """The others are taken as they are."""
    articles = stock(FIXTURES)[:4]
    _open(_library(articles, opened()))
    library = _library(articles, opened())
    assert isinstance(library.parts, KeptParts)
    assert library.parts.get(name) is not None
    library.parts.put(name, {"something": ["else"]})
    _same(_open(library), open_archive(read_all(articles)), articles)
    assert "something" not in (library.parts.get(name) or ())


def test_an_archive_from_kept_parts_takes_articles_in_and_out(opened: Opened) -> None:
    """As the one that was built does; what is kept is of the articles before."""
    articles = stock(FIXTURES)[:3]
    _open(_library(articles, opened()))
    archive, built = _open(_library(articles, opened())), open_archive(read_all(articles))
    for each in (archive, built):
        each.put(read_one(FERRY))
        each.remove(articles[0].id)
    _same(archive, built, [*articles[1:], FERRY])
