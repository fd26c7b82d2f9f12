"""Posted answers are edited after corrections and takedowns: each once, none twice, none wrongly."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.slack.socket_mode import EDITING
from adapters.storage.store import Store
from adapters.updates.revising import EditRate
from bot import messages, source_lines
from tests.support.chats import BEDS, CRANE, DOCKERS, MILL, PULLED, QUAY, Archived, PressRoom, corrected, press_room

pytestmark = pytest.mark.rest

ELEVEN = PULLED.replace("nine", "eleven")
TWELVE = PULLED.replace("nine", "twelve")
CORRECTED = corrected(QUAY, "nine dockers", "eleven dockers")


def words_of_the_quay(text: str) -> list[str]:
    """Return which words of only that article are in a text; a year within a longer number does not count."""
    shown = ("Greta", "Moll", "1971", "port authority", "Thursday", "Crane falls")
    return [word for word in shown if re.search(rf"(?<!\d){word}(?!\d)", text)]


async def test_a_corrected_sentence_stays_with_the_new_one_beside_it(room: PressRoom, archived: Archived) -> None:
    changed, other = await room.ask(DOCKERS), await room.ask("what did Piet Oru say?")
    before = room.text(other)
    assert PULLED in room.text(changed)
    archived.put(CORRECTED)
    await room.until(lambda: ELEVEN in room.text(changed))
    text = room.text(changed)
    assert text.index(PULLED) < text.index(messages.CHANGED_SINCE) < text.index(ELEVEN)
    assert source_lines.SUPERSEDED in text
    await archived.reviewed(room.platform)
    assert room.edits() == [changed]
    assert room.text(other) == before


async def test_of_a_removed_article_no_word_is_left(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, archived):
        quoted, other = await room.ask(CRANE), await room.ask("what did Piet Oru say?")
        assert words_of_the_quay(room.text(quoted))
        archived.remove(QUAY)
        await room.until(lambda: "ithdrawn" in room.text(quoted))
        await archived.reviewed(room.platform)
        assert words_of_the_quay(room.text(quoted)) == []
        assert not any(label.startswith("Context") for label in room.buttons(quoted)) or BEDS in room.text(quoted)
        assert BEDS in room.text(other)
        assert room.edits() == [quoted]
        later = [await room.ask(question) for question in (DOCKERS, CRANE, "until when does the quay stay closed?")]
        assert [words_of_the_quay(room.text(each)) for each in later] == [[], [], []]
    assert words_of_the_quay(archived.kept()) == []


async def test_the_card_of_a_link_goes_with_its_article(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_UNFURL="post.example") as (room, archived):
        await room.link(QUAY.url or "")
        assert QUAY.title in room.card()
        late = replace(CORRECTED, title="Crane tips over", text=f"{CORRECTED.text} This could not be verified.")
        archived.put(late)
        await room.until(lambda: late.title in room.card())
        assert "could not be verified" in room.card()
        await archived.reviewed(platform)
        archived.remove(QUAY)
        await room.until(lambda: messages.WITHDRAWN in room.card())
        await archived.reviewed(platform)
        assert words_of_the_quay(room.card()) == []
    assert words_of_the_quay(archived.kept()) == []
    assert late.title not in archived.kept()


async def test_a_correction_and_a_takedown_in_one_answer(tmp_path: Path) -> None:
    async with press_room("discord", tmp_path) as (room, archived):
        both = await room.ask("do the articles differ on the nine dockers?")
        assert PULLED in room.text(both)
        assert BEDS in room.text(both)
        archived.put(CORRECTED)
        archived.remove(MILL)
        await room.until(lambda: messages.WITHDRAWN_IN_PART in room.text(both) and ELEVEN in room.text(both))
        assert PULLED in room.text(both)
        assert BEDS not in room.text(both)
        await archived.reviewed(room.platform)
        assert len(room.edits()) <= 2  # the two changes may have been seen apart


async def test_only_what_changed_is_edited_and_what_was_deleted_is_marked(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path) as (room, archived):
        archived.remove(MILL)
        asked, gone = await room.ask("what did Greta Moll say?"), await room.ask(CRANE)
        before = room.text(asked)
        moved = replace(QUAY, text=f"It rained all morning in Tollen.\n\n{QUAY.text}\n\nAn inquiry has begun.")
        archived.put(moved)
        await archived.reviewed(room.platform)
        assert (room.edits(), room.text(asked)) == ([], before)
        changed = corrected(moved, "nine dockers", "eleven dockers")
        archived.put(changed)
        await room.until(lambda: ELEVEN in room.text(asked))
        await archived.reviewed(room.platform)
        assert room.edits() == [asked]
        archived.put(corrected(changed, " The crane was built in 1971, according to the port authority.", ""))
        await room.until(lambda: messages.NO_LONGER_SAID in room.text(gone))
        assert "1971" in room.text(gone)


async def test_a_caveat_that_comes_later_is_shown(tmp_path: Path) -> None:
    async with press_room("discord", tmp_path) as (room, archived):
        asked = await room.ask(DOCKERS)
        assert messages.CAVEAT not in room.text(asked)
        caveat = "The claim could not be independently verified."
        archived.put(corrected(QUAY, "from under the crane. ", f"from under the crane. {caveat} "))
        await room.until(lambda: caveat in room.text(asked))
        was, _, now = room.text(asked).partition(messages.CHANGED_SINCE)
        assert PULLED in was
        assert caveat not in was
        assert PULLED in now


async def test_every_further_change_is_shown_and_no_earlier_one(room: PressRoom, archived: Archived) -> None:
    asked = await room.ask("what did Greta Moll say?")
    archived.put(CORRECTED)
    await room.until(lambda: ELEVEN in room.text(asked))
    archived.put(corrected(QUAY, "nine dockers", "twelve dockers"))
    await room.until(lambda: TWELVE in room.text(asked))
    assert PULLED in room.text(asked)
    assert ELEVEN not in room.text(asked)
    archived.put(QUAY)
    await room.until(lambda: TWELVE not in room.text(asked))
    assert PULLED in room.text(asked)
    assert messages.CHANGED_SINCE not in room.text(asked)
    archived.put(CORRECTED)
    await room.until(lambda: ELEVEN in room.text(asked))
    archived.remove(QUAY)
    await room.until(lambda: "ithdrawn" in room.text(asked))
    assert words_of_the_quay(room.text(asked)) == []
    await archived.reviewed(room.platform)
    assert room.edits() == [asked] * 5


@pytest.mark.parametrize("status", [429, 503])
async def test_what_is_not_taken_at_once_is_edited_later(status: int, room: PressRoom, archived: Archived) -> None:
    asked = [await room.ask(DOCKERS) for _ in range(3)]
    await room.fail(status, times=4)
    archived.put(CORRECTED)
    await room.until(lambda: all(ELEVEN in room.text(each) for each in asked))
    await archived.reviewed(room.platform)
    assert sorted(room.edits()) == sorted(asked)


async def test_a_deleted_answer_is_forgotten(platform: str, room: PressRoom, archived: Archived) -> None:
    gone, there = await room.ask(DOCKERS), await room.ask(DOCKERS)
    room.delete(gone)
    archived.put(CORRECTED)
    await room.until(lambda: ELEVEN in room.text(there))
    await archived.reviewed(room.platform)
    assert room.edits() == [there]
    with Store(archived.state) as store:
        assert store.posting(platform, "C1", gone) is None
    if platform == "slack":
        room.slack.web.calls.clear()  # it was refused, as it has to be


async def test_slack_is_asked_for_fifty_edits_a_minute_at_the_most(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path, EditRate(look=0.02, edit=0.2)) as (room, archived):
        asked = [await room.ask(DOCKERS) for _ in range(4)]
        archived.put(CORRECTED)
        await room.until(lambda: len(room.edits()) == len(asked))
        at = [call.at for call in room.slack.web.calls if call.method == "chat.update"]
        assert all(later - earlier > 0.19 for earlier, later in pairwise(at))
    assert 60 / EDITING.edit <= 50


async def test_what_may_not_be_edited_any_more_and_was_taken_down_is_deleted(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path) as (room, archived):
        asked, corrected_only = await room.ask(CRANE), await room.ask("what did Piet Oru say?")
        await room.slack.fail(200, "chat.update", error="edit_window_closed", times=2)
        archived.remove(QUAY)
        archived.put(corrected(MILL, "nine dockers", "ten dockers"))
        await room.until(lambda: room.text(asked) == "")
        await archived.reviewed("slack")
        assert BEDS in room.text(corrected_only)
        assert room.edits() == []
        room.slack.web.calls.clear()  # two were refused, as told


async def test_what_one_was_shown_alone_is_shared_as_it_is_now_once_they_have_seen_that(
    platform: str, tmp_path: Path
) -> None:
    async with press_room(platform, tmp_path, EditRate(look=3600)) as (room, archived):
        gone = await room.ask_by_command(CRANE)
        for changed in (False, True):
            alone = await room.ask_by_command(DOCKERS)
            if changed:
                archived.put(CORRECTED)
                alone = await room.share(alone)
                assert room.is_private(alone)
                assert messages.CHANGED_BEFORE_SHARING in room.text(alone)
            shared = await room.share(alone)
            assert not room.is_private(shared)
            assert "Share to channel" not in room.buttons(shared)
            head, asked, *_ = room.text(shared).split("\n")
            assert ("Shared by " in head, DOCKERS in asked) == (True, True)
            assert (ELEVEN if changed else PULLED) in room.text(shared)
        archived.remove(QUAY)
        told = await room.share(gone)
        assert (room.is_private(told), words_of_the_quay(room.text(told))) == (True, [])
        assert messages.CHANGED_BEFORE_SHARING in room.text(told)


async def test_on_discord_what_was_shared_is_edited_and_what_one_was_shown_alone_is_not(tmp_path: Path) -> None:
    async with press_room("discord", tmp_path) as (room, archived):
        shared = await room.share(await room.ask_by_command(DOCKERS))
        await room.ask_by_command(DOCKERS)
        archived.remove(QUAY)
        await room.until(lambda: messages.WITHDRAWN in room.text(shared))
        await archived.reviewed("discord")
        assert room.edits() == [shared]


async def test_more_that_was_pressed_stays_away(tmp_path: Path) -> None:
    async with press_room("slack", tmp_path) as (room, archived):
        asked = await room.ask(DOCKERS)
        assert "More" in room.buttons(asked)
        await room.slack.click(asked, "More")
        await room.until(lambda: len(room.slack.web.messages) == 2 and "More" not in room.buttons(asked))
        archived.put(CORRECTED)
        await room.until(lambda: ELEVEN in room.text(asked))
        assert "More" not in room.buttons(asked)
        assert "Copy" in room.buttons(asked)
