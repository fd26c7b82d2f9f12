"""More, context and copy, from the short text that travels with an answer."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from bot import messages
from bot.commands.clip import FORMS, context, copy, more
from bot.errors import BrokenStateError
from bot.model import Answer, Clipping, Listing, Message
from retrieval import version_key
from tests.stock import FERRY, holdings

HOLDINGS = holdings()
KEY = version_key(FERRY.id, FERRY.digest)


def clip(form: str, text: str = "") -> str:
    """Return the sentence about the wheel in ``form``."""
    found = copy(HOLDINGS, f"{text or KEY + '.2'} {form}")
    assert isinstance(found, Clipping)
    assert found.form == form
    return found.text


def test_more_shows_the_next_and_carries_the_rest() -> None:
    """Three at a time, and what is left travels on."""
    found = more(HOLDINGS, f"{KEY}.0.1.2.3.4")
    assert isinstance(found, Answer)
    assert [extract.index for extract in found.extracts] == [0, 1, 2]
    assert found.more == f"{KEY}.3.4"


def test_more_of_an_answer_that_was_not_sure_is_not_sure_either() -> None:
    """It says so first, on every page."""
    found = more(HOLDINGS, f"~{KEY}.0.1.2.3.4")
    assert isinstance(found, Answer)
    assert (found.sure, found.message, found.more) == (False, messages.not_sure(), f"~{KEY}.3.4")
    sure = more(HOLDINGS, f"{KEY}.0")
    assert isinstance(sure, Answer)
    assert (sure.sure, sure.message, sure.more) == (True, None, "")


@pytest.mark.parametrize("text", [f"{KEY}.999", "00000000.1"])
def test_more_of_what_has_gone_is_a_sentence(text: str) -> None:
    """An article that changed has another digest."""
    assert isinstance(more(HOLDINGS, text), Message)
    assert isinstance(context(HOLDINGS, text), Message)
    assert isinstance(copy(HOLDINGS, text), Message)


def test_context_marks_the_extract() -> None:
    """Two sentences on either side, fewer at the ends."""
    found = context(HOLDINGS, f"{KEY}.1")
    assert isinstance(found, Listing)
    (section,) = found.sections
    assert [extract.index for extract in section.extracts] == [0, 1, 2, 3]
    assert section.marked == 1


def test_context_is_of_one_sentence() -> None:
    """A state that names several is none of ours."""
    with pytest.raises(BrokenStateError):
        context(HOLDINGS, f"{KEY}.1.2")


def test_a_copied_extract_has_everything_a_page_needs() -> None:
    """Quotation, speaker, outlet, title, date and link."""
    lines = clip("text").splitlines()
    assert lines[0] == "“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher."
    assert "— Marta Lindqvist" in lines
    assert "The Sandholm Echo · Ferry runs aground off Sandholm · 9 May 2031" in lines
    assert lines[-1].startswith("https://echo.example/ferry#:~:text=")


def test_every_form_carries_the_caveat() -> None:
    """The witness's words are covered by the outlet's caveat, however they are pasted."""
    for form in FORMS:
        assert "could not be independently verified" in clip(form).replace("\\", "")


def test_markdown_interprets_nothing_of_the_article() -> None:
    """Every mark is escaped, and un-escaping gives the words."""
    hostile = replace(FERRY, id="x", text="He wrote *all* of `it` in [brackets](x) _today_.")
    found = copy(holdings([hostile]), f"{version_key(hostile.id, hostile.digest)}.0 markdown")
    assert isinstance(found, Clipping)
    first = found.text.splitlines()[0].removeprefix("> ")
    assert first == r"He wrote \*all\* of \`it\` in \[brackets\]\(x\) \_today\_\."


def test_csv_has_a_head_and_a_row_and_no_formula() -> None:
    """A spreadsheet takes no cell for a formula."""
    hostile = replace(FERRY, id="x", text="=1+1 is two, she said.")
    found = copy(holdings([hostile]), f"{version_key(hostile.id, hostile.digest)}.0 csv")
    assert isinstance(found, Clipping)
    assert not found.text.endswith("\n")
    head, row = csv.reader(io.StringIO(found.text))
    assert head[0] == "quotation"
    assert row[0] == "'=1+1 is two, she said."


def test_csv_tells_who_said_it_and_where_it_stands() -> None:
    head, row = csv.reader(io.StringIO(clip("csv")))
    cells = dict(zip(head, row, strict=True))
    assert (cells["speaker"], cells["source"], cells["title"]) == ("Marta Lindqvist", FERRY.source, FERRY.title)
    assert (cells["url"], cells["published"], cells["article"]) == (FERRY.url, "2031-05-09", FERRY.id)
    bare = replace(FERRY, id="x", text="The ferry sank.", source=None, title=None, url=None, published=None)
    found = copy(holdings([bare]), f"{version_key(bare.id, bare.digest)}.0 csv")
    assert isinstance(found, Clipping)
    _, row = csv.reader(io.StringIO(found.text))
    assert [row[head.index(name)] for name in ("speaker", "source", "title", "url", "published")] == [""] * 5


def test_csl_json_is_what_reference_managers_read() -> None:
    """An item of the Citation Style Language, the quotation in its note."""
    (item,) = json.loads(clip("csl-json"))
    assert item["type"] == "article-newspaper"
    assert (item["title"], item["container-title"]) == (FERRY.title, "The Sandholm Echo")
    assert item["issued"] == {"date-parts": [[2031, 5, 9]]}
    assert item["note"].startswith("“Nobody was at the wheel,”")


def test_an_unknown_form_names_those_there_are() -> None:
    found = copy(HOLDINGS, f"{KEY}.2 pdf")
    assert found == Message("An extract can be copied as text, markdown, csv, csl-json; not as “pdf”.")


def test_one_text_under_two_names_is_shown_from_the_one_that_was_quoted() -> None:
    """Two papers that run a wire story word for word are two articles."""
    twin = replace(FERRY, id="twin.txt", source="The Oxley Mercury")
    for article in (FERRY, twin):
        found = copy(holdings([FERRY, twin]), f"{version_key(article.id, article.digest)}.2 text")
        assert isinstance(found, Clipping)
        assert found.extract.citation.article_id == article.id
        assert f"{article.source} · " in found.text


def test_a_reference_is_laid_out_for_reading() -> None:
    """Two spaces to a level, as reference managers write it."""
    assert clip("csl-json").startswith('[\n  {\n    "id": "ferry.txt"')
