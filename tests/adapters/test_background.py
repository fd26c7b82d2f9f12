"""What goes on beside the answers: vectors are made, feeds and folders followed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.background import following_feeds, prepared_while_idle
from adapters.settings import Settings, load
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.subscriptions import Subscription
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import Codes
from tests.encoders import Fixed
from tests.retrieval.site import Answer, Site, served
from tests.retrieval.test_following import page, rss
from tests.stock import service
from tests.support.program import wait_until

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


def answering_by(meaning: Filling | None) -> QuestionService:
    return QuestionService(Library(open_archive(read_separately([Article("1.txt", TEXT)])), meaning=meaning))


def test_every_sentence_that_may_answer_is_prepared_with_low_priority_and_the_end_ends_it() -> None:
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    meaning = Filling()
    answering = answering_by(meaning)
    with prepared_while_idle(answering):
        assert meaning.done.wait(30)
    assert not answering.library.archive.unencoded()
    assert meaning.encoded[:2] == ["The ferry sank off the harbour on Monday.", "Divers found the bell."]
    assert "prepare" not in [thread.name for thread in threading.enumerate()]
    assert meaning.priority == (19 if sys.platform == "linux" else 0)  # elsewhere a thread has no priority of its own
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_what_breaks_is_logged_and_nothing_else_ends(caplog: pytest.LogCaptureFixture) -> None:
    meaning = Filling(breaks=True)
    with prepared_while_idle(answering_by(meaning)):
        assert meaning.done.wait(30)
    assert "out of memory" in caplog.text


def test_where_no_meanings_are_compared_nothing_is_prepared() -> None:
    with prepared_while_idle(answering_by(None)):
        assert "prepare" not in [thread.name for thread in threading.enumerate()]


STORM = "The storm took the roof of the school at Brackwater, its head Alma Reed said on Tuesday. Nobody was hurt."


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as found:
        found.answers["/feed"] = rss(found.address, ("/storm", ""))
        found.answers["/storm"] = page(STORM)
        found.answers["/robots.txt"] = Answer("")
        yield found


def settings_for(folder: Path, **more: str) -> Settings:
    given = {"STET_ARCHIVE": str(folder / "archive.sqlite"), "STET_STATE": str(folder / "state.sqlite"), **more}
    return load({**given, "STET_ENCODER": "none"}, folder / "none")


@pytest.mark.rest
def test_feeds_and_folders_that_a_setting_names_are_read(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    (folder / "mill.txt").write_text("The mill at Brackwater burned down.", encoding="utf-8")
    settings = settings_for(tmp_path, STET_FEEDS=f"{site.address}/feed, {folder}")
    answering = open_service(settings)
    assert answering.library.archive.articles() == ()
    with following_feeds(answering, settings):
        wait_until(lambda: len(answering.library.archive.articles()) == 2)
    assert {article.id for article in answering.library.archive.articles()} == {"mill.txt", f"{site.address}/storm"}


@pytest.mark.rest
def test_feeds_that_another_process_follows_are_checked(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.background.FEEDS_PAUSE_SECONDS", 0.05)
    settings = settings_for(tmp_path)
    other = PersistentArchive(Path(settings.archive))
    other.subscriptions.put(Subscription(f"{site.address}/feed", 0.0))
    answering = open_service(settings)
    with following_feeds(answering, settings):
        wait_until(answering.library.archive.articles)
        other.subscriptions.put(Subscription(f"{site.address}/nothing", 0.0))
        wait_until(lambda: "/nothing answers 404" in caplog.text)
        other.close()


@pytest.mark.rest
def test_articles_in_memory_follow_no_feeds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = settings_for(tmp_path, STET_FEEDS="https://bell.example/feed")
    with following_feeds(service(), settings):
        pass
    assert "STET_FEEDS is ignored" in caplog.text
    assert not Path(settings.archive).exists()
