"""Pages, feeds and sitemaps of a site on loopback -> a lasting archive."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.errors import ArticleError
from retrieval.following import FEED_PAUSE_SECONDS, FOLDER_PAUSE_SECONDS, NOTHING, Follower, Look
from retrieval.intake import public_hosts
from retrieval.intake.fetching import Fetcher
from retrieval.limits import FILE
from tests.retrieval.site import Answer, Site, served

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


def sitemaps(*urls: str) -> Answer:
    maps = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return Answer(f"<?xml version='1.0'?><sitemapindex>{maps}</sitemapindex>")


# takes the one feed of an archive, says so, and never ends
LOOKER = """
import sys
from pathlib import Path
from retrieval.archive.archive import PersistentArchive
feeds = PersistentArchive(Path(sys.argv[1])).subscriptions
[feed] = feeds.every()
assert feeds.take(feed, float(sys.argv[2]))
print("looking", flush=True)
sys.stdin.read()
"""


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        self.moment = 1_700_000_000.0

    def __call__(self) -> float:
        return self.moment


FRIDAY, SATURDAY = "Fri, 01 Mar 2024 08:00:00 GMT", "Sat, 02 Mar 2024 08:00:00 GMT"


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as found:
        found.answers["/feed"] = rss(found.address, ("/harbour", FRIDAY), ("/school", FRIDAY))
        found.answers["/harbour"] = page(HARBOUR)
        found.answers["/school"] = page("The school on Mill Lane opens again on Monday, its head Piet Oru said.")
        yield found


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[PersistentArchive]:
    lasting = PersistentArchive(tmp_path / "archive.sqlite")
    yield lasting
    lasting.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def follower(archive: PersistentArchive, clock: Clock) -> Follower:
    return Follower(archive, Fetcher(pause=lambda _: None), now=clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    return folder


def test_a_page_is_one_article(site: Site, archive: PersistentArchive, follower: Follower) -> None:
    look = follower.add(f"{site.address}/harbour")
    assert look.taken.added == (f"{site.address}/harbour",)
    (held,) = archive.articles()
    assert (held.title, held.url) == ("The harbour is closed", f"{site.address}/harbour")
    assert HARBOUR in held.text
    assert archive.subscriptions.every() == ()
    site.answers["/empty"] = Answer("<html><body></body></html>", headers={"Content-Type": "text/html"})
    with pytest.raises(ArticleError):
        follower.add(f"{site.address}/empty")


def test_what_a_feed_names_is_taken_in_and_it_is_followed(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    assert len(follower.add(f"{site.address}/feed").taken.added) == 2
    assert [str(article.published) for article in archive.articles()] == ["2024-03-01", "2024-03-01"]
    assert site.paths() == ["/feed", "/harbour", "/school"]
    assert list(follower.look()) == []
    assert follower.pause() == FEED_PAUSE_SECONDS
    clock.moment += FEED_PAUSE_SECONDS
    assert [look.trouble for look in follower.look()] == [""]
    assert site.paths() == ["/feed"]
    clock.moment += FEED_PAUSE_SECONDS
    site.answers["/feed"] = rss(site.address, ("/harbour", SATURDAY), ("/school", FRIDAY), etag='"2"')
    site.answers["/harbour"] = page(HARBOUR.replace("Friday", "Thursday"))
    (look,) = follower.look()
    assert look.taken.changed == (f"{site.address}/harbour",)
    assert site.paths() == ["/feed", "/harbour"]
    assert "Thursday" in archive.article(f"{site.address}/harbour").text


def test_a_sitemap_is_read_and_one_of_sitemaps_too(site: Site, archive: PersistentArchive, follower: Follower) -> None:
    urls = f"<url><loc>{site.address}/harbour</loc><lastmod>2024-03-01</lastmod></url>"
    site.answers["/news.xml"] = Answer(
        f"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
    )
    site.answers["/sitemap.xml"] = sitemaps(f"{site.address}/news.xml", f"{site.address}/gone.xml")
    look = follower.add(f"{site.address}/sitemap.xml")
    assert look.taken.added == (f"{site.address}/harbour",)
    assert [place for place, _ in look.left_out] == [f"{site.address}/gone.xml"]
    assert [feed.url for feed in archive.subscriptions.every()] == [f"{site.address}/sitemap.xml"]


def test_a_sitemap_of_sitemaps_leads_to_fifty(site: Site, archive: PersistentArchive, follower: Follower) -> None:
    site.answers["/sitemap.xml"] = sitemaps(*(f"{site.address}/{n}.xml" for n in range(51)))
    look = follower.add(f"{site.address}/sitemap.xml")
    assert [place for place, _ in look.left_out] == [f"{site.address}/{n}.xml" for n in range(50)]
    assert archive.vocabulary().size() == 0


def test_a_feed_that_fails_is_named_and_tried_again_after_growing_pauses_of_a_day_at_most(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    def pause_after(answer: Answer, trouble: str = "") -> float:
        site.answers["/feed"] = answer
        clock.moment += follower.pause()
        assert [look.trouble for look in follower.look()] == [trouble]
        return follower.pause()

    feed = f"{site.address}/feed"
    follower.add(feed)
    works = site.answers["/feed"]
    assert pause_after(Answer(status=429, headers={"Retry-After": "20000"}), f"{feed} answers 429.") == 20_000
    assert pause_after(works) == FEED_PAUSE_SECONDS
    assert [(feed.failures, feed.trouble) for feed in archive.subscriptions.every()] == [(0, "")]
    pauses = [pause_after(Answer(status=500), f"{feed} answers 500.") for _ in range(40)]
    assert pauses == [900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, *[86_400] * 33]
    assert pause_after(Answer(status=429, headers={"Retry-After": "200000"}), f"{feed} answers 429.") == 86_400


def test_a_feed_that_is_gone_for_good_is_followed_no_longer(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    follower.add(f"{site.address}/feed")
    site.answers["/feed"] = Answer(status=410)
    clock.moment += FEED_PAUSE_SECONDS
    (look,) = follower.look()
    assert look.trouble.endswith("It is no longer followed.")
    assert archive.subscriptions.every() == ()
    assert len(archive.articles()) == 2


def test_one_bad_page_takes_no_other_with_it(site: Site, archive: PersistentArchive, follower: Follower) -> None:
    site.answers["/school"] = Answer(status=503)
    look = follower.add(f"{site.address}/feed")
    assert look.taken.added == (f"{site.address}/harbour",)
    assert [(place, str(error)) for place, error in look.left_out] == [
        (f"{site.address}/school", f"{site.address}/school answers 503.")
    ]
    assert archive.subscriptions.mark(f"{site.address}/school") is None


ODD: tuple[bytes | str, ...] = (
    b"\x00\xff\x13 no feed",
    "<rss><channel><item>",
    "<?xml version='1.0'?><urlset><url>",
    "{}",
    "",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
)


@pytest.mark.parametrize("body", ODD)
@pytest.mark.parametrize("kind", ["application/rss+xml", "text/html", "image/png", ""])
def test_what_is_neither_page_nor_feed_is_refused_or_names_nothing(
    site: Site, archive: PersistentArchive, follower: Follower, body: bytes | str, kind: str
) -> None:
    site.answers["/odd"] = Answer(body, headers={"Content-Type": kind})
    with suppress(ArticleError):
        assert follower.add(f"{site.address}/odd").taken.added == ()
    assert archive.articles() == ()


def test_a_feed_is_followed_by_the_address_that_was_given_wherever_it_leads(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    site.answers["/old"] = Answer(status=301, headers={"Location": "/feed"})
    assert len(follower.add(f"{site.address}/old").taken.added) == 2
    assert [feed.url for feed in archive.subscriptions.every()] == [f"{site.address}/old"]
    clock.moment += FEED_PAUSE_SECONDS
    assert [look.trouble for look in follower.look()] == [""]


WRONG = {
    "has more than": Answer(b"x" * (FILE.most + 1), headers={"Content-Type": "application/rss+xml"}),
    "is not a feed or a sitemap any more": Answer(b"\x00\xff<rs", headers={"Content-Type": "application/rss+xml"}),
    "is not a feed or a sitemap any more.": Answer("<html><p>Moved to our new site!</p></html>"),
    "it redirects more than 5 times": Answer(status=301, headers={"Location": "/feed"}),
    "takes too long": Answer(drips="body"),
}


@pytest.mark.parametrize("trouble", WRONG, ids=["huge", "malformed", "another page", "in circles", "slow"])
def test_whatever_becomes_of_a_feed_is_named_and_costs_nothing_that_it_brought(
    site: Site, archive: PersistentArchive, clock: Clock, trouble: str
) -> None:
    follower = Follower(archive, Fetcher(lambda _: None, longest=1.0), now=clock)
    follower.add(f"{site.address}/feed")
    works = site.answers["/feed"]
    site.answers["/feed"] = WRONG[trouble]
    clock.moment += FEED_PAUSE_SECONDS
    [look] = follower.look()
    assert trouble in look.trouble
    assert look.taken == NOTHING
    assert follower.pause() == FEED_PAUSE_SECONDS
    site.answers["/feed"] = works
    clock.moment += FEED_PAUSE_SECONDS
    assert [look.trouble for look in follower.look()] == [""]


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "image/png", "application/octet-stream", ""])
def test_a_feed_is_known_by_what_it_is_and_not_by_what_it_says(
    site: Site, archive: PersistentArchive, follower: Follower, kind: str
) -> None:
    for path in ("/feed", "/harbour", "/school"):
        answer = site.answers[path]
        site.answers[path] = Answer(answer.body, headers={**answer.headers, "Content-Type": kind})
    assert len(follower.add(f"{site.address}/feed").taken.added) == 2
    assert HARBOUR in archive.article(f"{site.address}/harbour").text


def test_of_two_processes_one_looks_at_a_feed(site: Site, archive: PersistentArchive, clock: Clock) -> None:
    follower, other = (Follower(archive, Fetcher(pause=lambda _: None), now=clock) for _ in range(2))
    follower.add(f"{site.address}/feed")
    clock.moment += FEED_PAUSE_SECONDS
    [feed] = archive.subscriptions.every()
    assert archive.subscriptions.take(feed, clock.moment + FEED_PAUSE_SECONDS)
    assert not archive.subscriptions.take(feed, clock.moment + FEED_PAUSE_SECONDS)
    assert list(other.look()) == []


def test_a_look_whose_process_was_killed_is_begun_anew_at_once(
    archive: PersistentArchive, follower: Follower, clock: Clock, folder: Path
) -> None:
    (folder / "ferry.txt").write_text("The ferry sank off Sandholm on Friday.", encoding="utf-8")
    follower.follow(str(folder))
    command = [sys.executable, "-c", LOOKER, str(archive.path), str(clock.moment + FEED_PAUSE_SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as looker:
        assert looker.stdout is not None
        assert looker.stdout.readline() == b"looking\n"
        assert list(follower.look()) == []
        looker.kill()
    [look] = follower.look()
    assert look.taken.added == ("ferry.txt",)
    assert list(follower.look()) == []


def test_a_folder_is_followed(archive: PersistentArchive, follower: Follower, clock: Clock, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    follower.follow(str(folder))
    follower.follow(str(folder))
    [look] = follower.look()
    assert "cannot be read" in look.trouble
    folder.mkdir()
    (folder / "harbour.txt").write_text(HARBOUR, encoding="utf-8")
    clock.moment += follower.pause()
    [look] = follower.look()
    assert (look.trouble, look.taken.added) == ("", ("harbour.txt",))
    assert follower.pause() == FOLDER_PAUSE_SECONDS
    clock.moment += FOLDER_PAUSE_SECONDS
    assert [(look.taken, look.trouble) for look in follower.look()] == [(NOTHING, "")]
    (folder / "harbour.txt").write_text(HARBOUR.replace("Friday", "Thursday"), encoding="utf-8")
    (folder / "school.txt").write_text("The school on Mill Lane opens again on Monday.", encoding="utf-8")
    clock.moment += FOLDER_PAUSE_SECONDS
    [look] = follower.look()
    assert (look.taken.added, look.taken.changed) == (("school.txt",), ("harbour.txt",))
    (folder / "school.txt").unlink()
    clock.moment += FOLDER_PAUSE_SECONDS
    assert [look.trouble for look in follower.look()] == [""]
    assert len(archive.articles()) == 2
    [feed] = archive.subscriptions.every()
    assert feed.news == clock.moment - FOLDER_PAUSE_SECONDS


def test_an_empty_folder_is_looked_at_as_often_as_any_other(
    archive: PersistentArchive, follower: Follower, clock: Clock, folder: Path
) -> None:
    follower.follow(str(folder))
    troubles = []
    for _ in range(8):
        troubles += [look.trouble for look in follower.look()]
        assert follower.pause() == FOLDER_PAUSE_SECONDS
        clock.moment += FOLDER_PAUSE_SECONDS
    assert ["There is no article in" in trouble for trouble in troubles] == [True] + [False] * 7
    (folder / "harbour.txt").write_text(HARBOUR, encoding="utf-8")
    assert [look.taken.added for look in follower.look()] == [("harbour.txt",)]
    assert [feed.trouble for feed in archive.subscriptions.every()] == [""]


HELD = "2096-03-01T18:00:00Z"


def test_a_folder_whose_table_is_unsafe_stays_as_it_is(
    archive: PersistentArchive, follower: Follower, clock: Clock, folder: Path
) -> None:
    for name in ("held", "public"):
        (folder / f"{name}.txt").write_text(HARBOUR + name, encoding="utf-8")
    table = folder / "articles.toml"
    whole = f'["held.txt"]\nembargo = {HELD}\n'
    table.write_text(whole, encoding="utf-8")
    follower.follow(str(folder))
    [look] = follower.look()
    assert len(look.taken.added) == 2
    for broken in (whole[1:], "", whole.replace("held", "HELD")):
        table.write_text(broken, encoding="utf-8")
        (folder / "new.txt").write_text(HARBOUR + "new", encoding="utf-8")
        (folder / "public.txt").write_text(HARBOUR + "changed", encoding="utf-8")
        told = []
        for _ in range(3):
            clock.moment += FOLDER_PAUSE_SECONDS
            [look] = follower.look()
            assert look.taken == NOTHING
            told.append(len(look.left_out))
        assert told == [1, 0, 0]
        [feed] = archive.subscriptions.every()
        assert "Until then nothing in its folder is added or changed" in feed.trouble
        assert [article.id for article in archive.waiting()] == ["held.txt"]
        assert [article.text for article in archive.articles()] == [f"{HARBOUR}public"]
    table.write_text(whole, encoding="utf-8")
    clock.moment += FOLDER_PAUSE_SECONDS
    [look] = follower.look()
    assert (look.taken.added, look.taken.changed) == (("new.txt",), ("public.txt",))
    assert [article.id for article in archive.waiting()] == ["held.txt"]
    assert [feed.trouble for feed in archive.subscriptions.every()] == [""]


def test_a_table_that_is_written_just_now_is_read_when_it_has_settled(
    archive: PersistentArchive, follower: Follower, clock: Clock, tmp_path: Path
) -> None:
    """Half of it may be a table as well."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(HARBOUR + name, encoding="utf-8")
    table = folder / "articles.toml"
    table.write_text(f'["a.txt"]\nembargo = {HELD}\n', encoding="utf-8")
    follower.follow(str(folder))
    os.utime(table, (clock.moment, clock.moment))
    assert [look.taken for look in follower.look()] == [NOTHING]
    assert 0 < follower.pause() <= FOLDER_PAUSE_SECONDS
    table.write_text(f'["a.txt"]\nembargo = {HELD}\n["b.txt"]\nembargo = {HELD}\n', encoding="utf-8")
    os.utime(table, (clock.moment, clock.moment))
    clock.moment += FOLDER_PAUSE_SECONDS
    assert [len(look.taken.added) for look in follower.look()] == [2]
    assert len(archive.waiting()) == 2


