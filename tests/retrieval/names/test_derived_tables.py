"""Derived tables in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.names.gazetteer import kept_lines


def test_a_table_is_derived_once(tmp_path: Path) -> None:
    """The second time it is read, whatever would be derived now."""
    assert kept_lines("birds", "1", lambda: ["crow", "tern"], tmp_path / "new") == ["crow", "tern"]
    assert kept_lines("birds", "1", lambda: ["owl"], tmp_path / "new") == ["crow", "tern"]


def test_another_version_is_derived_anew(tmp_path: Path) -> None:
    """A table never outlives the data it came from."""
    kept_lines("birds", "1", lambda: ["crow"], tmp_path)
    assert kept_lines("birds", "2", lambda: ["owl"], tmp_path) == ["owl"]


def test_where_nothing_can_be_written_it_is_derived_each_time(tmp_path: Path) -> None:
    """A folder that is a file stops nobody."""
    blocked = tmp_path / "file"
    blocked.write_text("x", encoding="utf-8")
    assert kept_lines("birds", "1", lambda: ["crow"], blocked) == ["crow"]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut short": lambda kept: kept[:-3],
    "cut at the end of a line": lambda kept: kept[: kept.rindex(b"\n")],
    "cut in its digest": lambda kept: kept[:10],
    "a letter changed": lambda kept: kept.replace(b"crow", b"brow"),
    "no text": lambda _: b"\xff\xfe\xff",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_table_is_made_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """And kept again: the next time nothing is derived."""
    kept_lines("birds", "1", lambda: ["crow\t2", "tern\t3"], tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(damage(kept.read_bytes()))
    assert kept_lines("birds", "1", lambda: ["owl\t1"], tmp_path) == ["owl\t1"]
    assert kept_lines("birds", "1", lambda: ["wren\t1"], tmp_path) == ["owl\t1"]


def test_letters_of_every_kind_are_kept(tmp_path: Path) -> None:
    """Whatever the data holds comes back as it was."""
    lines = ["Åland\t1", "東京\t2", "", "a\u2028b"]
    assert kept_lines("places", "1", lambda: lines, tmp_path) == lines
    assert kept_lines("places", "1", list, tmp_path) == lines
