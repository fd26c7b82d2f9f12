"""The program's version changes with whatever could make it read otherwise, and with nothing else."""

import sys
from pathlib import Path

import pytest

from retrieval import cache
from retrieval.cache import program_version


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "one.py").write_text("ONE = 1\n")
    (folder / "two.py").write_text("TWO = 2\n")
    (folder / "words.toml").write_text("a = 1\n")
    (folder / "names.txt.gz").write_bytes(b"a")
    return folder


def version(source: Path) -> str:
    program_version.cache_clear()
    return program_version(source)


@pytest.mark.parametrize(
    "changed",
    [
        *({name: "ONE = 3\n"} for name in ("rules/one.py", "two.py", "words.toml", "names.txt.gz")),
        {"rules/one.py": "", "two.py": "ONE = 1\nTWO = 2\n"},  # words that move from one file to the next
    ],
)
def test_a_changed_rule_or_table_is_another_program(changed: dict[str, str], source: Path) -> None:
    before = version(source)
    assert version(source) == before
    for name, text in changed.items():
        (source / name).write_text(text)
    assert version(source) != before


def test_a_model_that_learned_anew_is_another_program(source: Path) -> None:
    (source / "read.onnx").write_bytes(bytes(cache.MODEL_END * 2))
    before = version(source)
    (source / "read.onnx").write_bytes(bytes(cache.MODEL_END * 2 - 9) + b"weights..")
    assert version(source) != before


def test_what_python_leaves_behind_makes_no_difference(source: Path) -> None:
    before = version(source)
    (source / "__pycache__").mkdir()
    (source / "__pycache__" / "two.cpython-311.pyc").write_bytes(b"\0")
    assert version(source) == before


def test_another_version_of_a_library_is_another_program(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SpaCy's tokens decide where names and sentences are."""
    before = version(source)
    monkeypatch.setattr(cache, "_BEHIND", (*cache._BEHIND, "no such distribution, surely"))
    assert version(source) == before
    monkeypatch.setattr(cache, "version", lambda name, own=cache.version: "0.0.1" if name == "spacy" else own(name))
    assert version(source) != before


def test_a_mended_python_is_the_same_program_and_a_new_one_not(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables change with the second number."""
    before = version(source)
    first, second, *_ = sys.version_info
    monkeypatch.setattr(sys, "version_info", (first, second, 99, "final", 0))
    assert version(source) == before
    monkeypatch.setattr(sys, "version_info", (first, second + 1, 0, "final", 0))
    assert version(source) != before
