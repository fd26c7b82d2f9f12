"""What stands on the web: got politely and within limits, or refused in words."""

import gzip
import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat

import pytest

from retrieval.errors import FetchError, SlowError, TooLargeError
from retrieval.intake.fetching import Fetcher, is_public
from retrieval.limits import FILE
from tests.retrieval.site import Answer, Site, served

DELAYS = (f"Crawl-delay: {'9' * figures}" for figures in (4_000, 5_000))
ODD_RULES = ("Crawl-delay: ²", *DELAYS, "Request-rate: ²/1", "Disallow: //[x")


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as found:
        found.answers["/page"] = Answer("A ferry sank.", headers={"ETag": '"1"', "Content-Type": "text/plain"})
        yield found


def fetcher(pauses: list[float] | None = None, late: Callable[[], float] = float) -> Fetcher:
    """Return one whose clock stands still but for the pauses that it makes, and goes as ``late`` as that says."""
    pauses = [] if pauses is None else pauses
    return Fetcher(pauses.append, lambda: sum(pauses) + late())


def test_what_stands_there_is_got_and_what_has_not_changed_is_not(site: Site) -> None:
    client = fetcher()
    found = client.get(f"{site.address}/page")
    assert (found.content, found.etag, found.kind) == (b"A ferry sank.", '"1"', "text/plain")
    assert client.get(f"{site.address}/page", found.etag) is None


@pytest.mark.parametrize(
    ("status", "told", "after"),
    [(404, "7", 7.0), (410, "86400", 86_400.0), (429, "1234567890", 86_400.0), (500, "soon", 0.0), (503, "²", 0.0)],
)
def test_a_refusal_is_told_with_its_number_and_when_to_return(site: Site, status: int, told: str, after: float) -> None:
    site.answers["/page"] = Answer(status=status, headers={"Retry-After": told})
    with pytest.raises(FetchError, match=f"answers {status}") as refused:
        fetcher().get(f"{site.address}/page")
    assert (refused.value.status, refused.value.after) == (status, after)


@pytest.mark.parametrize(
    ("answer", "is_allowed"),
    [
        (Answer("User-agent: *\nDisallow: /page"), False),
        *((Answer(f"User-agent: *\n{rule}"), True) for rule in ODD_RULES),
        (Answer(f"User-agent: *\n{ODD_RULES[0]}\nDisallow: /page"), False),
        *((Answer(status=status), True) for status in (400, 404, 499)),
        *((Answer(status=status), False) for status in (500, 503)),
    ],
)
def test_robots_txt_is_obeyed_as_far_as_it_is_understood(site: Site, answer: Answer, *, is_allowed: bool) -> None:
    site.answers["/robots.txt"] = answer
    if is_allowed:
        assert fetcher().get(f"{site.address}/page") is not None
        return
    with pytest.raises(FetchError, match=r"robots\.txt forbids it"):
        fetcher().get(f"{site.address}/page")
    assert site.paths() == []


def test_one_host_is_asked_once_a_second_or_as_it_says_up_to_half_a_minute(site: Site) -> None:
    pauses: list[float] = []
    client = fetcher(pauses)
    for _ in range(3):
        client.get(f"{site.address}/page")
    assert pauses == [1.0, 1.0, 1.0]
    for told, pause in ((4, 4.0), (30, 30.0), (31, 30.0)):
        site.answers["/robots.txt"] = Answer(f"User-agent: *\nCrawl-delay: {told}")
        pauses.clear()
        fetcher(pauses).get(f"{site.address}/page")
        assert pauses == [pause]


def test_what_is_too_large_is_given_up(site: Site) -> None:
    huge = b"x" * (FILE.most + 1)
    site.answers["/huge"] = Answer(huge)
    site.answers["/bomb"] = Answer(gzip.compress(huge), headers={"Content-Encoding": "gzip"})
    for path in ("/huge", "/bomb"):
        with pytest.raises(TooLargeError):
            fetcher().get(f"{site.address}{path}")


@pytest.mark.parametrize("drips", ["head", "body"])
def test_what_drips_is_given_up_once_its_time_is_over(site: Site, drips: str) -> None:
    site.answers["/slow"] = Answer(drips=drips)
    for n in range(5):
        site.answers[f"/{n}"] = Answer(status=302, headers={"Location": f"/{n + 1}" if n < 4 else "/slow"})
    for path in ("/slow", "/0"):
        began = time.monotonic()
        with pytest.raises(SlowError, match=f"{path} takes too long"):
            Fetcher(lambda _: None, longest=0.3).get(f"{site.address}{path}")
        assert 0.3 <= time.monotonic() - began < 3


