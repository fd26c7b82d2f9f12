"""Word files, RTF and e-mails are articles; a kind that can't be read is named."""

import time
from datetime import date
from pathlib import Path

import pytest
from docx import Document

from tests.support.articles import SUNK, loaded, refused, taken
from tests.support.tables import cases

HEAD = "From: Ann Bell <ann@example.org>\r\nSubject: Ferry lost\r\nDate: Mon, 6 May 2019 08:00:00 +0200\r\n"


def test_a_word_file_is_an_article(tmp_path: Path) -> None:
    document = Document()
    document.core_properties.title = "Ferry lost"
    document.add_paragraph(SUNK)
    line = document.add_paragraph("It lost 14")
    line.add_run("1").font.superscript = True
    line.add_run(" 15").font.strike = True
    line.add_run(" men < 9 km")
    line.add_run("2").font.superscript = True
    [article] = taken(loaded(tmp_path, lambda file: document.save(str(file)), "a.docx"))
    assert (article.id, article.title, article.text) == ("a.docx", "Ferry lost", f"{SUNK}\nIt lost 14 men < 9 km²")


@cases("body, text")
def test_a_text_in_rtf_is_an_article(tmp_path: Path, body: str, text: str) -> None:
    rtf = rf"{{\rtf1\ansi\ansicpg1252{{\info{{\title Ferry lost}}}} {body}}}"
    [article] = taken(loaded(tmp_path, rtf.encode("latin-1"), "a.rtf"))
    assert (article.title, article.text) == ("Ferry lost", text)


MULTIPART = 'Content-Type: multipart/mixed; boundary="{0}"\n\n--{0}\n'
HOSTILE = {
    "a.rtf": rb"{\rtf1 " + b"{" * 10**5,
    "b.rtf": rb"{\rtf1 " + rb"\b" * 10**6,
    "c.rtf": rb"{\rtf1\ansi\ansicpg932 \'81}",
    "a.eml": "".join(MULTIPART.format(number) for number in range(10**4)).encode(),
    "b.eml": MULTIPART.format("b").encode() + b"--b\n\n" * 10**6,
    "c.eml": b"Content-Type: text/plain; charset=utf-8\n\nThe caf\xe9 sank.",
    "d.eml": b"From: " + b"(" * 7_000 + b"\n\nIt sank.",
}


@pytest.mark.parametrize(("name", "content"), HOSTILE.items(), ids=HOSTILE)
def test_a_hostile_file_is_refused_at_once(tmp_path: Path, name: str, content: bytes) -> None:
    began = time.process_time()
    assert refused(loaded(tmp_path, content, name), tmp_path / name)
    assert time.process_time() - began < 3


CHARSETS = [("iso-8859-1", "cp1252"), ("us-ascii", "utf-8"), ("klingon", "utf-8"), ("utf-16", "utf-16")]


@pytest.mark.parametrize(("charset", "codec"), CHARSETS)
def test_an_e_mail_may_have_endless_headers_and_name_another_charset(tmp_path: Path, charset: str, codec: str) -> None:
    endless = f"Subject: {'=?utf-8?q?A?= ' * 10**5}\nX-A: {'a=;' * 10**5}\nContent-Type: text/plain; charset={charset}"
    mail = f"{endless}\n\n".encode() + "“The café sank.”".encode(codec)
    began = time.process_time()
    assert [article.text for article in taken(loaded(tmp_path, mail, "a.eml"))] == ["“The café sank.”"]
    assert time.process_time() - began < 3


@cases("body")
def test_an_e_mail_is_an_article(tmp_path: Path, body: str) -> None:
    [article] = taken(loaded(tmp_path, HEAD + body, "a.eml"))
    assert (article.title, article.author, article.published) == ("Ferry lost", "Ann Bell", date(2019, 5, 6))
    assert article.text.strip() == SUNK


SIGNED = "-- \r\nAnn Bell\r\nPress office\r\n"
LEGAL = "This e-mail and its attachments are\r\nconfidential. If you are not the addressee, delete it.\r\n"
KEPT = (
    "On Monday the mayor wrote:\n\n“Not again.”",
    "--\n\nThe wreck\n" + "It lies at 40 metres.\n" * 30,
    "This message was painted on the hull: “Confidential.”",
    "Confidential papers show who knew.",
    "On Monday Ann Bell wrote:\n> Was it lost?\nIt was.",
)


@pytest.mark.parametrize(
    ("added", "is_kept"),
    [
        (SIGNED, False),
        (f"{LEGAL}\r\nSent from my phone", False),
        (f"{SIGNED}\r\n{LEGAL}", False),
        (f"DISCLAIMER:\r\n{LEGAL}\r\nTo unsubscribe, write to us.", False),
        ("On Mon, 6 May 2019 at 09:00, Ann Bell <ann@bell.example> wrote:\r\n> Was it lost?\r\n>\r\n> Ann", False),
        ("-----Original Message-----\r\nFrom: Ann Bell\r\n\r\nWas it lost?", False),
        *((kept, True) for kept in KEPT),
    ],
)
def test_what_a_mail_adds_below_its_text_is_left_out(tmp_path: Path, added: str, is_kept: bool) -> None:  # noqa: FBT001
    found = loaded(tmp_path, f"{HEAD}\r\n{SUNK}\r\n\r\n{added}", "a.eml")
    assert [article.text.strip() for article in taken(found)] == [f"{SUNK}\n\n{added}".strip() if is_kept else SUNK]
    assert bool(found.left_out) != is_kept
