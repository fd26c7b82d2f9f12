"""The exports of WordPress and of Arc, and the HTML in them: ours, small, and hostile ones."""

import json
import resource
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from retrieval import errors
from retrieval.intake.articles import Loaded, load_articles
from retrieval.intake.markup import body_of
from retrieval.limits import ELEMENTS, EXPORT
from retrieval.model import Article
from tests.support.articles import loaded, refused, taken
from tests.support.tables import cases

GOOD = "The ferry sank off Zoltberg on Friday."
HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.4" created="2021-05-09 08:00" -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"
 xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:seo="https://plugin.example/seo">
<channel><title>The Pellmarsh Herald</title><link>https://herald.example</link>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login><![CDATA[aroe]]></wp:author_login>
<wp:author_display_name><![CDATA[Anna Roe]]></wp:author_display_name></wp:author>
"""
FOOT = "</channel></rss>\n"
LINK = "https://herald.example/ferry"
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()


def post(body: str = f"<p>{GOOD}</p>", **changed: str) -> str:
    """Return a post of an export, as WordPress writes it."""
    told = {
        "title": "Ferry &#038; quay",
        "link": LINK,
        "pubDate": "Sun, 09 May 2021 23:30:00 +0000",
        "dc:creator": "aroe",
        "wp:post_id": "7",
        "wp:post_date": "2021-05-10 00:30:00",
        "wp:post_type": "post",
        "wp:status": "publish",
        "wp:post_password": "",
        "seo:title": "Something else",
        **changed,
    }
    fields = "".join(f"<{name}>{escape(words)}</{name}>" for name, words in told.items())
    return f"<item>{fields}<content:encoded><![CDATA[{body}]]></content:encoded></item>\n"


def of_wordpress(tmp_path: Path, *posts: str) -> Loaded:
    return loaded(tmp_path, HEAD + "".join(posts) + FOOT, "export.xml")


def test_a_published_post_is_an_article(tmp_path: Path) -> None:
    [article] = taken(of_wordpress(tmp_path, post()))
    about = {"title": "Ferry & quay", "source": "The Pellmarsh Herald", "author": "Anna Roe", "url": LINK}
    path, day = str(tmp_path / "export.xml"), date(2021, 5, 10)
    assert article == Article(LINK, GOOD, path=path, published=day, **about)


@pytest.mark.parametrize("changed", [{"wp:status": "draft"}, {"wp:status": "future"}, {"wp:post_password": "lamp"}])
def test_what_is_not_published_for_all_is_never_in(tmp_path: Path, changed: dict[str, str]) -> None:
    other = post("<p>Zorvex lied.</p>", link="https://herald.example/x", **changed)
    found = of_wordpress(tmp_path, post(), other)
    assert [article.text for article in taken(found)] == [GOOD]
    [(place, error)] = found.rejected
    assert (place, type(error)) == (str(tmp_path / "export.xml"), errors.UnpublishedError)
    assert "Zorvex" not in str(error)


def test_what_is_no_post_is_passed_over_and_one_that_says_nothing_of_its_status_is_not_in(tmp_path: Path) -> None:
    found = of_wordpress(tmp_path, *(post(**{"wp:post_type": kind}) for kind in ("page", "attachment")))
    assert (taken(found), found.rejected) == ([], ())
    bare = f"<item><title>A</title><wp:post_type>post</wp:post_type><content:encoded>{GOOD}</content:encoded></item>"
    assert [article.title for article in taken(of_wordpress(tmp_path, bare, post()))] == ["Ferry & quay"]


def test_the_day_is_the_posts_own_else_the_feeds(tmp_path: Path) -> None:
    for changed, due in (
        ({"wp:post_date": "0000-00-00 00:00:00"}, date(2021, 5, 9)),
        ({"wp:post_date": "", "pubDate": ""}, None),
        ({"wp:post_date": "", "pubDate": "soon"}, None),
    ):
        [article] = taken(of_wordpress(tmp_path, post(**changed)))
        assert article.published == due, changed


@cases("body, due")
def test_the_body_is_text_with_a_paragraph_a_line(tmp_path: Path, body: str, due: str) -> None:
    [article] = taken(of_wordpress(tmp_path, post(body)))
    assert article.text == due


def test_a_post_that_cannot_be_taken_is_named_by_its_line_and_the_others_are_read(tmp_path: Path) -> None:
    many = "<i>x</i>" * ELEMENTS.most
    found = of_wordpress(tmp_path, post("", link=f"{LINK}/1"), post(many), post(title=many), post())
    assert [article.text for article in taken(found)] == [GOOD]
    line, kinds = HEAD.count("\n") + 1, (errors.EmptyArticleError, errors.TooLargeError, errors.TooLargeError)
    places = [f"{tmp_path / 'export.xml'}, line {line + n}" for n in range(len(kinds))]
    assert [(place, type(error)) for place, error in found.rejected] == list(zip(places, kinds, strict=True))


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE = {
    "entities": HEAD.replace("<rss", f'<!DOCTYPE rss [<!ENTITY e0 "ha">{BOMB}]><rss') + post("x", title="&e9;") + FOOT,
    "a file of this machine": HEAD.replace("<rss", '<!DOCTYPE rss [<!ENTITY e SYSTEM "file:///etc/hostname">]><rss'),
    "no XML": "The quay is dry.",
    "nothing": "",
    "broken bytes": b"\xff\xfe\x00",
    "another RSS": "<rss><channel><title>A</title><item><title>B</title></item></channel></rss>",
    "another XML": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "deep": "<rss><channel>" + "<a>" * 100_000,
    "many elements": HEAD + "<item>" + "<a/>" * (ELEMENTS.most + 1) + "</item>" + FOOT,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_words(tmp_path: Path, text: str | bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = refused(loaded(tmp_path, text, "export.xml"), tmp_path / "export.xml")
    assert isinstance(error, errors.UnreadableArticleError | errors.TooLargeError)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # KB


def test_what_stands_before_a_fault_in_the_file_is_read(tmp_path: Path) -> None:
    found = loaded(tmp_path, HEAD + post() + "<item><title>cut o", "export.xml")
    assert [article.text for article in taken(found)] == [GOOD]
    [(_, error)] = found.rejected
    assert f"line {HEAD.count(chr(10)) + 2}" in str(error)


def test_an_export_of_any_length_is_read_in_the_memory_of_an_item(tmp_path: Path) -> None:
    body = "<p>" + "The quay is dry. " * 1_500 + "</p>"
    tag = "<wp:tag><wp:term_id>1</wp:term_id><wp:tag_slug>a</wp:tag_slug></wp:tag>" * 10_000
    draft = post(body, **{"wp:status": "draft"})
    with (tmp_path / "export.xml").open("w", encoding="utf-8") as file:
        file.writelines((HEAD, tag, *[draft] * 2_000, post(), FOOT))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = load_articles([tmp_path / "export.xml"])
    assert [article.text for article in found.articles] == [GOOD]
    assert "2000" in str(found.rejected[0][1])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # KB


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "export.xml"
    with file.open("wb") as opened:
        opened.truncate(EXPORT.most + 1)
    with pytest.raises(errors.NoArticlesError, match="export it in several files"):
        load_articles([file])


def written(content: object) -> dict[str, object]:
    return {"type": "text", "content": content}


def story(**changed: object) -> dict[str, object]:
    """Return a story as Arc exports it."""
    return {
        "_id": "ABC123",
        "type": "story",
        "version": "0.10.9",
        "headlines": {"basic": "Ferry &amp; quay", "mobile": ""},
        "canonical_url": "https://quill.example/ferry/",
        "canonical_website": "daily-quill",
        "display_date": "2021-05-10T08:00:00.123Z",
        "first_publish_date": "2021-05-09T08:00:00Z",
        "credits": {"by": [{"type": "author", "name": "Anna Roe"}, {"name": "Tomas Brandt"}, {"_id": "x"}]},
        "revision": {"published": True, "editions": ["default"]},
        "content_elements": [written(GOOD)],
        **changed,
    }


def of_arc(tmp_path: Path, value: object) -> Loaded:
    return loaded(tmp_path, json.dumps(value), "export.json")


def test_a_published_story_is_an_article(tmp_path: Path) -> None:
    about = {"title": "Ferry & quay", "source": "daily-quill", "author": "Anna Roe, Tomas Brandt"}
    path, day = str(tmp_path / "export.json"), date(2021, 5, 10)
    [article] = taken(of_arc(tmp_path, story()))
    assert article == Article("ABC123", GOOD, path=path, published=day, url="https://quill.example/ferry/", **about)


def test_several_stories_may_stand_in_a_file(tmp_path: Path) -> None:
    stories = [story(), story(_id="DEF"), {"type": "video", "_id": "v"}, "nothing", None]
    for value in (stories, {"type": "results", "count": 2, "content_elements": stories}):
        found = of_arc(tmp_path, value)
        assert [article.id for article in taken(found)] == ["ABC123", "DEF"]
        assert found.rejected == ()


def test_a_story_may_be_a_line(tmp_path: Path) -> None:
    rows = (story(), {"id": "own", "text": GOOD, "type": "story"}, story(_id="x", revision={"published": False}))
    found = loaded(tmp_path, "\n".join(map(json.dumps, rows)), "export.jsonl")
    assert [article.id for article in taken(found)] == ["ABC123", "own"]
    [(place, error)] = found.rejected
    assert (place, type(error)) == (f"{tmp_path / 'export.jsonl'}, line 3", errors.UnpublishedError)


@pytest.mark.parametrize(
    ("changed", "is_in"),
    [
        ({"revision": {"published": False}}, False),
        ({"revision": {"published": True, "editions": []}}, False),
        ({"publishing": {"has_published_edition": False}}, False),
        ({"revision": {}, "first_publish_date": None}, False),
        ({"first_publish_date": TOMORROW}, False),
        ({"publish_date": TOMORROW}, False),
        ({"revision": {}}, True),
        ({"first_publish_date": None}, True),
        ({"publishing": {"has_published_edition": True}}, True),
    ],
)
def test_a_story_is_in_where_one_word_says_so_and_none_denies_it(
    tmp_path: Path,
    changed: dict[str, object],
    is_in: bool,  # noqa: FBT001
) -> None:
    found = of_arc(tmp_path, [story(), story(_id="other", **changed)])
    assert [article.id for article in taken(found)] == ["ABC123", "other"][: 1 + is_in]
    refusals = () if is_in else ((f"{tmp_path / 'export.json'}, story 2", "It is not published."),)
    assert tuple((place, str(error)) for place, error in found.rejected) == refusals


def test_an_address_without_a_host_is_none(tmp_path: Path) -> None:
    wire = {"name": "Sea Press", "source_type": "wires"}
    [article] = taken(of_arc(tmp_path, story(canonical_url="/ferry/", source=wire)))
    assert (article.url, article.wire) == (None, "Sea Press")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"a": 1}, errors.UnreadableArticleError),
        ([], errors.UnreadableArticleError),
        ("story", errors.UnreadableArticleError),
        (story(content_elements="x"), errors.EmptyArticleError),
        (story(content_elements=[written("\ud800")]), errors.ArticleError),
        (story(content_elements=[written("<p>" * 200_000)]), errors.TooLargeError),
    ],
)
def test_what_is_no_story_is_refused_in_words(tmp_path: Path, value: object, error: type[errors.ArticleError]) -> None:
    refusal = refused(of_arc(tmp_path, value), tmp_path / "export.json")
    assert isinstance(refusal, error)
    assert str(refusal).endswith(".")


def test_markup_may_have_no_text_and_be_as_deep_as_a_browser_follows_it() -> None:
    empty = ("", "  ", "<!-- nothing -->", "<p></p>", "\0", "<?php echo 1 ?>")
    assert {body_of(markup).text for markup in empty} == {""}
    assert body_of("<div><b>" * 100 + "It rained.").text == "It rained."


REST = {"type": "post", "status": "publish", "link": LINK, "date": "2021-05-10T00:30:00"}
REST |= {"title": {"rendered": "Ferry &#038; quay"}, "content": {"rendered": f"<p>{GOOD}</p>", "protected": False}}
GHOST = {"type": "post", "status": "published", "url": LINK, "title": "Ferry & quay", "html": f"<p>{GOOD}</p>"}
GHOST |= {"published_at": "2021-05-10T00:30:00.000Z"}
WAITING: dict[str, dict[str, object]] = {
    "draft": {"status": "draft"},
    "private": {"status": "private"},
    "a coming day": {"date_gmt": TOMORROW, "published_at": TOMORROW},
    "a password": {"content": {"rendered": "", "protected": True}},
    "no HTML": {"html": "", "content": {"rendered": ""}, "lexical": "{}"},
    "an embargo": {"meta": {"embargo": TOMORROW}},
}


@pytest.mark.parametrize("value", [REST, [REST], {"posts": [GHOST]}, {"db": [{"data": {"posts": [GHOST]}}]}])
def test_posts_as_json_are_articles(tmp_path: Path, value: object) -> None:
    [article] = taken(of_arc(tmp_path, value))
    assert (article.id, article.url, article.title, article.text) == (LINK, LINK, "Ferry & quay", GOOD)
    assert article.published == date(2021, 5, 10)


@pytest.mark.parametrize("changed", WAITING.values(), ids=WAITING)
@pytest.mark.parametrize("own", [REST, GHOST], ids=["WordPress", "Ghost"])
def test_private_posts_as_json_are_named(tmp_path: Path, own: dict[str, object], changed: dict[str, object]) -> None:
    found = of_arc(tmp_path, {"posts": [own, {**own, "url": "", "link": "", **changed}, {**own, "type": "page"}]})
    assert [article.text for article in taken(found)] == [GOOD]
    assert len(found.rejected) == 1
