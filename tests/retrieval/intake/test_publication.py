"""Days and embargoes however they are written, and what is not published yet; what is unclear is refused aloud."""

import json
import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from string import Template
from zoneinfo import ZoneInfo

import pytest

from retrieval.errors import ArticleWarning, BrokenFrontMatterError, NoArticlesError, UnpublishedError
from retrieval.intake.publication import UnclearDayError, begin_of, day_of, is_notice
from tests.retrieval.intake.test_articles import PAGE
from tests.retrieval.intake.test_exports import FOOT, HEAD, post, story
from tests.support.articles import SUNK, loaded, refused, taken
from tests.support.tables import cases, rows

DAY = date(2022, 12, 23)


def test_a_day_is_read_that_can_be_no_other() -> None:
    days = {written: day_of(written) for written in rows(__file__, "days")}
    wrong = [written for written, day in days.items() if (day.date() if isinstance(day, datetime) else day) != DAY]
    assert wrong == []
    assert day_of("04/04/2022") == date(2022, 4, 4)


@cases("written")
def test_an_article_is_taken_in_undated_whose_day_is_unclear(tmp_path: Path, written: str) -> None:
    with pytest.raises(UnclearDayError):
        day_of(written)
    found = loaded(tmp_path, f"---\ndate: '{written}'\n---\n{SUNK}", "a.md")
    assert [(article.id, article.published) for article in taken(found)] == [("a.md", None)]
    [(place, warning)] = found.rejected
    assert (place, type(warning)) == (str(tmp_path / "a.md"), ArticleWarning)
    assert str(warning).startswith(f"It is read without its date “{written}”.")


def test_a_long_date_is_looked_at_no_longer_than_a_short_one(tmp_path: Path) -> None:
    [(_, warning)] = loaded(tmp_path, json.dumps({"text": SUNK, "id": "a", "date": "1 " * 10**5}), "a.jsonl").rejected
    assert len(str(warning)) < 200


NOW = datetime.now(UTC)
SOON = NOW + timedelta(days=40)
NEXT, LAST = f"{SOON:%Y-%m-%d}", f"{NOW - timedelta(days=40):%Y-%m-%d}"
DATES = {
    "NEXT": NEXT,
    "LAST": LAST,
    "TODAY": f"{NOW:%Y-%m-%d}",
    "SHORT": f"{SOON:%b %d %Y}",
    "WORDS": f"{SOON:%B %d, %Y}",
    "IN_THREE_HOURS": f"{NOW + timedelta(hours=3):%Y-%m-%dT%H:%M:%SZ}",
    "IN_THREE_LOCAL": f"{NOW + timedelta(hours=3):%Y-%m-%dT%H:%M:%S}",
    "AN_HOUR_AGO": f"{NOW - timedelta(hours=1):%Y-%m-%dT%H:%M:%S}",
    "THREE_DAYS_LATER": f"{SOON + timedelta(days=3):%Y-%m-%d}",
}


def _texts(table: str) -> dict[str, str]:
    return {name: f"{Template(head).substitute(DATES)}\n{SUNK}" for name, head in rows(__file__, table)}


UNPUBLISHED, PUBLISHED, CLEAR, UNCLEAR = map(_texts, ("unpublished", "published", "clear", "unclear"))
DRAFTS = (f"{NEXT}-ferry-sinks.md", "_drafts/ferry.md", "2026/_drafts/deep/ferry.md")  # known by their places
NO_DRAFTS = (f"{LAST}-ferry-sinks.md", "drafts-of-ships.md")


@pytest.mark.parametrize(
    ("name", "text"),
    [*(("a.md", text) for text in UNPUBLISHED.values()), *((name, SUNK) for name in DRAFTS)],
    ids=[*UNPUBLISHED, *DRAFTS],
)
def test_what_is_not_published_is_left_out_and_named(tmp_path: Path, name: str, text: str) -> None:
    place = re.sub(r"(?<=_drafts)/.*", "", name)
    assert type(refused(loaded(tmp_path, text, name), tmp_path / place)) is UnpublishedError


