"""What stands on the web: got politely and within limits, or refused in words."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from retrieval.errors import FetchError, TooLargeError
from retrieval.intake import fetching
from retrieval.intake.fetching import Fetcher
from retrieval.limits import FILE
from tests.retrieval.site import Answer, Site, served


@pytest.fixture
def site() -> Iterator[Site]:
    """Return a site of nothing but a page."""
    with served() as found:
        found.answers["/page"] = Answer("A ferry sank.", headers={"ETag": '"1"', "Content-Type": "text/plain"})
        yield found


class Clock:
    """A clock that stands still but for the pauses that are made."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def now(self) -> float:
        return sum(self.pauses)


def fetcher(clock: Clock | None = None) -> Fetcher:
    """Return a fetcher that nobody waits for."""
    clock = clock or Clock()
    return Fetcher(clock.pause, clock.now)


def test_what_stands_there_is_got_and_what_has_not_changed_is_not(site: Site) -> None:
    """By the mark that came with it."""
    client = fetcher()
    found = client.get(f"{site.address}/page")
    assert found is not None
    assert (found.content, found.etag, found.kind) == (b"A ferry sank.", '"1"', "text/plain")
    assert client.get(f"{site.address}/page", found.etag) is None


def test_a_redirect_is_followed_and_a_loop_is_not(site: Site) -> None:
    """The address is the one that it leads to."""
    site.answers["/old"] = Answer(status=301, headers={"Location": "/page"})
    site.answers["/loop"] = Answer(status=302, headers={"Location": "/loop"})
    found = fetcher().get(f"{site.address}/old")
    assert found is not None
    assert (found.content, found.url) == (b"A ferry sank.", f"{site.address}/page")
    with pytest.raises(FetchError, match="cannot be reached"):
        fetcher().get(f"{site.address}/loop")


@pytest.mark.parametrize("status", [404, 410, 429, 500, 503])
def test_an_answer_that_is_none_is_told_with_its_number(site: Site, status: int) -> None:
    """And with when to come again, where that is told."""
    site.answers["/page"] = Answer(status=status, headers={"Retry-After": "7"})
    with pytest.raises(FetchError, match=f"answers {status}") as refused:
        fetcher().get(f"{site.address}/page")
    assert (refused.value.status, refused.value.after) == (status, 7.0)


def test_what_robots_txt_forbids_is_not_asked_for(site: Site) -> None:
    """And where it cannot be had, nothing is."""
    site.answers["/robots.txt"] = Answer("User-agent: *\nDisallow: /page\nCrawl-delay: 4")
    with pytest.raises(FetchError, match=r"robots\.txt says so"):
        fetcher().get(f"{site.address}/page")
    assert site.paths() == []
    site.answers["/robots.txt"] = Answer(status=500)
    with pytest.raises(FetchError, match=r"robots\.txt says so"):
        fetcher().get(f"{site.address}/page")
    assert site.paths() == []


def test_one_host_is_asked_once_a_second_or_as_it_says(site: Site) -> None:
    """However many pages are wanted of it."""
    clock = Clock()
    client = fetcher(clock)
    for _ in range(3):
        client.get(f"{site.address}/page")
    assert clock.pauses == [1.0, 1.0, 1.0]
    site.answers["/robots.txt"] = Answer("User-agent: *\nCrawl-delay: 4")
    slow = Clock()
    fetcher(slow).get(f"{site.address}/page")
    assert slow.pauses == [4.0]


def test_what_is_too_large_is_given_up(site: Site) -> None:
    """Packed or not."""
    huge = b"x" * (FILE.most + 1)
    site.answers["/huge"] = Answer(huge)
    site.answers["/bomb"] = Answer(gzip.compress(huge), headers={"Content-Encoding": "gzip"})
    for path in ("/huge", "/bomb"):
        with pytest.raises(TooLargeError):
            fetcher().get(f"{site.address}{path}")


def test_what_takes_too_long_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though something comes all the while."""
    monkeypatch.setattr(fetching, "LONGEST", -1.0)
    with pytest.raises(FetchError, match="takes too long"):
        fetcher().get(f"{site.address}/page")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://bell.example/a", "http://", "http://[", "nothing"])
def test_what_is_no_address_on_the_web_is_refused(url: str) -> None:
    """Before anything is asked."""
    with pytest.raises(FetchError, match="is no address"):
        fetcher().get(url)


def test_who_cannot_be_reached_is_named() -> None:
    """As is who is gone."""
    with served() as gone:
        address = gone.address
    with pytest.raises(FetchError, match="cannot be reached"):
        fetcher().get(f"{address}/page")


@pytest.mark.parametrize(("number", "followed"), [(5, True), (6, False)])
def test_five_redirects_are_followed(site: Site, number: int, followed: bool) -> None:  # noqa: FBT001
    """A sixth leads nowhere."""
    for n in range(1, number):
        site.answers[f"/{n}"] = Answer(status=302, headers={"Location": f"/{n + 1}"})
    site.answers[f"/{number}"] = Answer(status=302, headers={"Location": "/page"})
    if followed:
        assert fetcher().get(f"{site.address}/1") is not None
    else:
        with pytest.raises(FetchError, match="cannot be reached"):
            fetcher().get(f"{site.address}/1")


@pytest.mark.parametrize(("told", "pause"), [(30, 30.0), (31, 30.0), (3600, 30.0)])
def test_nobody_waits_longer_than_half_a_minute_for_a_site(site: Site, told: int, pause: float) -> None:
    """Whatever its robots.txt asks for."""
    site.answers["/robots.txt"] = Answer(f"User-agent: *\nCrawl-delay: {told}")
    clock = Clock()
    fetcher(clock).get(f"{site.address}/page")
    assert clock.pauses == [pause]


class Slow(Clock):
    """A clock on which an answer takes its time: each look at it is so many seconds on."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self.step = step
        self.looks = 0

    def now(self) -> float:
        self.looks += 1
        return super().now() + self.step * self.looks


@pytest.mark.parametrize(("step", "late"), [(60.0, False), (60.5, True)])
def test_an_answer_has_a_minute(site: Site, step: float, late: bool) -> None:  # noqa: FBT001
    """From its beginning to its end, however slowly it comes."""
    client = fetcher(Slow(step))
    if late:
        with pytest.raises(FetchError, match="takes too long"):
            client.get(f"{site.address}/page")
    else:
        assert client.get(f"{site.address}/page") is not None


@pytest.mark.parametrize(("status", "allowed"), [(400, True), (404, True), (499, True), (500, False), (503, False)])
def test_a_robots_txt_that_is_not_there_allows_everything(site: Site, status: int, allowed: bool) -> None:  # noqa: FBT001
    """One that the site cannot give forbids all."""
    site.answers["/robots.txt"] = Answer(status=status)
    if allowed:
        assert fetcher().get(f"{site.address}/page") is not None
    else:
        with pytest.raises(FetchError, match=r"robots\.txt says so"):
            fetcher().get(f"{site.address}/page")


@pytest.mark.parametrize(
    ("told", "after"), [("7", 7.0), ("123456789", 123456789.0), ("1234567890", 123456789.0), ("soon", 0.0), ("٧", 0.0)]
)
def test_when_to_come_again_is_told_in_seconds(site: Site, told: str, after: float) -> None:
    """In at most nine figures, which are thirty years; what is no number tells nothing."""
    site.answers["/page"] = Answer(status=503, headers={"Retry-After": told})
    with pytest.raises(FetchError) as refused:
        fetcher().get(f"{site.address}/page")
    assert refused.value.after == after
