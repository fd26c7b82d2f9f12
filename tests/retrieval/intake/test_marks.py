"""Marks that are no words: of notes, of what is struck out, of page builders; and what looks like one and is a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.intake.articles import load_articles
from retrieval.intake.markup import body_of
from retrieval.model import LayoutKind, LeftOut, LeftOutKind
from tests.retrieval.intake.exports import FOOT, HEAD, post
from tests.retrieval.intake.test_exports import of_arc, of_wordpress, story, written
from tests.support.articles import taken

NOTES = [
    ('Killed 14<sup><a href="#n1">1</a></sup> men.', "Killed 14 men."),
    ('Killed 14<sup data-fn="a1" class="fn"><a href="#a1" id="a1-link">1</a></sup> men.', "Killed 14 men."),
    ('Killed 14<a href="https://gull.example/mine#fn1"><sup>1</sup></a> men.', "Killed 14 men."),
    ('Killed 14<a href="#_ftn1" name="_ftnref1">[1]</a> men.', "Killed 14 men."),
    ("Paid £2,400<sup>2</sup> to each.", "Paid £2,400 to each."),
    ("Paid £10<sup>2</sup> to each.", "Paid £10 to each."),
    ("Nobody was present<sup>3</sup>, he said.<sup>4</sup>", "Nobody was present, he said."),
    ("About 45%<sup>5</sup> of them.", "About 45% of them."),
    ("The inspector<sup>*</sup> and the owner<sup>†</sup> left.", "The inspector and the owner left."),
    ("The inspector<sup>[a]</sup> and the owner<sup>b</sup> left.", "The inspector and the owner left."),
    ("He said so.<sup>1,2</sup> She<sup>3–5</sup> left.", "He said so. She left."),
    ("Killed 14¹ men, and £2,400² was paid.³", "Killed 14 men, and £2,400 was paid."),
    ("Nobody was present³ there.", "Nobody was present there."),
    ("He left.<sup>1</sup> Ten<sup>2</sup> of 10<sup>3</sup> stayed.", "He left. Ten of 10 stayed."),
    ('Killed 14<span class="footnote-ref">3</span> men.', "Killed 14 men."),
    ('Killed 14<span style="vertical-align: super; font-size: 60%">3</span> men.', "Killed 14 men."),
    ("<style>p, .c3{color:red;vertical-align:super}</style>Killed 14<span class='c3'>3</span> men.", "Killed 14 men."),
    ('<p><sup>1</sup> The report, page 4. <a href="#r1">↩</a></p>', "The report, page 4."),
]
FIGURES = [
    ("10<sup>6</sup> cells, 10⁶ cells", "10⁶ cells, 10⁶ cells"),
    ("1.5 × 10<sup>11</sup> m, 1.5 × 10¹¹ m", "1.5 × 10¹¹ m, 1.5 × 10¹¹ m"),
    ("2<sup>32</sup> keys, 10<sup>-6</sup> g, 10⁻⁶ g", "2³² keys, 10⁻⁶ g, 10⁻⁶ g"),
    ("12 m<sup>2</sup>, 12 m², 40 km<sup>2</sup>, 3 kg/m<sup>3</sup>", "12 m², 12 m², 40 km², 3 kg/m³"),
    ("people per km², 9 in<sup>2</sup>, 5 ft³", "people per km², 9 in², 5 ft³"),
    (
        "<style>.up{vertical-align:super}</style>12 km<i class='up'>2</i>, <i class='footnote'>the map</i>",
        "12 km², the map",
    ),
    ("E = mc<sup>2</sup>, x<sup>2</sup>, y³", "E = mc², x², y³"),
    ("CO<sub>2</sub>, CO₂, H<sub>2</sub>O, PM<sub>2.5</sub>", "CO₂, CO₂, H₂O, PM2.5"),
    ("<sup>14</sup>C, ¹⁴C, Ca<sup>2+</sup>, Ca²⁺", "¹⁴C, ¹⁴C, Ca²⁺, Ca²⁺"),
    ("4<sup>1</sup>/<sub>2</sub>, 4<sup>1</sup>⁄<sub>2</sub>, 4<sup>1/2</sup>, 4½, 4¹⁄₂", "4½, 4½, 4½, 4½, 4¹⁄₂"),
    ("<sup>3</sup>/<sub>17</sub> of it", "³⁄₁₇ of it"),
    ("1<sup>st</sup>, 1ˢᵗ, 2<sup>nd</sup>, 3<sup>o</sup>, 4º, M<sup>me</sup>", "1st, 1ˢᵗ, 2nd, 3o, 4º, Mme"),
    ("Acme<sup>®</sup> and Acme<sup>TM</sup>", "Acme® and AcmeTM"),
    ('See part <a href="#c3">3</a> and <a href="#c4">the map</a>.', "See part 3 and the map."),
]
STRUCK = [
    ("Employed <s>310</s> <ins>295</ins> people.", "Employed 295 people."),
    ('"It was <del>not</del> an accident," she said.', '"It was an accident," she said.'),
    ("The union was <strike>angry</strike>.", "The union was."),
    ('Paid <span style="text-decoration: line-through">£3</span> £4 each.', "Paid £4 each."),
    ('Paid <span class="has-strikethrough">£3</span> £4 each.', "Paid £4 each."),
    ('Paid <span role="deletion">£3</span> £4 each.', "Paid £4 each."),
    (
        "<style>.c1{font-weight:400}.c2{text-decoration:line-through}</style><b class='c2 c1'>£3</b> £4 each.",
        "£4 each.",
    ),
    ("<p>Now.</p><del><p>Then.</p></del>", "Now."),
    (
        "<style>.a .n, .n:hover{text-decoration:line-through}</style><i class='n strike-team'>He</i> <ins>left</ins>.",
        "He left.",
    ),
    ("<small>He</small> <ins>left</ins> <u>at</u> noon.", "He left at noon."),
]
CODES = [
    ("[vc_row][vc_column_text]It rained.[/vc_column_text][vc_column_text]Nobody slept.[/vc_column_text][/vc_row]",
     "It rained.\nNobody slept."),
    ('[et_pb_section fb_built="1" _builder_version="4.9"][et_pb_text]<p>It rained.</p>[/et_pb_text][/et_pb_section]',
     "It rained."),
    ('[osm_map_v3 map_center="35.8,14.5" zoom="17"]\n\nIt rained.', "It rained."),
    ("It rained.\n\n[su_pullquote]No choice[/su_pullquote]\n\nNobody slept.", "It rained.\nNobody slept."),
    ("It rained.[efn_note]By the gauge at the quay.[/efn_note] Nobody slept.", "It rained. Nobody slept."),
    ("[dropcap]T[/dropcap]he quay is dry.", "The quay is dry."),
    ("It [highlight]never[/highlight] rained.", "It never rained."),
    ("It rained.\n\n[toc]\n\nNobody slept.\n\n[recent-posts]", "It rained.\nNobody slept."),
    ("[youtube]https://video.example/1[/youtube]\n\nIt rained.", "It rained."),
    ("[caption caption='<a href=\"x\">The quay</a>']\n\nIt rained.", "It rained."),
    ("It rained.\n\n{{cta('b1')}}\n\n%%sponsor%%<p>{% include 'ad' %}Nobody slept.</p>", "It rained.\nNobody slept."),
    ("It rained.\n\nhttps://video.example/1\n\n<p>https://video.example/2</p>", "It rained."),
    ("It rained, 50% to 60%: https://video.example/1 {sic}", "It rained, 50% to 60%: https://video.example/1 {sic}"),
    ("“It rained [sic] on [the mayor],” [he] said.", "“It rained [sic] on [the mayor],” [he] said."),
    ("[Laughter]\n\n[applause]\n\n[Loom]: It rained […].", "[Laughter]\n[applause]\n[Loom]: It rained […]."),
    ("The [video] shows [an ex-mayor], [the mayor's].", "The [video] shows [an ex-mayor], [the mayor's]."),
]  # fmt: skip


@pytest.mark.parametrize(("markup", "text"), [*NOTES, *FIGURES, *STRUCK])
def test_marks_are_left_out_and_figures_stay(markup: str, text: str) -> None:
    body = body_of(f"<p>{markup}</p>")
    assert body.text == text
    kinds = {part.kind for part in body.left_out}
    is_note, is_struck = (markup, text) in NOTES, (markup, text) in STRUCK and "<ins>left" not in markup
    assert kinds == ({LeftOutKind.FOOTNOTE_MARK} if is_note else {LeftOutKind.STRUCK_OUT} if is_struck else set())


@pytest.mark.parametrize(("body", "text"), CODES)
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


@pytest.mark.parametrize(
    ("name", "is_left_out"),
    [
        ('figure class="wp-block-pullquote"', True),
        ('aside class="c-pull-quote left"', True),
        ('blockquote class="PullQuote"', True),
        ('blockquote class="wp-block-quote"', False),
        ('span class="pullquote"', False),  # marks words of the running text
        ("blockquote", False),
    ],
)
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


MARKDOWN = [
    ("“The pump **[failed](https://x.example/pump)** at noon,” he said.", "“The pump failed at noon,” he said."),
    ("> “The pump was *never* tested,” Lang added.", "“The pump was never tested,” Lang added."),
    ("It ~~rained~~ snowed, [he][1] said.\n\n[1]: https://x.example", "It snowed, he said."),
    ("Killed 14[^1] men, 10⁶ rats and 2¹ dogs.\n\n[^1]: The report.",
     "Killed 14 men, 10⁶ rats and 2 dogs.\n\nThe report."),
    ("# Quay\n\nIt rained.\n\n* One\n* Two", "Quay\n\nIt rained.\n\nOne\n\nTwo"),
    ("He said:\n__It__ rained.\nAnn Bell", "He said:\nIt rained.\nAnn Bell"),
    ("*So.*\n\n1998. It was dry.\n\n2. It rained.", "So.\n\n1998. It was dry.\n\n2. It rained."),
    ("> [!warning]- It rained.\n\n- [x] Nobody\n- [ ] slept", "It rained.\n\nNobody\n\nslept"),
    ("It *rained* [!] on [x] and [ ].", "It rained [!] on [x] and [ ]."),
    ('*So.* {{< figure src="q.png" >}} {% include ad.html %}\n\n:::note\nIt rained.\n:::', "So.\n\nIt rained."),
    ("*So.* 5*3*2 and `4*3` and snake_case_name, \\*not\\*, AT&T &amp; Co.\\nThen.",
     "So. 5*3*2 and 4*3 and snake_case_name, *not*, AT&T & Co.\\nThen."),
    ("| Year | Dead |\n|---|---|\n| 2019 | 14 |", "Year\n\nDead\n\n2019\n\n14"),
    ("It rained [sic] on [the mayor]. 5 * 3", "It rained [sic] on [the mayor]. 5 * 3"),
    ("  It rained.\n\n\n    Nobody slept: 2_000 men. ", "  It rained.\n\n\n    Nobody slept: 2_000 men. "),
]  # fmt: skip


@pytest.mark.parametrize(("written_as", "text"), MARKDOWN)
def test_markdown_keeps_its_words_only(tmp_path: Path, written_as: str, text: str) -> None:
    (tmp_path / "a.md").write_text(written_as, encoding="utf-8")
    (tmp_path / "b.txt").write_text(written_as, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text(json.dumps({"id": "c", "text": written_as}), encoding="utf-8")
    markdown, plain, line = load_articles([tmp_path]).articles
    assert (markdown.text, plain.text, line.text) == (text, written_as, written_as)


def test_markdown_is_set_as_its_page_is(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("## Quay\n\n**Q:** Did it rain?\n\n> It poured.\n\n- One\n", encoding="utf-8")
    [article] = load_articles([tmp_path]).articles
    assert layout(article.text, article.layout) == [
        (LayoutKind.HEADING, "Quay"),
        (LayoutKind.BOLD, "Q:"),
        (LayoutKind.BLOCK_QUOTATION, "It poured."),
        (LayoutKind.LIST_ITEM, "One"),
    ]


def test_an_arc_story_names_what_of_it_is_not_read(tmp_path: Path) -> None:
    elements: list[dict[str, object]] = [
        written("Loom said the mill was insured."),
        {"type": "raw_html", "content": "<p>The Gazette could not verify this.</p>"},
        {"type": "raw_html", "content": "<blockquote class='twitter-tweet'>Oh no</blockquote><script>x()</script>"},
        {"type": "oembed_response", "_id": "https://post.example/1", "raw_oembed": {"html": "x"}},
        {"type": "image", "caption": "The mill"},
        {"type": "quote", "subtype": "pullquote", "content_elements": [written("Insured")]},
        {"type": "interstitial_link", "content": "Read on", "url": "https://quill.example/on"},
        {"type": "quote", "content_elements": [written("It burned.")], "citation": written("Ida Loom")},
        {"type": "correction", "text": "It was not 12."},
    ]
    found = of_arc(tmp_path, story(content_elements=elements))
    [article] = taken(found)
    lines = ["Loom said the mill was insured.", "The Gazette could not verify this.", "It burned.", "Ida Loom"]
    assert article.text.split("\n") == [*lines, "It was not 12."]
    assert layout(article.text, article.layout) == [("block_quotation", "It burned.\nIda Loom"), ("cite", "Ida Loom")]
    assert found.left_out[article.id] == (
        LeftOut(LeftOutKind.EMBED, "raw_html: Oh no"),
        LeftOut(LeftOutKind.EMBED, "oembed_response: https://post.example/1"),
        LeftOut(LeftOutKind.EMBED, "image: The mill"),
        LeftOut(LeftOutKind.PULL_QUOTE, "quote: Insured"),
        LeftOut(LeftOutKind.TEASER, "interstitial_link: Read on"),
    )


HOSTILE = [
    "[" * 200_000,
    "[a " * 100_000,
    '[a "' * 100_000,
    "<sup>1" * 2_000,
    "¹" * 100_000,
    "<s>" * 200,
    "[/a][a]" * 40_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_marks_without_end_are_read_in_time(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(f"It rained.\n\n{text}", encoding="utf-8")
    (tmp_path / "b.xml").write_text(HEAD + post(f"<p>It rained.</p>{text}") + FOOT, encoding="utf-8")
    found = load_articles([tmp_path])
    assert [article.text[:10] for article in found.articles] == ["It rained."] * len(found.articles)
    assert found.articles
