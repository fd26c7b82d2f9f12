"""Web pages in many layouts: the article is read as it was set, and what stands around it is left out aloud."""

from pathlib import Path

import pytest

from retrieval.errors import ArticleWarning, NoArticlesError
from retrieval.intake.articles import Loaded, load_articles
from retrieval.intake.feeds import Item, item_draft, read_feed
from retrieval.intake.fetching import Fetched
from retrieval.intake.metadata import finish
from retrieval.intake.pages import web_page
from retrieval.model import LeftOut, LeftOutKind
from tests.support.tables import cases, rows

FIRST = "The harbour board of Sandholm closed the north quay on Friday after divers found two cracks in the wall."
SECOND = "“We had no choice but to shut it,” said the harbour master, Olof Brandt, who has worked there since 1998."
THIRD = "The owner of the quay denies that the wall is unsafe, and the Gazette could not verify either account."
LINES = (FIRST, SECOND, THIRD)
PARAGRAPHS = "".join(f"<p>{line}</p>" for line in LINES)
CONSENT = (
    "We use cookies and similar technology to measure our audience and to show advertising. By clicking accept you"
    " agree to this. You can change your mind in the settings."
)
PAID = "This article is for subscribers only. Already a subscriber? Log in here, or choose a plan from £1 a week."
MENU = "<a href='/'>Home</a> <a href='/news'>News</a> <a href='/sport'>Sport</a> <a href='/about'>About us</a>"
TEASER = (
    "<article><h2><a href='/{0}'>Quay number {0} is closed</a></h2><p>The board shut quay {0} on Friday.</p></article>"
)
RELATED = "".join(f"<li><a href='/{n}'>Harbour story number {n}</a></li>" for n in range(4))


def read(tmp_path: Path, body: str, head: str = "<title>Quay closed</title>") -> Loaded:
    (tmp_path / "page.html").write_text(f"<html><head>{head}</head><body>{body}</body></html>", encoding="utf-8")
    return load_articles([tmp_path])


def warnings(loaded: Loaded) -> list[str]:
    assert all(isinstance(error, ArticleWarning) for _, error in loaded.rejected)
    return [str(error) for _, error in loaded.rejected]


PARTS = {"CONSENT": CONSENT, "MENU": MENU, "PAID": PAID, "PARAGRAPHS": PARAGRAPHS, "RELATED": RELATED}
PARTS |= {"BREAKS": "<br><br>".join(LINES), "OPEN": "".join(f"<p>{line}" for line in LINES)}
PARTS |= {
    "SPANS": "".join(f"<p><span>{line}</span></p>" for line in LINES),
    "DIVS": "<div>" * 30,
    "ENDS": "</div>" * 30,
    "TEASERS": "".join(TEASER.format(n) for n in range(6)),
}
LAYOUTS = {name: body.format(**PARTS) for name, body in rows(__file__, "layouts")}


@pytest.mark.parametrize("body", LAYOUTS.values(), ids=LAYOUTS)
def test_the_lines_of_the_article_are_read_whole(tmp_path: Path, body: str) -> None:
    loaded = read(tmp_path, body)
    [article] = loaded.articles
    lines = [line for line in article.text.split("\n") if line.strip()]
    assert [line for line in lines if line in LINES] == list(LINES)
    assert set(lines) - set(LINES) <= {"Quay closed", "The quay", "Related", "Most read"}
    assert "|" not in article.text
    assert bool(warnings(loaded)) == (("</article>" not in body and "<aside" in body) or "Subscribe" in body)


@cases("layout, kind, words", LeftOutKind)
def test_what_is_left_out_of_a_page_is_named(tmp_path: Path, layout: str, kind: LeftOutKind, words: str) -> None:
    assert LeftOut(kind, words.format(**PARTS)) in read(tmp_path, LAYOUTS[layout]).left_out["page.html"]


def test_a_page_is_kept_as_it_was_set(tmp_path: Path) -> None:
    body = (
        f"<article><h1>Quay closed</h1><p><b>Q:</b> Why was it closed, and for how long?</p><p>{FIRST}</p>"
        f"<h2>The wall</h2><blockquote><p>It moved in the night.</p><cite>Ines Roe, diver</cite></blockquote>"
        f"<ul><li>Two cracks</li><li>One <strong>missing</strong> bolt</li></ul><p>{THIRD}</p>"
        "<table><tr><td>1998</td><td>14 ships</td></tr><tr><td>1999</td><td>15 ships</td></tr></table></article>"
    )
    [article] = read(tmp_path, body).articles
    set_as = [(part.kind.value, part.span.of(article.text)) for part in article.layout]
    assert ("heading", "The wall") in set_as
    assert ("bold", "Q:") in set_as
    assert ("block_quotation", "It moved in the night.") in set_as
    assert ("cite", "Ines Roe, diver") in set_as
    assert [words for kind, words in set_as if kind == "list_item"] == ["Two cracks", "One missing bolt"]
    assert ("bold", "missing") in set_as
    assert {"1998", "14 ships", "15 ships", "Two cracks"} <= set(article.text.split("\n"))