ZONE = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("key", "hours", "zone", "is_taken"),
    [
        ("hold_until", -1, ZONE, True),
        ("hold_until", 1, ZONE, False),
        ("publish_at", 1, ZONE, False),
        ("hold_until", -9, None, False),  # not everywhere yet
        ("hold_until", -22, None, True),
        ("expiry_date", -1, ZONE, False),
        ("expiry_date", 1, ZONE, True),
    ],
)
def test_an_hour_without_a_zone_is_the_newsrooms(
    tmp_path: Path, key: str, hours: int, zone: tzinfo | None, *, is_taken: bool
) -> None:
    hour = f"{datetime.now(ZONE) + timedelta(hours=hours):%Y-%m-%dT%H:%M}"
    found = loaded(tmp_path, f"---\ntitle: A\n{key}: {hour}\n---\n{SUNK}", "a.md", zone)
    assert bool(taken(found)) is is_taken


def test_of_an_hour_that_comes_twice_the_later_is_waited_for() -> None:
    hour = begin_of(datetime(2026, 10, 25, 2, 30), ZoneInfo("Europe/Berlin"))  # noqa: DTZ001 - in that zone
    assert hour.astimezone(UTC) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "text"),
    [*(("a.md", text) for text in PUBLISHED.values()), *((name, SUNK) for name in NO_DRAFTS)],
    ids=[*PUBLISHED, *NO_DRAFTS],
)
def test_what_is_published_is_taken(tmp_path: Path, name: str, text: str) -> None:
    found = loaded(tmp_path, text, name)
    assert ([article.text.strip() for article in taken(found)], found.rejected) == ([SUNK], ())


