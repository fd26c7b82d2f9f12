"""``stet proof``: for people, for machines, its exports, and what it refuses."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.support.program import Stet, printed, refused

pytestmark = pytest.mark.rest

DRAFT = (
    "A ferry with 214 people on board ran aground off Sandholm.\n\n“Somebody was at the wheel,” said Marta Lindqvist.\n"
)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    (tmp_path / "draft.md").write_text(DRAFT)
    return tmp_path / "draft.md"


def test_findings_are_shown_with_their_sources(stet: Stet, folder: Path, draft: Path) -> None:
    out = printed(stet, "proof", draft, "--articles", folder)
    assert "“212 people” where the draft has “214 people”" in out
    assert "Altered" in out
    assert "could not be independently verified" in out


def test_findings_are_lines_for_machines(stet: Stet, folder: Path, draft: Path) -> None:
    *found, summary = map(json.loads, printed(stet, "proof", draft, "--json", "--articles", folder).splitlines())
    assert {each["kind"] for each in found} >= {"figure", "quotation"}
    assert all(DRAFT[each["start"] : each["end"]] == each["text"] for each in found)
    assert summary["kind"] == "summary"
    keys = {"kind", "start", "end", "text", "verdict", "claimed_speaker", "what", "confidence", "matches"}
    assert all(keys <= each.keys() for each in found)


def test_the_marked_draft_is_written(stet: Stet, folder: Path, draft: Path, tmp_path: Path) -> None:
    page, word = tmp_path / "out.html", tmp_path / "out.docx"
    printed(stet, "proof", draft, "--html", page, "--docx", word, "--articles", folder)
    assert "<mark>" in page.read_text()
    printed(stet, "proof", word, "--docx", tmp_path / "again.docx", "--articles", folder)
    status, _, error = stet("proof", draft, "--html", tmp_path, "--articles", folder)
    assert (status, "cannot be written" in error) == (2, True)


def test_a_draft_is_read_from_standard_input(stet: Stet, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DRAFT.encode())))
    assert "214" in printed(stet, "proof", "-", "--articles", folder)


REFUSED = (
    ("empty.txt", b" ", "no words"),
    ("old.docx", b"\xd0\xcf\x11\xe0", "password"),
    ("photo.png", b"\x89PNG", "Save it as one of"),
    ("long.txt", b"word " * 40_001, "200,000 characters"),
)


@pytest.mark.parametrize(("name", "content", "says"), REFUSED, ids=[name for name, *_ in REFUSED])
def test_what_cannot_be_proofed_says_so(stet: Stet, folder: Path, name: str, content: bytes, says: str) -> None:
    Path(name).write_bytes(content)
    assert says in refused(stet, "proof", name, "--articles", folder)


def test_neither_draft_nor_findings_are_stored(stet: Stet, folder: Path, draft: Path) -> None:
    stet("proof", draft, "--articles", folder)
    state = draft.parent / "state"
    assert not any(b"Somebody was" in file.read_bytes() for file in state.rglob("*") if file.is_file())
