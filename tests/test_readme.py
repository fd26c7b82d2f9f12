"""The README and the documents say what is so: transcripts, the command reference, figures, links."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.settings import load
from bot import messages
from docs import transcripts

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = (*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"))
GENERATED = pytest.mark.parametrize("document", ["README.md", "docs/commands.md"])


@pytest.mark.rest
@GENERATED
def test_the_transcript_is_what_is_printed(document: str) -> None:
    """Word for word, from the seeds that come with the program: run as anybody would run it."""
    transcript = (PROJECT / document).read_text(encoding="utf-8").split("```console\n")[1].split("```")[0]
    asked = transcript.split("$ make ask Q=")[1:]
    assert len(asked) > 1
    for exchange in asked:
        line, _, answer = exchange.partition("\n")
        question, *head = shlex.split(line)
        command = [sys.executable, "-m", "adapters", "ask", "--", question]
        environment = {**os.environ, "STET_ENCODER": "e5"}
        done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=True)
        printed = done.stdout.splitlines()[: -int(head[-1]) if head else None]
        assert printed == answer.rstrip("\n").splitlines()
        assert done.stderr == ""


def test_the_transcript_shows_what_the_program_is_for() -> None:
    transcript = README.split("```console\n")[1].split("```")[0]
    for shown in ("280", "— Anatoly Fedoruk", "4 April 2022", "[!] NOT VERIFIED, in the outlet's words:"):
        assert shown in transcript


def test_the_reference_shows_an_answer_and_one_that_is_not_sure() -> None:
    text = (PROJECT / "docs" / "commands.md").read_text(encoding="utf-8")
    sure, unsure = text.split("```console\n")[1].split("```")[0].split("$ make ask")[1:]
    assert "This may not answer your question. Closest match:" not in sure
    assert "This may not answer your question. Closest match:" in unsure


@GENERATED
def test_the_generated_parts_are_up_to_date(document: str) -> None:
    text = (PROJECT / document).read_text(encoding="utf-8")
    assert transcripts.written(text, open_service(load({}, Path("no .env")))) == text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    """To a file that is there, and to a heading in it where one is named."""
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", document.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        linked = document.parent / path if path else document
        assert linked.exists(), target
        titles = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE) if heading else [heading]
        assert heading in {title.lower().replace(" ", "-") for title in titles}, target


def test_every_figure_of_the_readme_stands_in_the_document_of_quality() -> None:
    quality = (PROJECT / "docs" / "quality.md").read_text(encoding="utf-8").splitlines()
    told = README.split("## How well\n")[1].split("## What it can't do\n")[0]
    rows = re.findall(r"^\|.*$", told, re.MULTILINE)
    assert len(rows) > 4
    assert [row for row in rows[2:] if not any(line.startswith(row) for line in quality)] == []
    timed = next(line for line in told.splitlines() if line.startswith("By words alone, a reply"))
    speed = (PROJECT / "docs" / "speed.md").read_text(encoding="utf-8").splitlines()
    measured = "".join(row for row in speed if row.startswith(("| reply | 300 |", "| reply | 4,000 |")))
    assert [figure for figure in re.findall(r"[\d.,]*\d", timed) if f"| {figure} " not in measured] == []
    speakers = next(row for row in rows if row.startswith("| the speaker beside a sentence"))
    whom, right, wrong = (re.findall(r"\d+", cell) for cell in speakers.split("|")[2:5])
    assert re.findall(r"\d+", messages.SPEAKER_ERROR) == [*whom[:1], right[0], "100", right[2], *wrong]


def test_the_readme_is_one_that_people_read() -> None:
    assert len(README.splitlines()) <= 120


def test_every_document_stands_in_the_index() -> None:
    documents = {str(path.relative_to(PROJECT / "docs")) for path in PROJECT.glob("docs/**/*.md")} - {"README.md"}
    index = (PROJECT / "docs" / "README.md").read_text(encoding="utf-8")
    assert documents == set(re.findall(r"^\| \[.+?\]\((.+?)\)", index, re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_installs_a_strangers_program(document: Path) -> None:
    """On the package index "stet" is somebody else's; whoever follows a document gets what lies beside it."""
    text = document.read_text(encoding="utf-8")
    assert re.findall(r"(?:pip|pipx|uv)[^\n]*?install[^\n]*?\bstet\b(?!-newsroom)[^\n]*", text) == []


def test_no_hint_of_the_programs_own_installs_a_strangers_program() -> None:
    for path in (PROJECT / "adapters").rglob("*.py"):
        assert not re.search(r"install '?stet\b", path.read_text(encoding="utf-8")), path
