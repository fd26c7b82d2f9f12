"""Feeds, pages and rules of servers that mean harm, beside a feed that does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.errors import UnreadArticleError
from retrieval.following import FEED_PAUSE_SECONDS, Follower
from retrieval.intake.fetching import Fetcher
from tests.retrieval.hostile_sites import KNOWN, Sent, drawn
from tests.retrieval.site import Answer, Site, served
from tests.retrieval.test_following import HARBOUR, Clock, page, rss

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
