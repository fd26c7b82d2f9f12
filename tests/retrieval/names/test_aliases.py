"""The hand-written names.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import BrokenNamesError
from retrieval.names.aliases import NO_ALIASES, Aliases, read_aliases
from tests.support.tables import cases


def written(folder: Path, text: str) -> Path:
    path = folder / "names.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_same_different_and_shorthand_are_read(tmp_path: Path) -> None:
    groups = 'same = [["Arvo  Tamm", "A. Tamm"]]\ndifferent = [["Jan Kask", "Jaan Kask"]]\n'
    text = groups + '[shorthand]\nMOF = "Ministry of  Fisheries"\n'
    same, different = (("Arvo Tamm", "A. Tamm"),), (("Jan Kask", "Jaan Kask"),)
    assert read_aliases(written(tmp_path, text)) == Aliases(same, different, (("mof", "Ministry of Fisheries"),))


@cases("text, said")
def test_a_broken_file_is_refused_with_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BrokenNamesError) as caught:
        read_aliases(written(tmp_path, text))
    assert said in str(caught.value)
    assert "names.toml" in str(caught.value)


def test_the_file_need_not_exist_and_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    assert read_aliases(tmp_path / "names.toml") == NO_ALIASES
    (tmp_path / "names.toml").mkdir()
    with pytest.raises(BrokenNamesError):
        read_aliases(tmp_path / "names.toml")
