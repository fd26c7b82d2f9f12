"""What goes wrong on the way to Discord: whoever asked gets an answer all the same, and the service goes on."""

import asyncio
import logging
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from adapters.discord import service as discord_service
from adapters.discord.events import DiscordListeners
from adapters.settings import load
from adapters.storage.store import Store
from bot import messages
from bot.service import QuestionService
from tests.adapters.discord.bench import UMBRELLAS, newsroom, service, serving, settings_for
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_rest import CUT, UNRECEIPTED
from tests.support.tables import rows

pytestmark = pytest.mark.rest

RIGHT = "**40** umbrellas"


async def test_a_malformed_gateway_message_is_passed_over(discord: DiscordEmulator) -> None:
    for text in rows(__file__, "malformed"):
        await discord.gateway.garble(text)
        one = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        assert RIGHT in shown(one.message)
    assert len(discord.gateway.identified) == 1


async def test_a_bot_that_starts_too_soon_after_another_gets_its_session(discord: DiscordEmulator) -> None:
    """Discord takes an IDENTIFY every five seconds, whichever process of the application sends it."""
    discord.gateway.spacing = 4.0
    async with serving(discord, sessions=2):
        pass


async def test_a_broken_stream_is_resumed_and_an_invalid_session_begun_anew(discord: DiscordEmulator) -> None:
    assert discord.gateway.session
    assert discord.gateway.session.line
    await discord.gateway.session.line.socket.send_bytes(b"\xff\xff\xff\xff\x00\x00\xff\xff")
    await discord.gateway.ready(2)
    [answer] = await discord.answers(await discord.mention(UMBRELLAS))
    assert RIGHT in shown(answer)
    assert len(discord.gateway.resumed) == 1
    await discord.gateway.invalidate()
    await discord.gateway.ready(3)
    await discord.answers(await discord.mention(UMBRELLAS))
    assert len(discord.gateway.identified) == 2


@pytest.mark.parametrize("lose", ["drop", "ask_to_reconnect"])
async def test_what_comes_while_the_connection_is_lost_is_answered_after(discord: DiscordEmulator, lose: str) -> None:
    await getattr(discord.gateway, lose)()
    one = await discord.command("ask", {"question": UMBRELLAS})
    said = await discord.mention(UMBRELLAS)
    assert RIGHT in shown((await discord.answered(one)).message or {})
    assert len(await discord.answers(said)) == 1
    assert len(discord.gateway.resumed) == 1


@pytest.mark.parametrize("part", ["callback", "@original", "/messages"])
async def test_a_request_that_fails_is_made_again_and_a_lost_receipt_sends_nothing_twice(
    discord: DiscordEmulator, part: str
) -> None:
    for status in (429, 500, CUT, UNRECEIPTED):
        discord.fail(part, status)
        one = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        said = await discord.mention(UMBRELLAS)
        await discord.answers(said)
        await discord.answered(await discord.command("help"))
        assert (one.answers, len(discord.answers_to(said))) == (1, 1)
        assert RIGHT in shown(one.message)


