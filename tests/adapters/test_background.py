"""What is done while nobody asks."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from adapters.background import prepared_while_idle, sentences
from bot.command import Holdings
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import Window

TEXT = "The ferry sank off the harbour on Monday.\n\nRead | All our stories on the ferry\n\nDivers found the bell."


class Filling:
    """Takes what it is given, as long as it may; it notes with what priority, and may break."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks
        self.given: list[str] = []
        self.priority = 0
        self.done = threading.Event()
        self.stopped = False

    def similarities(self, question: str, sentences: Sequence[str]) -> NDArray[np.float64] | None:
        del question, sentences
        return None

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        del question, windows
        return None

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        if self.breaks:
            self.done.set()
            raise RuntimeError("out of memory")
        self.given = list(sentences)
        if sys.platform == "linux":
            self.priority = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        self.done.set()
        self.stopped = stop.wait(30)
        return len(self.given)


def service(meaning: Filling | None) -> QuestionService:
    """Return a desk over one article."""
    return QuestionService(Holdings(open_archive(read_separately([Article("1.txt", TEXT)])), meaning=meaning))


def test_every_sentence_that_may_answer_is_prepared_and_the_end_ends_it() -> None:
    """In a thread of its own, that is gone afterwards."""
    meaning = Filling()
    with prepared_while_idle(service(meaning)):
        assert meaning.done.wait(30)
    assert meaning.stopped
    assert meaning.given == ["The ferry sank off the harbour on Monday.", "Divers found the bell."]
    assert "prepare" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")
def test_the_thread_gives_way_and_nobody_else_does() -> None:
    """The lowest priority there is; the asking threads keep theirs."""
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    meaning = Filling()
    with prepared_while_idle(service(meaning)):
        assert meaning.done.wait(30)
    assert meaning.priority == 19
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_what_breaks_is_logged_and_nothing_else_ends(caplog: pytest.LogCaptureFixture) -> None:
    meaning = Filling(breaks=True)
    with prepared_while_idle(service(meaning)):
        assert meaning.done.wait(30)
    assert "out of memory" in caplog.text


def test_where_no_meanings_are_compared_nothing_is_prepared() -> None:
    with prepared_while_idle(service(None)):
        assert "prepare" not in [thread.name for thread in threading.enumerate()]


def test_sentences_are_given_as_they_stand() -> None:
    assert list(sentences(service(None).holdings.archive)) == [TEXT[:41], TEXT[-22:]]
