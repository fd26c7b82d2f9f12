"""Drafts as files: text, Markdown, HTML and Word, and what is refused in words."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from retrieval.errors import ArticleError, EmptyArticleError, TooLargeError, UnreadableArticleError
from retrieval.intake import drafts
from retrieval.intake.drafts import read_draft, read_draft_file, read_word_file
from retrieval.limits import DRAFT, Limit

WORDS = "“Nobody was at the wheel,” she said."


def word_file(*lines: str, inserted: str = "", deleted: str = "") -> bytes:
    document = Document()
    for line in lines:
        document.add_paragraph(line)
    last = document.paragraphs[-1]._p if lines else document.add_paragraph()._p
    for tag, leaf, text in (("ins", "t", inserted), ("del", "delText", deleted)):
        if text:
            run = f'<w:r><w:{leaf} xml:space="preserve">{text}</w:{leaf}></w:r>'
            last.append(parse_xml(f'<w:{tag} {nsdecls("w")} w:id="1" w:author="A">{run}</w:{tag}>'))
    saved = BytesIO()
    document.save(saved)
    return saved.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("draft.txt", WORDS.encode()),
        ("draft.md", b"\xef\xbb\xbf" + WORDS.encode()),
        ("", WORDS.encode()),
        ("draft.HTML", f"<html><head><title>No</title></head><body><p>{WORDS}</p></body></html>".encode()),
        ("draft.docx", word_file(WORDS)),
        ("no ending", word_file(WORDS)),
    ],
)
def test_a_draft_of_every_kind_is_read(name: str, content: bytes, tmp_path: Path) -> None:
    assert read_draft(content, name).strip() == WORDS
    file = tmp_path / (name or "draft")
    file.write_bytes(content)
    assert read_draft_file(file).strip() == WORDS


def test_line_ends_are_line_feeds() -> None:
    assert read_draft(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_a_word_file_is_read_as_if_its_changes_were_accepted() -> None:
    found = read_word_file(word_file("First.", "Second", inserted=" added", deleted=" gone"))
    assert found.text == "First.\nSecond added"
    assert [found.text[start:end] for start, end, _ in found.runs] == ["First.", "Second", " added"]


def test_tables_of_a_word_file_are_read() -> None:
    document = Document()
    document.add_table(1, 2).cell(0, 1).text = "In a cell"
    saved = BytesIO()
    document.save(saved)
    assert "In a cell" in read_draft(saved.getvalue(), "a.docx")


def locked() -> bytes:
    """Return a zip with the flag of an encrypted part in both of its headers."""
    content = bytearray(word_file(WORDS))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "name", "error", "says"),
    [
        (b"", "a.txt", EmptyArticleError, "no words"),
        (word_file("  "), "a.docx", EmptyArticleError, "no words"),
        (b"<p> </p>", "a.html", EmptyArticleError, "no words"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "a.docx", UnreadableArticleError, "password"),
        (locked(), "a.docx", UnreadableArticleError, "password"),
        (b"PK\x03\x04 and no more", "a.docx", UnreadableArticleError, "no Word file"),
        (b"plain", "a.docx", UnreadableArticleError, "no Word file"),
        (b"\xff\xfe\x00\x01", "a.txt", UnreadableArticleError, "UTF-8"),
        (b"a\x00b", "a.txt", UnreadableArticleError, "not text"),
        (b"\x89PNG", "a.png", UnreadableArticleError, "Save it as one of .txt, .md"),
        (b"x" * (DRAFT.most + 1), "a.txt", TooLargeError, "10,000,000"),
    ],
)
def test_what_is_no_draft_is_refused_in_words(content: bytes, name: str, error: type[ArticleError], says: str) -> None:
    with pytest.raises(error, match=says):
        read_draft(content, name)


def test_a_zip_with_another_content_is_no_word_file() -> None:
    saved = BytesIO()
    with zipfile.ZipFile(saved, "w") as packed:
        packed.writestr("a.txt", WORDS)
    with pytest.raises(UnreadableArticleError, match="no Word file"):
        read_draft(saved.getvalue(), "a.docx")


def test_a_word_file_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "UNPACKED", Limit(1_000, "bytes when unpacked", "save its text as .txt"))
    with pytest.raises(TooLargeError, match="unpacked"):
        read_draft(word_file(WORDS), "a.docx")
