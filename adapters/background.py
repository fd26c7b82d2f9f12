"""What is done in threads of their own while others are served: sentences are prepared while nobody asks."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from bot import verbatim
from bot.command import Argument
from bot.model import Question
from bot.service import QuestionService
from retrieval import VECTORS_BOUND, Archive, Meaning, freeze_loaded

log = logging.getLogger(__name__)

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
    """Encode the archive's sentences while the context lasts.

    The few that are under way at its end are finished. An archive with more than ``VECTORS_BOUND`` is not prepared.
    """
    meaning, archive = service.holdings.meaning, service.holdings.archive
    if meaning is None or archive.vocabulary().size() > VECTORS_BOUND:
        yield
        return
    with in_background("prepare", partial(_prepare, meaning, archive)):
        yield


def _prepare(meaning: Meaning, archive: Archive, stop: threading.Event) -> None:
    _give_way()
    try:
        made = meaning.fill(sentences(archive), stop)
    except Exception:  # answers do without
        log.exception("sentences could not be prepared")
    else:
        log.info("%d sentences were prepared", made)


def sentences(archive: Archive) -> Iterator[str]:
    """Yield every sentence that may be an answer, word for word."""
    for listed in archive.listed():
        reading = verbatim.reading(archive, listed.id)
        if reading is None:  # removed, or damaged
            continue
        for passage in reading.passages:
            if passage.sentence.boilerplate is None:
                yield passage.sentence.span.of(reading.article.text)


def _give_way() -> None:
    """Lower this thread's priority, and that of the threads it starts; only Linux has one for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
