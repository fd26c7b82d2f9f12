"""Snapshots: the archive as it was, but for what is removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.terminal.test_archiving import BELL, HARBOUR, SCHOOL
from tests.adapters.terminal.test_cli import run

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "copy"
    made.mkdir()
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        (made / f"{name}.txt").write_text(BELL.format(name=name) + text, encoding="utf-8")
    return made


def _answers(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[int, str]]:
    return [run(capsys, *command, *options)[:2] for command in COMMANDS]


def test_answers_stay_those_of_the_day_but_for_what_is_removed(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert run(capsys, "add", str(folder))[0] == 0
    recorded = _answers(capsys)
    assert run(capsys, "snapshot", "letter")[0] == 0
    assert _answers(capsys, "--at", "letter") == recorded
    (folder / "harbour.txt").write_text(BELL.format(name="harbour") + HARBOUR.replace("12", "14"), encoding="utf-8")
    (folder / "late.txt").write_text("Piet Oru, the head, said two boats were lost at school.", encoding="utf-8")
    assert run(capsys, "add", str(folder))[0] == 0
    assert _answers(capsys) != recorded
    assert _answers(capsys, "--at", "letter") == recorded
    assert run(capsys, "remove", "harbour.txt")[0] == 0
    status, out, _ = run(capsys, "ask", "how many boats were lost", "--json", "--at", "letter")
    assert status == 0
    assert '"extracts": []' in out
    assert "12 boats" not in "".join(path.read_bytes().decode("latin-1") for path in _files(folder.parent))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("archive.sqlite*") if path.is_file()]


def test_snapshots_are_listed_named_once_and_deleted(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(capsys, "add", str(folder))[0] == 0
    assert run(capsys, "snapshot", "letter")[1].startswith("letter: 20")
    status, _, error = run(capsys, "snapshot", "letter")
    assert (status, "already" in error) == (2, True)
    assert run(capsys, "snapshot", "../letter")[0] == 2
    assert run(capsys, "ask", "boats", "--at", "other")[0] == 2
    assert run(capsys, "snapshot", "letter", "--delete")[0] == 0
    assert run(capsys, "snapshot")[1] == ""
