"""Folders that mean harm: each file ends in a clear sentence, and the good file beside it is read.

And a folder whose articles.toml may have embargoes that are missed: nothing of it is loaded until that is mended.
"""

import gzip
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter
from pypdf.generic import EncodedStreamObject, NameObject

from retrieval.errors import NoArticlesError, UnsafeTableError
from retrieval.intake import articles as intake
from retrieval.intake.articles import load_articles
from retrieval.limits import ARTICLE, ID, METADATA, PAGES
from retrieval.model import Article
from tests.support.articles import PLAIN, SUNK, loaded, refused, taken, written
from tests.support.tables import cases, rows

PROJECT = Path(__file__).parents[3]
PROSE = "The harbour master said on Monday that the crew had left it in good time. "


def _page(inside: str) -> bytes:
    return f"<html><head><title>Ferry</title></head><body>{inside}</body></html>".encode()


def _pdf(pages: int, drawn: bytes = b"") -> Callable[[Path], None]:
    def write(file: Path) -> None:
        writer = PdfWriter()
        for _ in range(pages):
            page = writer.add_blank_page(width=600, height=800)
            if drawn:
                stream = EncodedStreamObject()
                stream[NameObject("/Filter")] = NameObject("/FlateDecode")
                stream._data = drawn
                page[NameObject("/Contents")] = stream
        writer.write(file)

    return write


