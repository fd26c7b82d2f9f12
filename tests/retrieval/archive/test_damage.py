"""An archive on a disk that is bad, full or not to be written: it is told, and nothing wrong is quoted."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot import messages, verbatim
from bot.command import Library
from bot.model import Message, Question
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.errors import ArchiveError
from retrieval.ingest import read_again
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Query

FERRY = Article("ferry", "Ada Quill said 12 boats were lost at Zoltberg. That could not be independently verified.")
STORM = Article("storm", "A storm is coming. Ada Quill warned everybody.")
FOG = Article("fog", "Fog kept 3 boats in the harbour, Ada Quill said.")
BOATS = Query((("boat", 1.0),))


@pytest.fixture
def archive(archive: PersistentArchive) -> PersistentArchive:
    archive.add([read_one(FERRY), read_one(STORM)])
    return archive


def mounts(*words: str | Path) -> bool:
    mount = shutil.which("mount")
    return mount is not None and subprocess.run([mount, *words], check=False).returncode == 0


def unmount(place: Path) -> None:
    subprocess.run([str(shutil.which("umount")), "-l", place], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    if not mounts("-t", "tmpfs", "-o", "size=1m", "tmpfs", place):
        pytest.skip("nothing can be mounted here")
    yield place
    unmount(place)


def damage(
    archive: PersistentArchive, column: str, change: Callable[[bytes], bytes], article_id: str = "ferry"
) -> None:
    with sqlite3.connect(archive.path) as file:
        [[held]] = file.execute(f"SELECT CAST({column} AS BLOB) FROM versions WHERE id = ?", (article_id,))  # noqa: S608
        kind = "BLOB" if column == "reading" else "TEXT"
        statement = f"UPDATE versions SET {column} = CAST(? AS {kind}) WHERE id = ?"  # noqa: S608
        file.execute(statement, (change(held), article_id))
    file.close()


def zeroed(code: bytes) -> bytes:
    return code[:40] + bytes(80) + code[120:]


def uncovered(code: bytes) -> bytes:
    changed = code.replace(b",[0],[],", b",[],[],")
    assert changed != code
    return changed


def wrong_figure(text: bytes) -> bytes:
    return text.replace(b"12", b"19")


@pytest.mark.parametrize("how", [zeroed, uncovered])
def test_a_damaged_reading_is_read_anew_and_told(archive: PersistentArchive, how: Callable[[bytes], bytes]) -> None:
    """Each time until `stet reindex` has kept it; with its caveat."""
    whole = archive.search(BOATS, 5)
    damage(archive, "reading", how)
    other = PersistentArchive(archive.path, read=read_one)
    assert other.search(BOATS, 5) == whole
    assert other.fault() == ""
    assert other.damaged() == ("What was read in “ferry” is damaged: `stet reindex` reads it again.",)
    assert read_again(other, lambda: None, lambda _: None) == 1
    other.reindex()
    assert other.damaged() == ()
    assert other.search(BOATS, 5) == whole
    assert other.register().entities() == archive.register().entities()
    other.close()


@pytest.mark.parametrize(("column", "how"), [("reading", zeroed), ("text", wrong_figure)])
def test_what_is_damaged_is_removed_with_every_word(
    archive: PersistentArchive, column: str, how: Callable[[bytes], bytes]
) -> None:
    damage(archive, column, how)
    other = PersistentArchive(archive.path, read=read_one)
    other.remove("ferry")
    assert other.search(BOATS, 5) == ()
    assert [entity.articles for entity in other.register().entities() if entity.name == "Ada Quill"] == [("storm",)]
    left = b"".join(file.read_bytes() for file in archive.path.parent.iterdir()).lower()
    assert b"zoltberg" not in left
    other.add([read_one(FERRY)])
    damage(archive, column, how)
    other.add([read_one(Article("ferry", "All boats are safe."))])
    assert [hit.passage.sentence.span.end for hit in other.search(BOATS, 5)] == [19]
    assert other.damaged() == ()
    other.close()


def test_removing_a_damaged_reading_leaves_the_index_of_the_others(archive: PersistentArchive) -> None:
    """It is read anew to just the same, so that it is known which terms and names go; the rest is not built anew."""
    archive.add([read_one(FOG)])
    segment = "SELECT m.segment FROM members AS m JOIN versions AS v ON v.number = m.version WHERE v.id = 'fog'"
    with closing(sqlite3.connect(archive.path)) as file:
        before = file.execute(segment).fetchall()
        damage(archive, "reading", zeroed)
        archive.remove("ferry")
        assert file.execute(segment).fetchall() == before
    with closing(PersistentArchive(archive.path.parent / "fresh.sqlite")) as fresh:
        fresh.add([read_one(STORM), read_one(FOG)])
        assert archive.register().entities() == fresh.register().entities()
        assert archive.search(BOATS, 5) == fresh.search(BOATS, 5)


def test_a_reading_that_waits_is_read_anew_too(tmp_path: Path) -> None:
    archive = PersistentArchive(tmp_path / "archive.sqlite")
    archive.add([read_one(FERRY)])
    damage(archive, "reading", zeroed)
    with pytest.raises(ArchiveError, match=r"What was read in “ferry” is damaged: `stet reindex` reads it again."):
        PersistentArchive(archive.path).reading("ferry")
    archive.close()


def test_a_full_disk_is_said_in_words_and_nothing_is_lost(disk: Path) -> None:
    archive = PersistentArchive(disk / "archive.sqlite")
    archive.add([read_one(FERRY)])
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(disk).free))
    with pytest.raises(ArchiveError, match=r"archive\.sqlite cannot be used: the disk is full\."):
        archive.add([read_one(Article(f"{n}", STORM.text * 50)) for n in range(9)])
    assert [article.id for article in archive.articles()] == ["ferry"]
    ballast.unlink()
    archive.add([read_one(STORM)])
    assert archive.fault() == ""
    archive.close()


@pytest.mark.parametrize("closed", [True, False])
def test_an_archive_that_cannot_be_written_can_be_asked(disk: Path, *, closed: bool) -> None:
    archive = PersistentArchive(disk / "archive.sqlite")
    archive.add([read_one(FERRY)])
    found = archive.search(BOATS, 5)
    if closed:
        archive.close()
    view = disk.with_name("view")
    view.mkdir()
    assert mounts("--bind", disk, view)
    assert mounts("-o", "remount,ro,bind", view)
    reader = PersistentArchive(view / "archive.sqlite")
    assert reader.search(BOATS, 5) == found
    assert reader.fault() == ""
    with pytest.raises(ArchiveError, match=r"archive\.sqlite cannot be written: its file system or its permissions"):
        reader.add([read_one(STORM)])
    reader.close()
    unmount(view)
    archive.close()


def not_utf8(text: bytes) -> bytes:
    return text.replace(b"lost", b"lo\xf3t")


def no_json(metadata: bytes) -> bytes:
    return metadata[:-1]


@pytest.mark.parametrize(("column", "how"), [("text", not_utf8), ("metadata", no_json)])
def test_a_damaged_article_is_named_and_removed_and_the_others_answer(
    archive: PersistentArchive, column: str, how: Callable[[bytes], bytes]
) -> None:
    lost = replace(FERRY, id="lost", title="The lost boats", text=FERRY.text.replace("boats", "gulls"))
    archive.add([read_one(FOG), read_one(lost)])
    damage(archive, column, how, "lost")
    with closing(PersistentArchive(archive.path, read=read_one)) as other:
        service = QuestionService(Library(other))
        assert other.damaged() == ("The text of “lost” is damaged: `stet remove` it, and add it again.",)
        with pytest.raises(ArchiveError, match=r"The text of “lost” is damaged: `stet remove` it, and add it again."):
            other.reading("lost")
        for command in ("who ada quill", "said ada quill", "sources", "unverified", "article ferry"):
            reply = service.answer(Question(f"/{command}"))
            assert not isinstance(reply, Message), command
        assert [bool(verbatim.reading(other, each.id)) for each in other.listed()].count(True) >= 3
        other.reindex()
        assert {hit.article_id for hit in other.search(BOATS, 5)} == {"ferry", "fog"}
        assert len(other.versions("lost")) == 1
        other.remove("lost")
        assert other.damaged() == ()
        assert [each.id for each in other.listed()] == ["ferry", "fog", "storm"]


@pytest.mark.rest
def test_of_bits_flipped_in_texts_each_is_named_and_none_is_quoted(tmp_path: Path) -> None:
    path, broken = tmp_path / "archive.sqlite", tmp_path / "broken.sqlite"
    lines = " ".join(f"Harbour {n} was closed, Omar Diaz said." for n in range(200))
    texts = {f"{n}.txt": f"Number {n}: Ada Quill said that {n} boats were lost. {lines}" for n in range(3)}
    with closing(PersistentArchive(path, read=read_one)) as whole:
        whole.add([read_one(Article(name, text, source="The Gull")) for name, text in texts.items()])
    content, chance = path.read_bytes(), random.Random(7)  # noqa: S311 - the same each time
    places = [match.start() for match in re.finditer(rb"Harbour \d+ was closed, Omar Diaz said", content)]
    for place in chance.sample(places, 12):
        changed = bytearray(content)
        changed[place + chance.randrange(30)] ^= 1 << chance.choice((0, 5, 7))
        broken.write_bytes(changed)
        with closing(PersistentArchive(broken, read=read_one)) as archive:
            service = QuestionService(Library(archive))
            [named] = archive.damaged()
            for line in ("sources", "unverified", "who omar diaz", "said omar diaz", "said omar diaz about harbour"):
                reply = service.answer(Question(f"/{line}"))
                assert reply not in (Message(messages.FAILED), Message(messages.UNAVAILABLE)), line
                for each in getattr(reply, "extracts", ()):
                    assert each.text in texts[each.citation.article_id]
            archive.reindex()
            [gone] = [name for name in texts if name in named]
            archive.remove(gone)
            assert archive.damaged() == ()
            assert len(archive.listed()) == 2
