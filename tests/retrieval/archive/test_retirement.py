"""Versions that are current no more: told to whoever has shown them, in this process or another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive import retirement
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.retirement import Removed
from retrieval.archive.versions import counterpart
from retrieval.model import Article
from retrieval.pipeline import read_one

FERRY = "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun."
CORRECTED = FERRY.replace("12 people", "14 people")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[PersistentArchive]:
    lasting = PersistentArchive(tmp_path / "archive.sqlite")
    lasting.add([read_one(Article("ferry", FERRY))])
    yield lasting
    lasting.close()


def told(archive: PersistentArchive, after: int = 0) -> list[tuple[str, bool]]:
    return [(each.key, each.removed) for each in archive.retirements.after(after)]


def test_a_version_is_retired_by_the_next_and_with_its_article(archive: PersistentArchive, tmp_path: Path) -> None:
    old, new = Article("ferry", FERRY), Article("ferry", CORRECTED)
    assert told(archive) == []
    archive.add([read_one(new)])
    assert told(archive) == [(old.key, False)]
    [first] = archive.retirements.after(0)
    assert (first.digest, told(archive, first.number)) == (old.digest, [])
    archive.remove("ferry")
    assert told(archive, first.number) == [(old.key, True), (new.key, True)]
    other = PersistentArchive(tmp_path / "archive.sqlite")
    assert told(other, first.number) == told(archive, first.number)
    assert other.retirements.identity() == archive.retirements.identity() != ""
    other.close()


def test_what_was_removed_is_known_by_its_key(archive: PersistentArchive) -> None:
    old, new = Article("ferry", FERRY), Article("ferry", CORRECTED)
    archive.add([read_one(new)])
    assert not archive.retirements.is_removed(old.key)
    archive.remove("ferry")
    archive.add([read_one(new)])
    assert [archive.retirements.is_removed(each.key) for each in (old, new, Article("x", "x"))] == [True, True, False]


def test_who_has_read_further_than_there_is_begins_anew(archive: PersistentArchive) -> None:
    """For then the file was put back to an earlier state of itself."""
    archive.add([read_one(Article("ferry", CORRECTED))])
    assert told(archive, 500) == told(archive, 0) != []


def test_much_is_told_in_several_parts(archive: PersistentArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        archive.add([read_one(Article("ferry", f"{FERRY} {number}."))])
    whole = archive.retirements.after(0)
    monkeypatch.setattr(retirement, "MOST", 2)
    first = archive.retirements.after(0)
    assert (*first, *archive.retirements.after(first[-1].number)) == whole
    assert [len(first), len(whole)] == [2, 3]


LONGER = "Rain fell all day. " + CORRECTED + " Nobody was hurt."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CORRECTED, (0, 1, 2)),
        (LONGER, (1, 2, 3)),
        ("An inquiry has begun. The ferry to Zoltberg sank on Friday.", (1, None, 0)),
        ("The ferry to Zoltberg sank on Friday. Nothing more is known. An inquiry has begun.", (0, 1, 2)),
        (FERRY.replace("sank on Friday.", "sank on Thursday. It was raining."), (0, 2, 3)),
    ],
)
def test_a_sentence_has_its_counterpart_in_another_version(text: str, found: tuple[int | None, ...]) -> None:
    before, after = read_one(Article("ferry", FERRY)), read_one(Article("ferry", text))
    assert tuple(counterpart(before, index, after) for index in range(3)) == found


def test_of_a_finished_removal_not_even_the_address_is_left(archive: PersistentArchive) -> None:
    """While the file is open elsewhere, in whatever table or journal."""
    archive.add([read_one(Article("gull", "A gull was seen.", url="https://echo.example/gull-over-zanzibar"))])
    with closing(PersistentArchive(archive.path)) as service:
        assert service.vocabulary().size() == archive.vocabulary().size()
        archive.remove("gull")
        removed: list[Removed] = []
        archive.retirements.listener = removed.extend
        archive.retirements.publish_removals()
        assert [each.article for each in removed] == ["gull"]
        assert archive.retirements.unfinished() == ()
        left = b"".join(file.read_bytes() for file in archive.path.parent.iterdir())
        assert b"zanzibar" not in left
