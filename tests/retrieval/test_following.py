"""Pages, feeds and sitemaps of a site on loopback -> a lasting archive."""

import json
import os
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from retrieval.errors import ArticleError
from retrieval.following import FEED_PAUSE_SECONDS, FOLDER_PAUSE_SECONDS, NOTHING, FeedResult, Follower
from retrieval.intake import fetching
from retrieval.intake.fetching import TIMEOUT_SECONDS, Fetcher
from retrieval.limits import FILE
from tests.retrieval.site import Answer, Site, served

pytestmark = pytest.mark.rest

HARBOUR = "The harbour of Sandholm has been closed since the storm of Friday night, its master Ada Quill said."
MORE = "Twelve boats were lost, and the town's fishermen met in the hall of the school to speak of what is to come."
HEAD = {"Content-Type": "application/rss+xml", "ETag": '"1"'}


def page(text: str, title: str = "The harbour is closed") -> Answer:
    body = "".join(f"<p>{part}</p>" for part in (text, MORE))
    return Answer(
        f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>",
        headers={"Content-Type": "text/html; charset=utf-8"},
    )


def rss(address: str, *items: tuple[str, str], etag: str = '"1"') -> Answer:
    """Return a feed of items: path, and the day on which each was published."""
    told = "".join(
        f"<item><title>{path}</title><link>{address}{path}</link><pubDate>{day}</pubDate></item>" for path, day in items
    )
    head = "<?xml version='1.0'?><rss version='2.0'><channel><title>The Oxley Bell</title>"
    return Answer(f"{head}{told}</channel></rss>", headers={**HEAD, "ETag": etag})


class Clock:
    """Tells the time that it is set to."""

    moment = 1_700_000_000.0

    def __call__(self) -> float:
        return self.moment


FRIDAY, SATURDAY = "Fri, 01 Mar 2024 08:00:00 GMT", "Sat, 02 Mar 2024 08:00:00 GMT"


@dataclass
class Desk:
    """A site with a feed of two articles, and what follows it into an archive and waits for nobody."""

    site: Site
    archive: PersistentArchive
    clock: Clock
    folder: Path

    def __post_init__(self) -> None:
        self.answers, self.follower = self.site.answers, self.another()

    def another(self, pause: Callable[[float], object] = lambda _: None, longest: float = TIMEOUT_SECONDS) -> Follower:
        return Follower(self.archive, Fetcher(pause, longest=longest), now=self.clock)

    def url(self, path: str) -> str:
        return f"{self.site.address}{path}"

    def add(self, path: str = "/feed") -> FeedResult:
        return self.follower.add(self.url(path))

    def follow(self, *places: object) -> Iterator[FeedResult]:
        """Follow addresses and folders, and look at what is due."""
        for place in places:
            self.follower.follow(str(place))
        return self.follower.look()

    def write(self, name: str, text: str) -> None:
        self.folder.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def look(self, seconds: float = FEED_PAUSE_SECONDS) -> FeedResult:
        """Return what is found in the one feed when some time has passed."""
        self.clock.moment += seconds
        [look] = self.follower.look()
        return look

    def feeds(self) -> tuple[Subscription, ...]:
        return self.archive.subscriptions.every()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with served() as site, closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        site.answers["/feed"] = rss(site.address, ("/harbour", FRIDAY), ("/school", FRIDAY))
        site.answers["/harbour"] = page(HARBOUR)
        site.answers["/school"] = page("The school on Mill Lane opens again on Monday, its head Piet Oru said.")
        yield Desk(site, archive, Clock(), tmp_path / "copy")


def test_a_page_is_one_article(desk: Desk) -> None:
    look = desk.add("/harbour")
    assert look.taken.added == (desk.url("/harbour"),)
    (held,) = desk.archive.articles()
    assert (held.title, held.url) == ("The harbour is closed", desk.url("/harbour"))
    assert HARBOUR in held.text
    assert desk.feeds() == ()
    desk.answers["/empty"] = Answer("<html><body></body></html>", headers={"Content-Type": "text/html"})
    with pytest.raises(ArticleError):
        desk.add("/empty")