@cases("body, reason")
def test_a_page_without_an_article_is_refused(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(NoArticlesError, match=reason):
        read(tmp_path, body.format(**PARTS))


@cases("line")
def test_an_article_about_consent_or_subscriptions_is_whole(tmp_path: Path, line: str) -> None:
    [article] = read(tmp_path, f"<article>{PARAGRAPHS}<p>{line}</p></article>").articles
    assert article.text.split("\n") == [*LINES, line]


def test_a_round_up_whose_headings_are_links_is_an_article(tmp_path: Path) -> None:
    parts = "".join(f"<h2><a href='/{n}'>The quay, part {n}</a></h2><p>{FIRST} {SECOND} {THIRD}</p>" for n in range(4))
    [article] = read(tmp_path, f"<article>{parts}</article>").articles
    assert article.text.count(FIRST) == 4


def test_a_thin_page_is_read_with_a_warning(tmp_path: Path) -> None:
    loaded = read(tmp_path, f"<article><h1>Quay closed</h1><p>{FIRST}</p></article>")
    assert warnings(loaded) == ["The page has only 21 words: see whether they are the whole article."]
    paid = "<script type='application/ld+json'>{\"isAccessibleForFree\": false}</script><title>Quay</title>"
    assert warnings(read(tmp_path, f"<article><p>{FIRST}</p></article>", paid)) == [
        "The page is for subscribers: these 19 words may be only the beginning."
    ]


FEED = """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Gazette</title>
<item><title>Quay closed</title><link>https://gull.example/quay</link><description>The quay is closed.</description>
{}</item></channel></rss>"""
TEASER_PAGE = f"<html><body><article><h1>Quay closed</h1><p>{FIRST}</p></article></body></html>"
FULL_PAGE = f"<html><body><article><h1>Quay closed</h1>{PARAGRAPHS}</article></body></html>"


@pytest.mark.parametrize(
    ("content", "page", "is_feeds", "warning"),
    [
        (PARAGRAPHS, TEASER_PAGE, True, "may be only the beginning"),
        (PARAGRAPHS + "<p>The post Quay closed appeared first on Gazette.</p>", TEASER_PAGE, True, "feed 58"),
        (PARAGRAPHS, f"<html><body><p>{PAID}</p></body></html>", True, "Its page has 0 words"),
        (f"{PARAGRAPHS}<p>{FIRST} {FIRST}</p>", FULL_PAGE, True, "the text of the feed is stored."),
        (f"<p>{FIRST}</p>", FULL_PAGE, False, ""),
        (PARAGRAPHS, FULL_PAGE, False, ""),
        ("", FULL_PAGE, False, ""),
    ],
)
def test_the_longer_of_feed_and_page_is_stored(content: str, page: str, is_feeds: bool, warning: str) -> None:  # noqa: FBT001
    encoded = f"<content:encoded><![CDATA[{content}]]></content:encoded>" if content else ""
    feed = read_feed(Fetched("https://gull.example/feed", FEED.format(encoded).encode(), "application/rss+xml"))
    told: list[object] = []
    fetched = Fetched("https://gull.example/quay", page.encode(), "text/html")
    article = finish(item_draft(fetched, feed.items[0], feed.source), {}, warn=told.append)
    assert FIRST in article.text
    assert "appeared first" not in article.text
    assert article.text.startswith("Quay closed") != is_feeds
    assert (article.title, article.source, article.url) == ("Quay closed", "Gazette", "https://gull.example/quay")
    assert bool(told) == bool(warning)
    assert warning in str(told)


def test_a_page_without_an_article_and_a_short_feed_are_refused() -> None:
    fetched = Fetched("https://gull.example/quay", f"<html><body><p>{PAID}</p></body></html>".encode(), "text/html")
    with pytest.raises(Exception, match="No article was found"):
        item_draft(fetched, Item("https://gull.example/quay", markup="<p>The quay is closed.</p>"), None)


HOSTILE = [
    "<table><tr><td>" * 200 + "x",
    "<p>[a" * 1_000,
    "<blockquote>a b c d e f</blockquote>" * 1_000,
    "<aside>" * 200 + "x",
    "<a href='#1'>1</a>" * 3_000,
    "<p>We " + "cookies we " * 5_000 + "</p>",
]


@pytest.mark.parametrize("page", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_page_is_read_or_refused_in_time(page: str) -> None:
    draft = web_page(f"<html><body><article>{PARAGRAPHS}</article>{page}</body></html>".encode())
    assert FIRST in draft.body.text
