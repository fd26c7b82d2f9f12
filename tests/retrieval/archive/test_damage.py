"""An archive on a disk that is bad, full or not to be written: it is told, and nothing wrong is quoted."""

import random
import re
import shutil
import sqlite3
import subprocess
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot import messages, verbatim
from bot.command import Library
from bot.model import Message, Question
from bot.service import QuestionService
from retrieval.archive import vectors
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.interface import places_with
from retrieval.cache import CHECKSUM
from retrieval.errors import ArchiveError
from retrieval.ingest import encode, reparse_stale
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Query
from tests.encoders import Fixed, code
from tests.shelf import FIXTURES, readings
from tests.support.nightly import examples

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


def damage(archive: PersistentArchive, column: str, change: Callable[[bytes], bytes], article: str = "ferry") -> None:
    with closing(sqlite3.connect(archive.path)) as file, file:
        [[held]] = file.execute(f"SELECT CAST({column} AS BLOB) FROM versions WHERE id = ?", (article,))  # noqa: S608
        kind = "BLOB" if column == "reading" else "TEXT"
        statement = f"UPDATE versions SET {column} = CAST(? AS {kind}) WHERE id = ?"  # noqa: S608
        file.execute(statement, (change(held), article))


def zeroed(code: bytes) -> bytes:
    return code[:40] + bytes(80) + code[120:]


def uncovered(code: bytes) -> bytes:
    content = zlib.decompress(code[CHECKSUM:])
    changed = content.replace(b",[0],[]]", b",[],[]]")
    assert changed != content
    return code[:CHECKSUM] + zlib.compress(changed)


@pytest.mark.parametrize("how", [zeroed, uncovered])
def test_a_damaged_reading_is_read_anew_and_told(archive: PersistentArchive, how: Callable[[bytes], bytes]) -> None:
    """Each time until `stet reindex` has kept it; with its caveat. What reads nothing anew says so."""
    whole, says = archive.search(BOATS, 5), "What was read in “ferry” is damaged: `stet reindex` reads it again."
    damage(archive, "reading", how)
    with closing(PersistentArchive(archive.path)) as reader, pytest.raises(ArchiveError, match=says):
        reader.reading("ferry")
    with closing(PersistentArchive(archive.path, read=read_one)) as other:
        assert other.search(BOATS, 5) == whole
        assert other.fault() == ""
        assert other.damaged() == (says,)
        assert reparse_stale(other, lambda: None, lambda _: None) == 1
        other.reindex()
        assert other.damaged() == ()
        assert other.search(BOATS, 5) == whole
        assert other.register().entities() == archive.register().entities()


@pytest.mark.parametrize(("column", "how"), [("reading", zeroed), ("text", lambda text: text.replace(b"12", b"19"))])
def test_damaged_words_are_all_removed(archive: PersistentArchive, column: str, how: Callable[[bytes], bytes]) -> None:
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


@pytest.mark.parametrize(
    ("column", "how"), [("text", lambda text: text.replace(b"lost", b"lo\xf3t")), ("metadata", lambda code: code[:-1])]
)
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
        assert {article_id for article_id, _ in places_with(other, ["boat"])} == {"ferry", "fog"}
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
    for place in chance.sample(places, examples(6, 12)):
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


def with_vectors(archive: PersistentArchive) -> None:
    encode(archive, Fixed("boats"), lambda: None, threads=1)


def changed(column: str, change: Callable[[bytes], bytes | str | int]) -> Callable[[sqlite3.Connection], object]:
    def apply(file: sqlite3.Connection) -> None:
        [[value]] = file.execute(f"SELECT {column} FROM vectors WHERE version = 1")  # noqa: S608
        file.execute(f"UPDATE vectors SET {column} = ? WHERE version = 1", (change(value),))  # noqa: S608

    return apply


def bit(code: bytes, place: int = 1) -> bytes:
    return code[:place] + bytes([code[place] ^ 64]) + code[place + 1 :]


def swapped(file: sqlite3.Connection) -> None:
    """Give two rows, of as many sentences, to the article of the other."""
    for before, after in ((1, 9), (2, 1), (9, 2)):
        file.execute("UPDATE vectors SET version = ? WHERE version = ?", (after, before))


