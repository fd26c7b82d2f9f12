"""``stet backup`` and ``stet restore``: whole or not at all, and what was removed stays removed."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.articles import open_archive_of
from adapters.settings import TABLE, load
from adapters.storage.store import Store, default_path
from retrieval import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from tests.adapters.conftest import BELL
from tests.support.program import Stet, environment_of, process, wait_until

pytestmark = pytest.mark.rest

QUESTIONS = ("how many boats were lost", "who reopens the school", "/who Ada Quill", "what will the ferry cost")
BACKUP = "saved"
LAST_DAY = (datetime.now(UTC) + timedelta(days=30)).isoformat(timespec="seconds")
EARLIER = (datetime.now(UTC) + timedelta(days=3)).isoformat(timespec="seconds")


def put(folder: Path, name: str, text: str, embargo: str = "") -> None:
    head = BELL.format(name=name)
    if embargo:
        head = head.replace("source:", f"embargo: {embargo}\nsource:", 1)
    (folder / f"{name}.txt").write_text(head + text, encoding="utf-8")


@pytest.fixture
def home(stet: Stet, copy_folder: Path, tmp_path: Path) -> Path:
    """Return where archive and state are; there is a backup, and an answer that quotes the article on the harbour."""
    assert stet("add", copy_folder)[0] == 0
    assert stet("ask", "how many boats were lost")[0] == 0
    assert stet("backup", BACKUP)[0] == 0
    return tmp_path / "data" / "stet"


def files_with(place: Path, word: str) -> list[str]:
    every = (file for file in place.rglob("*") if file.is_file())
    return sorted(file.name for file in every if word.encode() in file.read_bytes())


def current(home: Path) -> tuple[str, ...]:
    with closing(PersistentArchive(home / "archive.sqlite")) as archive:
        return tuple(article.text for article in archive.articles())


def saved(folder: Path) -> Path:
    return folder / str(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["folder"])


def test_a_backup_says_what_it_holds_and_nobody_else_can_read_it(
    stet: Stet, home: Path, copy_folder: Path, tmp_path: Path
) -> None:
    put(copy_folder, "harbour", "Mayor Ada Quill said 14 boats were lost.")
    assert stet("add", copy_folder)[0] == 0
    folder = tmp_path / BACKUP
    status, out, _ = stet("backup", BACKUP)
    assert status == 0
    what = "2 articles (3 versions), 1 recorded answer and the settings without secrets"
    assert out == f"Saved {what} in {folder}; checked: intact.\n"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.rglob("*") if file.is_file()} == {0o600}
    assert sorted(file.name for file in folder.iterdir()) == sorted(["manifest.json", saved(folder).name])
    assert sorted(file.name for file in saved(folder).iterdir()) == ["archive.sqlite", "settings.env", "state.sqlite"]
    assert files_with(home, "Ada Quill")


@pytest.mark.parametrize(
    "settings",
    [{}, {"STET_ARCHIVE": "opensearch+http://127.0.0.1:9/stet", "STET_STATE": "postgresql://127.0.0.1/stet"}],
)
def test_where_there_is_nothing_nothing_is_made(stet: Stet, tmp_path: Path, settings: dict[str, str]) -> None:
    status, _, error = stet("backup", BACKUP, **settings)
    assert status == 2
    assert all(word in error for word in (("OpenSearch", "pg_dump") if settings else ("no archive", "stet add")))
    assert stet("restore", BACKUP, **settings)[0] == 2
    assert list(tmp_path.rglob("*.sqlite*")) == []
    assert not (tmp_path / BACKUP).exists()


def test_a_folder_with_other_things_is_left_alone(stet: Stet, home: Path, tmp_path: Path) -> None:
    (tmp_path / BACKUP / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "manifest.json").write_text("{}", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    assert [stet("backup", place)[0] for place in (BACKUP, "plain", home)] == [2, 2, 2]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.usefixtures("home")
def test_no_secret_is_written(stet: Stet, tmp_path: Path) -> None:
    (tmp_path / "channels.toml").write_bytes(b"# a caf\xe9's channels\r\n")
    secret = "Zirkon-marker-7"
    with closing(open_archive_of(load())) as archive:
        archive.subscriptions.put(Subscription(f"https://desk:{secret}@feeds.example/rss", 0.0))
        archive.subscriptions.put(Subscription("https://open.example/rss", 0.0))
    given = {row.name: secret for row in TABLE if row.secret} | {
        "STET_MCP_TOKENS": f"desk:{secret}",
        "STET_CHANNELS": "channels.toml",
        "STET_FEEDS": f"https://desk:{secret}@feeds.example/rss,https://a.example/rss?token={secret}",
        "STET_PAGE_URL": "https://page.example",
    }
    status, out, _ = stet("backup", BACKUP, **given)
    assert (status, secret in out) == (0, False)
    assert files_with(tmp_path / BACKUP, secret) == []
    assert files_with(tmp_path / BACKUP, "open.example") == ["archive.sqlite"]
    text = (saved(tmp_path / BACKUP) / "settings.env").read_text(encoding="utf-8")
    assert "STET_PAGE_URL=https://page.example\n" in text
    assert "# STET_FEEDS is a secret: set it again.\n" in text
    assert (saved(tmp_path / BACKUP) / "channels.toml").read_bytes() == (tmp_path / "channels.toml").read_bytes()
    assert load({}, saved(tmp_path / BACKUP) / "settings.env").page_url == "https://page.example"


def test_an_empty_machine_answers_the_same(stet: Stet, home: Path, copy_folder: Path, tmp_path: Path) -> None:
    (home / "names.toml").write_text('same = [["Ada Quill", "The Mayor of Sandholm"]]\n', encoding="utf-8")
    put(copy_folder, "harbour", "Mayor Ada Quill said 14 boats were lost.")
    assert [stet("add", copy_folder)[0], stet("reindex")[0], stet("backup", BACKUP)[0]] == [0, 0, 0]
    batch = tmp_path / "questions.txt"
    batch.write_text("".join(json.dumps({"id": q, "question": q}) + "\n" for q in QUESTIONS), encoding="utf-8")
    machines = [{}, {"XDG_DATA_HOME": str(tmp_path / "other")}]
    done = process("restore", BACKUP, **machines[1])
    assert done.returncode == 0, done.stderr
    assert "is not known here" in done.stdout
    assert datetime.now(UTC).strftime("%B %Y") in done.stdout
    batches = {process("ask", "--batch", batch, **machine).stdout for machine in machines}
    assert len(batches) == 1
    assert len(batches.pop().splitlines()) == len(QUESTIONS)
    assert len({process("ask", "--json", QUESTIONS[0], **machine).stdout for machine in machines}) == 1
    assert len(stet("audit", "--json", **machines[1])[1].splitlines()) == 2


def test_what_is_there_is_replaced_only_when_asked(stet: Stet, home: Path, copy_folder: Path) -> None:
    put(copy_folder, "harbour", "Mayor Ada Quill said 14 boats were lost.")
    assert stet("add", copy_folder)[0] == 0
    before = current(home)
    status, _, error = stet("restore", BACKUP)
    assert (status, "2 articles" in error, "1 recorded answer" in error, "--replace" in error) == (2, True, True, True)
    assert current(home) == before
    assert stet("restore", BACKUP, "--replace")[0] == 0
    assert current(home) != before
    (home / "archive.sqlite").unlink()  # the state alone is refused too
    assert stet("restore", BACKUP)[0] == 2


@pytest.mark.parametrize("with_removed", [False, True])
def test_removed_words_come_back_only_when_asked(
    stet: Stet, home: Path, copy_folder: Path, *, with_removed: bool
) -> None:
    put(copy_folder, "late", "The late ferry sails at noon.")
    assert [stet("add", copy_folder)[0], stet("backup", "later")[0]] == [0, 0]
    assert [stet("remove", name)[0] for name in ("harbour.txt", "late.txt")] == [0, 0]
    assert files_with(home, "Ada Quill") == []
    options = ["--with-removed"] if with_removed else []
    status, out, _ = stet("restore", BACKUP, "--replace", *options)
    assert (status, "harbour.txt" in out) == (0, True)
    assert bool(files_with(home, "Ada Quill")) == with_removed  # in the answer that quoted it too
    assert "Ada" in str(stet("audit", "--json", "--words")) if with_removed else True
    assert stet("restore", "later", "--replace", *options)[0] == 0  # the first one has not lost what was noted
    assert bool(files_with(home, "late ferry")) == with_removed
    assert len(current(home)) == (3 if with_removed else 1)


BURNS, ASHEN = "The Vellum pier burns.", "The Ashen pier burns."


@pytest.mark.parametrize(
    ("before", "after", "is_public", "gone"),
    [
        ((BURNS, ""), [(BURNS, LAST_DAY)], False, ""),
        ((BURNS, EARLIER), [(BURNS, LAST_DAY)], False, ""),
        ((BURNS, EARLIER), [(ASHEN, EARLIER)], False, "Vellum"),
        ((BURNS, EARLIER), [(ASHEN, "")], True, "Vellum"),
        ((BURNS, ""), [None, (ASHEN, "")], True, "Vellum"),
        ((BURNS, ""), [None, (BURNS, "")], True, ""),
        ((BURNS, ""), [(ASHEN, "")], True, "Ashen"),  # as in the backup
        ((BURNS, ""), [(ASHEN, LAST_DAY)], True, "Ashen"),
    ],
)
def test_embargoes_and_replaced_drafts_are_not_undone(  # noqa: PLR0913, PLR0917 - a table
    stet: Stet, home: Path, copy_folder: Path, before: tuple[str, str], after: list[Any], gone: str, *, is_public: bool
) -> None:
    put(copy_folder, "pier", *before)
    assert [stet("add", copy_folder)[0], stet("backup", BACKUP)[0]] == [0, 0]
    for step in after:
        if step:
            put(copy_folder, "pier", *step)
        assert stet(*(("add", copy_folder) if step else ("remove", "pier.txt")))[0] == 0
    assert stet("restore", BACKUP, "--replace")[0] == 0
    assert any("pier" in text for text in current(home)) == is_public
    with closing(PersistentArchive(home / "archive.sqlite")) as archive:
        waiting = [str(article.embargo.isoformat()) for article in archive.waiting() if article.embargo]
        assert waiting == ([] if is_public else [after[-1][1] if after[-1] else ""])
    assert not gone or files_with(home, gone) == []


@pytest.mark.parametrize("name", ["manifest.json", "archive.sqlite", "state.sqlite", "settings.env"])
@pytest.mark.parametrize("damage", ["byte", "cut", "missing"])
def test_a_damaged_backup_is_refused(stet: Stet, home: Path, tmp_path: Path, name: str, damage: str) -> None:
    [file] = (tmp_path / BACKUP).rglob(name)
    content = bytearray(file.read_bytes())
    place = content.index(b"articles") + 12 if name == "manifest.json" else len(content) // 2
    content[place] ^= 1
    file.write_bytes(content if damage == "byte" else content[:place])
    if damage == "missing":
        file.unlink()
    before = current(home)
    status, _, error = stet("restore", BACKUP, "--replace")
    assert (status, "went wrong" in error) == (2, False)
    assert any(word in error for word in ("damaged", "no complete backup"))
    assert current(home) == before
    assert not list(home.glob("*restor*"))


def test_a_damaged_archive_is_replaced_another_programs_file_is_not(stet: Stet, home: Path) -> None:
    (home / "archive.sqlite").write_bytes(b"no database any more" * 1000)
    status, out, _ = stet("restore", BACKUP, "--replace")
    assert (status, "is damaged" in out, "is not known here" in out, len(current(home))) == (0, True, True, 2)
    with closing(sqlite3.connect(home / "other.sqlite")) as other:
        other.execute("CREATE TABLE mine (number)")
    assert stet("restore", BACKUP, "--replace", STET_ARCHIVE=home / "other.sqlite")[0] == 2
    with closing(sqlite3.connect(home / "other.sqlite")) as other:
        assert other.execute("SELECT count(*) FROM mine").fetchone() == (0,)


def test_a_damaged_archive_does_not_replace_a_good_backup(stet: Stet, home: Path, tmp_path: Path) -> None:
    good = saved(tmp_path / BACKUP)
    with closing(sqlite3.connect(home / "archive.sqlite")) as archive, archive:
        archive.execute("UPDATE versions SET text = 'changed by a bad disk'")
    status, _, error = stet("backup", BACKUP)
    assert (status, "damaged" in error, saved(tmp_path / BACKUP)) == (2, True, good)
    assert sorted(file.name for file in (tmp_path / BACKUP).iterdir()) == sorted(["manifest.json", good.name])


@pytest.mark.parametrize("name", ["archive.sqlite", "stet.sqlite"])
def test_what_another_process_uses_is_not_replaced(stet: Stet, home: Path, name: str) -> None:
    script = "import sqlite3, sys, time; connection = sqlite3.connect(sys.argv[1]); "
    script += "connection.execute('SELECT count(*) FROM sqlite_master').fetchone(); print(flush=True); time.sleep(99)"
    with subprocess.Popen([sys.executable, "-c", script, home / name], stdout=subprocess.PIPE) as user:
        assert user.stdout
        user.stdout.readline()
        before = current(home)
        status, _, error = stet("restore", BACKUP, "--replace")
        user.kill()
    assert (status, "in use" in error, current(home)) == (1, True, before)
    assert stet("restore", BACKUP, "--replace")[0] == 0


WRITER = """
import sys
from pathlib import Path
from retrieval import Article, PersistentArchive
from retrieval.pipeline import read_separately
archive = PersistentArchive(Path(sys.argv[1]))
for number in range(10_000):
    pair = [Article(f"{number}{half}", f"Boat {number} sank, Ada Quill said.") for half in "ab"]
    archive.add(read_separately(pair))
