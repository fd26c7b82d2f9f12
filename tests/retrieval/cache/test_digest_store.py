"""The file of codes: shared, bounded, private; and whatever is wrong with it, nobody's error."""

from __future__ import annotations

import logging
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from retrieval.cache import digest_store as module
from retrieval.cache.digest_store import DigestStore

CODES = {bytes([number]) * 16: bytes([number, 255 - number]) * 192 for number in range(1, 9)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for the file, in a folder that is not there yet."""
    return tmp_path / "cache" / "vectors.sqlite"


@pytest.fixture
def kept(path: Path) -> Iterator[DigestStore]:
    """Return a new file."""
    opened = DigestStore(path)
    yield opened
    opened.close()


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was said to whoever runs the program."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_what_is_kept_is_found_by_another_process(kept: DigestStore, path: Path) -> None:
    kept.put(CODES)
    other = DigestStore(path)
    assert other.get([*CODES, b"unheard of"]) == CODES
    other.put({b"new": b"code"})
    other.close()
    assert kept.get([b"new"]) == {b"new": b"code"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_may_read_it(kept: DigestStore, path: Path) -> None:
    """Neither the file, nor what SQLite writes beside it, nor the folder."""
    kept.put(CODES)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_the_oldest_give_way(path: Path) -> None:
    kept = DigestStore(path, bound=3)
    for digest, code in CODES.items():
        kept.put({digest: code})
    assert list(kept.get(CODES)) == list(CODES)[-3:]
    kept.close()


def test_a_damaged_file_is_made_anew(kept: DigestStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept.put(CODES)
    kept.close()
    content = bytearray(path.read_bytes())
    content[100:] = b"\xa5" * len(content[100:])
    path.write_bytes(content)
    assert kept.get(CODES) == {}
    assert [line for line in warnings(caplog) if "damaged" in line] == warnings(caplog) != []
    kept.put(CODES)
    assert kept.get(CODES) == CODES


def test_a_code_that_a_bad_disk_changed_is_not_believed(kept: DigestStore, path: Path) -> None:
    """Each carries a check of itself and of what it stands for."""
    kept.put(CODES)
    first, second, third, *_ = CODES
    connection = sqlite3.connect(path)
    connection.execute("UPDATE codes SET code = zeroblob(388) WHERE digest = ?", (first,))
    connection.execute("UPDATE codes SET code = (SELECT code FROM codes WHERE digest = ?) WHERE id = 2", (third,))
    connection.execute("UPDATE codes SET code = 'words' WHERE id = 4")
    connection.commit()
    connection.close()
    assert kept.get(CODES).keys() == CODES.keys() - {first, second, list(CODES)[3]}


@pytest.mark.parametrize("content", [b"Minutes of the parish council, read and approved.", b"SQLite format 3\0" * 40])
def test_a_file_of_somebody_elses_is_left_alone(
    content: bytes, kept: DigestStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Words or another database: one line, however often it is asked."""
    path.parent.mkdir()
    path.write_bytes(content)
    for _ in range(3):
        kept.put(CODES)
        assert kept.get(CODES) == {}
    assert not kept.usable()
    assert path.read_bytes() == content
    assert len(warnings(caplog)) == 1
    assert "STET_VECTORS" in warnings(caplog)[0]


def test_the_file_of_a_newer_program_is_left_alone(
    kept: DigestStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id={module.MARK}")
    connection.execute("PRAGMA user_version=99")
    connection.close()
    before = path.read_bytes()
    kept.put(CODES)
    assert kept.get(CODES) == {}
    assert path.read_bytes() == before
    assert "newer" in warnings(caplog)[0]


def test_a_locked_file_is_passed_over_for_a_while(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Waited for once and for a moment; then tried again after a pause."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(module, "monotonic", lambda: 0.0)
    kept = DigestStore(path)
    kept.put(CODES)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    kept.put({b"late": b"code"})
    assert not kept.usable()
    assert len(warnings(caplog)) == 1
    holder.execute("ROLLBACK")
    holder.close()
    monkeypatch.setattr(module, "monotonic", lambda: 59.9)
    kept.put({b"late": b"code"})
    assert not kept.usable()
    monkeypatch.setattr(module, "monotonic", lambda: 60.0)
    kept.put({b"late": b"code"})
    assert kept.get([b"late", *CODES]) == {b"late": b"code", **CODES}
    kept.close()


def test_a_full_disk_is_passed_over(kept: DigestStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """SQLite's own limit stands for the disk's."""
    kept.put(CODES)
    assert kept._connection
    kept._connection.execute("PRAGMA max_page_count=1")
    kept.put({number.to_bytes(16, "big"): bytes(400) for number in range(200)})
    assert "full" in warnings(caplog)[0]
    again = DigestStore(path)
    assert again.get(CODES) == CODES
    again.close()


@pytest.mark.parametrize("place", ["file", "folder"])
def test_where_no_file_can_be_made_nothing_is_kept(
    place: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "x" / "vectors.sqlite"
    if place == "file":
        path.parent.write_text("not a folder")
    else:
        path.mkdir(parents=True)
    kept = DigestStore(path)
    kept.put(CODES)
    assert kept.get(CODES) == {}
    assert len(warnings(caplog)) == 1


def test_nothing_put_is_nothing_written(kept: DigestStore, path: Path) -> None:
    """A question whose sentences are all kept opens no transaction."""
    kept.put({})
    assert not path.exists()


def test_the_report_says_how_much_is_kept_and_that_the_file_is_whole(kept: DigestStore, path: Path) -> None:
    """Before anything is kept, no file is made to say so."""
    assert kept.report() == f"Vectors: none stored yet in {path}."
    assert not path.exists()
    kept.put(CODES)
    assert kept.report() == f"Vectors: 8 stored in {path}; the file is whole."


def test_the_report_says_what_is_wrong_with_a_page(kept: DigestStore, path: Path) -> None:
    """An index that no longer has what its table has: SQLite opens it, and its check finds it."""
    kept.put(CODES)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, 'code BLOB NOT NULL', 'code BLOB NOT NULL CHECK (0)')"
    )
    connection.commit()
    connection.close()
    again = DigestStore(path)
    assert again.report().startswith(f"Vectors: 8 stored in {path}; the file is damaged (")
    again.close()


def test_the_report_says_why_nothing_is_kept(kept: DigestStore, path: Path) -> None:
    """In the words of the warning."""
    path.parent.mkdir()
    path.write_text("Minutes of the harbour board.")
    assert kept.report().startswith(f"Vectors: not stored in {path}: it is no file of vectors")


def test_a_file_that_was_written_before_is_still_read(path: Path) -> None:
    """By its mark, and by the four bytes behind each code; so an upgrade throws nothing away."""
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id={0x53746574}")
    connection.execute("PRAGMA user_version=1")
    connection.execute("CREATE TABLE codes (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, code BLOB NOT NULL)")
    check = crc32(b"a code", crc32(b"its digest")).to_bytes(4, "big")
    connection.execute("INSERT INTO codes VALUES (?, ?, ?)", (1_000_000, b"its digest", b"a code" + check))
    connection.commit()
    connection.close()
    kept = DigestStore(path)
    assert kept.get([b"its digest"]) == {b"its digest": b"a code"}
    kept.close()


def test_each_file_is_bounded(path: Path) -> None:
    """The first gives way to the one that is one too many."""
    kept = DigestStore(path)
    kept.put({b"first": b"code"})
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO codes VALUES (?, ?, ?)", (999_999, b"filling", b"code"))
    connection.commit()
    assert connection.execute("PRAGMA application_id").fetchone() == (0x53746574,)
    connection.close()
    kept.put({b"last": b"code"})
    assert kept.get([b"first", b"last"]).keys() == {b"first", b"last"}
    kept.put({b"more": b"code"})
    assert kept.get([b"first", b"last", b"more"]).keys() == {b"last", b"more"}
    kept.close()


def test_nobody_waits_for_a_cache_longer_than_a_quarter_of_a_second(kept: DigestStore) -> None:
    kept.put(CODES)
    assert kept._connection
    assert kept._connection.execute("PRAGMA busy_timeout").fetchone() == (250,)
