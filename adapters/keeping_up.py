"""Feeds and folders -> the archive, while platforms are served from it: looked at in a thread, each when it is due."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from bot.escape_controls import escape_line

from adapters.background import in_background
from adapters.compose import name
from adapters.lasting import opened_archive
from adapters.settings import Settings, discreet
from adapters.stored_reply import publish_removals
from bot.service import QuestionService
from retrieval import ArchiveError, Fetcher, Follower, Look, PersistentArchive, StoppedError

LOOK = 15.0  # seconds after which is looked for what another process has begun to follow
NEXT = 1.0  # seconds after which is looked for whether this ends while feeds are looked at
LAST_WORDS = 5.0  # seconds in which what is under way may end

log = logging.getLogger(__name__)


@contextmanager
def kept_up(service: QuestionService, settings: Settings) -> Iterator[None]:
    """Keep the archive that ``service`` answers from up with what is followed, for as long as this lasts.

    Articles that are in no archive in a file stay as they are.
    """
    if service.holdings.archive.subscriptions is None:
        if settings.feeds:
            log.warning("STET_FEEDS is of no use here: the articles are not in an archive in a file")
        yield
        return
    # who is killed in the middle has lost a few articles, and reads them again
    with in_background("feeds", partial(_keep_up, settings), LAST_WORDS):
        yield


def follow(follower: Follower, places: Iterable[str]) -> None:
    """Follow feeds, sitemaps and folders as they are named in a setting."""
    for place in places:
        follower.follow(place if "://" in place else str(Path(place).expanduser().resolve()))


def _keep_up(settings: Settings, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            fetcher = Fetcher(lambda seconds: _wait(stop, seconds))
            with (
                opened_archive(settings) as archive,
                closing(Follower(archive, fetcher, zone=settings.zone)) as follower,
            ):
                _look(archive, follower, settings, stop)
        except ArchiveError as error:
            log.warning("the feeds are not looked at now: %s", error)
        except Exception:
            log.exception("the feeds could not be looked at")
        stop.wait(LOOK)


def _look(archive: PersistentArchive, follower: Follower, settings: Settings, stop: threading.Event) -> None:
    follow(follower, settings.feeds)
    while not stop.is_set():
        publish_removals(archive)
        for look in follower.look(NEXT):
            _tell(look)
            if stop.is_set():
                return
        stop.wait(min(follower.pause(), LOOK))


def _wait(stop: threading.Event, seconds: float) -> None:
    if stop.wait(seconds):
        raise StoppedError


def _tell(look: Look) -> None:
    place = escape_line(discreet(look.url))
    for left_out, error in look.left_out:
        name(left_out, error)
    if look.trouble:
        log.warning("%s", escape_line(discreet(look.trouble)))
    elif look.taken.added or look.taken.changed:
        log.info("%s: %d articles added, %d changed", place, len(look.taken.added), len(look.taken.changed))
