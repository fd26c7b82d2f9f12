"""What people do in a chat and what they get, the same cases in Slack and on Discord."""

import asyncio
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from adapters.chat.conversations import PRIVATE_AN_HOUR
from adapters.chat.request import ChatRequest
from adapters.discord.requests import DiscordRequest
from adapters.metrics import is_connected
from adapters.slack.requests import Answered, SlackRequest
from adapters.storage.store import Store
from bot import messages
from bot.commands.command_table import Suggestion
from bot.service import QuestionService
from retrieval.model import Article
from tests.emulators.discord_payloads import World
from tests.support.chats import BEDS, CLOSED, CRANE, DOCKERS, MILL, PULLED, QUAY, SHARE, Archived, PressRoom, press_room
from tests.support.tables import cases, rows

CARDS = {"STET_UNFURL": "post.example,bell.example"}
READING_ALONG = {**CARDS, "STET_DISCORD_CONTENT": "1"}


ASKED = (
    SlackRequest("t", "U1", "C1", within=True, unasked=True, answered=Answered.EPHEMERAL, response_url="http://r"),
    DiscordRequest("who?", "4", "3", "6", id="1", at=2.0, groups=("5",), rules_channel="7", token="t"),
)


@pytest.mark.parametrize("request_", ASKED)
def test_a_request_is_the_same_after_json_and_back(request_: ChatRequest) -> None:
    read = type(request_).from_json
    assert read(request_.to_json()) == request_
    assert [read(odd) for odd in ("", "x", "[]", "{}", '{"loose": true}')] == [None] * 5


async def test_it_is_connected_while_it_is_served(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path), asyncio.timeout(30):
        while not is_connected(platform):  # noqa: ASYNC110 - what is told of has no event
            await asyncio.sleep(0)
    assert not is_connected(platform)


async def test_what_refers_to_an_answer_needs_no_mention_and_is_private(room: PressRoom, archived: Archived) -> None:
    answer = await room.ask(DOCKERS)
    await archived.remembers(room, answer)
    for count, (typed, words) in enumerate((("copy 1", "Fire chief Greta Moll said"), ("context 1", "fell on the"))):
        await room.follow(answer, typed)
        await room.until(lambda before=count: len(room.private()) > before)
        assert len(room.private()) == count + 1
        assert [text in room.private()[-1] for text in (words, PULLED, messages.ASK_ON)] == [True, True, False]
    for label, words in (("Context", "fell on the Tollen quay"), ("Copy", "The Tollen Post")):
        shown = await room.press(answer, room.label(answer, label), who=room.colleague)
        assert [room.is_private(each) for each in (answer, shown)] == [False, True]
        assert words in room.text(shown)
        assert PULLED in room.text(shown)


async def test_a_persons_card_fits_on_a_screen_and_more_brings_the_rest(room: PressRoom, archived: Archived) -> None:
    said = [f"Fire chief Greta Moll said crew {number} had left." for number in ("one", "two", "three", "four")]
    archived.put(Article("crews.txt", "\n\n".join(said), source="The Tollen Post", title="Crews leave"))
    card = await room.ask("who Greta Moll")
    text = room.text(card)
    assert sum(words in text for words in said) == 2
    assert "Described as “Fire chief”." in text
    more = room.text(await room.press(card, "More"))
    assert sum(words in more for words in said) == 2
    assert PULLED in more


@pytest.mark.parametrize("given", [READING_ALONG])
async def test_a_reaction_has_a_messages_quotations_checked_once_for_who_reacts(room: PressRoom) -> None:
    await room.react(f"“{PULLED}”", "eyes")
    await room.react(f"“{PULLED}”", who=room.bot)
    await room.react(f"“{PULLED}” — Greta Moll", times=2)
    await room.until(room.private)
    await room.react("“a flock of green herons” landed")
    await room.until(lambda: len(room.private()) > 1)
    exact, absent = room.private()
    assert "✅ Exact" in exact
    assert "Fire chief Greta Moll said" in exact
    assert "❌ Absent" in absent


