"""Feeds, pages and rules of servers that mean harm, known ones and drawn ones, beside a feed that does not."""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.errors import UnreadArticleError
from retrieval.following import FEED_PAUSE_SECONDS, Follower
from retrieval.intake.fetching import Fetcher
from tests.retrieval.site import Answer, Site, served
from tests.retrieval.test_following import HARBOUR, Clock, page, rss

XML = "<?xml version='1.0'?>"
RSS = XML + (
    "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>The Oxley Bell</title><item>"
    "<title>Quay</title><link>/page</link><pubDate>Fri, 01 Mar 2024 08:00:00 GMT</pubDate></item></channel></rss>"
)
ATOM = XML + (
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>The Oxley Bell</title><entry><title>Quay</title>"
    "<link href='/page'/><updated>2024-03-01T08:00:00Z</updated></entry></feed>"
)
SITEMAP = XML + "<urlset><url><loc>ADDRESS/page</loc><lastmod>2024-03-01</lastmod></url></urlset>"
INDEX = XML + "<sitemapindex><sitemap><loc>ADDRESS/feed</loc></sitemap></sitemapindex>"
PAGE = (
    "<html><head><title>Quay</title></head><body><article><p>The quay of Sandholm was mended on Friday, its head said."
    "</p><p>Boats come in again, and the market is held where it was before the storm came.</p></article></body></html>"
)
ROBOTS = "User-agent: *\nCrawl-delay: 1\nDisallow: /private\nAllow: /\nRequest-rate: 1/5\nSitemap: /map"
NINES = "9" * 5_000
XML_KIND = {"Content-Type": "text/xml"}

Sent = dict[str, Answer]  # by path; the feed is at /feed


def _dated(day: str, tag: str = "pubDate") -> Sent:
    text = RSS.replace("<pubDate>Fri, 01 Mar 2024 08:00:00 GMT</pubDate>", f"<{tag}>{day}</{tag}>")
    return {"/feed": Answer(text, headers=XML_KIND)}


def _of(feed: bytes | str, **headers: str) -> Sent:
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"/feed": Answer(feed, headers={**XML_KIND, **own})}


def _leading(link: str) -> Sent:
    return _of(RSS.replace("/page", link))


KNOWN: dict[str, Sent] = {
    "a day that never was": _dated("0000-00-00 00:00:00"),
    "half a day": _dated("00"),
    "a day before all others": _dated("0001-01-01T00:00:00+14:00"),
    "a day after all others": _dated("9999-12-31T23:59:59-14:00"),
    "another's day that never was": _dated("0000-00-00 00:00:00", "dc:date"),
    "a character in two halves": _of(RSS.replace("Quay", "&#xd83d;&#xde00;")),
    "half a character": _of(RSS.replace("Quay", "&#55357;")),
    "half a character in an address": _leading("/page&#55357;"),
    "halves on a page": {**_of(RSS), "/page": Answer(PAGE.replace("mended", "&#xd83d;&#xde00; &#55357;"))},
    "a bracket in an address": _leading("http://a%5B@HOST/page"),
    "no end of an address": _leading("http://["),
    "a bracket in a sitemap's address": _of(SITEMAP.replace("ADDRESS", "http://a%5B@HOST")),
    "an encoding that is none": _of(RSS, Content_Type="text/xml; charset=undefined"),
    "an encoding of names": _of(RSS, Content_Type="text/xml; charset=punycode"),
    "an encoding of nothing": _of(RSS.replace("?>", " encoding='\0'?>")),
    "a name without its space": _of("<rdf:RDF>"),
    "a redirect to nowhere": {"/feed": Answer(status=302, headers={"Location": "http://[::1"})},
    "a redirect to a file": {"/feed": Answer(status=302, headers={"Location": "file:///etc/passwd"})},
    "a redirect to no name": {"/feed": Answer(status=302, headers={"Location": f"http://{'a' * 70}.example/"})},
    "no gzip": _of(RSS, Content_Encoding="gzip"),
    "half a gzip": _of(gzip.compress(RSS.encode())[:50], Content_Encoding="gzip"),
    "a tag of two lines": _of(RSS, ETag='"a\r\n b"'),
    "itself": _of(INDEX),
    "no chunks": _of(RSS, Transfer_Encoding="chunked"),
}

# what is put in anywhere, and does harm where nobody thought of it
PIECES = (
    *("\0", "\ud83d", "&#xd83d;", "&#55357;&#56832;", "&#0;", "&#x110000;", "&#99999999999;", "\x1b[31m", "\u202e"),
    *("<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", "<x:y>", "<rdf:RDF>", "</item>"),
    *("<item>", "<p>" * 200, "²", NINES, "0000-00-00", "00", "9999-12-31T23:59:59-14:00", "-1", "%5B", "%00"),
    *("%zz", "[", "]", "@", "//[x", "://", "http://", "javascript:", "\r\n", "\n", "\t", "é", "ß" * 50),
    *("xn--", "#", "?"),
    *("<base href='http://['>", "<meta charset='punycode'>", "<?xml version='9'?>", "encoding='undefined'"),
    *("Crawl-delay: ", "Request-rate: ", "Disallow: ", "User-agent: ", "<script type='application/ld+json'>{"),
    *('"datePublished": "0000-00-00"', "<time datetime='00'>"),
)
ENCODINGS = ("undefined", "\0", "utf-16", "idna", "hex", "x" * 500, "")
KINDS = ("", ";", "text/xml", "text/html", *(f"text/xml; charset={name}" for name in ENCODINGS))