def test_a_robots_txt_that_drips_costs_its_site_one_bound(site: Site) -> None:
    site.answers["/robots.txt"] = Answer(drips="body")
    with pytest.raises(SlowError, match=r"robots\.txt takes too long"):
        Fetcher(lambda _: None, longest=0.3).get(f"{site.address}/page")
    assert site.paths() == []


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://bell.example/a", "http://", "http://[", "a", "http://a%5B@HOST"]
)
def test_what_is_no_address_on_the_web_is_refused(site: Site, url: str) -> None:
    with pytest.raises(FetchError, match="is not a web address"):
        fetcher().get(url.replace("HOST", site.address.removeprefix("http://")))


def test_who_cannot_be_reached_is_named() -> None:
    with served() as gone:
        address = gone.address
    with pytest.raises(FetchError, match="cannot be reached"):
        fetcher().get(f"{address}/page")


def test_five_redirects_are_followed_and_a_loop_is_not(site: Site) -> None:
    for n in range(1, 6):
        site.answers[f"/{n}"] = Answer(status=301, headers={"Location": f"/{n - 1}" if n > 1 else "/page"})
    site.answers |= {"/6": Answer(status=302, headers={"Location": "/5"})}
    site.answers |= {"/loop": Answer(status=302, headers={"Location": "/loop"})}
    found = fetcher().get(f"{site.address}/5")
    assert (found.content, found.url) == (b"A ferry sank.", f"{site.address}/page")
    for path in ("/6", "/loop"):
        with pytest.raises(FetchError, match="it redirects more than 5 times"):
            fetcher().get(f"{site.address}{path}")


def test_an_answer_has_a_minute_from_its_beginning_to_its_end(site: Site) -> None:
    def late(seconds: float) -> Callable[[], float]:
        return chain((0.0, 0.0), repeat(seconds)).__next__  # at the third look at the clock an answer is waited for

    assert fetcher(late=late(59.9)).get(f"{site.address}/page") is not None
    with pytest.raises(SlowError, match="takes too long"):
        fetcher(late=late(60.0)).get(f"{site.address}/page")


def test_a_password_in_an_address_is_sent_and_never_told(site: Site) -> None:
    host = site.address.removeprefix("http://")
    site.answers["/moved"] = Answer(status=302, headers={"Location": site.address.replace("127.0.0.1", "localhost")})
    with pytest.raises(FetchError) as refused:
        fetcher().get(f"http://ada:s%40cret@{host}/moved")
    assert str(refused.value) == f"http://…@{host}/moved answers 404."
    told = {path: headers.get("authorization") for path, headers in site.asked}
    assert told == {"/robots.txt": None, "/moved": "Basic YWRhOnNAY3JldA==", "/": None}


def test_a_robots_txt_holds_for_an_hour(site: Site) -> None:
    client = fetcher()
    site.answers["/robots.txt"] = Answer(status=503)
    for _ in range(2):
        with pytest.raises(FetchError, match=r"robots\.txt forbids it"):
            client.get(f"{site.address}/page")
    assert [path for path, _ in site.asked] == ["/robots.txt"]
    client._robots[site.address].last_checked -= 3_601
    site.answers["/robots.txt"] = Answer("")
    assert client.get(f"{site.address}/page") is not None


OWN = (
    "127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1"
    " ::1 :: fe80::1 fe80::1%eth0 fd00::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 2002:7f00:1::"
    " 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::a00:1 ::127.0.0.1 ::ffff:0:127.0.0.1 fec0::1 2001:0:4136:e378:8000::1"
    " 224.0.0.1 239.255.255.250 ff02::1 ff0e::1 255.255.255.255 192.0.2.1 2001:db8::1 3fff::1 5f00::1"
).split()
OTHERS = "8.8.8.8 172.32.0.1 192.169.0.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::".split()


def test_addresses_of_the_internet_are_public_and_no_others() -> None:
    assert [address for address in (*OWN, *OTHERS) if is_public(address)] == OTHERS
