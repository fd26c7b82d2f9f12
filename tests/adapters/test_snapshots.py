"""Snapshots: the archive as it was, but for what is removed."""

from __future__ import annotations

from pathlib import Path

from tests.adapters.conftest import BELL, HARBOUR
from tests.adapters.program import Stet

COMMANDS = (
    ("ask", "how many boats were lost", "--json"),
    ("ask", "who reopens the school", "--json"),
    ("who", "Ada Quill", "--json"),
    ("said", "Ada Quill", "--json"),
    ("first", "“boats”", "--json"),
    ("quoted", "--csv"),
    ("sources", "--json"),
    ("verify", "Nobody was hurt in the storm", "--json"),
    ("article", "harbour", "--json"),
)


def _answers(stet: Stet, *options: str) -> list[tuple[int, str]]:
    return [stet(*command, *options)[:2] for command in COMMANDS]


def test_a_snapshot_keeps_its_answers_except_removed_articles(stet: Stet, copy_folder: Path) -> None:
    assert stet("add", copy_folder)[0] == 0
    recorded = _answers(stet)
    assert stet("snapshot", "letter")[0] == 0
    assert _answers(stet, "--at", "letter") == recorded
    (copy_folder / "harbour.txt").write_text(
        BELL.format(name="harbour") + HARBOUR.replace("12", "14"), encoding="utf-8"
    )
    (copy_folder / "late.txt").write_text("Piet Oru, the head, said two boats were lost at school.", encoding="utf-8")
    assert stet("add", copy_folder)[0] == 0
    assert _answers(stet) != recorded
    assert _answers(stet, "--at", "letter") == recorded
    assert stet("remove", "harbour.txt")[0] == 0
    status, out, _ = stet("ask", "how many boats were lost", "--json", "--at", "letter")
    assert status == 0
    assert '"extracts": []' in out
    assert "12 boats" not in "".join(path.read_bytes().decode("latin-1") for path in _files(copy_folder.parent))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("archive.sqlite*") if path.is_file()]


def test_snapshots_are_listed_named_once_and_deleted(stet: Stet, copy_folder: Path) -> None:
    assert stet("add", copy_folder)[0] == 0
    assert stet("snapshot", "letter")[1].startswith("letter: 20")
    status, _, error = stet("snapshot", "letter")
    assert (status, "already" in error) == (2, True)
    assert stet("snapshot", "../letter")[0] == 2
    assert stet("ask", "boats", "--at", "other")[0] == 2
    assert stet("snapshot", "letter", "--delete")[0] == 0
    assert stet("snapshot")[1] == ""
