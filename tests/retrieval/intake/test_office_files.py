"""Word files and e-mails are articles; a kind that can't be read is named."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from docx import Document

from retrieval.errors import UnreadableArticleError
from retrieval.intake.articles import load_articles

SUNK = "The ferry sank off Port Ellis."
HEAD = "From: Ann Bell <ann@example.org>\r\nSubject: Ferry lost\r\nDate: Mon, 6 May 2019 08:00:00 +0200\r\n"


def test_a_word_file_is_an_article(tmp_path: Path) -> None:
    document = Document()
    document.core_properties.title = "Ferry lost"
    document.add_paragraph(SUNK)
    document.add_paragraph("Nobody was hurt.")
    document.save(str(tmp_path / "a.docx"))
    [article] = load_articles([tmp_path]).articles
    assert (article.id, article.title, article.text) == ("a.docx", "Ferry lost", f"{SUNK}\nNobody was hurt.")


@pytest.mark.parametrize(
    "body",
    [
        f"\r\n{SUNK}\r\n",
        "Content-Type: text/html\r\n\r\n<p>The <b>ferry</b> sank off Port Ellis.</p>\r\n",
        f'Content-Type: multipart/alternative; boundary="x"\r\n\r\n--x\r\n\r\n{SUNK}\r\n--x--\r\n',
        "Content-Transfer-Encoding: quoted-printable\r\n\r\nThe ferry sank off=20=\r\nPort Ellis.\r\n",
    ],
)
def test_an_e_mail_is_an_article(tmp_path: Path, body: str) -> None:
    (tmp_path / "a.eml").write_bytes((HEAD + body).encode())
    [article] = load_articles([tmp_path]).articles
    assert (article.title, article.author, article.published) == ("Ferry lost", "Ann Bell", date(2019, 5, 6))
    assert article.text.strip() == SUNK


@pytest.mark.parametrize("name", ["a.docx", "a.rtf", "a.odt", "a.msg", "a.doc"])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "good.txt").write_text(SUNK, encoding="utf-8")
    (tmp_path / name).write_bytes(b"PK\x03\x04 nothing")
    [(place, error)] = load_articles([tmp_path]).rejected
    assert (place, type(error)) == (str(tmp_path / name), UnreadableArticleError)


def test_an_e_mail_under_an_embargo_is_held(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text(SUNK, encoding="utf-8")
    (tmp_path / "a.eml").write_bytes(f"{HEAD}\r\nStrictly embargoed until 6pm Friday\r\n\r\n{SUNK}".encode())
    assert [article.id for article in load_articles([tmp_path]).articles] == ["good.txt"]