def test_what_a_feed_names_is_taken_in_and_it_is_followed(desk: Desk) -> None:
    assert len(desk.add().taken.added) == 2
    assert [str(article.published) for article in desk.archive.articles()] == ["2024-03-01", "2024-03-01"]
    assert desk.site.paths() == ["/feed", "/harbour", "/school"]
    assert list(desk.follower.look()) == []
    assert desk.follower.pause() == FEED_PAUSE_SECONDS
    assert desk.look().trouble == ""
    assert desk.site.paths() == ["/feed"]
    desk.clock.moment += FEED_PAUSE_SECONDS
    desk.answers["/feed"] = rss(desk.site.address, ("/harbour", SATURDAY), ("/school", FRIDAY), etag='"2"')
    desk.answers["/harbour"] = page(HARBOUR.replace("Friday", "Thursday"))
    (look,) = desk.follower.look()
    assert look.taken.changed == (desk.url("/harbour"),)
    assert desk.site.paths() == ["/feed", "/harbour"]
    assert "Thursday" in desk.archive.article(desk.url("/harbour")).text


def test_a_sitemap_is_read_and_one_of_sitemaps_too(desk: Desk) -> None:
    head = "<?xml version='1.0'?>"
    urls = f"<url><loc>{desk.site.address}/harbour</loc><lastmod>2024-03-01</lastmod></url>"
    desk.answers["/news.xml"] = Answer(
        f"{head}<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
    )
    maps = "".join(f"<sitemap><loc>{desk.site.address}{path}</loc></sitemap>" for path in ("/news.xml", "/gone.xml"))
    desk.answers["/sitemap.xml"] = Answer(f"{head}<sitemapindex>{maps}</sitemapindex>")
    look = desk.add("/sitemap.xml")
    assert look.taken.added == (desk.url("/harbour"),)
    assert [place for place, _ in look.left_out] == [desk.url("/gone.xml")]
    assert [feed.url for feed in desk.feeds()] == [desk.url("/sitemap.xml")]


def test_a_sitemap_of_sitemaps_leads_to_fifty(desk: Desk) -> None:
    maps = "".join(f"<sitemap><loc>{desk.site.address}/{n}.xml</loc></sitemap>" for n in range(51))
    desk.answers["/sitemap.xml"] = Answer(f"<?xml version='1.0'?><sitemapindex>{maps}</sitemapindex>")
    look = desk.add("/sitemap.xml")
    assert [place for place, _ in look.left_out] == [desk.url(f"/{n}.xml") for n in range(50)]
    assert desk.archive.vocabulary().size() == 0


def test_a_feed_that_fails_is_named_and_tried_again_after_growing_pauses_of_a_day_at_most(desk: Desk) -> None:
    desk.add()
    works = desk.answers["/feed"]
    desk.answers["/feed"] = Answer(status=500)
    pauses = []
    for _ in range(40):
        assert desk.look(desk.follower.pause()).trouble == f"{desk.url('/feed')} answers 500."
        pauses.append(desk.follower.pause())
    assert pauses == [900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, *[86_400] * 33]
    desk.answers["/feed"] = Answer(status=429, headers={"Retry-After": "200000"})
    desk.look(desk.follower.pause())
    assert desk.follower.pause() == 86_400
    desk.answers["/feed"] = works
    assert desk.look(desk.follower.pause()).trouble == ""
    assert [(feed.failures, feed.trouble) for feed in desk.feeds()] == [(0, "")]
    desk.answers["/feed"] = Answer(status=429, headers={"Retry-After": "20000"})
    desk.look(desk.follower.pause())
    assert desk.follower.pause() == 20_000


def test_a_feed_that_is_gone_for_good_is_followed_no_longer(desk: Desk) -> None:
    desk.add()
    desk.answers["/feed"] = Answer(status=410)
    look = desk.look()
    assert look.trouble.endswith("It is no longer followed.")
    assert desk.feeds() == ()
    assert len(desk.archive.articles()) == 2