"""


def test_a_backup_is_one_state_while_another_process_writes(stet: Stet, home: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, home / "archive.sqlite"]
    with subprocess.Popen(command, env=environment_of()) as writer:
        wait_until(lambda: len(current(home)) > 2)
        counts = []
        for _ in range(4):
            assert stet("backup", BACKUP)[0] == 0
            counts.append(len(current(saved(tmp_path / BACKUP))))
        assert writer.poll() is None
        writer.kill()
    assert [count % 2 for count in counts] == [0] * 4  # the articles come in pairs
    assert counts == sorted(counts)
    assert len(set(counts)) > 1


# runs the program, which kills itself where it is about to touch its files for the Nth time
KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))
def strike(event, args):
    global left
    if event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "sqlite3.connect", "shutil.copyfile"):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(strike)
from adapters.terminal.cli import main
main()
"""


def killings(*words: str) -> Iterator[None]:
    """Run the program, and have it killed later and later, until it ends by itself."""
    for strike in range(3, 99, 6):
        command = [sys.executable, "-c", KILLED, str(strike), *words]
        done = subprocess.run(command, env=environment_of(), capture_output=True, check=False, timeout=60)
        if not done.returncode:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        yield


def contents(home: Path) -> tuple[tuple[str, ...], int]:
    with Store(default_path()) as store:
        return current(home), len(store.last_answers(99))