@pytest.mark.parametrize("given", [{**READING_ALONG, "STET_CHANNELS": '[HERE]\nsources = ["The Oster Bell"]'}])
async def test_a_channel_is_answered_from_its_sources_alone(room: PressRoom) -> None:
    answer = room.text(await room.ask(DOCKERS))
    assert BEDS in answer
    assert PULLED not in answer
    assert "No article names “Greta Moll”" in room.text(await room.ask("/who Greta Moll"))
    assert [await room.suggest(typed) for typed in ("Mol", "Oru")] == [[], ["Piet Oru"]]
    await room.react(f"“{PULLED}” — Greta Moll")
    await room.until(room.private)
    assert "Fire chief Greta Moll said" not in room.private()[0]
    await room.post_link(QUAY.url)
    await room.link(MILL.url)
    assert room.cards() == 1


@pytest.mark.parametrize("given", [{**READING_ALONG, "STET_PEOPLE": f"U1,{World().reporter.id}"}])
async def test_who_may_not_ask_is_told_so_whatever_they_do(room: PressRoom) -> None:
    answer, alone = await room.ask(DOCKERS), await room.ask_by_command(DOCKERS)
    told = [await room.press(alone, SHARE, who=room.colleague), await room.ask(DOCKERS, who=room.colleague)]
    told.append(await room.press(answer, room.label(answer, "Context"), who=room.colleague))
    assert {room.text(each).partition("\n")[0] for each in told} == {messages.REFUSED}
    assert await room.command("sources", who=room.colleague) == messages.REFUSED
    assert await room.suggest("Mol", who=room.colleague) == []
    count = len(room.private())
    await room.react(f"“{PULLED}”", who=room.colleague)
    await room.until(lambda: len(room.private()) > count)
    assert messages.REFUSED in room.private()[-1]
    await room.post_link(QUAY.url, who=room.colleague)
    assert "1971" in room.text(await room.ask(CRANE))
    assert room.cards() == 0


@pytest.mark.parametrize("given", [{"STET_CHANNELS": f'[HERE]\nreplies = "{kind}"'} for kind in ("private", "public")])
async def test_who_sees_answers_to_commands_is_the_channels_to_say(room: PressRoom, given: dict[str, str]) -> None:
    is_private = "private" in given["STET_CHANNELS"]
    answer = await room.ask_by_command(DOCKERS)
    checked = await room.apply("Check this quote", f"“{PULLED}”")
    assert [room.is_private(each) for each in (answer, checked)] == [is_private] * 2
    assert (SHARE in room.buttons(answer)) is is_private
    if not is_private:  # what a command asked, nobody else has seen
        assert [DOCKERS in room.text(answer), "verify" in room.text(checked).partition("\n")[0]] == [True, True]


