"""The file of a lasting archive: several processes, a process that is killed, files that are none."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.database import ArchiveFile, crc32
from retrieval.archive.schema import MIGRATIONS
from retrieval.archive.synopses import CAVEAT, DENIAL, said_by
from retrieval.cache.fingerprint import program_version
from retrieval.errors import ArchiveError, BusyArchiveError
from retrieval.model import Article
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import join_names, raise_error, read_one
from retrieval.search import Query, Scope

pytestmark = pytest.mark.rest

PROJECT = Path(__file__).parents[4]
KILLS = int(os.environ.get("STET_TEST_KILLS", "3"))  # 100 take some minutes
# puts articles in, each by itself, and says so once it is in
WRITER = """
import sys
from pathlib import Path
from retrieval.archive.archive import PersistentArchive
from retrieval.cache.fingerprint import program_version
from retrieval.model import Article
from retrieval.pipeline import read_one
archive = PersistentArchive(Path(sys.argv[1]))
print(program_version(), flush=True)
for number in range(int(sys.argv[2]), 10_000):
    text = f"Harbour {number} was closed on Friday, Mayor Ada Bell{number} said. Nobody was hurt in the storm."
    archive.add([read_one(Article(f"{number}", text))])
    print(number, flush=True)
"""


def killed(path: Path, first: int, after: int) -> tuple[int, str]:
    """Kill a process that puts articles in, once it has said of ``after`` that they are.

    Return the next number, and the version of the program that the process ran.
    """
    command = [sys.executable, "-c", WRITER, str(path), str(first)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        program = writer.stdout.readline().strip()
        said = [int(writer.stdout.readline()) for _ in range(after)]
        writer.kill()
        said += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    return said[-1] + 1, program


def test_who_is_killed_has_lost_nothing_that_was_said_to_be_in(path: Path) -> None:
    chance = random.Random(7)  # noqa: S311
    reported = 0
    programs = {program_version()}
    for _ in range(KILLS):
        reported, program = killed(path, reported, chance.randint(1, 4))
        programs.add(program)
        lasting = PersistentArchive(path)
        held = lasting.articles()
        assert {str(number) for number in range(reported)} <= {article.id for article in held}
        assert len(held) <= reported + 1
        assert lasting.fault() == ""
        # a rule that was edited while this runs makes the next process another program
        assert lasting.fits() is (len(programs) == 1)
        assert lasting.vocabulary().size() == sum(len(lasting.reading(article.id).passages) for article in held)
        lasting.close()
    lasting = PersistentArchive(path)
    own = [read_one(Article(article.id, article.text)) for article in lasting.articles()]
    memory = open_archive(join_names(own, NO_ALIASES, raise_error))
    assert lasting.register().entities() == memory.register().entities()
    query = Query((("harbour", 1.0), ("1", 1.0)))
    assert lasting.search(query, 30) == memory.search(query, 30)
    lasting.close()


def test_what_one_process_puts_in_another_sees(archive: PersistentArchive, path: Path) -> None:
    reader = PersistentArchive(path)
    assert reader.vocabulary().size() == 0
    archive.add([read_one(Article("ferry", "The ferry sank."))])
    assert reader.vocabulary().size() == 1
    assert [hit.article_id for hit in reader.search(Query((("ferri", 1.0),)), 5)] == ["ferry"]
    archive.remove("ferry")
    assert reader.search(Query((("ferri", 1.0),)), 5) == ()
    reader.close()


def test_who_reads_goes_on_while_another_writes(path: Path) -> None:
    writer, other = ArchiveFile(path, MIGRATIONS), ArchiveFile(path, MIGRATIONS, patience=0.0)
    with writer.writing() as run:
        run("INSERT INTO facts VALUES ('a', '1')")
        with other.reading() as look:
            assert look("SELECT count(*) FROM facts WHERE name = 'a'").fetchone() == (0,)
        with pytest.raises(BusyArchiveError, match=rf"Process {os.getpid()} on \S+ has been writing since 20"):
            other.writing().__enter__()
        path.with_name("archive.sqlite-writer").unlink()  # as if it had not come to say so
        with pytest.raises(BusyArchiveError, match="Another process has been writing to"):
            other.writing().__enter__()
    with other.reading() as look:
        assert look("SELECT count(*) FROM facts WHERE name = 'a'").fetchone() == (1,)
    writer.close()
    other.close()


def fail_half_way(file: ArchiveFile) -> None:
    with file.writing() as run:
        run("INSERT INTO facts VALUES ('a', '1')")
        raise ZeroDivisionError


def test_who_reads_does_not_wait_for_another_who_reads(archive: PersistentArchive, path: Path) -> None:
    archive.add([read_one(Article("a", "The harbour was closed on Friday."))])
    with closing(ArchiveFile(path, MIGRATIONS)) as file, ThreadPoolExecutor(1) as threads:
        with file.reading() as run:
            [before] = run("SELECT count(*) FROM versions").fetchone()
            archive.add([read_one(Article("b", "The quay was closed on Friday."))])
            assert threads.submit(_count, file).result(timeout=30) == before + 1
            assert _count(file) == before
        assert _count(file) == before + 1


def _count(file: ArchiveFile) -> int:
    with file.reading() as run:
        return int(run("SELECT count(*) FROM versions").fetchone()[0])


def test_an_archive_that_is_closed_is_closed_to_all_who_read(path: Path) -> None:
    file = ArchiveFile(path, MIGRATIONS)
    with file.reading() as run:
        file.close()
        assert run("SELECT count(*) FROM versions").fetchone() == (0,)
    with pytest.raises(ArchiveError), file.reading():
        pass
    assert not path.with_name(f"{path.name}-wal").exists()  # the last connection takes it along


def test_a_synopsis_that_told_what_is_denied_is_read_still(archive: PersistentArchive, path: Path) -> None:
    """As earlier programs kept it: that is passed over."""
    archive.add(
        [read_one(Article("a", "A shell hit the quay. Norland denied firing it. Sudland denied the claim too."))]
    )
    held = list(archive.synopses(["a"]))
    with closing(sqlite3.connect(path)) as connection:
        connection.create_function("crc32", -1, crc32)
        connection.execute("UPDATE synopses SET synopsis = json_set(synopsis, '$[3]', json('[[1,0],[2,null]]'))")
        connection.execute("UPDATE synopses SET checksum = crc32(version, CAST(synopsis AS BLOB))")
        connection.commit()
    with closing(PersistentArchive(path)) as lasting:
        assert list(lasting.synopses(["a"])) == held
        assert held[0].denials == (1, 2)


def test_a_file_of_an_earlier_program_gets_its_synopses_when_it_is_opened(
    archive: PersistentArchive, path: Path
) -> None:
    said = "Ada Bell, the mayor, said the harbour was closed. It could not be verified."
    denied = "A clerk denied that the quay was closed."
    archive.add([read_one(Article("a", f"{said} {denied}", source="The Gull"))])
    archive.add([read_one(Article("copy", denied)), read_one(Article("b", "Adah Bell left.", source="The Heron"))])
    held = list(archive.synopses(["a"]))
    sources = [Scope(frozenset({name})) for name in ("The Gull", "The Heron")]
    named = [archive.scoped(scope).register().entities() for scope in sources]
    with closing(sqlite3.connect(path)) as connection:
        for statement in (
            *("DROP TABLE synopses", "DROP TABLE facets", "DROP INDEX names_since"),
            *("ALTER TABLE names DROP COLUMN since", "DELETE FROM facts WHERE name = 'synopses'"),
            *("DROP INDEX versions_waiting", "DROP TABLE removals", "DROP TABLE bands", "DROP TABLE copies"),
            *("DELETE FROM facts WHERE name = 'copies'", "ALTER TABLE feeds DROP COLUMN looker", "DROP TABLE arrived"),
            *("ALTER TABLE uses DROP COLUMN spellings", "DELETE FROM facts WHERE name = 'spellings'"),
            *("DROP TRIGGER vectors_deleted", "DROP TRIGGER vectors_superseded", "DROP TABLE vectors"),
            *(f"ALTER TABLE {name} DROP COLUMN checksum" for name in ("segments", "postings", "words")),
            "PRAGMA user_version = 2",
        ):
            connection.execute(statement)
        connection.commit()
    with closing(PersistentArchive(path)) as lasting:
        assert list(lasting.synopses(["a"])) == list(lasting.synopses(facets=[CAVEAT])) == held
        assert [lasting.scoped(scope).register().entities() for scope in sources] == named
        assert [found.article_id for found in lasting.synopses(facets=[said_by("ada bell")])] == ["a"]
        assert [each.id for each in lasting.listed((), [DENIAL])] == ["a", "copy"]
        assert lasting.copies(["a", "copy"]) == (("a", "copy"),)
        assert lasting.holding(["mayor", "close"]) == archive.holding(["mayor", "close"]) == (("a", 0),)


def test_what_fails_half_way_is_undone(path: Path) -> None:
    file = ArchiveFile(path, MIGRATIONS)
    with pytest.raises(ZeroDivisionError):
        fail_half_way(file)
    with file.reading() as look:
        assert look("SELECT count(*) FROM facts WHERE name = 'a'").fetchone() == (0,)
    file.close()


def test_nobody_else_may_read_the_file(archive: PersistentArchive, path: Path) -> None:
    assert archive.path == path
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_that_is_no_archive_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.sqlite"
    file.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"notes\.sqlite"):
        PersistentArchive(file)
    assert file.read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(ArchiveError, match="is no archive: name another file in STET_ARCHIVE"):
        PersistentArchive(file)
    newer = tmp_path / "newer.sqlite"
    PersistentArchive(newer).close()
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(ArchiveError, match="newer version of stet"):
        PersistentArchive(newer)


def test_half_a_character_is_refused_in_words(archive: PersistentArchive) -> None:
    with pytest.raises(ArchiveError, match="Half a character"):
        archive.add([read_one(Article("\ud800", "The ferry sank."))])
    assert archive.articles() == ()
