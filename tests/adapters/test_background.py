"""Vectors are made in the background."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence

import pytest

from adapters.background import prepared_while_idle
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import Codes
from tests.encoders import Fixed

TEXT = "The ferry sank off the harbour on Monday.\n\nRead | All our stories on the ferry\n\nDivers found the bell."


class Filling(Fixed):
    """Notes with what priority it encodes, and may break."""

    def __init__(self, *, breaks: bool = False) -> None:
        super().__init__("ferry")
        self.breaks = breaks
        self.priority = 0
        self.done = threading.Event()

    def passages(self, texts: Sequence[str]) -> Codes | None:
        if sys.platform == "linux":
            self.priority = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        self.done.set()
        if self.breaks:
            raise RuntimeError("out of memory")
        return super().passages(texts)


def service(meaning: Filling | None) -> QuestionService:
    return QuestionService(Library(open_archive(read_separately([Article("1.txt", TEXT)])), meaning=meaning))


def test_every_sentence_that_may_answer_is_prepared_with_low_priority_and_the_end_ends_it() -> None:
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    meaning = Filling()
    answering = service(meaning)
    with prepared_while_idle(answering):
        assert meaning.done.wait(30)
    assert not answering.library.archive.unencoded()
    assert meaning.encoded[:2] == ["The ferry sank off the harbour on Monday.", "Divers found the bell."]
    assert "prepare" not in [thread.name for thread in threading.enumerate()]
    assert meaning.priority == (19 if sys.platform == "linux" else 0)  # elsewhere a thread has no priority of its own
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_what_breaks_is_logged_and_nothing_else_ends(caplog: pytest.LogCaptureFixture) -> None:
    meaning = Filling(breaks=True)
    with prepared_while_idle(service(meaning)):
        assert meaning.done.wait(30)
    assert "out of memory" in caplog.text


def test_where_no_meanings_are_compared_nothing_is_prepared() -> None:
    with prepared_while_idle(service(None)):
        assert "prepare" not in [thread.name for thread in threading.enumerate()]
