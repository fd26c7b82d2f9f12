"""Feeds and folders are followed while platforms are served from the same archive."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.background import following_feeds
from adapters.settings import Settings, load
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from tests.adapters.slack.office import environment
from tests.emulators.slack import Slack
from tests.retrieval.site import Answer, Site, served
from tests.retrieval.test_following import page, rss
from tests.stock import service
from tests.support.program import wait_until

pytestmark = pytest.mark.rest

PATIENCE = 60.0
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


def test_articles_in_memory_follow_no_feeds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = settings_for(tmp_path, STET_FEEDS="https://bell.example/feed")
    answering: QuestionService = service()
    with following_feeds(answering, settings):
        pass
    assert "STET_FEEDS is ignored" in caplog.text
    assert not Path(settings.archive).exists()


async def test_stet_run_answers_with_what_a_feed_brought(site: Site, tmp_path: Path) -> None:
    async with Slack() as slack:
        more = {"STET_ARCHIVE": str(tmp_path / "archive.sqlite"), "STET_FEEDS": f"{site.address}/feed"}
        given = {**os.environ, **environment(slack, tmp_path, **more, STET_ARTICLES="", STET_ENCODER="none")}
        bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "adapters", "run", env=given)
        await slack.connected(PATIENCE)
        texts: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while not any("roof of the school" in text for text in texts):
                await slack.mention("what did the storm take?")
                count = len(texts) + 1
                texts = [each["text"] for each in await slack.answers(count, PATIENCE)]
        bot.terminate()
        assert await bot.wait() == 0
