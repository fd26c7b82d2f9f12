"""The file of a lasting archive: several processes, a process that is killed, files that are none."""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.database import ARCHIVE_VERSION, ArchiveFile
from retrieval.cache import program_version
from retrieval.errors import ArchiveError, ArchiveSchemaError, BusyArchiveError
from retrieval.model import Article
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import join_names, raise_error, read_one
from retrieval.search import Query

pytestmark = pytest.mark.rest

PROJECT = Path(__file__).parents[4]
KILLS = int(os.environ.get("STET_TEST_KILLS", "3"))  # 100 take some minutes
# puts articles in, each by itself, and says so once it is in
WRITER = """
import sys
from pathlib import Path
from retrieval.archive.archive import PersistentArchive
from retrieval.cache import program_version
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
    writer, other = ArchiveFile(path), ArchiveFile(path, patience=0.0)
    with writer.writing() as run:
        run("INSERT INTO facts VALUES ('a', '1')")
        with other.reading() as look:
            assert look("SELECT count(*) FROM facts WHERE name = 'a'").fetchone() == (0,)
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


def test_an_archive_that_is_closed_is_closed_to_all_who_read(path: Path) -> None:
    file = ArchiveFile(path)
    with file.reading() as run:
        file.close()
        assert run("SELECT count(*) FROM versions").fetchone() == (0,)
    with pytest.raises(ArchiveError), file.reading():
        pass
    assert not path.with_name(f"{path.name}-wal").exists()  # the last connection takes it along


def test_what_fails_half_way_is_undone(path: Path) -> None:
    file = ArchiveFile(path)
    with pytest.raises(ZeroDivisionError):
        fail_half_way(file)
    with file.reading() as look:
        assert look("SELECT count(*) FROM facts WHERE name = 'a'").fetchone() == (0,)
    file.close()


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


@pytest.mark.parametrize("version", [1, ARCHIVE_VERSION - 1, ARCHIVE_VERSION + 1])
def test_a_file_of_another_version_is_refused_and_left_as_it_is(path: Path, version: int) -> None:
    PersistentArchive(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (ARCHIVE_VERSION,)
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(ArchiveSchemaError, match=r"another version of Stet.* `stet export --embargoed`"):
        PersistentArchive(path)
    assert path.read_bytes() == before


def test_half_a_character_is_refused_in_words(archive: PersistentArchive) -> None:
    with pytest.raises(ArchiveError, match="Half a character"):
        archive.add([read_one(Article("\ud800", "The ferry sank."))])
    assert archive.articles() == ()