def drawn(seed: int) -> Sent:
    """Return what one server sends, drawn by ``seed``."""
    draw = Random(seed)  # noqa: S311 - to be drawn again
    feed = draw.choice((RSS, ATOM, SITEMAP, INDEX, PAGE))
    bodies = {"/feed": feed, "/page": PAGE, "/robots.txt": draw.choice(("", ROBOTS))}
    harmed = draw.sample(sorted(bodies), draw.randint(1, 3))
    return {path: _harmed(draw, body) if path in harmed else Answer(body) for path, body in bodies.items()}


def _harmed(draw: Random, body: str) -> Answer:
    for _ in range(draw.randint(1, 6)):
        first, last = sorted((draw.randint(0, len(body)), draw.randint(0, len(body))))
        last = min(last, first + draw.choice((0, 0, 0, 5, 200)))
        body = body[:first] + draw.choice(PIECES) + body[last:]
    content = bytearray(body.encode("utf-8", "surrogatepass"))
    for _ in range(draw.choice((0, 0, 0, 1, 5))):
        content[draw.randrange(len(content))] = draw.randrange(256)
    headers = {"Content-Type": draw.choice(KINDS)} if draw.random() < 0.5 else {}
    if draw.random() < 0.1:
        headers["Content-Encoding"] = draw.choice(("gzip", "deflate", "br", "gzip, gzip", "none"))
    if draw.random() < 0.1:
        place = draw.choice(PIECES).encode("latin-1", "ignore").decode("latin-1")
        return Answer(status=302, headers={"Location": place})
    return Answer(bytes(content), headers=headers)


FEW, MANY = 24, 500


@pytest.fixture
def good() -> Iterator[Site]:
    with served() as site:
        site.answers["/feed"] = rss(site.address, ("/harbour", ""))
        yield site


def faults_of(good: Site, sent: Iterable[Sent], folder: Path) -> Counter[str]:
    """Look at a hostile feed beside the good one, again and again; return what only the guard held, and how often.

    Whatever comes of the hostile one is told in words, and of the good one the newest text is there.
    """
    archive, clock, faults = PersistentArchive(folder / "archive.sqlite"), Clock(), Counter[str]()
    with served() as bad:
        for n, answers in enumerate(sent):
            bad.answers.clear()
            bad.answers |= {path: of_site(answer, bad.address) for path, answer in answers.items()}
            good.answers["/feed"] = rss(good.address, ("/harbour", ""), etag=f'"{n}"')
            good.answers["/harbour"] = page(HARBOUR.replace("Friday", f"day {n}"))
            archive.subscriptions.set_mark(f"{bad.address}/page", "")
            with closing(Follower(archive, Fetcher(lambda _: None), now=clock)) as follower:
                for site in (bad, good):
                    follower.follow(f"{site.address}/feed")
                looks = {look.url: look for look in follower.look()}
            assert looks[f"{good.address}/feed"].trouble == ""
            assert f"day {n}" in archive.article(f"{good.address}/harbour").text
            hostile = looks[f"{bad.address}/feed"]
            faults.update(str(error) for _, error in hostile.left_out if isinstance(error, UnreadArticleError))
            faults.update([hostile.trouble] if "a fault of this program" in hostile.trouble else [])
            clock.moment += FEED_PAUSE_SECONDS * 100
    archive.close()
    return faults


def of_site(answer: Answer, address: str) -> Answer:
    """Return what is sent, with the site's own address in it."""
    if isinstance(answer.body, bytes):
        return answer
    body = answer.body.replace("ADDRESS", address).replace("HOST", address.removeprefix("http://"))
    return Answer(body, answer.status, answer.headers)


def test_what_once_ended_the_reading_of_feeds_costs_no_other(good: Site, tmp_path: Path) -> None:
    """And is understood, or refused in words; nothing is held by the guard alone."""
    assert faults_of(good, KNOWN.values(), tmp_path) == {}


def test_what_is_drawn_costs_no_other(good: Site, tmp_path: Path) -> None:
    faults_of(good, map(drawn, range(FEW)), tmp_path)


@pytest.mark.soak
def test_much_that_is_drawn_costs_no_other(good: Site, tmp_path: Path) -> None:
    print(faults_of(good, map(drawn, range(MANY)), tmp_path))  # noqa: T201 - what is left to the guard
