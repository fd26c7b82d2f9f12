"""Threads beside the questions: feeds and folders are followed, removals are erased, missing vectors are made."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path

import retrieval
from adapters.articles import changing, log_rejected, open_archive_of, open_cluster_of, publish_removals
from adapters.settings import Settings, discreet
from bot.escaping import escape_line
from bot.service import QuestionService

REMOVALS_PAUSE_SECONDS = 5.0  # between two looks at what was removed from a cluster
FEEDS_PAUSE_SECONDS = 15.0  # the longest pause: another process may have begun to follow something
RESULT_SECONDS = 1.0  # the longest wait for a result, so that the thread notices that it should stop
END_SECONDS = 5.0  # in which a thread may end
VECTORS_PAUSE_SECONDS = 10.0  # between two looks for articles without vectors
LOWEST = 19  # of Linux's priorities

log = logging.getLogger(__name__)


@contextmanager
def in_background(name: str, work: Callable[[threading.Event], None], patience: float | None = None) -> Iterator[None]:
    """Do ``work`` in a thread until the context ends; then set its event, and wait ``patience`` seconds at most."""
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(patience)


def prepared_while_idle(service: QuestionService) -> AbstractContextManager[None]:
    """While the context lasts, make missing vectors, also of articles that arrive; finish those begun at its end."""
    meaning, archive = service.library.meaning, service.library.archive
    if meaning is None or not isinstance(archive, retrieval.WritableArchive):
        return nullcontext()
    return in_background("prepare", partial(_prepare, meaning, archive))


def _prepare(meaning: retrieval.Meaning, archive: retrieval.WritableArchive, stop: threading.Event) -> None:
    if sys.platform == "linux":  # where each thread has a priority, which the threads it starts get too
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
    try:
        while not stop.is_set():
            retrieval.encode(archive, meaning, lambda: None, stop, threads=1)
            stop.wait(VECTORS_PAUSE_SECONDS)
    except Exception:  # answers do without
        log.exception("vectors could not be made")


def erasing_removals(settings: Settings) -> AbstractContextManager[None]:
    """Erase the words of what is removed from this machine for as long as this lasts, if a cluster is asked."""
    if settings.articles or not retrieval.is_opensearch(settings.archive):
        return nullcontext()
    return in_background("cluster", partial(_erase_removals, settings), END_SECONDS)


def _erase_removals(settings: Settings, stop: threading.Event) -> None:
    with closing(open_cluster_of(settings)) as archive:
        while not stop.wait(REMOVALS_PAUSE_SECONDS):
            try:
                publish_removals(archive)
            except retrieval.RetrievalError:  # whoever asks is told
                log.debug("the cluster could not be followed", exc_info=True)


def following_feeds(service: QuestionService, settings: Settings) -> AbstractContextManager[None]:
    """Add what feeds and folders bring to the archive that ``service`` answers from, if it is an archive in a file."""
    if service.library.archive.subscriptions is None:
        if settings.feeds:
            log.warning("STET_FEEDS is ignored: the articles are not in an archive in a file")
        return nullcontext()
    # if the thread does not end in time, a few articles are lost and read again next time
    return in_background("feeds", partial(_follow_feeds, settings), END_SECONDS)


def follow_all(follower: retrieval.Follower, places: Iterable[str]) -> None:
    for place in places:
        follower.follow(place if "://" in place else str(Path(place).expanduser().resolve()))


def _follow_feeds(settings: Settings, stop: threading.Event) -> None:
    def wait(seconds: float) -> None:
        if stop.wait(seconds):
            raise retrieval.StoppedError

    while not stop.is_set():
        try:
            with (
                changing(open_archive_of(settings)) as archive,
                closing(retrieval.Follower(archive, retrieval.Fetcher(wait), zone=settings.zone)) as follower,
            ):
                _check_feeds(archive, follower, settings, stop)
        except retrieval.ArchiveError as error:
            log.warning("the feeds are not checked now: %s", error)
        except Exception:
            log.exception("the feeds could not be checked")
        stop.wait(FEEDS_PAUSE_SECONDS)


def _check_feeds(
    archive: retrieval.PersistentArchive, follower: retrieval.Follower, settings: Settings, stop: threading.Event
) -> None:
    follow_all(follower, settings.feeds)
    while not stop.is_set():
        publish_removals(archive)
        for look in follower.look(RESULT_SECONDS):
            log_rejected(*look.left_out)
            if look.trouble:
                log.warning("%s", escape_line(discreet(look.trouble)))
            elif look.taken.added or look.taken.changed:
                place = escape_line(discreet(look.url))
                log.info("%s: %d articles added, %d changed", place, len(look.taken.added), len(look.taken.changed))
            if stop.is_set():
                return
        stop.wait(min(follower.pause(), FEEDS_PAUSE_SECONDS))
