"""What is done in threads of their own while others are served: vectors are made in the background."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from bot.command import Argument
from bot.model import Question
from bot.service import QuestionService
from retrieval import Meaning, WritableArchive, encode, freeze_loaded

log = logging.getLogger(__name__)

PAUSE_SECONDS = 10.0  # between two looks for articles without vectors
LOWEST = 19  # of Linux's priorities: runs when nothing else wants to


def warm(service: QuestionService) -> None:
    """Make the service prepare what it prepares once, so that the first question need not wait."""
    service.complete(Argument.NAME, "", 1)
    service.answer(Question("Who said what?"))
    freeze_loaded()


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


@contextmanager
def prepared_while_idle(service: QuestionService) -> Iterator[None]:
    """Make the vectors that the archive's articles lack while the context lasts, also of those that arrive meanwhile.

    The few that are under way at its end are finished.
    """
    meaning, archive = service.holdings.meaning, service.holdings.archive
    if meaning is None or not isinstance(archive, WritableArchive):
        yield
        return
    with in_background("prepare", partial(_prepare, meaning, archive)):
        yield


def _prepare(meaning: Meaning, archive: WritableArchive, stop: threading.Event) -> None:
    _give_way()
    try:
        while not stop.is_set():
            encode(archive, meaning, lambda: None, stop, threads=1)
            stop.wait(PAUSE_SECONDS)
    except Exception:  # answers do without
        log.exception("vectors could not be made")


def _give_way() -> None:
    """Lower this thread's priority, and that of the threads it starts; only Linux has one for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
