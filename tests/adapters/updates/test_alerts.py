"""Alarms: feeds that have stopped, and corrections that other articles need too; each is posted once."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from adapters import metrics
from adapters.metrics import ArchiveProbe
from adapters.settings import Settings, load
from adapters.updates import posting
from adapters.updates.posting import HOUR, SilenceWatch, silences
from adapters.web import serve_health
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from tests.emulators.slack_web import CUT
from tests.support.chats import MILL, QUAY, Archived, PressRoom, SlackRoom, corrected, press_room
from tests.support.tables import articles

NOW = 1_700_000_000.0
QUIET, LIVELY, NEW = "https://user:secret@quiet.example/feed", "https://lively.example/feed", "https://new.example/feed"
SHOWN = "https://…@quiet.example/feed"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[PersistentArchive]:
    """Return an archive with a feed that has been silent for 30 hours, one for 2, and one that never brought any."""
    lasting = PersistentArchive(tmp_path / "archive.sqlite")
    for url, news in ((QUIET, NOW - 30 * HOUR), (LIVELY, NOW - 2 * HOUR), (NEW, None)):
        lasting.subscriptions.put(Subscription(url, NOW, news=news))
    yield lasting
    metrics.note_silences({}, ())
    lasting.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load({"STET_STATE": str(tmp_path / "state.sqlite"), "STET_HEALTH": "127.0.0.1:0"}, tmp_path / "none")


def test_a_feed_is_silent_after_the_set_hours(archive: PersistentArchive, settings: Settings) -> None:
    found = {each.feed: each for each in silences(archive.subscriptions, settings, NOW)}
    assert {feed: each.alarming for feed, each in found.items()} == {SHOWN: True, LIVELY: False}
    assert found[SHOWN].sentence.startswith(f"No article has come from {SHOWN} for 30 hours")
    assert not any(each.alarming for each in silences(archive.subscriptions, replace(settings, silence_hours=0), NOW))
    assert not any(each.alarming for each in silences(archive.subscriptions, replace(settings, silence_hours=31), NOW))


async def test_a_silence_is_logged_once_and_shown_on_readyz_until_it_ends(
    archive: PersistentArchive, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    moment = [NOW]
    watch = SilenceWatch(QuestionService(Library(archive)), settings, lambda: moment[0])
    addresses: list[str] = []
    with serve_health((), settings, ArchiveProbe(archive), addresses.append):
        async with httpx.AsyncClient(base_url=addresses[0]) as health:
            for _ in range(3):
                watch.look(archive.subscriptions)
            [alarm] = [each for each in silences(archive.subscriptions, settings, NOW) if each.alarming]
            assert _logged(caplog) == [alarm.sentence]
            ready = await health.get("/readyz")
            assert (ready.status_code, ready.text) == (503, f"no article comes from {SHOWN} any more\n")
            figures = (await health.get("/metrics")).text
            assert f'stet_feed_silence_seconds{{feed="{SHOWN}"}} 108000.0' in figures
            assert f'stet_feed_silent{{feed="{LIVELY}"}} 0.0' in figures
            archive.subscriptions.put(Subscription(QUIET, NOW, news=NOW))
            watch.look(archive.subscriptions)
            assert (await health.get("/readyz")).status_code == 200
            moment[0] += 25 * HOUR
            watch.look(archive.subscriptions)
            assert len(_logged(caplog)) == 3  # by then the other one is silent too
            archive.subscriptions.remove(QUIET)
            watch.look(archive.subscriptions)
            assert SHOWN not in (await health.get("/metrics")).text


def _logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.name == posting.__name__]


CHANNELS = {"slack": "C2", "discord": "900000000000000777"}


def _posted(room: PressRoom) -> list[str]:
    return [room.text(each).strip() for each in room.posted(CHANNELS[room.platform])]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "ALARMS_EVERY_SECONDS", 0.01)


async def test_a_silence_is_posted_once(platform: str, tmp_path: Path) -> None:
    archived = Archived(tmp_path)
    archived.archive.subscriptions.put(Subscription(LIVELY, 0.0, news=1.0))
    async with press_room(platform, tmp_path, STET_ALARM_CHANNEL=CHANNELS[platform]) as (room, _):
        if isinstance(room, SlackRoom):
            await room.slack.fail(CUT, "chat.postMessage", times=1)
        await room.until(lambda: _posted(room))
        [text] = _posted(room)
        assert re.fullmatch(rf"No article has come from {LIVELY} for [\d,]+ hours, and some used to\.", text)
        archived.archive.subscriptions.put(Subscription(NEW, 0.0, news=2.0))
        await room.until(lambda: len(_posted(room)) == 2)
    assert len(_posted(room)) == 2


async def test_a_correction_is_posted_once_without_a_word_of_an_article(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_ALARM_CHANNEL=CHANNELS[platform]) as (room, archived):
        await _looked(room, archived)
        archived.put(articles(__file__)["repeat"])
        await _looked(room, archived)
        assert _posted(room) == []
        archived.put(corrected(QUAY, "1971", "1972"))
        await _looked(room, archived)
        archived.put(corrected(MILL, "nine", "ten"))
        await _looked(room, archived)
        [text] = _posted(room)
    assert text.startswith("An article was corrected. 1 sentence in another article may need")
    assert "crane" not in text


async def _looked(room: PressRoom, archived: Archived) -> None:
    arrivals = archived.archive.arrivals
    name = f"{room.platform} corrections told, {arrivals.identity()}"
    await archived.stored(lambda store: store.fact(name) == str(arrivals.last()))
