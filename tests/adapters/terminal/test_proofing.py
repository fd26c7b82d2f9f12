"""``stet proof``: for people, for machines, its exports, and what it refuses."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.support.program import Stet

pytestmark = pytest.mark.rest

DRAFT = (
    "A ferry with 214 people on board ran aground off Sandholm.\n\n“Somebody was at the wheel,” said Marta Lindqvist.\n"
)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    file = tmp_path / "draft.md"
    file.write_text(DRAFT)
    return file


def test_findings_are_shown_with_their_sources(stet: Stet, folder: Path, draft: Path) -> None:
    status, out, _ = stet("proof", draft, "--articles", folder)
    assert status == 0
    assert "“212 people” where the draft has “214 people”" in out
    assert "Altered" in out
    assert "could not be independently verified" in out


def test_findings_are_lines_for_machines(stet: Stet, folder: Path, draft: Path) -> None:
    status, out, _ = stet("proof", draft, "--json", "--articles", folder)
    *found, summary = map(json.loads, out.splitlines())
    assert status == 0
    assert {each["kind"] for each in found} >= {"figure", "quotation"}
    assert all(DRAFT[each["start"] : each["end"]] == each["text"] for each in found)
    assert summary["kind"] == "summary"
    keys = {"kind", "start", "end", "text", "verdict", "claimed_speaker", "what", "confidence", "matches"}
    assert all(keys <= each.keys() for each in found)


def test_the_marked_draft_is_written(stet: Stet, folder: Path, draft: Path, tmp_path: Path) -> None:
    page, word = tmp_path / "out.html", tmp_path / "out.docx"
    status, _, _ = stet("proof", draft, "--html", page, "--docx", word, "--articles", folder)
    assert status == 0
    assert "<mark>" in page.read_text()
    again, _, _ = stet("proof", word, "--docx", tmp_path / "again.docx", "--articles", folder)
    assert again == 0
    status, _, error = stet("proof", draft, "--html", tmp_path, "--articles", folder)
    assert status == 2
    assert "cannot be written" in error


def test_a_draft_is_read_from_standard_input(stet: Stet, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DRAFT.encode())))
    status, out, error = stet("proof", "-", "--articles", folder)
    assert status == 0
    assert "214" in out, error


REFUSED = {
    "empty.txt": (b" ", "no words"),
    "old.docx": (b"\xd0\xcf\x11\xe0", "password"),
    "photo.png": (b"\x89PNG", "Save it as one of"),
    "long.txt": (b"word " * 40_001, "200,000 characters"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_proofed_is_an_error_in_words(stet: Stet, folder: Path, tmp_path: Path, name: str) -> None:
    content, says = REFUSED[name]
    file = tmp_path / name
    file.write_bytes(content)
    status, out, error = stet("proof", file, "--articles", folder)
    assert (status, out) == (2, "")
    assert says in error


def test_neither_draft_nor_findings_are_stored(stet: Stet, folder: Path, draft: Path) -> None:
    stet("proof", draft, "--articles", folder)
    state = draft.parent / "state"
    assert not any(b"Somebody was" in file.read_bytes() for file in state.rglob("*") if file.is_file())