@pytest.mark.soak
def test_a_killed_restore_leaves_the_old_or_the_new(home: Path, copy_folder: Path) -> None:
    new = contents(home)
    put(copy_folder, "harbour", "Mayor Ada Quill said 14 boats were lost.")
    put(copy_folder, "late", "The late ferry sails at noon.")
    for command in (["add", copy_folder], ["ask", QUESTIONS[0]], ["backup", "old"], ["remove", "late.txt"]):
        assert process(*command).returncode == 0
    old = contents(home)
    seen = []
    for _ in killings("restore", BACKUP, "--replace"):
        assert process("check").returncode == 0  # the next command
        seen.append(contents(home))
        assert not list(home.glob("*.restoring"))
        assert files_with(home, "late ferry") == []
        if seen[-1] == new:
            assert process("restore", "old", "--replace").returncode == 0
    assert set(seen) == {old, new}


@pytest.mark.soak
def test_a_killed_backup_leaves_the_old_or_the_new(home: Path, copy_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / BACKUP
    old = len(current(saved(folder)))
    put(copy_folder, "late", "The late ferry sails at noon.")
    assert process("add", copy_folder).returncode == 0
    seen = set()
    for _ in killings("backup", BACKUP):
        assert len([entry for entry in folder.iterdir() if entry.is_dir()]) <= 3
        (tmp_path / "data").rename(tmp_path / "kept")
        assert process("restore", BACKUP).returncode == 0
        seen.add(len(current(home)))
        shutil.rmtree(home.parent)
        (tmp_path / "kept").rename(tmp_path / "data")
    assert seen <= {old, old + 1}
    assert process("backup", BACKUP).returncode == 0
    assert sorted(file.name for file in folder.iterdir()) == sorted(["manifest.json", saved(folder).name])