async def test_more_refusals_than_the_library_waits_for_end_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    """discord.py gives up after five: who is asked to wait is not refused, and the answer is sent later."""
    async with newsroom() as discord, asyncio.timeout(20):
        for _ in range(6):
            discord.fail("/messages", 429)
        await discord.mention(UMBRELLAS)
        while "will be: Discord asks to wait" not in caplog.text:  # noqa: ASYNC110 - a log has no event
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
async def test_a_fault_of_our_own_is_told_to_whoever_asked(
    emulator: DiscordEmulator, level: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(level)
    async with serving(emulator):
        monkeypatch.setattr(QuestionService, "answer", Mock(side_effect=RuntimeError("no desk should fail so")))
        one = await emulator.answered(await emulator.command("ask", {"question": UMBRELLAS}))
    assert shown(one.message) == messages.FAILED
    assert "no desk should fail so" in caplog.text
    assert (UMBRELLAS in caplog.text) is (level == logging.DEBUG)


@pytest.mark.parametrize(("setting", "value"), [("DISCORD_TOKEN", "wrong"), ("STET_DISCORD_CONTENT", "1")])
async def test_what_discord_refuses_ends_with_a_sentence(emulator: DiscordEmulator, setting: str, value: str) -> None:
    with pytest.raises(discord_service.DiscordError, match=setting):
        await discord_service.serve(service(), settings_for(emulator, **{setting: value}), asyncio.Event())


async def test_an_event_that_comes_while_the_connection_closes_is_let_go(tmp_path: Path) -> None:
    """Discord's answer to the farewell may be read when discord.py has no event loop any more."""
    settings = load({}, tmp_path / ".env")
    with closing(Store(tmp_path / "state.sqlite3")) as store:
        async with DiscordListeners(service(), settings, store, lambda: None) as client:
            pass
        client.dispatch("disconnect")


async def test_a_connection_closed_for_good_ends_with_a_sentence(emulator: DiscordEmulator) -> None:
    bot = asyncio.ensure_future(discord_service.serve(service(), settings_for(emulator), asyncio.Event()))
    await emulator.gateway.ready()
    await emulator.gateway.drop(code=4004)
    with pytest.raises(discord_service.DiscordError, match="DISCORD_TOKEN"):
        await bot


async def test_discord_out_of_reach_is_tried_again(emulator: DiscordEmulator, caplog: pytest.LogCaptureFixture) -> None:
    emulator.fail("GET /users/@me", 403, times=1)
    async with serving(emulator):
        one = await emulator.answered(await emulator.command("ask", {"question": UMBRELLAS}))
    assert RIGHT in shown(one.message)
    [output] = [record for record in caplog.records if "trying again" in record.message]
    assert output.message.startswith("the connection to Discord ended (")
    assert not output.exc_info


async def test_an_outage_is_two_lines_at_most_and_no_traceback(
    emulator: DiscordEmulator, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    emulator.gateway.refusals = 2
    async with serving(emulator):
        emulator.gateway.refusals = 2
        await emulator.gateway.drop()
        await emulator.gateway.ready(2, timeout=60)
    output = [record for record in caplog.records if record.levelno >= logging.WARNING]
    lost = "the connection to Discord is lost (the connection broke off); reconnecting until it is back"
    assert [record.message for record in output] == [lost] * 2
    assert not any(record.exc_info for record in output)


async def test_commands_that_cannot_be_registered_do_not_keep_the_bot_away(emulator: DiscordEmulator) -> None:
    emulator.fail("PUT /applications", 403)
    async with serving(emulator):
        [answer] = await emulator.answers(await emulator.mention(UMBRELLAS))
    assert RIGHT in shown(answer)


async def test_a_gone_command_and_a_reply_that_discord_refuses_are_answered_in_words(discord: DiscordEmulator) -> None:
    discord.rest.commands.append({"name": "horoscope", "type": 1, "id": "8", "options": []})
    one = await discord.answered(await discord.command("horoscope"))
    discord.fail("@original", 400)
    other = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
    assert [shown(each.message) for each in (one, other)] == [messages.FAILED] * 2


async def test_where_the_bot_may_not_read_what_was_said_its_answer_is_no_reply(discord: DiscordEmulator) -> None:
    discord.rest.unread.add(discord.world.channel)
    asked = await discord.mention(UMBRELLAS)
    await discord.rest.until(lambda: any(RIGHT in shown(each) for each in discord.rest.messages.values()))
    assert discord.answers_to(asked) == []


async def test_what_nobody_waits_for_any_more_is_let_go(
    discord: DiscordEmulator, caplog: pytest.LogCaptureFixture
) -> None:
    discord.fail("callback", 404, times=2)
    stale = await discord.complete("who", "name", "Wil")
    one = await discord.command("ask", {"question": UMBRELLAS})
    await discord.rest.until(lambda: not discord.rest.failures[0].times)
    fresh = await discord.answered(await discord.complete("who", "name", "Wil"))
    await discord.answered(await discord.command("help"))
    assert (fresh.choices, stale.choices) == ([{"name": "Wilma Oake", "value": "Wilma Oake"}], None)
    assert one.answers == 0
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
