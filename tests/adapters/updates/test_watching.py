"""Standing questions on both platforms: added, listed and ended; news on them is posted once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.storage.store import Store, Watch
from adapters.updates import posting
from bot import messages
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.support.chats import Archived, PressRoom, press_room

pytestmark = pytest.mark.rest

MINERS = "how many miners were brought out of the corrow mine"


def rescue(number: int, name: str = "mine.txt") -> Article:
    text = f"Rescuers at the Corrow mine brought out {number} miners alive, its owner said. It could not be verified."
    return Article(name, text, source="The Tollen Post", title="Miners are out")


def warden(name: str, words: str) -> Article:
    return Article(name, f"“{words},” said Ada Venn, the warden.", source="The Tollen Post", title=f"A weir, {name}")


def posted(room: PressRoom, channel: str = "") -> list[str]:
    return [room.text(each) for each in room.posted(channel or room.channel)]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "NEWS_EVERY_SECONDS", 0.02)


async def seen_to(archived: Archived, platform: str, *, posted_all: bool = True) -> None:
    fact = f"{platform} watched, {archived.archive.retirements.identity()}"
    last = str(archived.archive.arrivals.last())
    await archived.stored(lambda store: store.fact(fact) == last and not (posted_all and store.pending_news(platform)))


async def test_news_is_posted_once_in_its_channel(platform: str, room: PressRoom, archived: Archived) -> None:
    assert MINERS in await room.command("watch", MINERS)
    archived.put(warden("weir.txt", "The weir holds"))
    archived.put(rescue(14))
    await room.until(lambda: posted(room))
    await seen_to(archived, platform)
    [shown] = posted(room)
    assert shown.index(messages.news_on(MINERS)) < shown.index("brought out 14 miners")
    assert "It could not be verified." in shown
    archived.put(rescue(14, "copy.txt"))  # the same words in another paper
    await seen_to(archived, platform)
    assert len(posted(room)) == 1
    archived.put(rescue(17))
    await room.until(lambda: len(posted(room)) == 2 and "17 miners" in posted(room)[1])


async def test_nothing_is_promised_where_the_bot_in_slack_is_not(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path) as (room, archived):
        web = room.slack.web
        web.channels |= {name: {"id": name, "is_member": False} for name in ("C7", "D7")}
        for place in ("C7", "D7"):
            assert await room.command("watch", MINERS, place) == messages.WATCH_NO_ACCESS
        web.scopes = tuple(each for each in web.scopes if not each.startswith(("channels:", "groups:")))
        assert messages.WATCH_ACCESS_UNKNOWN in await room.command("watch", MINERS, "C1")
        assert messages.WATCH_ACCESS_UNKNOWN not in await room.command("watch", MINERS, "DU1")
        assert await room.command("watch", MINERS, "D7") == messages.WATCH_NO_ACCESS
        with Store(archived.state) as store:
            assert [each.channel for each in store.watches()] == ["C1", "DU1"]
        web.calls.clear()  # the refusals that it took to find out


async def test_nothing_is_promised_where_the_bot_on_discord_may_not_write(tmp_path: Path) -> None:
    async with press_room("discord", tmp_path) as (room, archived):
        closed = "900000000000000033"
        room.discord.rest.closed |= {closed, room.discord.world.post}
        for place in (closed, room.discord.world.post):
            assert await room.command("watch", MINERS, place) == messages.WATCH_NO_ACCESS
        with Store(archived.state) as store:
            assert store.watches() == ()


async def test_news_is_posted_in_the_forum_post_that_asked(tmp_path: Path) -> None:
    async with press_room("discord", tmp_path) as (room, archived):
        post = room.discord.world.post
        await room.command("watch", MINERS, post)
        assert "no standing questions here" in await room.command("watches")
        assert MINERS in await room.command("watches", place=post)
        archived.put(rescue(14))
        await room.until(lambda: posted(room, post))
        assert "brought out 14 miners" in posted(room, post)[0]


async def test_standing_questions_are_listed_and_ended(platform: str, room: PressRoom, archived: Archived) -> None:
    assert "no standing questions here" in await room.command("watches")
    await room.command("watch", "Ada Venn")
    await room.command("watch", MINERS)
    listed = await room.command("watches")
    assert listed.index("1. Ada Venn") < listed.index(f"2. {MINERS}")
    assert "No standing question here has that number" in await room.command("watches", "3")
    assert MINERS in await room.command("watches", "2")
    archived.put(rescue(14))
    archived.put(warden("weir.txt", "The weir holds"))
    await room.until(lambda: posted(room))
    await seen_to(archived, platform)
    [shown] = posted(room)
    assert "The weir holds" in shown


async def test_beyond_the_hourly_limit_news_is_one_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "HOURLY_LIMIT", 2)
    async with press_room("discord", tmp_path) as (room, archived):
        await room.command("watch", "Ada Venn")
        archived.archive.add([read_one(warden(f"{n}.txt", f"Weir {n} holds the water back")) for n in range(5)])
        await room.until(lambda: len(posted(room)) == 2)
        await seen_to(archived, room.platform)
        one, rest = posted(room)
        assert one.count("holds the water back") == 1
        assert rest.count("holds the water back") == 4
        assert messages.NEWS in rest
        archived.put(warden("late.txt", "It holds still"))
        await seen_to(archived, room.platform, posted_all=False)
        with Store(archived.state) as store:
            assert [news.article for news in store.pending_news(room.platform)] == ["late.txt"]
        assert len(posted(room)) == 2


@pytest.mark.parametrize("given", [{"STET_CHANNELS": '[default]\nsources = ["The Oster Bell"]'}])
async def test_a_channel_gets_news_of_its_own_sources_only(room: PressRoom, archived: Archived) -> None:
    await room.command("watch", MINERS)
    archived.put(rescue(14))
    await seen_to(archived, room.platform)
    assert posted(room) == []
    archived.put(replace(rescue(14, "bell.txt"), source="The Oster Bell"))
    await room.until(lambda: posted(room))
    assert "The Oster Bell" in posted(room)[0]


async def test_embargoed_news_is_posted_when_the_embargo_ends(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path) as (room, archived):
        await room.command("watch", MINERS)
        archived.put(replace(rescue(14), embargo=datetime.now(UTC) + timedelta(seconds=2)))
        archived.put(warden("weir.txt", "The weir holds"))
        await seen_to(archived, room.platform)
        assert posted(room) == []
        await room.until(lambda: posted(room))
        assert "brought out 14 miners" in posted(room)[0]


def test_a_channel_has_at_most_twenty_different_questions(tmp_path: Path) -> None:
    with Store(tmp_path / "state.sqlite") as store:
        every = [Watch(0, "slack", "T1", "C1", "U1", f"question {number}", 0) for number in range(21)]
        assert [store.add_watch(each) for each in (every[0], *every)] == [True] * 21 + [False]
        assert [each.words for each in store.watches("slack", "C1")] == [each.words for each in every[:20]]
        assert store.watches("discord") == store.watches("slack", "C2") == ()
        store.remove_watch(store.watches()[0].id)
        assert store.add_watch(every[20])