async def test_others_are_answered_while_completion_hangs(room: PressRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may = threading.Event(), threading.Event()

    def autocomplete(*_: object) -> tuple[Suggestion, ...]:
        begun.set()
        may.wait(60)
        return ()

    monkeypatch.setattr(QuestionService, "autocomplete", autocomplete)
    typed = asyncio.ensure_future(room.suggest("Mol"))
    assert await asyncio.to_thread(begun.wait, 30)
    assert PULLED in room.text(await room.ask(DOCKERS))
    assert not typed.done()
    typed.cancel()
    may.set()


async def test_standing_questions_need_no_slash_in_a_message_to_the_bot(room: PressRoom) -> None:
    assert messages.NO_WATCH.partition(".")[0] in room.text(await room.ask("watches"))
    assert "New results for “Greta Moll”" in room.text(await room.ask("watch Greta Moll"))
    listed = room.text(await room.ask("Watches"))
    assert "1. Greta Moll" in listed
    assert "`" not in listed
    assert "1971" in room.text(await room.ask(CRANE))


@pytest.mark.parametrize("given", [{"STET_CHANNELS": "[default]\nfollow_ups = false"}])
async def test_without_follow_ups_only_what_names_the_bot_is_answered(room: PressRoom, archived: Archived) -> None:
    answer = await room.ask(DOCKERS)
    await archived.remembers(room, answer)
    for line in (CLOSED, "copy 1"):
        await room.follow(answer, line)
    assert "1971" in room.text(await room.ask(CRANE))
    assert PULLED in room.text(await room.ask(DOCKERS))
    assert (room.private(), room.count()) == ([], 3)


async def test_what_is_not_sure_is_shown_with_a_word_of_doubt_to_who_presses(room: PressRoom) -> None:
    nothing = await room.ask("how do I bake a banana bread at the quay?")
    assert "Nothing in the archive answers this." in room.text(nothing)
    closest = room.text(await room.press(nothing, messages.CLOSEST))
    assert closest.startswith("This may not answer your question.")
    assert messages.CLOSEST in room.buttons(nothing)
    assert "Ask the newsroom" not in room.buttons(nothing)  # where no people are named to be asked


UNANSWERED = "what did the zeppelin cost?"


async def test_a_question_without_an_answer_is_handed_once_to_people_who_can_be_asked(
    platform: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    people = {"slack": "C2", "discord": "900000000000000033"}[platform]
    async with press_room(platform, tmp_path, STET_HANDOVER=people) as (room, _):
        answer = await room.ask(UNANSWERED)
        for told in (messages.NOT_HANDED_OVER, messages.HANDED_OVER):
            room.close(people, closed=told == messages.NOT_HANDED_OVER)
            assert [await room.hand_over(answer), await room.hand_over(answer, who=room.colleague)] == [told] * 2
        [posted] = room.posted(people)
        text = room.text(posted)
        assert UNANSWERED in text
        assert re.search(r"https://\S+/p?[\d.]+", text)  # the way to where it was asked
        await room.mark_done(posted)
        assert "Marked as done by" in room.text(posted)
        assert room.buttons(posted) == []
        assert "Ask the newsroom" not in room.buttons(await room.ask(CRANE))
        assert room.posted(people) == [posted]
        if platform == "slack":
            room.slack.web.calls.clear()  # what was refused, as it had to be
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == 2


async def test_an_answer_goes_with_its_question(room: PressRoom, platform: str) -> None:
    answer, other = await room.ask(UNANSWERED), await room.ask(CRANE)
    assert "Nothing in the archive answers this." in room.text(answer)
    await room.change(UNANSWERED, DOCKERS)
    await room.until(lambda: PULLED in room.text(answer))
    late = await room.change_late("what did Piet Oru say?", CLOSED)
    await room.take_back(DOCKERS if platform == "discord" else UNANSWERED)
    await room.until(lambda: not room.text(answer))
    assert "1971" in room.text(other)
    assert "1971" in room.text(await room.ask(CRANE))
    await asyncio.sleep(0.5)  # a late change that was taken for one in time would be answered by now
    assert BEDS in room.text(late)


async def test_chatter_under_an_answer_is_nobodys_question(room: PressRoom, archived: Archived) -> None:
    answer = await room.ask(DOCKERS)
    await archived.remembers(room, answer)
    for line in rows(__file__, "chatter"):
        await room.follow(answer, line)
        await room.follow(answer, line, who=room.colleague)
    await room.follow(answer, "when was it built?")
    await room.until(lambda: room.count() > 1)
    assert "1971" in room.text(room.posted(room.channel)[-1])
    assert "1971" in room.text(await room.ask(CRANE))
    assert (room.private(), room.count()) == ([], 3)


async def test_what_is_not_sure_is_for_who_wrote_it_alone(room: PressRoom, archived: Archived) -> None:
    answer = await room.ask(DOCKERS)
    await archived.remembers(room, answer)
    doubtful = "and why did the crane fall on the dockers?"
    for line in (doubtful, "by whom?", "why?"):
        await room.follow(answer, line, who=room.colleague)
    for _ in range(5):
        await room.follow(answer, doubtful)
    await room.until(lambda: len(room.private()) > 4)
    assert "1971" in room.text(await room.ask(CRANE))
    assert [messages.ASK_ON in words for words in room.private()].count(False) == PRIVATE_AN_HOUR
    assert len(room.private()) == PRIVATE_AN_HOUR + 2  # and both are told how to go on
    assert len(room.posted(room.channel)) == 2


async def test_an_answer_needs_no_mention_for_an_hour(room: PressRoom, archived: Archived) -> None:
    answer = await room.ask(CRANE)
    await archived.remembers(room, answer)
    await room.follow(answer, CLOSED, after=7200)
    await room.until(lambda: messages.ASK_ON in "".join(room.private()))
    assert PULLED in room.text(await room.ask(DOCKERS))
    assert len(room.posted(room.channel)) == 2
    assert len(room.private()) == 1


async def test_who_asks_where_the_bot_may_not_write_is_told(room: PressRoom, caplog: pytest.LogCaptureFixture) -> None:
    room.close(room.channel)
    await room.mention(DOCKERS)
    await room.until(lambda: any(messages.not_shown(DOCKERS) in words for words in room.private()))
    room.close(room.channel, closed=False)
    assert PULLED in room.text(await room.ask(DOCKERS))
    if room.platform == "slack":
        room.slack.web.calls.clear()  # one was refused, as it had to be
    [line] = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert line.startswith(f"an answer in {room.channel} could not be delivered: ")


async def test_repeats_are_answered_once_and_a_broken_store_costs_none(room: PressRoom, archived: Archived) -> None:
    await room.mention(DOCKERS, times=2)
    await room.until(room.count)
    assert "1971" in room.text(await room.ask(CRANE))
    assert room.count() == 2
    with closing(sqlite3.connect(archived.state)) as spoilt:
        for table in ("claims", "answers", "threads", "facts"):
            spoilt.execute(f"DROP TABLE {table}")
    assert PULLED in room.text(await room.ask(DOCKERS))


@pytest.mark.rest  # it waits for the lock
async def test_a_locked_store_costs_no_answer_and_nothing_is_answered_again(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, archived):
        with closing(sqlite3.connect(archived.state, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await room.mention(DOCKERS, times=2)
            await room.until(room.count)
            other.execute("ROLLBACK")
        assert "1971" in room.text(await room.ask(CRANE))
        assert room.count() == 2
    with Store(archived.state) as store:  # what could not be noted in time was noted later
        assert store.take_up(platform) == ()


async def test_a_messages_menu_checks_its_quotations_for_one_person(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path) as (room, archived):
        for label, text, shown in (
            ("Check this quote", f"“{PULLED}”", "✅ Exact"),
            ("Check this quote", f"was it “{PULLED}”? :eyes:", "Exact in part, the rest not checked"),
            ("Proof this", f"“{PULLED.replace('nine', 'ninety')}”, said Greta Moll.", "Altered"),
        ):
            reply = await room.apply(label, text)
            assert room.is_private(reply)
            assert shown in room.text(reply)
    assert "ninety dockers" not in archived.kept()


# -- cards under links ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [CARDS])
async def test_an_article_gets_no_second_card_in_an_hour_in_one_channel(room: PressRoom) -> None:
    await room.link(QUAY.url or "")
    assert "Crane falls at Tollen quay" in room.card()
    for again in (f"{QUAY.url}/", "http://www.post.example/quay"):
        await room.post_link(again)
    await room.link(MILL.url or "")
    assert room.cards() == 2
    assert "Dockers rest at Oster mill" in room.card()


@pytest.mark.parametrize("given", [{"STET_UNFURL": "https://post.example/"}])
async def test_a_card_has_its_articles_caveats_however_that_is_addressed(room: PressRoom, archived: Archived) -> None:
    caveat = "His account could not be independently verified."
    for number, start in enumerate(("https://", "http://", "https://www.", "http://WWW.")):
        place, title = f"post.example/wreck{number}", f"A *wreck* {number}"
        text = f"A diver said wreck {number} had moved. {caveat}"
        archived.put(Article(title, text, source="The Tollen Post", title=title, url=f"https://{place}"))
        await room.link(f"{start}{place}" + "/#photo" * bool(number))
        assert room.card().split("\n") == [title, "The Tollen Post", f"The outlet could not verify: “{caveat}”"]


@cases("given, address")
async def test_no_other_link_gets_a_card(room: PressRoom, address: str) -> None:
    await room.post_link(address)
    await room.ask(CRANE)
    assert room.cards() == 0
