"""A draft with its findings, as a page and as Word comments: no word of it is changed."""

from functools import cache
from io import BytesIO

from docx import Document
from lxml import html as parser

from adapters.page.checks import pieces
from adapters.terminal.proofing import commented, marked_page
from bot.commands.proof import proof
from bot.model import Proof
from retrieval import read_word_file
from tests import stock
from tests.retrieval.intake.test_office_files import word_file

DRAFT = (
    "A ferry with 214 people on board ran aground off Sandholm on Friday.\n\n"
    "“Somebody was at the wheel,” said Marta Lindqvist & <b>nobody</b> else.\n\tThe end\x02."
)
CAVEAT = "The accounts could not be independently verified."


@cache
def proofed(text: str) -> Proof:
    return proof(stock.holdings(), text)


def test_page_and_pieces_have_the_draft_unchanged_with_its_findings_marked_once() -> None:
    found = proofed(DRAFT)
    page = parser.document_fromstring(marked_page(found, "A draft & more"))
    main = page.find(".//main")
    for note in list(main.iter("sup")):
        note.drop_tree()
    assert main.text_content() == DRAFT.replace("\t", "\\x09").replace("\x02", "\\x02")
    assert any("“Somebody was at the wheel,”" in mark.text_content() for mark in main.iter("mark"))
    assert len(page.findall(".//li")) == len(found.findings)
    assert CAVEAT in page.text_content()
    assert not list(page.iter("b"))
    parts = list(pieces(found))
    assert "".join(text for text, _ in parts) == DRAFT
    assert [number for _, numbers in parts for number in numbers] == list(range(1, len(found.findings) + 1))


def test_a_new_word_file_has_a_comment_at_each_finding() -> None:
    found = proofed(DRAFT)
    made = commented(found)
    assert read_word_file(made).text == DRAFT.replace("\x02", "\ufffd")
    comments = [comment.text for comment in Document(BytesIO(made)).comments]
    assert len(comments) == len(found.findings)
    assert any("Nobody was at the wheel" in text and CAVEAT in text for text in comments)


def test_an_original_word_file_keeps_its_words_and_gets_the_comments() -> None:
    original = word_file(*DRAFT.replace("\x02", "").split("\n"), inserted=" Added.", deleted=" Gone.")
    found = proofed(read_word_file(original).text)
    made = commented(found, original)
    assert read_word_file(made).text == found.text
    assert len(list(Document(BytesIO(made)).comments)) == len(found.findings)
    assert "Gone." in Document(BytesIO(made)).element.xml