def _aliases(levels: int) -> bytes:
    rows = [f"k0: &k0 {['ha'] * 9}"]
    rows += [f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(["---", *rows, f"title: *k{levels - 1}", "---", SUNK]).encode()


OUTSIDE = "a link that leads nowhere or out of its folder"
BLANKS = zlib.compress(b" " * 100_000_000)
OPERATORS = zlib.compress(b"q Q " * 5_000_000)
ATTACKS: dict[str, tuple[str, bytes | Callable[[Path], None], str]] = {
    "one endless word": ("a.txt", b"x" * 5_000_000, "more than 4,000,000 bytes"),
    "a book": ("a.txt", (PROSE * (ARTICLE.most // len(PROSE) + 1)).encode(), "more than 500,000 characters of text"),
    "an endless file": ("a.txt", lambda file: (file.touch(), os.truncate(file, 10**12)), "more than 4,000,000 bytes"),
    "aliases of aliases": ("a.md", _aliases(9), "not YAML (an alias, which is not read here)"),
    "an alias of itself": ("a.md", b"---\ntitle: &a [*a]\n---\nText.", "an alias"),
    "a front matter of lists in lists": ("a.md", b"---\ntitle: " + b"[" * 9_000 + b"\n---\nText.", "not YAML"),
    "a front matter of keys": ("a.md", b"---\n" + b"k: 1\n" * 300_000 + b"---\nText.", "more than 20,000 characters"),
    "a command for Python": ("a.md", b"---\ntitle: !!python/object/apply:os.system [exit]\n---\nText.", "not YAML"),
    "a page of elements": ("a.html", _page("<p>" + "<b>x</b>" * 50_000), "more than 20,000 elements"),
    "a page of text": ("a.html", _page("<p>" + PROSE * 10_000), "more than 500,000 characters of text"),
    "a page packed small": ("a.html", gzip.compress(_page("<p>x" * 4_000_000)), "more than 20,000 elements"),
    "a page in a page in a page": ("a.html", _page("<div>" * 15_000 + PROSE), "No article was found"),
    "too many pages": ("a.pdf", _pdf(PAGES.most + 1), "more than 500 pages"),
    "a print-out of blanks": ("a.pdf", _pdf(3, BLANKS), "more than 5,000,000 bytes drawn on its pages"),
    "a print-out of operators": ("a.pdf", _pdf(3, OPERATORS), "more than 5,000,000 bytes drawn on its pages"),
    "a line of brackets": ("a.jsonl", b"[" * 100_000, "more than 50 brackets inside one another"),
    "a line without an end": ("a.jsonl", b"[" * 9_000_000, "more than 4,000,000 bytes in one line"),
    "a figure without an end": ("a.jsonl", b'{"id": 1' + b"0" * 5_000 + b', "text": "Text."}', "not JSON"),
    "a link out of the folder": ("a.txt", lambda file: file.symlink_to("/etc/hostname"), OUTSIDE),
    "a link to nowhere": ("a.txt", lambda file: file.symlink_to("nothing.txt"), OUTSIDE),
    "a link to itself": ("a.txt", lambda file: file.symlink_to("a.txt"), OUTSIDE),
    "a pipe": ("a.txt", os.mkfifo, "not an ordinary file"),
    "a folder": ("a.txt", Path.mkdir, "not an ordinary file"),
}


# Reads folders with half a gigabyte of address space beyond what the libraries take themselves.
BOUNDED = """
import json, resource, sys, time
import trafilatura, pypdf, yaml
from pathlib import Path
from retrieval.intake.articles import load_articles
pages = int(Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 500_000_000,) * 2)
for folder in sys.argv[1:]:
    began = time.process_time()
    found = load_articles([Path(folder)])
    errors = [str(error) for _, error in found.rejected]
    print(json.dumps([[article.id for article in found.articles], errors, time.process_time() - began]), flush=True)
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Return how each attack ended: the articles that were read, the refusals, and the seconds."""
    folders = [tmp_path_factory.mktemp("attack") for _ in ATTACKS]
    for folder, (name, content, _) in zip(folders, ATTACKS.values(), strict=True):
        written(folder / PLAIN, SUNK)
        written(folder / name, content)
    command = [sys.executable, "-c", BOUNDED, *map(str, folders)]
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)
    assert ended.returncode == 0, f"after {ended.stdout}: {ended.stderr}"
    return dict(zip(ATTACKS, map(json.loads, ended.stdout.splitlines()), strict=True))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is bounded where /proc says how much is used")
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.rest
def test_an_attack_ends_in_a_sentence_in_seconds_and_half_a_gigabyte(ends: dict[str, list[Any]], attack: str) -> None:
    articles, [error], seconds = ends[attack]
    assert articles == [PLAIN]
    assert ATTACKS[attack][2] in error
    assert len(error) < 400
    assert seconds < 10


@cases("table, entry, words")
def test_what_is_of_no_use_in_the_table_is_named(tmp_path: Path, table: str, entry: str, words: str) -> None:
    place = f"{tmp_path / 'articles.toml'}, {entry}"
    assert words in str(refused(loaded(tmp_path, table, "articles.toml"), place))


def test_a_link_within_the_folder_is_read(tmp_path: Path) -> None:
    written(tmp_path / "..data" / "a.txt", SUNK)
    found = loaded(tmp_path, lambda file: file.symlink_to("..data/a.txt"), "a.txt")
    assert ([article.id for article in taken(found)], found.rejected) == (["a.txt"], ())


def test_one_bad_byte_costs_one_line(tmp_path: Path) -> None:
    lines = [json.dumps({"id": name, "text": SUNK}).encode() for name in "abc"]
    lines[1] = lines[1].replace(b"sank", b"s\xffnk")
    found = loaded(tmp_path, b"\xef\xbb\xbf" + b"\r\n".join(lines), "all.jsonl")
    assert [article.id for article in taken(found)] == ["a", "c"]
    assert [place for place, _ in found.rejected] == [f"{tmp_path / 'all.jsonl'}, line 2"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"title": "nul\0"}, "Its “title” has a control character"),
        ({"id": "half \ud800"}, "Its “id” has a control character"),
        ({"source": "\x1b[31mRed"}, "Its “source” has a control character"),
        ({"id": "x" * (ID.most + 1)}, "more than 300 characters in its id"),
        ({"author": "x" * (METADATA.most + 1)}, "more than 2,000 characters in one key"),
        ({"title": ["A", "B"]}, "Its “title” is a list"),
        ({"title": {"A": "B"}}, "Its “title” is a table"),
        ({"title": 1.5}, "Its “title” is a number"),
        ({"title": True}, "Its “title” is a yes or no"),
        ({"date": "0001-01-01"}, "is not plausible"),
        ({"date": "9999-12-31"}, "It is not published"),
    ],
)
def test_a_key_that_no_article_has_is_refused_in_few_words(tmp_path: Path, keys: dict[str, object], words: str) -> None:
    error = refused(loaded(tmp_path, json.dumps({"id": "a", "text": SUNK, **keys}), "all.jsonl"), tmp_path)
    assert words in str(error)
    assert len(str(error)) < 200