def test_one_bad_page_takes_no_other_with_it(desk: Desk) -> None:
    desk.answers["/school"] = Answer(status=503)
    look = desk.add()
    assert look.taken.added == (desk.url("/harbour"),)
    bad = desk.url("/school")
    assert [(place, str(error)) for place, error in look.left_out] == [(bad, f"{bad} answers 503.")]
    assert desk.archive.subscriptions.mark(bad) is None


ODD: tuple[bytes | str, ...] = (b"\x00\xff\x13 no feed", "<rss><channel><item>", "<?xml version='1.0'?><urlset><url>")
ODD += ("{}", "", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")


@pytest.mark.parametrize("kind", ["application/rss+xml", "text/html"])
def test_what_is_neither_page_nor_feed_is_refused_or_names_nothing(desk: Desk, kind: str) -> None:
    for number, body in enumerate(ODD):
        desk.answers[f"/{number}"] = Answer(body, headers={"Content-Type": kind})
        with suppress(ArticleError):
            assert desk.add(f"/{number}").taken.added == (), body
    assert desk.archive.articles() == ()


def test_a_feed_is_followed_by_the_address_that_was_given_wherever_it_leads(desk: Desk) -> None:
    desk.answers["/old"] = Answer(status=301, headers={"Location": "/feed"})
    assert len(desk.add("/old").taken.added) == 2
    assert [feed.url for feed in desk.feeds()] == [desk.url("/old")]
    assert desk.look().trouble == ""


WRONG = {
    "has more than": Answer(b"x" * (FILE.most + 1), headers={"Content-Type": "application/rss+xml"}),
    "is not a feed or a sitemap any more": Answer(b"\x00\xff<rs", headers={"Content-Type": "application/rss+xml"}),
    "is not a feed or a sitemap any more.": Answer("<html><p>Moved to our new site!</p></html>"),
    "it redirects more than 5 times": Answer(status=301, headers={"Location": "/feed"}),
    "takes too long": Answer(drips="body"),
}


@pytest.mark.parametrize("trouble", WRONG, ids=["huge", "malformed", "another page", "in circles", "slow"])
def test_whatever_becomes_of_a_feed_is_named_and_costs_nothing_that_it_brought(desk: Desk, trouble: str) -> None:
    desk.follower = desk.another(longest=1.0)
    desk.add()
    works = desk.answers["/feed"]
    desk.answers["/feed"] = WRONG[trouble]
    look = desk.look()
    assert trouble in look.trouble
    assert look.taken == NOTHING
    assert desk.follower.pause() == FEED_PAUSE_SECONDS
    desk.answers["/feed"] = works
    assert desk.look().trouble == ""


@pytest.mark.parametrize("kind", ["text/html", "image/png", ""])
def test_a_feed_is_known_by_what_it_is_and_not_by_what_it_says(desk: Desk, kind: str) -> None:
    for path in ("/feed", "/harbour", "/school"):
        answer = desk.answers[path]
        desk.answers[path] = Answer(answer.body, headers={**answer.headers, "Content-Type": kind})
    assert len(desk.add().taken.added) == 2
    assert HARBOUR in desk.archive.article(desk.url("/harbour")).text


def test_of_two_followers_one_checks_the_feeds(desk: Desk) -> None:
    other = desk.another()
    desk.add()
    assert desk.look().trouble == ""
    desk.clock.moment += FEED_PAUSE_SECONDS
    assert list(other.look()) == []
    desk.follower.close()
    assert len(list(other.look())) == 1


@pytest.mark.parametrize(("seconds", "is_over"), [(-61, True), (-1, True), (30, False), (3_600, True)])
def test_a_follower_that_was_killed_is_followed_by_another(desk: Desk, seconds: int, is_over: bool) -> None:  # noqa: FBT001
    """When its lease is over; one that ends later than any lease is of a clock that was set back."""
    lease = json.dumps(["killed", time.time() + seconds])
    with closing(sqlite3.connect(desk.archive.path)) as file, file:
        file.execute("INSERT INTO facts VALUES ('follower', ?)", (lease,))
    assert len(list(desk.follow(desk.url("/feed")))) == int(is_over)


def test_a_folder_is_followed(desk: Desk) -> None:
    [look] = desk.follow(desk.folder, desk.folder)
    assert "cannot be read" in look.trouble
    desk.write("harbour.txt", HARBOUR)
    look = desk.look(desk.follower.pause())
    assert (look.trouble, look.taken.added) == ("", ("harbour.txt",))
    assert desk.follower.pause() == FOLDER_PAUSE_SECONDS
    look = desk.look(FOLDER_PAUSE_SECONDS)
    assert (look.taken, look.trouble) == (NOTHING, "")
    desk.write("harbour.txt", HARBOUR.replace("Friday", "Thursday"))
    desk.write("school.txt", "The school on Mill Lane opens again on Monday.")
    look = desk.look(FOLDER_PAUSE_SECONDS)
    assert (look.taken.added, look.taken.changed) == (("school.txt",), ("harbour.txt",))
    (desk.folder / "school.txt").unlink()
    assert desk.look(FOLDER_PAUSE_SECONDS).trouble == ""
    assert len(desk.archive.articles()) == 2
    [feed] = desk.feeds()
    assert feed.news == desk.clock.moment - FOLDER_PAUSE_SECONDS


def test_a_file_of_a_coming_day_is_read_on_that_day(desk: Desk) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=2)
    desk.write("ferry.txt", f"---\ndate: {moment:%Y-%m-%dT%H:%M:%S.%fZ}\n---\nThe ferry sank.")
    desk.write("school.txt", "The school burned.")
    desk.follower.follow(str(desk.folder))
    assert desk.look(0).taken.added == ("school.txt",)
    time.sleep(2)
    assert desk.look(time.time() + 120 - desk.clock.moment).taken.added == ("ferry.txt",)


