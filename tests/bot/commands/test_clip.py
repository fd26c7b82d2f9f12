"""More, context and copy, from the short text that travels with an answer."""

import csv
import io
import json
from dataclasses import replace

import pytest

from bot import messages
from bot.ask.model import Band
from bot.commands.clip import context, copy, more
from bot.errors import BrokenStateError
from bot.model import Answer, Clipping, Listing, Message
from retrieval import version_key
from tests.stock import FERRY, expect, holdings

HOLDINGS = holdings()
KEY = version_key(FERRY.id, FERRY.digest)


def clip(form: str, **changes: object) -> str:
    """Return a copy of the ferry's third sentence, or of the first of the article with these changes."""
    article = replace(FERRY, **changes)  # type: ignore[arg-type]
    state = f"{version_key(article.id, article.digest)}.{0 if changes else 2}"
    found = expect(Clipping, copy(holdings([article]), f"{state} {form}"))
    assert found.form == form
    return found.text


def test_more_shows_the_next_and_carries_the_rest_as_surely_as_the_answer() -> None:
    assert expect(Answer, more(HOLDINGS, f"{KEY}.0.1.2.3.4")).more == f"{KEY}.3.4"
    found = expect(Answer, more(HOLDINGS, f"~{KEY}.0.1.2.3.4"))
    assert [extract.index for extract in found.extracts] == [0, 1, 2]
    assert (found.sure, found.message, found.more) == (False, messages.doubt(Band.CLOSEST), f"~{KEY}.3.4")
    sure = expect(Answer, more(HOLDINGS, f"{KEY}.0"))
    assert (sure.sure, sure.message, sure.more) == (True, messages.FURTHER, "")


@pytest.mark.parametrize("text", [f"{KEY}.999", "00000000.1"])
def test_more_of_what_has_gone_is_a_sentence(text: str) -> None:
    assert isinstance(more(HOLDINGS, text), Message)
    assert isinstance(context(HOLDINGS, text), Message)
    assert isinstance(copy(HOLDINGS, text), Message)


def test_context_marks_the_extract() -> None:
    found = expect(Listing, context(HOLDINGS, f"{KEY}.1"))
    assert [extract.index for extract in found.extracts] == [0, 1, 2, 3]
    assert found.sections[0].marked == 1
    with pytest.raises(BrokenStateError):
        context(HOLDINGS, f"{KEY}.1.2")


def test_a_copied_extract_has_everything_a_page_needs() -> None:
    lines = clip("text").splitlines()
    assert lines[0] == "“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher."
    assert "— Marta Lindqvist" in lines
    assert "The Sandholm Echo · Ferry runs aground off Sandholm · 9 May 2031" in lines
    assert lines[-1].startswith("https://echo.example/ferry#:~:text=")


def test_a_quotation_of_two_sentences_is_copied_as_one() -> None:
    found = expect(Clipping, copy(HOLDINGS, f"{KEY}.2_3 csv"))
    head, row = csv.reader(io.StringIO(found.text))
    cells = dict(zip(head, row, strict=True))
    assert cells["quotation"].endswith("34, a teacher. “We shouted and nobody came.”")
    assert FERRY.text[int(cells["start"]) : int(cells["end"])] == cells["quotation"]
    assert [extract.index for extract in found.extracts] == [2, 3]
    assert expect(Clipping, copy(HOLDINGS, f"{KEY}.2_3")).text.count("Marta Lindqvist\n[!]") == 1
    assert expect(Listing, context(HOLDINGS, f"{KEY}.2_3")).sections[0].marked == 2


@pytest.mark.parametrize("places", ["0_1", "1_3", "2_5", "3_2", "2_999"])
def test_sentences_that_are_no_quotation_are_not_copied_as_one(places: str) -> None:
    assert copy(HOLDINGS, f"{KEY}.{places}") == Message(messages.CHANGED)


def test_markdown_interprets_nothing_of_the_article() -> None:
    first = clip("markdown", text="He wrote *all* of `it` in [brackets](x) _today_.").splitlines()[0]
    assert first == r"> He wrote \*all\* of \`it\` in \[brackets\]\(x\) \_today\_\."


def test_csv_has_a_head_and_a_row_that_tells_who_said_it_and_where_and_no_formula() -> None:
    text = clip("csv", text="=1+1 is two, she said.")
    assert not text.endswith("\n")
    head, row = csv.reader(io.StringIO(text))
    assert (head[0], row[0]) == ("quotation", "'=1+1 is two, she said.")
    head, row = csv.reader(io.StringIO(clip("csv")))
    cells = dict(zip(head, row, strict=True))
    assert (cells["speaker"], cells["source"], cells["title"]) == ("Marta Lindqvist", FERRY.source, FERRY.title)
    assert (cells["url"], cells["published"], cells["article"]) == (FERRY.url, "2031-05-09", FERRY.id)
    bare = clip("csv", text="The ferry sank.", source=None, title=None, url=None, published=None)
    _, row = csv.reader(io.StringIO(bare))
    assert [row[head.index(name)] for name in ("speaker", "source", "title", "url", "published")] == [""] * 5


def test_csl_json_is_what_reference_managers_read() -> None:
    assert clip("csl-json").startswith('[\n  {\n    "id": "ferry.txt"')
    (item,) = json.loads(clip("csl-json"))
    assert item["type"] == "article-newspaper"
    assert (item["title"], item["container-title"]) == (FERRY.title, "The Sandholm Echo")
    assert item["issued"] == {"date-parts": [[2031, 5, 9]]}
    assert item["note"].startswith("“Nobody was at the wheel,”")


def test_an_unknown_form_names_those_there_are() -> None:
    found = copy(HOLDINGS, f"{KEY}.2 pdf")
    assert found == Message("A quotation can be copied as text, markdown, csv, csl-json; not as “pdf”.")


def test_one_text_under_two_names_is_shown_from_the_one_that_was_quoted() -> None:
    twin = replace(FERRY, id="twin.txt", source="The Oxley Mercury")
    for article in (FERRY, twin):
        found = expect(Clipping, copy(holdings([FERRY, twin]), f"{version_key(article.id, article.digest)}.2 text"))
        assert found.extract.citation.article_id == article.id
        assert f"{article.source} · " in found.text