@cases("hidden")
def test_what_a_page_hides_is_not_its_article(tmp_path: Path, hidden: str) -> None:
    """Though some hide the whole body until their scripts have run."""
    after = "<p>Divers went down on Monday to look at what was left of it in the mud.</p>"
    page = f'<html><body style="display:none"><article><p>{PROSE * 3}</p>{hidden}{after}</article></body></html>'
    [article] = taken(loaded(tmp_path, page, "a.html"))
    assert "secret" not in article.text
    assert PROSE.strip() in article.text
    assert "what was left of it in the mud." in article.text


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        (b"\x1b]0;owned\x07.txt", "\\x1b]0;owned\\x07.txt"),
        (b"a\nstet: all is well.txt", "a\\x0astet: all is well.txt"),
        (b"caf\xe9.txt", "caf\\xe9.txt"),
        ("مقال.txt".encode(), "مقال.txt"),
        (b"-rf.txt", "-rf.txt"),
    ],
)
def test_a_files_name_is_told_as_text(tmp_path: Path, name: bytes, known_as: str) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(SUNK, encoding="utf-8")
    (article,) = load_articles([tmp_path]).articles
    assert (article.id, article.path) == (known_as, f"{tmp_path}/{known_as}")


def test_a_path_that_leads_nowhere_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(NoArticlesError) as refused:
        load_articles([tmp_path / ("\x1b[31m\n" + "x" * 200)])
    assert "\x1b" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_fault_in_reading_a_file_costs_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_: Path) -> object:
        raise ZeroDivisionError(SUNK)

    monkeypatch.setattr("retrieval.intake.pdf.read_pdf", stumble)
    error = refused(loaded(tmp_path, b"%PDF", "a.pdf"), tmp_path / "a.pdf")
    assert "ZeroDivisionError in stumble" in str(error)
    assert SUNK not in str(error)


def test_the_longest_article_is_read(tmp_path: Path) -> None:
    [article] = taken(loaded(tmp_path, SUNK.ljust(ARTICLE.most, "x"), "a.txt"))
    assert len(article.text) == ARTICLE.most


EMBARGO = "embargo = 2096-03-01T18:00:00Z\n"
WHOLE = f'["a.txt"]\n{EMBARGO}["b.txt"]\n{EMBARGO}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("desk/a.txt", "desk/b.txt", "public.txt"):
        written(tmp_path / name, SUNK)
    return tmp_path / "desk"


UNSAFE = [
    WHOLE.encode() + b"# \xff",
    WHOLE.encode("utf-16"),
    WHOLE.encode() + b"#" * 1_000_000,
    b"a = " + b"[" * 100_000,
]
UNSAFE += [table.encode() for table in rows(__file__, "unsafe")]


@pytest.mark.parametrize("table", UNSAFE, ids=range(len(UNSAFE)))
def test_nothing_of_a_folder_is_loaded_whose_table_is_unsafe(folder: Path, table: bytes) -> None:
    unsafe = written(folder / "articles.toml", table)
    loaded = load_articles([folder.parent])
    assert [article.id for article in loaded.articles] == ["public.txt"]
    assert {type(error) for _, error in loaded.rejected} == {UnsafeTableError}
    for place, error in loaded.rejected:
        assert place.startswith(str(unsafe))
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
    deep = written(folder / "2026" / "11" / "c.txt", SUNK)
    for name in ("a.txt", "b.txt"):
        (folder / name).unlink()
    (folder.parent / "link.txt").symlink_to(deep)
    written(folder / "articles.toml", f'["2026/11/c.txt"]\n{EMBARGO}')
    for paths in ([deep.parent, folder.parent], [folder.parent]):
        loaded = load_articles(paths)
        assert [article.id for article in loaded.articles] == ["public.txt"]
        assert len(loaded.rejected) == 1
        assert loaded.is_frozen(Article("c.txt", SUNK, path=str(deep)))


@cases("table")
def test_an_entry_of_no_file_that_hides_nothing_stops_nothing(folder: Path, table: str) -> None:
    written(folder / "articles.toml", table)
    found = load_articles([folder])
    assert ([article.id for article in found.articles], found.unsafe) == (["a.txt", "b.txt"], "")


def test_a_table_written_while_its_folder_is_read_is_unsafe(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, read = written(folder / "articles.toml", f'["a.txt"]\n{EMBARGO}'), intake.read_file

    def write(file: Path) -> object:
        os.utime(written(table, WHOLE), (1, 1))
        return read(file)

    monkeypatch.setattr(intake, "read_file", write)
    loaded = load_articles([folder])
    assert loaded.articles == ()
    assert "It was changed while its folder was read" in loaded.unsafe
