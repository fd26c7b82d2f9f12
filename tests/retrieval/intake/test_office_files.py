"""Word files, RTF and e-mails are articles; drafts are of more kinds. What can't be read is refused in words."""

import resource
import time
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from retrieval.errors import ArticleError, EmptyArticleError, TooLargeError, UnreadableArticleError
from retrieval.intake.files import read_draft
from retrieval.intake.office import read_word_file
from retrieval.limits import DRAFT
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


@cases("is_kept, added")
def test_what_a_mail_adds_below_its_text_is_left_out(tmp_path: Path, is_kept: bool, added: str) -> None:  # noqa: FBT001
    found = loaded(tmp_path, f"{HEAD}\r\n{SUNK}\r\n\r\n{added}", "a.eml")
    assert [article.text.strip() for article in taken(found)] == [f"{SUNK}\n\n{added}".strip() if is_kept else SUNK]
    assert bool(found.left_out) != is_kept


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
def test_a_draft_of_every_kind_is_read(name: str, content: bytes) -> None:
    assert read_draft(content, name).strip() == WORDS
    assert read_draft(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_a_word_file_is_read_with_its_tables_as_if_its_changes_were_accepted() -> None:
    found = read_word_file(word_file("First.", "Second", inserted=" added", deleted=" gone"))
    assert found.text == "First.\nSecond added"
    assert [found.text[start:end] for start, end, _ in found.runs] == ["First.", "Second", " added"]
    document, saved = Document(), BytesIO()
    document.add_table(1, 2).cell(0, 1).text = "In a cell"
    document.save(saved)
    assert "In a cell" in read_draft(saved.getvalue(), "a.docx")


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    saved = BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in parts.items():
            made.writestr(name, part)
    return saved.getvalue()


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
        (b"<html></html>", "a.html", EmptyArticleError, "no words"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "a.docx", UnreadableArticleError, "password"),
        (locked(), "a.docx", UnreadableArticleError, "password"),
        (b"PK\x03\x04 and no more", "a.docx", UnreadableArticleError, "no Word file"),
        (zipped({"a.txt": WORDS}), "a.docx", UnreadableArticleError, "no Word file"),
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


def packed(body: str, **parts: str) -> bytes:
    """Return a Word file with a ``body`` of its own, and other parts by name, "__" for the slash."""
    document = f"<w:document {nsdecls('w')}><w:body>{body}</w:body></w:document>"
    own = {"word/document.xml": document} | {name.replace("__", "/"): part for name, part in parts.items()}
    with zipfile.ZipFile(BytesIO(word_file(WORDS))) as plain:
        return zipped({name: plain.read(name) for name in plain.namelist()} | own)


RUN = "<w:r><w:t>a</w:t></w:r>"
BOX, BOX_END = "<w:p><w:r><w:pict><w:txbxContent>", "</w:txbxContent></w:pict></w:r></w:p>"
TABLE, TABLE_END = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
ENTITY = '<!DOCTYPE w:document [<!ENTITY x "y">]>'
ATTRIBUTES = " ".join(f'a{i}=""' for i in range(500_000))
SECONDS, MEMORY = 2, 400_000  # of CPU, KB
HOSTILE_WORD: dict[str, tuple[Callable[[], bytes], str]] = {
    "boxes in one another": (lambda: packed(BOX * 60 + f"<w:p>{RUN * 100_000}</w:p>" + BOX_END * 60), "100 elements"),
    "tables in one another": (lambda: packed(TABLE * 80 + "<w:p/>" * 100_000 + TABLE_END * 80), "100 elements"),
    "very many runs": (lambda: packed(f"<w:p>{RUN * 4_000_000}</w:p>"), "unpacked|elements and attributes"),
    "many runs": (lambda: packed(f"<w:p>{RUN * 800_000}</w:p>"), "400,000 elements and attributes"),
    "comments": (lambda: packed("<!---->" * 2_000_000), "400,000 elements and attributes"),
    "attributes": (lambda: packed(f"<w:p {ATTRIBUTES}/>"), "elements and attributes"),
    "styles": (lambda: packed("", **{"word__styles.xml": f"<a>{'<b/>' * 500_000}</a>"}), "400,000"),
    "parts": (lambda: packed("<w:p/>", **{f"a{i}": "" for i in range(2_000)}), "1,000 parts"),
    "entities": (lambda: packed("", **{"word__document.xml": f"{ENTITY}<a>{'&x;' * 1_000_000}</a>"}), "entities"),
    "spaces": (lambda: packed(f"<w:p><w:r><w:t>{' ' * 300_000}</w:t></w:r></w:p>"), "200,000 characters"),
}


@pytest.mark.rest
@pytest.mark.parametrize("case", HOSTILE_WORD)
def test_a_hostile_word_file_is_refused_at_once_and_in_little_memory(case: str) -> None:
    make, says = HOSTILE_WORD[case]
    content = make()
    start = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ArticleError, match=says):
        read_draft(content, "a.docx")
    assert time.process_time() - start < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY


def test_a_word_file_within_the_limits_is_read() -> None:
    content = packed(BOX * 10 + f"<w:p>{RUN * 1_000}</w:p>" + BOX_END * 10 + TABLE * 20 + "<w:p/>" + TABLE_END * 20)
    assert read_draft(content, "a.docx").strip() == "a" * 1_000


HTML = ("<head ", "<head></head ", "<div>", "<p hidden>", "&amp;", "&", "<!--", "<!", '<a "', "</b>", "<title>")


@pytest.mark.rest
@pytest.mark.parametrize("unit", HTML)
def test_hostile_html_takes_little_time(unit: str) -> None:
    start = time.process_time()
    with suppress(ArticleError):
        read_draft((unit * 100_000)[:100_000].encode(), "a.html")
    assert time.process_time() - start < SECONDS


def test_html_with_too_many_attributes_is_refused() -> None:
    with pytest.raises(TooLargeError, match="attributes"):
        read_draft(f"<p {' '.join(f'a{i}=1' for i in range(100_000))}>a".encode(), "a.html")