BYTES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda code: code[:-7],
    "empty": lambda _: b"",
    "long": lambda code: code * 2,
    "ones": lambda code: b"\xff" * len(code),
    "zeros": lambda code: bytes(len(code)),
    "a bit": bit,
}
DAMAGES: dict[str, Callable[[sqlite3.Connection], object]] = {
    **{f"{name} {how}": changed(name, change) for name in ("codes", "indexes") for how, change in BYTES.items()},
    "codes cut by a sentence": changed("codes", lambda code: code[:-768]),
    "codes NaN": changed("codes", lambda code: b"\x00\x00\xc0\x7f" * (len(code) // 4)),
    "codes text": changed("codes", lambda code: "\x01" * len(code)),
    "codes of another width": changed("codes", lambda code: code[: len(code) // 384 * 256]),
    "codes a number": changed("codes", lambda _: 7),
    "indexes cut by a sentence": changed("indexes", lambda code: code[:-4]),
    "indexes a low bit": changed("indexes", lambda code: bit(code, 0)),
    "both empty": lambda file: file.execute("UPDATE vectors SET codes = x'', indexes = x'' WHERE version = 1"),
    "model a bit": changed("model", lambda name: bit(str(name).encode()).decode()),
    "model not UTF-8": lambda file: file.execute("UPDATE vectors SET model = CAST(x'ff' AS TEXT) WHERE version = 1"),
    "checksum a bit": changed("checksum", lambda number: int(number) ^ 64),
    "checksum none": lambda file: file.execute("UPDATE vectors SET checksum = NULL WHERE version = 1"),
    "swapped": swapped,
}


@pytest.mark.parametrize("how", DAMAGES.values(), ids=DAMAGES)
def test_an_article_with_damaged_vectors_is_named_found_by_words_and_mended(
    archive: PersistentArchive, how: Callable[[sqlite3.Connection], object]
) -> None:
    with_vectors(archive)
    near, words = Query(vector=code(1.0)), Query(BOATS.terms, vector=code(1.0))
    whole = archive.search(near, 0, near=9), archive.search(words, 5, near=9)
    with closing(sqlite3.connect(archive.path)) as file, file:
        how(file)
    with closing(PersistentArchive(archive.path, read=read_one)) as other:
        assert "ferry" not in {hit.article_id for hit in other.search(near, 0, near=9)}
        assert {(hit.article_id, hit.cosines) for hit in other.search(words, 5)} == {("ferry", ())}
        assert other.fault() == ""
        assert other.damaged()[0].startswith("The vectors of “ferry” are damaged: `stet reindex` makes them again.")
        other.reindex()
        with_vectors(other)
        assert other.damaged() == ()
        assert (other.search(near, 0, near=9), other.search(words, 5, near=9)) == whole
    assert archive.search(near, 0, near=9) == whole[0]


def test_vectors_of_another_model_are_only_missing(archive: PersistentArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(vectors, "MODEL", "an earlier one")
        with_vectors(archive)
    assert archive.damaged() == ()
    assert archive.unencoded() == (1, 2)


def blobs(file: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield table and column of all that is kept as bytes, and of the other columns that a checksum is made of."""
    for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        for _, column, kind, *_ in file.execute(f"PRAGMA table_info({table})").fetchall():
            if kind == "BLOB" or (table, column) in (("words", "words"), ("vectors", "model")):
                yield table, column


@pytest.mark.rest
def test_of_bits_flipped_in_all_that_is_cached_each_is_noticed_and_mended(tmp_path: Path) -> None:
    path, broken, chance = tmp_path / "archive.sqlite", tmp_path / "broken.sqlite", random.Random(7)  # noqa: S311
    with closing(PersistentArchive(path, read=read_one)) as archive:
        archive.add(readings(FIXTURES))
        with_vectors(archive)
        query = Query((("boat", 1.0), ("ferri", 1.0), ("said", 0.2)), vector=code(1.0))
        whole = archive.search(query, 9, near=9)
    with closing(sqlite3.connect(path)) as file:
        columns = list(blobs(file))
    assert len(columns) == 10
    for table, column in columns * examples(1, 3):
        shutil.copyfile(path, broken)
        with closing(sqlite3.connect(broken)) as file, file:
            key = {"postings": "(segment, term)", "words": "(segment, length)"}.get(table, "(rowid, 0)")
            rows = file.execute(f"SELECT {key[1:-1]}, CAST({column} AS BLOB), typeof({column}) FROM {table}")  # noqa: S608
            *row, value, kind = chance.choice(sorted(row for row in rows if row[-2]))
            place = chance.randrange(len(value))
            flipped = value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
            statement = f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE {key} = (?, ?)"  # noqa: S608
            file.execute(statement, (flipped, *row))
        where = (table, column, row, place)
        with closing(PersistentArchive(broken, read=read_one)) as archive:
            service = QuestionService(Library(archive))
            for line in ("how many people were on the ferry", "/unverified", "/said mayor", "/first boats", "/sources"):
                assert service.answer(Question(line)) != Message(messages.FAILED), (line, where)
            assert archive.damaged(), where
            reparse_stale(archive, lambda: None, lambda _: None)
            archive.reindex()
            with_vectors(archive)
            assert archive.damaged() == (), where
            assert archive.search(query, 9, near=9) == whole, where