def test_an_empty_folder_is_looked_at_as_often_as_any_other(desk: Desk) -> None:
    desk.folder.mkdir()
    desk.follower.follow(str(desk.folder))
    troubles = []
    for _ in range(8):
        troubles += [look.trouble for look in desk.follower.look()]
        assert desk.follower.pause() == FOLDER_PAUSE_SECONDS
        desk.clock.moment += FOLDER_PAUSE_SECONDS
    assert ["There is no article in" in trouble for trouble in troubles] == [True] + [False] * 7
    desk.write("harbour.txt", HARBOUR)
    assert [look.taken.added for look in desk.follower.look()] == [("harbour.txt",)]
    assert [feed.trouble for feed in desk.feeds()] == [""]


HELD = "2096-03-01T18:00:00Z"


def test_a_folder_whose_table_is_unsafe_stays_as_it_is(desk: Desk) -> None:
    for name in ("held", "public"):
        desk.write(f"{name}.txt", HARBOUR + name)
    whole = f'["held.txt"]\nembargo = {HELD}\n'
    desk.write("articles.toml", whole)
    [look] = desk.follow(desk.folder)
    assert len(look.taken.added) == 2
    for broken in (whole[1:], "", whole.replace("held", "HELD")):
        desk.write("articles.toml", broken)
        desk.write("new.txt", HARBOUR + "new")
        desk.write("public.txt", HARBOUR + "changed")
        told = []
        for _ in range(3):
            look = desk.look(FOLDER_PAUSE_SECONDS)
            assert look.taken == NOTHING
            told.append(len(look.left_out))
        assert told == [1, 0, 0]
        [feed] = desk.feeds()
        assert "Until then nothing in its folder is added or changed" in feed.trouble
        assert [article.id for article in desk.archive.waiting()] == ["held.txt"]
        assert [article.text for article in desk.archive.articles()] == [f"{HARBOUR}public"]
    desk.write("articles.toml", whole)
    look = desk.look(FOLDER_PAUSE_SECONDS)
    assert (look.taken.added, look.taken.changed) == (("new.txt",), ("public.txt",))
    assert [article.id for article in desk.archive.waiting()] == ["held.txt"]
    assert [feed.trouble for feed in desk.feeds()] == [""]


