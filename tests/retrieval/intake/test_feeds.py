"""What a feed or a sitemap names, and how much of it is looked at."""

import time

import pytest

from retrieval.errors import TooLargeError
from retrieval.intake.feeds import Feed, read_feed
from retrieval.intake.fetching import Fetched
from retrieval.intake.markup import MARKS
from retrieval.intake.pages import web_page
from retrieval.limits import ATTRIBUTES, ELEMENTS

PAGE = "https://bell.example/"


def _read(items: str, kind: str = "application/rss+xml") -> Feed:
    """Read a feed of RSS with these items."""
    text = f"<?xml version='1.0'?><rss version='2.0'><channel>{items}</channel></rss>"
    return read_feed(Fetched(PAGE, text.encode(), kind))


@pytest.mark.parametrize("number", [1_000, 1_001])
def test_a_thousand_items_are_looked_at(number: int) -> None:
    feed = _read("".join(f"<item><link>{PAGE}{n}</link></item>" for n in range(number)))
    assert [item.url for item in feed.items] == [f"{PAGE}{n}" for n in range(1_000)]


def test_an_item_is_of_the_day_that_its_feed_tells() -> None:
    dates = ("<pubDate>Fri, 01 Mar 2024 23:30:00 -0100</pubDate>", "")
    feed = _read("".join(f"<item><link>{PAGE}{n}</link>{day}</item>" for n, day in enumerate(dates)))
    assert [item.published for item in feed.items] == ["2024-03-02", None]


def test_a_page_of_more_marks_than_elements_have_is_not_taken_apart() -> None:
    text = "The harbour of Sandholm was closed on Friday, its master said, and boats were tied up at the quay. "
    page = f"<html><body><article><p>{text * 3}</p></article><script>MARKS</script></body></html>"
    most = MARKS * (ELEMENTS.most + 1) - 1 - page.count("<")
    assert "Sandholm" in web_page(page.replace("MARKS", "<" * most).encode()).body.text
    with pytest.raises(TooLargeError, match="elements"):
        web_page(page.replace("MARKS", "<" * (most + 1)).encode())


def _attributes(number: int) -> str:
    return " ".join(f'a{n}="1"' for n in range(number))


RSS = "<?xml version='1.0'?><rss version='2.0'><channel>{}<item><link>https://bell.example/1</link></item></channel></rss>"
ABSURD = {
    "attributes": RSS.format(f"<item {_attributes(200_000)}/>"),
    "attributes with an end in each": RSS.format(f"<item {_attributes(200_000)}/>".replace('"1"', '">"')),
    "attributes in an entity": f"<!DOCTYPE rss [<!ENTITY e '<item {_attributes(200_000)}/>'>]><rss/>",
    "attributes of a sitemap": f"<?xml version='1.0'?><urlset {_attributes(200_000)}/>",
    "elements": RSS.format("<a/>" * 200_000),
    "depth": RSS.format("<a>" * 200_000),
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", ABSURD.values(), ids=ABSURD)
def test_absurd_markup_is_refused_before_it_is_taken_apart(text: str, encoding: str) -> None:
    began = time.process_time()
    with pytest.raises(TooLargeError):
        read_feed(Fetched(PAGE, text.encode(encoding), "text/xml"))
    assert time.process_time() - began < 2


def test_a_page_with_absurd_markup_is_refused_too() -> None:
    page = f"<html><body {_attributes(200_000)}><article><p>The quay is dry.</p></article></body></html>"
    for content in (page, page.replace('="1"', "")):
        with pytest.raises(TooLargeError, match="attributes"):
            web_page(content.encode())


def test_as_many_attributes_as_pages_have_are_read_however_much_one_of_them_holds() -> None:
    inside = "a=b " * 5_000
    feed = _read(f"<a {_attributes(ATTRIBUTES.most - 3)} b='{inside}'/><item><link>{PAGE}1</link></item>", "")
    assert [item.url for item in feed.items] == [f"{PAGE}1"]


def test_a_sitemap_of_any_length_is_read_at_once() -> None:
    urls = "".join(f"<url><loc>{PAGE}{n}</loc></url>" for n in range(300_000))
    began = time.process_time()
    feed = read_feed(Fetched(PAGE, f"<?xml version='1.0'?><urlset>{urls}</urlset>".encode(), "text/xml"))
    assert [item.url for item in feed.items] == [f"{PAGE}{n}" for n in range(1_000)]
    assert time.process_time() - began < 3


@pytest.mark.parametrize("link", ["<link>http://[::1</link>", "<link/>", ""])
def test_an_item_whose_link_is_no_address_is_named(link: str) -> None:
    feed = _read(f"<item><title>The quay</title>{link}</item><item><link>{PAGE}1</link></item>", "text/xml")
    assert [item.url for item in feed.items] == [f"{PAGE}1"]
    assert feed.unlinked == ("item 1 “The quay”",)