def test_lines_of_json_and_tables_may_say_that_an_article_is_not_published(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": SUNK, "status": "future"}, {"id": "b", "text": SUNK, "date": NEXT}]
    (tmp_path / "articles.toml").write_text('["good.txt"]\ndraft = true\n', encoding="utf-8")
    with pytest.raises(NoArticlesError) as none:
        loaded(tmp_path, "\n".join(map(json.dumps, rows)), "a.jsonl")
    assert str(none.value).count("It is not published") == 3
    assert "Unknown keys" not in str(none.value)


def _linked(kind: str, around: str = "@graph", **data: object) -> str:
    parts = [{"@type": "Person"}, {"@type": kind, **data}]
    graph = json.dumps([{"@type": "WebSite"}, {"@type": "WebPage", around: parts}])
    return f'name="a" content="b"><script type="application/ld+json">{graph}</script><meta name="c"'


@pytest.mark.parametrize(
    ("meta", "is_taken"),
    [
        (_linked("NewsArticle", creativeWorkStatus="Draft"), False),
        (_linked("Article", datePublished=f"{NEXT}T08:00:00Z"), False),
        (_linked("NewsArticle", "mainEntity", creativeWorkStatus={"name": "Draft"}), False),
        (_linked("NewsArticle", creativeWorkStatus="https://schema.org/Draft"), False),
        (_linked("NewsArticle", embargo=f"{NEXT}T08:00:00"), False),
        (_linked("NewsArticle", embargo=f"{LAST}T08:00:00Z"), True),
        (_linked("NewsArticle", "hasPart", creativeWorkStatus="Draft"), True),
        (f'name="a"><time itemprop="datePublished" datetime="{NEXT}"></time><meta name="b"', False),
        (f'name="a"><time datetime="{NEXT}"></time><meta name="b"', True),
        ('name="a"><article class="post-7 status-pending"></article><meta name="b"', False),
        ('name="a"><article class="status-publish status-drafty"></article><meta name="b"', True),
        (_linked("Event", datePublished=NEXT, creativeWorkStatus="Draft"), True),
        (_linked("NewsArticle", creativeWorkStatus="Published", datePublished=LAST), True),
        (f'property="article:published_time" content="{NEXT}T08:00:00Z"', False),
        ('name="status" content="draft"', False),
        (f'property="article:published_time" content="{LAST}T08:00:00Z"', True),
        ('name="robots" content="noindex"', True),
    ],
)
def test_a_page_may_say_that_it_is_not_published(tmp_path: Path, meta: str, *, is_taken: bool) -> None:
    words = "The crew had left it in good time, the harbour master said, and divers went down to look at the wreck. "
    head = f"<html><head><title>Ferry</title><meta {meta}></head>"
    page = f"{head}<body><article><p>{SUNK} {words * 3}</p></article></body></html>"
    assert bool(taken(loaded(tmp_path, page, "a.html"))) is is_taken


UNTIL = datetime(2096, 3, 1, 18, tzinfo=UTC)
TAKEN = [
    f"---\nmeta:\n  embargo: 2020-01-01\n---\n{SUNK}",
    f"---\nmeta:\n  embargo:\n---\n{SUNK}",
    f"----\n{SUNK}\n----\n",
    f"+++\n{SUNK}\n+++\n",
    f"{{{SUNK}}}",
]


def test_a_notice_is_known_from_news_of_embargoes() -> None:
    assert [line for line in rows(__file__, "notices") if not is_notice(line)] == []
    assert [line for line in rows(__file__, "news") if is_notice(line)] == []


HEADS = [
    ('name="embargo" content="2096-03-01T18:00Z"', UNTIL),
    ('property="EMBARGO" content="2096-03-01T18:00Z"', UNTIL),
    ('name="embargo" content=""', None),
    ('property="article:embargo" content="2096-03-01T18:00Z"', "Its key “article:embargo” is unknown"),
]
FIELD = "<wp:postmeta><wp:meta_key>{}</wp:meta_key><wp:meta_value>{}</wp:meta_value></wp:postmeta></item>"
FIELDS = [
    ("embargo", "2096-03-01T18:00Z", UNTIL),
    ("_embargo_until", "2020-03-01 18:00", None),
    ("_edit_last", "7", None),
    ("_embargo_until", "2096-03-01T18:00Z", "Its key “_embargo_until” is unknown"),
    ("_embargo_until", "Friday", "Its key “_embargo_until” is unknown"),
]
DATED_PAST = {"revision": {}, "first_publish_date": (datetime.now(UTC) - timedelta(days=1)).isoformat()}
STORIES: list[tuple[dict[str, object], datetime | str | None]] = [
    ({"status": "draft"}, "not published"),
    ({"status": "Working", **DATED_PAST}, "not published"),
    ({"workflow": {"status_code": 1}, **DATED_PAST}, "not published"),
    ({"embargo": "Friday"}, "embargo"),
    ({"embargo": True}, "embargo"),
    ({"planning": {"embargo": "2096-03-01T18:00Z"}}, "embargo"),
    ({"additional_properties": {"embargo_date": "2096-03-01T18:00Z"}}, "embargo"),
    ({"embargo": "2096-03-01T18:00Z"}, UNTIL),
    ({"embargo": None, "status": "published"}, None),
    ({"workflow": {"status_code": 1}}, None),  # and its revision is said to be published
    ({"planning": {"embargo": "2020-03-01"}}, None),
    ({"promo_items": {"basic": {"embargo": "2096-03-01T18:00Z"}}}, None),
]
FILES = [
    *(("a.txt", text, UNTIL) for text in CLEAR.values()),
    *(("a.txt", text, "mbargo") for text in UNCLEAR.values()),
    ("a.txt", f"---\nembargo: 2020-01-01T00:00Z\n---\nEmbargo: 6pm\n{SUNK}", datetime(2020, 1, 1, tzinfo=UTC)),
    *(("a.txt", text, None) for text in TAKEN),
    ("a.eml", f"From: Ann Bell\r\n\r\nStrictly embargoed until 6pm Friday\r\n\r\n{SUNK}", "mbargo"),
    *(("a.html", PAGE.replace("<head>", f"<head><meta {meta}>"), until) for meta, until in HEADS),
    *(
        ("a.xml", HEAD + post().replace("</item>", FIELD.format(key, value)) + FOOT, until)
        for key, value, until in FIELDS
    ),
    *(("a.json", json.dumps(story(**told)), until) for told, until in STORIES),
]


@pytest.mark.parametrize(
    ("name", "content", "until"), FILES, ids=[*CLEAR, *UNCLEAR, *range(len(FILES) - len(CLEAR) - len(UNCLEAR))]
)
def test_an_embargo_is_read_that_is_clear_and_any_other_is_refused_aloud(
    tmp_path: Path, name: str, content: str, until: datetime | str | None
) -> None:
    found = loaded(tmp_path, content, name)
    if isinstance(until, str):
        error = refused(found, tmp_path / name)
        assert isinstance(error, UnpublishedError | BrokenFrontMatterError)
        assert until in str(error)
    else:
        [article] = taken(found)
        assert article.embargo == until
        assert "2096" not in article.text