def test_a_table_that_is_written_just_now_is_read_when_it_has_settled(desk: Desk) -> None:
    for name in ("a", "b"):
        desk.write(f"{name}.txt", HARBOUR + name)
    desk.write("articles.toml", f'["a.txt"]\nembargo = {HELD}\n')
    os.utime(desk.folder / "articles.toml", (desk.clock.moment, desk.clock.moment))
    assert [look.taken for look in desk.follow(desk.folder)] == [NOTHING]
    assert 0 < desk.follower.pause() <= FOLDER_PAUSE_SECONDS
    desk.write("articles.toml", f'["a.txt"]\nembargo = {HELD}\n["b.txt"]\nembargo = {HELD}\n')
    os.utime(desk.folder / "articles.toml", (desk.clock.moment, desk.clock.moment))
    assert len(desk.look(FOLDER_PAUSE_SECONDS).taken.added) == 2
    assert len(desk.archive.waiting()) == 2


def test_who_starts_after_a_clock_was_set_back_looks_at_once(desk: Desk) -> None:
    desk.add()
    desk.clock.moment -= 2 * 3_600
    assert len(list(desk.another().look())) == 1


@pytest.mark.parametrize("pause", [FEED_PAUSE_SECONDS, FOLDER_PAUSE_SECONDS])
def test_a_clock_that_is_set_back_costs_one_pause(desk: Desk, tmp_path: Path, pause: float) -> None:
    """And where another machine's clock goes before this one's, nothing is looked at more often than it is due."""
    desk.follower.elapsed = elapsed = Clock()
    assert len(list(desk.follow(desk.url("/feed") if pause == FEED_PAUSE_SECONDS else tmp_path))) == 1
    desk.clock.moment -= 2 * 3_600
    assert list(desk.follower.look()) == []
    elapsed.moment += pause
    assert len(list(desk.follower.look())) == 1
    assert list(desk.follower.look()) == []


def test_an_archive_that_fails_for_one_feed_fails_for_no_other(desk: Desk) -> None:
    with served() as one, served() as other:
        for each, name in ((one, "one"), (other, "other")):
            each.answers["/feed"] = rss(each.address, ("/harbour", FRIDAY))
            each.answers["/harbour"] = page(f"{HARBOUR} It is {name}.")
        trigger = f"CREATE TRIGGER broken BEFORE INSERT ON pages WHEN NEW.url LIKE '{one.address}%'"
        with closing(sqlite3.connect(desk.archive.path)) as file:
            file.execute(f"{trigger} BEGIN SELECT RAISE(FAIL, 'a bad disk'); END")
        feeds = [f"{each.address}/feed" for each in (desk.site, one, other)]
        looks = {look.url: look for look in desk.follow(*feeds)}
        assert "a bad disk" in looks[f"{one.address}/feed"].trouble
        for each, number in ((desk.site, 2), (other, 1)):
            assert len(looks[f"{each.address}/feed"].taken.added) == number
        assert desk.follower.pause() == FOLDER_PAUSE_SECONDS


def test_nothing_is_written_once_it_is_closed(desk: Desk) -> None:
    waiting, going_on = threading.Event(), threading.Event()

    def pause(_: float) -> None:
        waiting.set()
        going_on.wait(60)

    desk.follower = desk.another(pause)
    desk.follower.follow(desk.url("/feed"))
    assert list(desk.follower.look(0.01)) == []
    assert waiting.wait(60)
    closing_it = threading.Thread(target=desk.follower.close)
    closing_it.start()
    while not desk.follower.closed.is_set():
        time.sleep(0)
    going_on.set()
    closing_it.join()
    assert desk.archive.articles() == ()
    [feed] = desk.feeds()
    assert feed.due == desk.clock.moment


PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"  # as the tests below have it


@pytest.fixture
def intranet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(fetching, "is_public", PUBLIC.__eq__)
    with served(PRIVATE) as found:
        found.answers["/harbour"] = page(HARBOUR)
        found.answers["/robots.txt"] = Answer("")
        yield found