@pytest.mark.parametrize("pause", [FEED_PAUSE_SECONDS, FOLDER_PAUSE_SECONDS])
def test_a_clock_that_is_set_back_costs_one_pause(
    site: Site, follower: Follower, clock: Clock, tmp_path: Path, pause: float
) -> None:
    """And where another machine's clock goes before this one's, nothing is looked at more often than it is due."""
    follower.elapsed = elapsed = Clock()
    follower.follow(f"{site.address}/feed" if pause == FEED_PAUSE_SECONDS else str(tmp_path))
    assert len(list(follower.look())) == 1
    clock.moment -= 2 * 3_600
    assert list(follower.look()) == []
    elapsed.moment += pause
    assert len(list(follower.look())) == 1
    assert list(follower.look()) == []


def test_who_starts_after_a_clock_was_set_back_looks_at_once(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    follower.add(f"{site.address}/feed")
    clock.moment -= 2 * 3_600
    assert len(list(Follower(archive, Fetcher(lambda _: None), now=clock).look())) == 1


def _fail_for(path: Path, url: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        told = f"CREATE TRIGGER broken BEFORE INSERT ON pages WHEN NEW.url LIKE '{url}%'"
        file.execute(f"{told} BEGIN SELECT RAISE(FAIL, 'a bad disk'); END")


def test_an_archive_that_fails_for_one_feed_fails_for_no_other(
    site: Site, archive: PersistentArchive, follower: Follower
) -> None:
    with served() as one, served() as other:
        for each, name in ((one, "one"), (other, "other")):
            each.answers["/feed"] = rss(each.address, ("/harbour", FRIDAY))
            each.answers["/harbour"] = page(f"{HARBOUR} It is {name}.")
        for each in (site, one, other):
            follower.follow(f"{each.address}/feed")
        _fail_for(archive.path, one.address)
        looks = {look.url: look for look in follower.look()}
        assert "a bad disk" in looks[f"{one.address}/feed"].trouble
        for each, number in ((site, 2), (other, 1)):
            assert len(looks[f"{each.address}/feed"].taken.added) == number
        assert not any(feed.looker for feed in archive.subscriptions.every())
        assert follower.pause() == FOLDER_PAUSE_SECONDS


def test_nothing_is_written_once_it_is_closed(site: Site, archive: PersistentArchive, clock: Clock) -> None:
    waiting, going_on = threading.Event(), threading.Event()

    def pause(_: float) -> None:
        waiting.set()
        going_on.wait(60)

    follower = Follower(archive, Fetcher(pause), now=clock)
    follower.follow(f"{site.address}/feed")
    assert list(follower.look(0.01)) == []
    assert waiting.wait(60)
    closing_it = threading.Thread(target=follower.close)
    closing_it.start()
    while not follower.is_closed:
        time.sleep(0)
    going_on.set()
    closing_it.join()
    assert archive.articles() == ()
    [feed] = archive.subscriptions.every()
    assert (feed.looker, feed.due) == ("", clock.moment)


PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"  # as the tests below have it


@pytest.fixture
def intranet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(public_hosts, "is_public", PUBLIC.__eq__)
    with served(PRIVATE) as found:
        found.answers["/harbour"] = page(HARBOUR)
        found.answers["/robots.txt"] = Answer("")
        yield found


def test_a_public_feed_leads_nowhere_private(
    site: Site, intranet: Site, archive: PersistentArchive, follower: Follower
) -> None:
    lure = f"{intranet.address}/harbour"
    site.answers["/moved"] = Answer(status=302, headers={"Location": lure})
    site.answers["/feed"] = rss(
        "", (lure, FRIDAY), (f"{site.address}/moved", FRIDAY), (f"{site.address}/school", FRIDAY)
    )
    look = follower.add(f"{site.address}/feed")
    assert look.taken.added == (f"{site.address}/school",)
    assert [place for place, _ in look.left_out] == [lure, f"{site.address}/moved"]
    assert all("in a private network" in str(error) for _, error in look.left_out)
    site.answers["/maps.xml"] = sitemaps(lure)
    [refused] = follower.add(f"{site.address}/maps.xml").left_out
    assert "in a private network" in str(refused[1])
    with pytest.raises(ArticleError, match="in a private network"):
        follower.add(f"{site.address}/moved")
    assert intranet.asked == []
    assert len(archive.articles()) == 1


def test_a_feed_in_a_private_network_may_lead_there(
    site: Site, intranet: Site, archive: PersistentArchive, follower: Follower
) -> None:
    """Whoever keeps the program named it himself."""
    intranet.answers["/feed"] = rss("", (f"{intranet.address}/harbour", FRIDAY), (f"{site.address}/school", FRIDAY))
    assert len(follower.add(f"{intranet.address}/feed").taken.added) == 2
    assert len(archive.articles()) == 2


def test_a_feed_is_public_that_a_public_machine_gave(site: Site, intranet: Site, follower: Follower) -> None:
    """Though its name stands for a private one once its pages are asked for, or a private one led to it."""
    lure = f"{intranet.address}/harbour"
    site.answers["/feed"] = rss("", (lure, FRIDAY))
    name = site.address.replace(PUBLIC, "feeds.example")
    addresses = iter([PUBLIC, PUBLIC])  # its robots.txt and the feed; afterwards it is asked for no more
    real = socket.getaddrinfo

    def told(host: str, port: int, family: int = 0, type: int = 0) -> list[Any]:  # noqa: A002 - as its callers say
        return real(next(addresses, PRIVATE) if host == "feeds.example" else host, port, family, type)

    with pytest.MonkeyPatch.context() as names:
        names.setattr(socket, "getaddrinfo", told)
        [refused] = follower.add(f"{name}/feed").left_out
    assert "in a private network" in str(refused[1])
    intranet.answers["/feed"] = Answer(status=302, headers={"Location": f"{site.address}/feed"})
    [refused] = follower.add(f"{intranet.address}/feed").left_out
    assert "in a private network" in str(refused[1])
    assert "/harbour" not in intranet.paths()


def test_a_feed_that_has_not_changed_says_so_when_it_is_added_again(
    site: Site, follower: Follower, clock: Clock
) -> None:
    brought = clock.moment
    feed = f"{site.address}/feed"
    follower.add(feed)
    clock.moment += 60
    assert follower.add(feed) == Look(feed, unchanged=True, news=brought)
    items = (("/harbour", FRIDAY), ("/school", FRIDAY))
    site.answers["/feed"] = rss(site.address, *items, etag='"2"')
    assert follower.add(feed).taken.unchanged == (f"{site.address}/harbour", f"{site.address}/school")


def test_what_a_look_fetched_stays_though_it_is_killed(site: Site, archive: PersistentArchive, clock: Clock) -> None:
    class KilledError(BaseException):
        pass

    def pause(_: float) -> None:
        if "/harbour" in [path for path, _ in site.asked]:
            raise KilledError

    with pytest.raises(KilledError):
        Follower(archive, Fetcher(pause), now=clock).add(f"{site.address}/feed")
    assert [article.id for article in archive.articles()] == [f"{site.address}/harbour"]
    site.paths()
    clock.moment += FEED_PAUSE_SECONDS
    [look] = Follower(archive, Fetcher(lambda _: None), now=clock).look()
    assert look.taken.added == (f"{site.address}/school",)
    assert site.paths() == ["/feed", "/school"]


def test_a_feed_with_many_pages_keeps_no_other_waiting(site: Site, archive: PersistentArchive, clock: Clock) -> None:
    going_on = threading.Event()
    with served() as other:
        other.answers["/feed"] = rss(other.address, *((f"/{n}", FRIDAY) for n in range(200)))
        other.answers["/0"] = page(HARBOUR)

        follower = Follower(archive, Fetcher(lambda _: going_on.wait(0.01)), now=clock)
        follower.follow(f"{other.address}/feed")
        follower.follow(f"{site.address}/feed")
        looks = follower.look()
        assert next(looks).url == f"{site.address}/feed"
        going_on.set()
        look = next(looks)
        assert (look.url, len(look.taken.added), len(look.left_out)) == (f"{other.address}/feed", 1, 199)


@pytest.mark.parametrize("drips", ["head", "body"])
def test_pages_that_drip_cost_their_feed_one_bound_and_no_other_anything(
    site: Site, archive: PersistentArchive, clock: Clock, drips: str
) -> None:
    bound = 2.0
    with served() as slow:
        slow.answers["/feed"] = rss(slow.address, *((f"/{n}", FRIDAY) for n in range(20)), ("/harbour", FRIDAY))
        slow.answers |= {f"/{n}": Answer(drips=drips) for n in range(2)} | {"/harbour": page(HARBOUR)}
        follower = Follower(archive, Fetcher(lambda _: None, longest=bound), now=clock)
        follower.follow(f"{slow.address}/feed")
        follower.follow(f"{site.address}/feed")
        began = time.monotonic()
        first, second = follower.look()
        assert time.monotonic() - began < bound * 3
        assert (first.url, len(first.taken.added)) == (f"{site.address}/feed", 2)
        assert second.taken.added == (f"{slow.address}/harbour",)
        assert [str(error) for _, error in second.left_out[:2]] == [
            f"{slow.address}/{n} takes too long." for n in (0, 1)
        ]
        [feed] = [feed for feed in archive.subscriptions.every() if feed.url == second.url]
        assert feed.etag == ""


def test_a_page_that_goes_back_and_forth_is_told_once(site: Site, archive: PersistentArchive, clock: Clock) -> None:
    follower = Follower(archive, Fetcher(lambda _: None), now=clock)
    place = f"{site.address}/harbour"
    site.answers["/feed"] = rss(site.address, ("/harbour", ""))
    texts = (HARBOUR, HARBOUR.replace("Friday", "Thursday"))
    follower.follow(f"{site.address}/feed")
    told = []
    for n in range(9):
        site.answers["/harbour"] = page(texts[n % 2])
        site.answers["/feed"] = rss(site.address, ("/harbour", ""), etag=f'"{min(n, 4)}"')
        [look] = follower.look()
        told.append((look.taken.added, look.taken.changed, [str(error) for _, error in look.left_out]))
        clock.moment += FEED_PAUSE_SECONDS
    waits = ((), (), [])
    says = ((), (), ["It alternates between two texts. It is added when one of them stays."])
    assert told == [((place,), (), []), ((), (place,), []), ((), (place,), []), says, *[waits] * 5]
    assert len(archive.history(place)) == 3
    site.answers["/harbour"] = page(texts[1])
    assert [look.taken for look in follower.look()] == [NOTHING]
    clock.moment += FEED_PAUSE_SECONDS
    assert [look.taken.changed for look in follower.look()] == [(place,)]
    assert texts[1] in archive.article(place).text


def test_a_password_is_asked_by_and_stands_nowhere_else(
    site: Site, archive: PersistentArchive, follower: Follower, clock: Clock
) -> None:
    feed = f"{site.address}/feed".replace("http://", "http://ada:secret@")
    site.answers["/feed"] = rss("", ("/harbour", FRIDAY), ("/gone", FRIDAY))
    look = follower.add(feed)
    assert look.taken.added == (f"{site.address}/harbour",)
    site.answers["/feed"] = Answer(status=500)
    clock.moment += FEED_PAUSE_SECONDS
    [failed] = follower.look()
    [held] = archive.articles()
    told = repr((look, [str(error) for _, error in look.left_out], failed, held))
    assert "secret" not in told
    assert [feed.trouble for feed in archive.subscriptions.every()] == [failed.trouble]


def test_what_is_followed_no_longer_is_not_followed_again_by_a_look_that_ends(
    site: Site, archive: PersistentArchive, clock: Clock
) -> None:
    feed = f"{site.address}/feed"

    def pause(_: float) -> None:
        if "/harbour" in [path for path, _ in site.asked]:
            archive.subscriptions.remove(feed)

    Follower(archive, Fetcher(pause), now=clock).add(feed)
    assert archive.subscriptions.every() == ()
