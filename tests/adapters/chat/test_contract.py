"""What people do in a chat and what they get, the same cases in Slack and on Discord."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import messages
from retrieval.model import Article
from tests.adapters.press_room import BEDS, CRANE, DOCKERS, PULLED, press_room
from tests.emulators.discord_payloads import World

BOTH = pytest.mark.parametrize("platform", ["slack", "discord"])


@BOTH
@pytest.mark.parametrize(("typed", "words"), [("copy 1", "Fire chief Greta Moll said"), ("context 1", "fell on the")])
async def test_what_refers_to_an_answer_needs_no_mention(platform: str, typed: str, words: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, archived):
        answer = await room.ask(DOCKERS)
        await archived.remembers(room, answer)
        await room.follow(answer, typed)
        await room.until(room.private)
        [private] = room.private()
        assert words in private
        assert PULLED in private
        assert messages.ASK_ON not in private


@BOTH
async def test_a_persons_card_fits_on_a_screen_and_more_brings_the_rest(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, archived):
        said = [f"Fire chief Greta Moll said crew {number} had left." for number in ("one", "two", "three", "four")]
        archived.put(Article("crews.txt", "\n\n".join(said), source="The Tollen Post", title="Crews leave"))
        card = await room.ask("who Greta Moll")
        text = room.text(card)
        assert sum(words in text for words in said) == 2
        assert "Described as “Fire chief”." in text
        more = await room.press(card, "More")
        assert sum(words in more for words in said) == 2
        assert PULLED in more


@BOTH
async def test_a_reaction_has_a_messages_quotations_checked_once_for_who_reacts(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_DISCORD_CONTENT="1", STET_REACTION=":mag:,🔍") as (room, _):
        await room.react(f"“{PULLED}”", "eyes")
        await room.react(f"“{PULLED}” — Greta Moll", times=2)
        await room.until(room.private)
        await room.react("“a flock of green herons” landed")
        await room.until(lambda: len(room.private()) > 1)
        exact, absent = room.private()
        assert "✅ Exact" in exact
        assert "Fire chief Greta Moll said" in exact
        assert "❌ Absent" in absent


@BOTH
async def test_a_channel_is_answered_from_its_sources_alone(platform: str, tmp_path: Path) -> None:
    rules, channel = tmp_path / "channels.toml", "C1" if platform == "slack" else World().channel
    rules.write_text(f'[{platform}.{channel}]\nsources = ["The Oster Bell"]\n', encoding="utf-8")
    async with press_room(platform, tmp_path, STET_CHANNELS=str(rules)) as (room, _):
        answer = room.text(await room.ask(DOCKERS))
        assert BEDS in answer
        assert PULLED not in answer
        assert "No article names “Greta Moll”" in room.text(await room.ask("/who Greta Moll"))


@BOTH
async def test_standing_questions_need_no_slash_in_a_message_to_the_bot(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, _):
        assert messages.NO_WATCH.partition(".")[0] in room.text(await room.ask("watches"))
        assert "New results for “Greta Moll”" in room.text(await room.ask("watch Greta Moll"))
        listed = room.text(await room.ask("Watches"))
        assert "1. Greta Moll" in listed
        assert "`" not in listed
        assert "1971" in room.text(await room.ask(CRANE))