def test_a_public_feed_leads_nowhere_private(desk: Desk, intranet: Site) -> None:
    lure = f"{intranet.address}/harbour"
    desk.answers["/moved"] = Answer(status=302, headers={"Location": lure})
    desk.answers["/feed"] = rss("", (lure, FRIDAY), (desk.url("/moved"), FRIDAY), (desk.url("/school"), FRIDAY))
    look = desk.add()
    assert look.taken.added == (desk.url("/school"),)
    assert [place for place, _ in look.left_out] == [lure, desk.url("/moved")]
    assert all("in a private network" in str(error) for _, error in look.left_out)
    head = "<?xml version='1.0'?>"
    desk.answers["/maps.xml"] = Answer(f"{head}<sitemapindex><sitemap><loc>{lure}</loc></sitemap></sitemapindex>")
    [refused] = desk.add("/maps.xml").left_out
    assert "in a private network" in str(refused[1])
    with pytest.raises(ArticleError, match="in a private network"):
        desk.add("/moved")
    assert intranet.asked == []
    assert len(desk.archive.articles()) == 1


def test_a_feed_in_a_private_network_may_lead_there(desk: Desk, intranet: Site) -> None:
    intranet.answers["/feed"] = rss("", (f"{intranet.address}/harbour", FRIDAY), (desk.url("/school"), FRIDAY))
    assert len(desk.follower.add(f"{intranet.address}/feed").taken.added) == 2
    assert len(desk.archive.articles()) == 2


def test_a_feed_is_public_that_a_public_machine_gave(desk: Desk, intranet: Site) -> None:
    lure = f"{intranet.address}/harbour"
    desk.answers["/feed"] = rss("", (lure, FRIDAY))
    name = desk.site.address.replace(PUBLIC, "feeds.example")
    addresses = iter([PUBLIC, PUBLIC])  # its robots.txt and the feed; afterwards it is asked for no more
    real = socket.getaddrinfo

    def told(host: str, port: int, family: int = 0, type: int = 0) -> list[Any]:  # noqa: A002 - as its callers say
        return real(next(addresses, PRIVATE) if host == "feeds.example" else host, port, family, type)

    with pytest.MonkeyPatch.context() as names:
        names.setattr(socket, "getaddrinfo", told)
        [refused] = desk.follower.add(f"{name}/feed").left_out
    assert "in a private network" in str(refused[1])
    intranet.answers["/feed"] = Answer(status=302, headers={"Location": desk.url("/feed")})
    [refused] = desk.follower.add(f"{intranet.address}/feed").left_out
    assert "in a private network" in str(refused[1])
    assert "/harbour" not in intranet.paths()


def test_a_feed_that_has_not_changed_says_so_when_it_is_added_again(desk: Desk) -> None:
    """And when it last brought something; where its server tells nothing of that, its pages count as unchanged."""
    brought = desk.clock.moment
    feed = desk.url("/feed")
    desk.follower.add(feed)
    desk.clock.moment += 60
    assert desk.follower.add(feed) == FeedResult(feed, unchanged=True, news=brought)
    items = (("/harbour", FRIDAY), ("/school", FRIDAY))
    desk.answers["/feed"] = rss(desk.site.address, *items, etag='"2"')
    assert desk.follower.add(feed).taken.unchanged == (desk.url("/harbour"), desk.url("/school"))


def test_what_a_look_fetched_stays_though_it_is_killed(desk: Desk) -> None:
    class KilledError(BaseException):
        pass

    def pause(_: float) -> None:
        if "/harbour" in [path for path, _ in desk.site.asked]:
            raise KilledError

    with pytest.raises(KilledError):
        desk.another(pause).add(desk.url("/feed"))
    assert [article.id for article in desk.archive.articles()] == [desk.url("/harbour")]
    desk.site.paths()
    desk.clock.moment += FEED_PAUSE_SECONDS
    [look] = desk.another().look()
    assert look.taken.added == (desk.url("/school"),)
    assert desk.site.paths() == ["/feed", "/school"]


