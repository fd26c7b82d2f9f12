"""Work in background threads while questions are answered, such as making vectors."""

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
LOWEST = 19  # of Linux's priorities


def warm(service: QuestionService) -> None:
    """Load what the first question would otherwise wait for."""
    service.autocomplete(Argument.NAME, "", 1)
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
    """While the context lasts, make missing vectors, also of articles that arrive; finish those begun at its end."""
    meaning, archive = service.library.meaning, service.library.archive
    if meaning is None or not isinstance(archive, WritableArchive):
        yield
        return
    with in_background("prepare", partial(_prepare, meaning, archive)):
        yield


def _prepare(meaning: Meaning, archive: WritableArchive, stop: threading.Event) -> None:
    if sys.platform == "linux":  # where each thread has a priority, which the threads it starts get too
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
    try:
        while not stop.is_set():
            encode(archive, meaning, lambda: None, stop, threads=1)
            stop.wait(PAUSE_SECONDS)
    except Exception:  # answers do without
        log.exception("vectors could not be made")
