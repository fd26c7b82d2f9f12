"""The README says what is so: its transcript and its command reference."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from adapters import reference

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_transcript_is_what_is_printed() -> None:
    """Word for word, from the seeds that come with the program."""
    transcript = re.search(r"```console\n\$ make ask (Q=.*)\n(.*?)```", README, re.DOTALL)
    assert transcript is not None
    (question,) = shlex.split(transcript[1])
    command = [sys.executable, "-m", "adapters", "ask", "--", question.removeprefix("Q=")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == transcript[2]
    assert done.stderr == ""


def test_the_command_reference_is_the_table() -> None:
    """``make readme`` writes it anew."""
    assert reference.written(README) == README


def test_the_reference_is_written_in_place(tmp_path: Path) -> None:
    """What stands around it stays."""
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{reference.BEGIN}\nold\n{reference.END}\nafter\n", encoding="utf-8")
    reference.main(readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| `verify QUOTE [— NAME]` |" in text


def test_every_file_that_is_linked_is_there() -> None:
    """No link of the README leads nowhere in the repository."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (PROJECT / target).exists(), target
