"""What becomes of the versions of an article, however they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Query, Scope
from retrieval.text.terms import terms
from tests.retrieval.archive.clock import Clock

FERRY = Article(
    "ferry",
    "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun.",
    source="The Oxley Bell",
    url="https://bell.example/ferry",
)
CORRECTED = replace(FERRY, text=FERRY.text.replace("12 people", "14 people"))
LONGER = replace(CORRECTED, text=CORRECTED.text + " Nobody was hurt.")
STORM = Article("storm", "A storm is coming. The port is closed.")


@pytest.fixture
def archive(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    """Return an empty archive that goes by the clock."""
    with closing(PersistentArchive(tmp_path / "archive.sqlite", now=clock)) as lasting:
        yield lasting


def put(archive: PersistentArchive, clock: Clock, *versions: Article) -> None:
    """Put in versions, one each day from the morning on."""
    for version in versions:
        archive.add([read_one(version)])
        clock.moment += timedelta(days=1)


def asked(archive: PersistentArchive, words: str) -> list[str]:
    """Return the sentences found for ``words``, best first."""
    hits = archive.search(Query(tuple((term, 1.0) for term in terms(words))), 10)
    return [hit.passage.sentence.span.of(archive.article(hit.article_id).text) for hit in hits]


def told(archive: PersistentArchive) -> list[tuple[str, date | None]]:
    """Return what the history of the article says of each version."""
    return [(version.digest, version.since) for version in archive.history("ferry")]


def test_the_newest_version_is_the_one_that_is_found(archive: PersistentArchive, clock: Clock) -> None:
    """And no word of the one before; it is counted once, among the articles and their sources."""
    put(archive, clock, FERRY, CORRECTED)
    assert "14 people" in asked(archive, "people board")[0]
    assert archive.frequencies(["12"]) == {"12": 0}
    assert archive.size() == 3
    assert archive.articles() == (CORRECTED,)
    assert [(outlet.source, outlet.articles) for outlet in archive.outlets()] == [("The Oxley Bell", 1)]
    assert archive.spellings("inquirx") == ("inquiry",)


def test_a_changed_sentence_is_corrected_and_one_that_was_added_is_not(
    archive: PersistentArchive, clock: Clock
) -> None:
    """On the day on which the version that changed it came, whatever came after."""
    put(archive, clock, FERRY)
    assert archive.corrected("ferry", 1) is None
    put(archive, clock, CORRECTED, LONGER)
    assert [archive.corrected("ferry", index) for index in range(4)] == [None, date(2024, 3, 2), None, None]


def test_a_superseded_version_can_still_be_opened_by_its_key(archive: PersistentArchive, clock: Clock) -> None:
    """As it was read; its article is the newer one, and its address leads to that."""
    put(archive, clock, FERRY, replace(CORRECTED, url="https://bell.example/moved"))
    assert archive.addressed(FERRY.key) == read_one(FERRY)
    assert archive.article("ferry").text == CORRECTED.text
    assert archive.meant("https://bell.example/ferry") == archive.meant("https://bell.example/moved") == ("ferry",)


def test_the_history_tells_each_version_with_its_first_day(archive: PersistentArchive, clock: Clock) -> None:
    """The current one last, be its text one that there was before."""
    put(archive, clock, FERRY, CORRECTED, FERRY)
    days = [date(2024, 3, day) for day in (1, 2, 3)]
    assert told(archive) == list(zip([FERRY.digest, CORRECTED.digest, FERRY.digest], days, strict=True))
    assert [reading.article.text for reading in archive.versions("ferry")] == [FERRY.text, CORRECTED.text, FERRY.text]
    assert archive.addressed(FERRY.key) == read_one(FERRY)
    with pytest.raises(KeyError):
        archive.history("storm")


def test_other_particulars_of_the_same_text_are_no_new_version(archive: PersistentArchive, clock: Clock) -> None:
    """The sentence was not corrected, and there is nothing to open but what is there."""
    put(archive, clock, FERRY, replace(FERRY, title="The ferry"))
    assert archive.article("ferry").title == "The ferry"
    assert archive.corrected("ferry", 0) is None
    assert archive.addressed(FERRY.key) is not None
    assert len(archive.history("ferry")) == 1


def test_an_article_without_a_date_is_of_the_day_on_which_it_first_came(
    archive: PersistentArchive, clock: Clock
) -> None:
    """Whatever its versions, and what else is told of the same text; one with a date is of that day."""
    first, later = date(2024, 3, 1), date(2024, 3, 2)
    put(archive, clock, FERRY, replace(FERRY, title="The ferry"), CORRECTED, replace(CORRECTED, title="The ferry"))
    assert days_of(archive, first) == ["ferry"]
    assert days_of(archive, later) == []
    assert told(archive)[0] == (FERRY.digest, first)
    put(archive, clock, replace(LONGER, published=later), replace(STORM, published=date(2023, 3, 1)))
    assert days_of(archive, later) == ["ferry"]
    assert days_of(archive, date(2024, 3, 3)) == []
    put(archive, clock, LONGER, STORM)
    assert days_of(archive, later) == ["storm"]


def days_of(archive: PersistentArchive, day: date) -> list[str]:
    """Return the ids of what is of ``day`` or later, by whatever door it is asked."""
    scope = Scope(since=day)
    ids = [article.id for article in archive.articles(scope)]
    hits = archive.search(Query((("zoltberg", 1.0), ("storm", 1.0)), scope=scope), 20)
    assert sorted({hit.article_id for hit in hits}) == ids
    assert sorted(archive.within(("ferry", "storm"), scope)) == ids
    return ids


def test_an_article_is_found_by_the_source_that_it_has_now(archive: PersistentArchive, clock: Clock) -> None:
    """With a new text, and with the old one."""
    gull, heron = (replace(FERRY, source=source) for source in ("The Gull", "The Heron"))
    put(archive, clock, FERRY, gull)
    assert archive.articles(Scope(frozenset(["The Gull"]))) == (gull,)
    put(archive, clock, replace(heron, text=CORRECTED.text))
    query = Query((("ferri", 1.0),))
    for source, found in (("The Oxley Bell", 0), ("The Gull", 0), ("The Heron", 3)):
        assert len(archive.search(replace(query, scope=Scope(frozenset([source]))), 20)) == found


def test_an_article_is_removed_with_every_version(archive: PersistentArchive, clock: Clock) -> None:
    """None of them can be opened, and none comes back with the next one."""
    put(archive, clock, FERRY, CORRECTED, STORM)
    archive.remove("ferry")
    assert archive.addressed(FERRY.key) is None
    assert archive.addressed(CORRECTED.key) is None
    assert archive.meant("ferry") == ()
    with pytest.raises(KeyError):
        archive.history("ferry")
    put(archive, clock, LONGER)
    assert len(archive.history("ferry")) == 1
    assert archive.corrected("ferry", 1) is None
    assert archive.articles() == (LONGER, STORM)