def test_a_feed_with_a_thousand_pages_keeps_no_other_waiting(desk: Desk) -> None:
    """The other is told while it is under way, and what it has brought so far can be asked."""
    going_on = threading.Event()
    with served() as other:
        other.answers["/feed"] = rss(other.address, *((f"/{n}", FRIDAY) for n in range(1_000)))
        other.answers["/0"] = page(HARBOUR)

        desk.follower = desk.another(lambda _: going_on.wait(0.01))
        looks = desk.follow(f"{other.address}/feed", desk.url("/feed"))
        assert next(looks).url == desk.url("/feed")
        going_on.set()
        look = next(looks)
        assert (look.url, len(look.taken.added), len(look.left_out)) == (f"{other.address}/feed", 1, 999)


@pytest.mark.parametrize("drips", ["head", "body"])
def test_pages_that_drip_cost_their_feed_one_bound_and_no_other_anything(desk: Desk, drips: str) -> None:
    bound = 2.0
    with served() as slow:
        slow.answers["/feed"] = rss(slow.address, *((f"/{n}", FRIDAY) for n in range(20)), ("/harbour", FRIDAY))
        slow.answers |= {f"/{n}": Answer(drips=drips) for n in range(2)} | {"/harbour": page(HARBOUR)}
        desk.follower = desk.another(longest=bound)
        began = time.monotonic()
        first, second = desk.follow(f"{slow.address}/feed", desk.url("/feed"))
        assert time.monotonic() - began < bound * 3
        assert (first.url, len(first.taken.added)) == (desk.url("/feed"), 2)
        assert second.taken.added == (f"{slow.address}/harbour",)
        assert [str(error) for _, error in second.left_out[:2]] == [f"{slow.address}/{n} takes too long." for n in "01"]
        [feed] = [feed for feed in desk.feeds() if feed.url == second.url]
        assert feed.etag == ""


def test_a_page_that_goes_back_and_forth_is_told_once(desk: Desk) -> None:
    place = desk.url("/harbour")
    desk.answers["/feed"] = rss(desk.site.address, ("/harbour", ""))
    texts = (HARBOUR, HARBOUR.replace("Friday", "Thursday"))
    desk.follower.follow(desk.url("/feed"))
    told = []
    for n in range(9):
        desk.answers["/harbour"] = page(texts[n % 2])
        desk.answers["/feed"] = rss(desk.site.address, ("/harbour", ""), etag=f'"{min(n, 4)}"')
        [look] = desk.follower.look()
        told.append((look.taken.added, look.taken.changed, [str(error) for _, error in look.left_out]))
        desk.clock.moment += FEED_PAUSE_SECONDS
    waits = ((), (), [])
    says = ((), (), ["It alternates between two texts. It is added when one of them stays."])
    assert told == [((place,), (), []), ((), (place,), []), ((), (place,), []), says, *[waits] * 5]
    assert len(desk.archive.history(place)) == 3
    desk.answers["/harbour"] = page(texts[1])
    assert [look.taken for look in desk.follower.look()] == [NOTHING]
    assert desk.look().taken.changed == (place,)
    assert texts[1] in desk.archive.article(place).text


def test_a_password_is_asked_by_and_stands_nowhere_else(desk: Desk) -> None:
    feed = desk.url("/feed").replace("http://", "http://ada:secret@")
    desk.answers["/feed"] = rss("", ("/harbour", FRIDAY), ("/gone", FRIDAY))
    look = desk.follower.add(feed)
    assert look.taken.added == (desk.url("/harbour"),)
    desk.answers["/feed"] = Answer(status=500)
    failed = desk.look()
    [held] = desk.archive.articles()
    told = repr((look, [str(error) for _, error in look.left_out], failed, held))
    assert "secret" not in told
    assert [feed.trouble for feed in desk.feeds()] == [failed.trouble]


def test_what_is_followed_no_longer_is_not_followed_again_by_a_look_that_ends(desk: Desk) -> None:
    feed = desk.url("/feed")

    def pause(_: float) -> None:
        if "/harbour" in [path for path, _ in desk.site.asked]:
            desk.archive.subscriptions.remove(feed)

    desk.another(pause).add(feed)
    assert desk.feeds() == ()
