"""A folder whose articles.toml may have embargoes that are missed: nothing of it is loaded until that is mended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from retrieval.errors import NoArticlesError, UnsafeTableError
from retrieval.intake import articles as intake
from retrieval.intake.articles import load_articles
from retrieval.model import Article

SUNK = "The ferry sank off Port Ellis."
EMBARGO = "embargo = 2096-03-01T18:00:00Z\n"
WHOLE = f'["a.txt"]\n{EMBARGO}["b.txt"]\n{EMBARGO}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "desk"
    place.mkdir()
    for file in (place / "a.txt", place / "b.txt", tmp_path / "public.txt"):
        file.write_text(SUNK, encoding="utf-8")
    return place


UNSAFE = {
    "a quotation mark missing": WHOLE.replace('"a.txt"', '"a.txt').encode(),
    "half a line": WHOLE.encode()[:38],
    "nothing": b"",
    "blank lines": b" \n\n",
    "another encoding": WHOLE.encode() + b"# \xff",
    "utf-16": WHOLE.encode("utf-16"),
    "too large": WHOLE.encode() + b"#" * 1_000_000,
    "a table twice": (WHOLE + WHOLE).encode(),
    "a month that is none": WHOLE.replace("2096-03", "2096-13").encode(),
    "brackets without end": b"a = " + b"[" * 100_000,
    "capital letters": WHOLE.replace("a.txt", "A.TXT").encode(),
    "a name without its ending": WHOLE.replace("a.txt", "a").encode(),
    "a name without quotation marks": f"[a.txt]\n{EMBARGO}".encode(),
    "a file in a folder in it": WHOLE.replace("a.txt", "inner/a.txt").encode(),
    "one for the whole folder": b"embargo = 2096-03-01",
    "words in place of keys": b'"a.txt" = "embargoed until 6pm Friday"',
    "a misspelt file and a misspelt key": b'["A.TXT"]\nembrago = 2096-03-01T18:00:00Z',
    "an embargo that cannot be read": b'["A.TXT"]\nembargo = "Friday"',
}


@pytest.mark.parametrize("table", UNSAFE.values(), ids=UNSAFE)
def test_nothing_of_a_folder_is_loaded_whose_table_is_unsafe(folder: Path, table: bytes) -> None:
    (folder / "articles.toml").write_bytes(table)
    loaded = load_articles([folder.parent])
    assert [article.id for article in loaded.articles] == ["public.txt"]
    assert {type(error) for _, error in loaded.rejected} == {UnsafeTableError}
    for place, error in loaded.rejected:
        assert place.startswith(str(folder / "articles.toml"))
        assert "Until then nothing in its folder is added or changed" in str(error)
        assert place in loaded.unsafe
    assert loaded.is_frozen(Article("a.txt", SUNK, path=str(folder / "a.txt")))
    assert not loaded.is_frozen(Article("public.txt", SUNK, path=str(folder.parent / "public.txt")))


@pytest.mark.parametrize("named", ["desk", "desk/a.txt"])
def test_a_folder_that_is_unsafe_by_itself_is_no_error(folder: Path, named: str) -> None:
    (folder / "articles.toml").write_bytes(b"[")
    loaded = load_articles([folder.parent / named])
    assert (loaded.articles, len(loaded.rejected)) == ((), 1)
    assert loaded.is_frozen(Article("a.txt", SUNK, path=str(folder / "a.txt")))


def test_folders_in_an_unsafe_folder_are_left_as_well(folder: Path) -> None:
    """Though it has no article of its own; a link, or the way there named first, leads in no more."""
    inner = folder / "2026" / "11"
    inner.mkdir(parents=True)
    (inner / "c.txt").write_text(SUNK, encoding="utf-8")
    for name in ("a.txt", "b.txt"):
        (folder / name).unlink()
    (folder.parent / "link.txt").symlink_to(inner / "c.txt")
    (folder / "articles.toml").write_text(f'["2026/11/c.txt"]\n{EMBARGO}', encoding="utf-8")
    for paths in ([inner, folder.parent], [folder.parent]):
        loaded = load_articles(paths)
        assert [article.id for article in loaded.articles] == ["public.txt"]
        assert len(loaded.rejected) == 1
        assert loaded.is_frozen(Article("c.txt", SUNK, path=str(inner / "c.txt")))


SAFE = {
    "no embargo": '["gone.txt"]\ntitle = "Gone"',
    "an embargo that has ended": '["gone.txt"]\nembargo = 2020-03-01T18:00:00Z',
    "one that has ended in every zone": '["gone.txt"]\nembargo = 2020-03-01',
    "a comment": "# nothing yet",
}


@pytest.mark.parametrize("table", SAFE.values(), ids=SAFE)
def test_an_entry_of_no_file_that_hides_nothing_stops_nothing(folder: Path, table: str) -> None:
    (folder / "articles.toml").write_text(table, encoding="utf-8")
    loaded = load_articles([folder])
    assert [article.id for article in loaded.articles] == ["a.txt", "b.txt"]
    assert loaded.unsafe == ""


def test_a_table_that_is_written_while_its_folder_is_read_is_unsafe(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = folder / "articles.toml"
    table.write_text(f'["a.txt"]\n{EMBARGO}', encoding="utf-8")
    read = intake.read_file

    def write(file: Path) -> object:
        table.write_text(WHOLE, encoding="utf-8")
        os.utime(table, (1, 1))
        return read(file)

    monkeypatch.setattr(intake, "read_file", write)
    loaded = load_articles([folder])
    assert loaded.articles == ()
    assert "It was changed while its folder was read" in loaded.unsafe


def test_a_folder_without_any_article_and_a_safe_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "articles.toml").write_text("# nothing", encoding="utf-8")
    with pytest.raises(NoArticlesError):
        load_articles([tmp_path])
