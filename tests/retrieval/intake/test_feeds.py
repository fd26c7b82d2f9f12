"""What a feed or a sitemap names, and how much of it is looked at."""

from __future__ import annotations

import pytest

from retrieval.errors import TooLargeError
from retrieval.intake.feeds import read_feed
from retrieval.intake.fetching import Fetched
from retrieval.intake.markup import web_page

PAGE = "https://bell.example/"


@pytest.mark.parametrize(("number", "taken"), [(1_000, 1_000), (1_001, 1_000)])
def test_a_thousand_items_are_looked_at(number: int, taken: int) -> None:
    """Of a feed as of a sitemap, the first."""
    items = "".join(f"<item><link>{PAGE}{n}</link></item>" for n in range(number))
    urls = "".join(f"<url><loc>{PAGE}{n}</loc></url>" for n in range(number))
    for kind, text in (
        ("application/rss+xml", f"<rss version='2.0'><channel>{items}</channel></rss>"),
        ("text/xml", f"<urlset>{urls}</urlset>"),
    ):
        feed = read_feed(Fetched(PAGE, f"<?xml version='1.0'?>{text}".encode(), kind))
        assert feed is not None
        assert [item.url for item in feed.items] == [f"{PAGE}{n}" for n in range(taken)]


def test_an_item_is_of_the_day_that_its_feed_tells() -> None:
    """In universal time; of none where it tells none."""
    dates = ("<pubDate>Fri, 01 Mar 2024 23:30:00 -0100</pubDate>", "")
    items = "".join(f"<item><link>{PAGE}{n}</link>{day}</item>" for n, day in enumerate(dates))
    text = f"<?xml version='1.0'?><rss version='2.0'><channel>{items}</channel></rss>"
    feed = read_feed(Fetched(PAGE, text.encode(), "application/rss+xml"))
    assert feed is not None
    assert [item.published for item in feed.items] == ["2024-03-02", None]


@pytest.mark.parametrize(("marks", "read"), [(100_004, True), (100_005, False)])
def test_a_page_of_more_marks_than_elements_have_is_not_taken_apart(marks: int, read: bool) -> None:  # noqa: FBT001
    """Five to each of the elements that a page may have; its scripts have some too."""
    text = "The harbour of Sandholm was closed on Friday, its master said, and boats were tied up at the quay. "
    page = f"<html><body><article><p>{text * 3}</p></article><script>MARKS</script></body></html>"
    content = page.replace("MARKS", "<" * (marks - page.count("<"))).encode()
    assert content.count(b"<") == marks
    if read:
        assert "Sandholm" in web_page(content, "a", "a").text
    else:
        with pytest.raises(TooLargeError, match="elements"):
            web_page(content, "a", "a")
