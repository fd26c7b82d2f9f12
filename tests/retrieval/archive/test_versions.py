"""What becomes of an article in a lasting archive: corrected, embargoed, taken down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.archive.clock import Clock

FERRY = "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun."
CORRECTED = FERRY.replace("12 people", "14 people")
LONGER = CORRECTED + " Nobody was hurt."


@pytest.fixture
def archive(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    lasting = PersistentArchive(tmp_path / "held" / "archive.sqlite", now=clock)
    yield lasting
    lasting.close()


def test_what_is_held_is_known_again_by_its_address_and_its_file(archive: PersistentArchive) -> None:
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
    archive.add([read_one(Article("ferry", FERRY))])
    archive.add([read_one(Article("copy", FERRY.rpartition(" An inquiry")[0]))])
    archive.add([read_one(Article("storm", "A storm is coming. The ferry stays in port."))])
    assert archive.copies_of("ferry") == ("copy",)
    assert archive.copies_of("storm") == ()
