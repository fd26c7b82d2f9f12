"""Marks that are no words: of notes, of what is struck out, of page builders; and what looks like one and is a word."""

import json
from pathlib import Path

import pytest

from retrieval.intake.articles import load_articles
from retrieval.intake.markup import body_of
from retrieval.model import LeftOut, LeftOutKind
from tests.retrieval.intake.test_exports import FOOT, HEAD, of_arc, of_wordpress, post, story
from tests.support.articles import taken
from tests.support.tables import cases, rows

NOTES, FIGURES, STRUCK = (rows(__file__, name) for name in ("notes", "figures", "struck"))


@pytest.mark.parametrize(("markup", "text"), [*NOTES, *FIGURES, *STRUCK])
def test_marks_are_left_out_and_figures_stay(markup: str, text: str) -> None:
    body = body_of(f"<p>{markup}</p>")
    assert body.text == text
    kinds = {part.kind for part in body.left_out}
    is_note, is_struck = [markup, text] in NOTES, [markup, text] in STRUCK and "<ins>left" not in markup
    assert kinds == ({LeftOutKind.FOOTNOTE_MARK} if is_note else {LeftOutKind.STRUCK_OUT} if is_struck else set())


@cases("body, text")
def test_codes_are_left_out_and_editors_brackets_stay(tmp_path: Path, body: str, text: str) -> None:
    found = of_wordpress(tmp_path, post(body))
    [article] = taken(found)
    assert article.text == text
    kinds = {part.kind for part in found.left_out.get(article.id, ())}
    assert bool({LeftOutKind.PAGE_CODE, LeftOutKind.EMBED} & kinds) == (body.replace("\n\n", "\n") != text)


def test_what_a_code_encloses_is_named_by_its_kind(tmp_path: Path) -> None:
    body = "It rained.[ref]The gauge.[/ref]\n\n[pullquote]No choice[/pullquote][button url='x']Join us[/button]"
    found = of_wordpress(tmp_path, post(body))
    beside = found.left_out["https://herald.example/ferry"]
    assert [part for part in beside if part.kind is not LeftOutKind.PAGE_CODE] == [
        LeftOut(LeftOutKind.FOOTNOTE_MARK, "The gauge."),
        LeftOut(LeftOutKind.PULL_QUOTE, "No choice"),
        LeftOut(LeftOutKind.TEASER, "Join us"),
    ]


@cases("name, is_left_out")
def test_a_pull_quote_is_left_out(name: str, is_left_out: bool) -> None:  # noqa: FBT001
    body = body_of(f"<p>It rained.</p><{name}>Nobody slept</{name.split(maxsplit=1)[0]}>")
    assert body.text == ("It rained." if is_left_out else "It rained.\nNobody slept")
    assert body.left_out == ((LeftOut(LeftOutKind.PULL_QUOTE, "Nobody slept"),) if is_left_out else ())


def test_the_words_of_a_pull_quote_are_named_with_its_source() -> None:
    body = body_of("<p>It rained.</p><figure class='pullquote'><p>Nobody slept</p><cite>Ines Roe</cite></figure>")
    assert body.left_out == (LeftOut(LeftOutKind.PULL_QUOTE, "Nobody slept Ines Roe"),)


def layout(text: str, parts: object) -> list[tuple[str, str]]:
    return [(part.kind.value, part.span.of(text)) for part in parts]  # type: ignore[attr-defined]


def test_how_a_text_was_set_is_kept_beside_it() -> None:
    body = body_of(
        "<h2>What is\n known</h2><p><b>Q:</b>  Did it <strong>rain</strong>?</p>"
        "<blockquote><p>It poured.</p><cite>Amos Dell, ferryman</cite></blockquote>"
        "<ul><li>One <i>boat</i></li><li>Two</li></ul><p class='wp-caption-text'>The quay</p>"
        "<p><span style='font-weight: 700'>A:</span> No.</p><b> </b>"
    )
    assert layout(body.text, body.layout) == [
        ("heading", "What is known"),
        ("bold", "Q:"),
        ("bold", "rain"),
        ("block_quotation", "It poured.\nAmos Dell, ferryman"),
        ("cite", "Amos Dell, ferryman"),
        ("list_item", "One boat"),
        ("list_item", "Two"),
        ("caption", "The quay"),
        ("bold", "A:"),
    ]


@cases("written_as, text")
def test_markdown_keeps_its_words_only(tmp_path: Path, written_as: str, text: str) -> None:
    (tmp_path / "a.md").write_text(written_as, encoding="utf-8")
    (tmp_path / "b.txt").write_text(written_as, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text(json.dumps({"id": "c", "text": written_as}), encoding="utf-8")
    markdown, plain, line = load_articles([tmp_path]).articles
    assert (markdown.text, plain.text, line.text) == (text, written_as, written_as)


def test_markdown_is_set_as_its_page_is(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("## Quay\n\n**Q:** Did it rain?\n\n> It poured.\n\n- One\n", encoding="utf-8")
    [article] = load_articles([tmp_path]).articles
    parts = [("heading", "Quay"), ("bold", "Q:"), ("block_quotation", "It poured."), ("list_item", "One")]
    assert layout(article.text, article.layout) == parts


def test_an_arc_story_is_what_its_own_desk_wrote_and_names_the_rest(tmp_path: Path) -> None:
    found = of_arc(tmp_path, story(content_elements=rows(__file__, "elements")))
    [article] = taken(found)
    assert article.text.split("\n") == rows(__file__, "lines")
    assert list(map(list, layout(article.text, article.layout))) == rows(__file__, "set_as")
    assert [[part.kind, part.text] for part in found.left_out[article.id]] == rows(__file__, "beside")


HOSTILE = ["[" * 200_000, "[a " * 10**5, '[a "' * 10**5, "<sup>1" * 2_000, "¹" * 10**5, "<s>" * 200, "[/a][a]" * 40_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_marks_without_end_are_read_in_time(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(f"It rained.\n\n{text}", encoding="utf-8")
    (tmp_path / "b.xml").write_text(HEAD + post(f"<p>It rained.</p>{text}") + FOOT, encoding="utf-8")
    found = load_articles([tmp_path])
    assert [article.text[:10] for article in found.articles] == ["It rained."] * len(found.articles)
    assert found.articles
