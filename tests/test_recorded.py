from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.recorded import PROJECT, compare, main

WORDS = "Nothing in the archive answers this"


def test_what_differs_is_named_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    before = {"slack: ferry": [["chat.postMessage", {"text": "Nobody"}]], "slack: bridge": []}
    assert compare(before, before) == 0
    assert compare(before, {"slack: ferry": [["chat.postMessage", {"text": "Somebody"}], []]}) == 1
    printed = capsys.readouterr().out
    assert 'slack: ferry > 0 > 1 > text\n  - "Nobody"\n  + "Somebody"' in printed
    assert "2 of 2 differ" in printed


@pytest.mark.soak
def test_a_program_that_says_something_else_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        monkeypatch.setenv(name, os.environ[name])  # so that what a recording sets is undone
    for package in ("adapters", "bot", "retrieval"):
        shutil.copytree(PROJECT / package, tmp_path / "other" / package, copy_function=os.link)
    words = tmp_path / "other/bot/messages.py"
    changed = words.read_text(encoding="utf-8").replace(WORDS, "No article answers this")
    words.unlink()
    words.write_text(changed, encoding="utf-8")
    files = [str(tmp_path / f"{name}.json") for name in ("this", "other")]
    for file, program in zip(files, (PROJECT, tmp_path / "other"), strict=True):
        assert main(["record", file, "--program", str(program), "--scene", "assistant"]) == 0
    assert main(["compare", *files]) == 1
    printed = capsys.readouterr().out
    assert 'mcp: ask none-recipe > content > 0 > text\n  - "Nothing in the archive' in printed
    assert printed.count("\n  - ") == printed.count(WORDS) == printed.count("No article answers this")
