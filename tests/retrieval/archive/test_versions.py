"""What becomes of an article in a lasting archive: corrected, embargoed, taken down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Query
from retrieval.text.terms import terms
from tests.retrieval.archive.clock import MORNING, Clock

FERRY = "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun."
CORRECTED = FERRY.replace("12 people", "14 people")
LONGER = CORRECTED + " Nobody was hurt."


@pytest.fixture
def archive(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    """Return an empty archive that goes by the clock."""
    lasting = PersistentArchive(tmp_path / "held" / "archive.sqlite", now=clock)
    yield lasting
    lasting.close()


def asked(archive: PersistentArchive, words: str) -> list[str]:
    """Return the sentences found for ``words``, best first."""
    hits = archive.search(Query(tuple((term, 1.0) for term in terms(words))), 10)
    return [hit.passage.sentence.span.of(archive.article(hit.article_id).text) for hit in hits]


def test_the_history_tells_each_version_with_its_first_day(archive: PersistentArchive, clock: Clock) -> None:
    """The current one last; one under an embargo is told of from its time on."""
    until = MORNING + timedelta(days=5)
    for day, text, embargo in ((0, FERRY, None), (1, LONGER, None), (2, CORRECTED, until)):
        clock.moment = MORNING + timedelta(days=day)
        archive.add([read_one(Article("ferry", text, embargo=embargo))])
    first, second, third = (Article("ferry", text).digest for text in (FERRY, LONGER, CORRECTED))
    told = [(version.digest, version.since) for version in archive.history("ferry")]
    assert told == [(first, date(2024, 3, 1)), (second, date(2024, 3, 2))]
    clock.moment = until
    archive.publish_due()
    assert archive.article("ferry").text == CORRECTED
    told = [(version.digest, version.since) for version in archive.history("ferry")]
    assert told == [(first, date(2024, 3, 1)), (second, date(2024, 3, 2)), (third, date(2024, 3, 6))]


def test_what_is_held_is_known_again_by_its_address_and_its_file(archive: PersistentArchive) -> None:
    """And two files of one name in two folders are two articles."""
    archive.add([read_one(Article("a", FERRY, url="https://bell.example/ferry"))])
    archive.add([read_one(Article("one.txt", FERRY, path="/north/one.txt"))])
    given = (
        Article("other", CORRECTED, url="https://bell.example/ferry"),
        Article("one.txt", CORRECTED, path="/north/one.txt"),
        Article("one.txt", CORRECTED, path="/south/one.txt"),
        Article("north/one.txt", CORRECTED, path="/north/one.txt"),
        Article("south/one.txt", CORRECTED, path="/elsewhere/south/one.txt"),
        Article("b", CORRECTED),
    )
    assert [each.id for each in archive.identified(given)] == [
        "a",
        "one.txt",
        "/south/one.txt",
        "one.txt",
        "south/one.txt",
        "b",
    ]


def test_of_a_removed_article_no_word_is_left_in_the_file(archive: PersistentArchive) -> None:
    """Of no version, in no table, not even in bytes that nothing uses any more."""
    archive.add([read_one(Article("other", "A storm is coming. Ines Roe warned everybody."))])
    archive.add([read_one(Article("ferry", FERRY))])
    archive.add([read_one(Article("ferry", CORRECTED))])
    archive.remove("ferry")
    archive.close()
    left = b"".join(file.read_bytes() for file in archive.path.parent.iterdir()).lower()
    for word in (b"zoltberg", b"inquir", b"mayor", b"14 people"):
        assert word not in left
    assert b"storm" in left


def test_a_copy_of_an_article_is_found(archive: PersistentArchive) -> None:
    """One that was trimmed too, and nothing else."""
    archive.add([read_one(Article("ferry", FERRY))])
    archive.add([read_one(Article("copy", FERRY.rpartition(" An inquiry")[0]))])
    archive.add([read_one(Article("storm", "A storm is coming. The ferry stays in port."))])
    assert archive.copies_of("ferry") == ("copy",)
    assert archive.copies_of("storm") == ()


def test_what_is_embargoed_is_not_found_not_counted_and_not_named_before_its_time(
    archive: PersistentArchive, clock: Clock
) -> None:
    """And is, to whoever asks first, from then on."""
    embargoed = Article("ferry", FERRY, source="The Bell", embargo=MORNING + timedelta(hours=2))
    archive.add([read_one(embargoed)])
    silent: tuple[Callable[[], object], ...] = (
        archive.articles,
        archive.outlets,
        archive.entities,
        archive.size,
        lambda: asked(archive, "ferry"),
        lambda: archive.frequencies(["ferri"])["ferri"],
        lambda: archive.register().beginning("roe"),
        lambda: archive.spellings("zoltburg"),
        lambda: archive.holding(("ferri",)),
        lambda: archive.addressed(embargoed.key),
    )
    assert not any(each() for each in silent)
    clock.moment += timedelta(hours=2)
    assert asked(archive, "ferry")
    assert all(each() for each in silent)


def test_an_embargoed_version_leaves_the_one_before_it_as_it_is(archive: PersistentArchive, clock: Clock) -> None:
    """Until its time."""
    archive.add([read_one(Article("ferry", FERRY))])
    archive.add([read_one(Article("ferry", CORRECTED, embargo=MORNING + timedelta(hours=2)))])
    assert archive.article("ferry").text == FERRY
    clock.moment += timedelta(hours=3)
    archive.publish_due()
    assert archive.article("ferry").text == CORRECTED
    assert archive.corrected("ferry", 1) == date(2024, 3, 1)
