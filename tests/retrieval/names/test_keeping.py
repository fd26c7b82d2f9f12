"""Derived tables in the user's cache folder."""

from __future__ import annotations

from pathlib import Path

from retrieval.names.keeping import kept_lines


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


def test_a_broken_table_is_derived_anew(tmp_path: Path) -> None:
    """Bytes that are no text are not trusted."""
    kept_lines("birds", "1", lambda: ["crow"], tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"\xff\xfe\xff")
    assert kept_lines("birds", "1", lambda: ["owl"], tmp_path) == ["owl"]
