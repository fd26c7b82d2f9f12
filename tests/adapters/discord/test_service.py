"""The wire to Discord, against the emulator: every surface, each answered once, in time, and nobody pinged."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.discord.requests import DiscordRequest
from adapters.discord.service import resync
from adapters.storage.store import Opinion, Store
from bot import messages
from bot.channels import Allowed, Policy
from tests import stock
from tests.adapters.discord.bench import ARTICLES, FERRY, KIOSK, PINGS, UMBRELLAS, newsroom, serving, settings_for
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_payloads import EPHEMERAL, GUEST, Payload, Person, World, member
from tests.emulators.discord_rest import Call, Interaction

Ask = Callable[[DiscordEmulator], Awaitable[Interaction]]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


async def _check(discord: DiscordEmulator) -> Interaction:
    return await discord.apply("Check this quote", await discord.say("“Nobody was at the wheel”"))


COMMANDS: tuple[tuple[Ask, str], ...] = (
    (lambda d: d.command("ask", {"question": UMBRELLAS}), "sold **40** umbrellas"),
    (lambda d: d.command("ask", {"question": UMBRELLAS}, place=d.world.direct), "sold **40** umbrellas"),
    (lambda d: d.command("ask", {"question": "who won the chess final?"}), "Nothing in the archive"),
    (lambda d: d.command("verify", {"quote": "Nobody was at the wheel"}), "Exact"),
    (lambda d: d.command("sources"), "Daily Quill"),
    (lambda d: d.command("unverified"), "could not be independently verified"),
    (lambda d: d.command("help"), "/verify"),
    (_check, "Exact"),
)


async def test_every_command_is_deferred_at_once_and_answered_once(discord: DiscordEmulator) -> None:
    for use, words in COMMANDS:
        one = await discord.answered(await use(discord))
        assert words in _unescaped(shown(one.message))
        assert one.acknowledged - one.sent < 0.3
        assert one.answered - one.sent < 2
        assert one.answers == 1


async def test_the_quotation_is_the_articles_to_the_byte_and_pings_nobody(discord: DiscordEmulator) -> None:
    one = await discord.answered(await discord.command("ask", {"question": f"{UMBRELLAS} {PINGS}"}))
    [quoted] = [line for line in shown(one.message).split("\n") if "**40** umbrellas" in line]
    assert "sold **40** umbrellas" in quoted  # what answers
    assert _unescaped(quoted.replace("**40**", "40")) == "> " + KIOSK.text.split("\n")[0]
    await discord.answers(await discord.mention(f"nonsense {PINGS}"))
    await discord.answered(await discord.command("ask", {"question": f"zebra {PINGS}"}))


async def test_marks_are_no_words(discord: DiscordEmulator) -> None:
    marks = "<:stet:1573868187273921156> :pray: <@900000000000000099> https://quill.example/a?b=1 @everyone"
    [plain] = await discord.answers(await discord.mention(UMBRELLAS))
    [marked] = await discord.answers(await discord.mention(f"{marks} {UMBRELLAS}"))
    assert shown(plain) == shown(marked)
    silent = [await discord.mention(text) for text in (":pray:", "👍", "thanks!", marks)]
    silent.append(await discord.say(UMBRELLAS))
    [called] = await discord.answers(await discord.mention(""))
    assert shown(called).startswith("Ask a question about the articles")
    assert [discord.answers_to(said) for said in silent] == [[]] * 5


async def test_the_bots_own_answer_can_be_checked(discord: DiscordEmulator) -> None:
    [answer] = await discord.answers(await discord.mention(FERRY))
    one = await discord.answered(await discord.apply("Check this quote", answer))
    text = shown(one.message)
    assert "quotations checked" in text or "Exact" in text
    assert "Absent" not in text


async def test_an_answer_that_pings_nobody_is_hidden_from_the_bot_and_told_so(discord: DiscordEmulator) -> None:
    [first] = await discord.answers(await discord.mention("what will repairs of the old bridge cost?"))
    hidden = [await discord.say("and why?", to=first, ping=False) for _ in range(2)]
    await discord.answers(await discord.mention(UMBRELLAS))
    assert [discord.answers_to(said) for said in hidden] == [[], []]
    await discord.rest.until(lambda: [shown(output) for output in discord.asides()] == [messages.DISCORD_HIDES_REPLY])


async def test_an_interaction_that_comes_twice_is_answered_once(discord: DiscordEmulator) -> None:
    one = await discord.command("ask", {"question": UMBRELLAS})
    await discord.gateway.dispatch("INTERACTION_CREATE", one.payload)
    await discord.answered(one)
    for label in ("Helpful", "Not right"):
        pressed = await discord.click(one.message, label)
        await discord.gateway.dispatch("INTERACTION_CREATE", pressed.payload)
        await discord.answered(pressed)
    sent = await discord.submit(pressed.modal, {"reason": "No."}, one.message)
    await discord.gateway.dispatch("INTERACTION_CREATE", sent.payload)
    await discord.answered(sent)
    await discord.answered(await discord.command("help"))
    assert one.answers == 1


async def test_buttons_and_forms_from_before_a_restart_work_after_it(emulator: DiscordEmulator) -> None:
    async with serving(emulator):
        asked = (await emulator.answered(await emulator.command("ask", {"question": FERRY}))).message
        opened = await emulator.answered(await emulator.click(asked, "Not right"))
    reader = Person("900000000000000077")
    async with serving(emulator, sessions=2):
        context = await emulator.answered(await emulator.click(asked, "Context"))
        copied = await emulator.answered(await emulator.click(asked, "Copy"))
        sent = await emulator.answered(await emulator.submit(opened.modal, {"reason": "The wrong ferry."}, asked))
        liked = await emulator.answered(await emulator.click(asked, "Helpful", reader))
    assert "We shouted and nobody came." in shown(context.message)
    assert "“Nobody was at the wheel,” said Marta Lindqvist" in shown(copied.message)
    assert [shown(m.message) for m in (sent, liked)] == [messages.THANKS] * 2
    assert all(m.message["flags"] & EPHEMERAL for m in (context, copied, sent, liked))
    assert (emulator.rest.violations, emulator.rest.pinged) == ([], [])
    with Store("state.sqlite3") as store:
        assert [opinion for opinion, *_ in store.opinions()] == [
            Opinion(1, "900000000000000077", right=True),
            Opinion(1, "900000000000000005", right=False, why="The wrong ferry."),
        ]


@pytest.mark.rest
async def test_a_mention_from_while_the_bot_was_away_is_answered_once(emulator: DiscordEmulator) -> None:
    missed = await emulator.mention(FERRY)
    old = await emulator.say(f"<@{emulator.world.bot.id}> {FERRY}", ago=600)
    unnamed = await emulator.say(FERRY)
    for number in (1, 2):
        async with serving(emulator, sessions=number):
            await emulator.rest.until(lambda looks=number: sum(map(_looks_back, emulator.rest.calls)) >= looks)
            await emulator.answers(missed)
            await emulator.answers(await emulator.mention(UMBRELLAS))
    assert [len(emulator.answers_to(each)) for each in (missed, old, unnamed)] == [1, 0, 0]
    assert emulator.rest.violations == []


def _looks_back(call: Call) -> bool:
    return call.method == "GET" and call.path.endswith("/messages")


async def test_a_direct_message_is_answered_for_members_of_a_server_that_is_served() -> None:
    guest, stranger, unknown = (Person(f"90000000000000009{n}", name) for n, name in enumerate(("gus", "sam", "uma")))
    async with newsroom() as discord:
        discord.rest.members[guest.id] = {**member(guest), "flags": GUEST}
        discord.rest.members[unknown.id] = member(unknown)
        discord.fail(f"GET /guilds/{discord.world.guild}/members/{unknown.id}", 403, times=9)
        output = {
            who.name: shown((await discord.answers(await discord.say(UMBRELLAS, who, direct=True)))[0])
            for who in (discord.world.reporter, guest, stranger, unknown)
        }
    assert "**40** umbrellas" in output.pop("reporter")
    assert output == dict.fromkeys(("gus", "sam", "uma"), messages.REFUSED)


@pytest.mark.parametrize(("served", "answered"), [("900000000000000002", True), ("900000000000000077", False)])
async def test_a_direct_message_counts_for_the_server_of_its_sender(served: str, *, answered: bool) -> None:
    policy = Policy((("discord", Allowed(workspaces=(served,))),))
    async with newsroom(over=stock.service(ARTICLES, policy), STET_DISCORD_GUILDS=served) as discord:
        [answer] = await discord.answers(await discord.say(UMBRELLAS, direct=True))
        assert ("**40** umbrellas" in shown(answer)) is answered


async def test_who_has_no_role_that_may_ask_may_not_judge_either() -> None:
    policy = Policy((("discord", Allowed(groups=World().reporter.roles)),))
    stranger = Person("900000000000000099", "stranger")
    async with newsroom(over=stock.service(ARTICLES, policy)) as discord:
        allowed = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        assert "**40** umbrellas" in shown(allowed.message)
        for label in ("Helpful", "Not right"):
            refused = await discord.answered(await discord.click(allowed.message, label, stranger))
            assert shown(refused.message) == messages.REFUSED


async def test_commands_are_registered_only_when_they_changed(emulator: DiscordEmulator) -> None:
    for number, sync in enumerate([False, False, True], 1):
        if sync:
            await asyncio.to_thread(resync, settings_for(emulator))
        async with serving(emulator, sessions=number):
            pass
    puts = [call.path.rpartition("/applications/")[2] for call in emulator.rest.calls if call.method == "PUT"]
    everywhere = f"{emulator.world.application}/commands"
    assert puts == [everywhere, everywhere]
    output = emulator.rest.commands[0]
    assert (output["contexts"], output["integration_types"]) == ([0, 1], [0])


async def test_what_was_asked_stands_above_the_answer_with_its_optional_part(discord: DiscordEmulator) -> None:
    said = {"name": "Marta Lindqvist", "about": "the wheel"}
    for command, options, heading, words in (
        ("who", {"name": "Wilma Oake"}, "/who Wilma Oake", "Every"),
        ("said", {"name": "Marta Lindqvist"}, "/said Marta Lindqvist", "We shouted"),
        ("said", said, "/said Marta Lindqvist about the wheel", "Nobody was at the wheel"),
        ("sources", {}, "/sources", "Daily Quill"),
        ("ask", {"question": UMBRELLAS}, UMBRELLAS, "**40** umbrellas"),
    ):
        one = await discord.answered(await discord.command(command, options))
        assert shown(one.message).startswith(f"-# {heading}\n")
        assert words in shown(one.message)
        assert options != said or "We shouted" not in shown(one.message)
    context = await discord.answered(await discord.click(one.message, "Context"))
    assert not shown(context.message).startswith("-#")


# -- what comes without a question: cards under links, checks by reaction ------------------------------------------


READING = {"STET_UNFURL": "echo.example,quill.example", "STET_DISCORD_CONTENT": "1"}
LINK = "https://echo.example/ferry"


async def test_a_title_is_shown_as_it_stands() -> None:
    async with newsroom(world=World(content=True), **READING) as discord:
        [answer] = await discord.answers(await discord.say(f"([here]({KIOSK.url}), **{KIOSK.url}**.)"))
        [card] = answer["embeds"]
        shown_card = f"{card['title']}\n{card['description']}"
        bare = re.sub(r"\\(?=[\\*_~`|<])", "", shown_card)
        assert bare == f"Kiosk *opens* again {PINGS}\nDaily Quill"
        assert shown_card != bare


async def test_without_the_settings_nothing_is_shown_and_nothing_asked_for(tmp_path: Path) -> None:
    async with newsroom(world=World(content=True)) as discord:
        assert (discord.gateway.content, discord.gateway.reactions) == (False, False)
        linked = [await discord.say(LINK), await discord.mention(LINK)]
        await discord.answers(await discord.mention(UMBRELLAS))
        assert [discord.answers_to(each) for each in linked] == [[], []]
    async with newsroom(tmp_path / "named", STET_UNFURL=READING["STET_UNFURL"]) as discord:
        hidden = await discord.say(LINK)
        direct = await discord.say(LINK, direct=True)
        await discord.rest.until(lambda: any(m["embeds"] for m in discord.answers_to(direct)))
        assert discord.answers_to(hidden) == []


# -- what a process that ended has left: the next one goes on with it ----------------------------------------------


async def test_a_message_whose_receipt_was_lost_is_not_sent_twice(discord: DiscordEmulator) -> None:
    said = await discord.mention(UMBRELLAS)
    [first] = await discord.answers(said)
    assert first["nonce"] == said["id"]
    with Store("state.sqlite3") as store:
        request = _request(discord.world, said["id"], origin=said["id"])
        claim = store.claim("discord", ["another-key"], request.to_json())
        assert claim
        store.release(claim)
    async with serving(discord, sessions=2):
        await discord.rest.until(lambda: discord.rest.repeated == 1)
    assert discord.answers_to(said) == [first]


async def test_an_interaction_left_thinking_is_answered_by_the_next_process(emulator: DiscordEmulator) -> None:
    async with serving(emulator):
        done = await emulator.answered(await emulator.command("ask", {"question": UMBRELLAS}))
    left = await emulator.command("ask", {"question": UMBRELLAS})
    left.acknowledged = left.sent
    left.message = {**done.message, "id": "7", "flags": 1 << 7}
    untouched = await emulator.command("ask", {"question": UMBRELLAS})
    with Store("state.sqlite3") as store:
        for one, at, key in ((done, 9e9, "again"), (left, 9e9, ""), (untouched, 9e9, ""), (done, 0.0, "old")):
            _leave(store, emulator.world, one.payload, at, key)
        odd = store.claim("discord", ["odd"], "{}")
        assert odd
        store.release(odd)
    async with serving(emulator, sessions=2):
        await emulator.answered(left)
        await emulator.answered(untouched)
    assert [one.answers for one in (done, left, untouched)] == [1, 1, 1]
    with Store("state.sqlite3") as store:
        assert store.take_up("discord") == ()


def _request(world: World, name: str, **more: Any) -> DiscordRequest:  # noqa: ANN401 - fields
    at = {"channel": world.channel, "rules_channel": world.channel, "workspace": world.guild}
    return DiscordRequest(UMBRELLAS, world.reporter.id, id=name, **at, **more)


def _leave(store: Store, world: World, payload: Payload, at: float, key: str) -> None:
    """Leave a request behind as a process does that dies."""
    own = f"interaction:{payload['id']}"
    request = _request(world, payload["id"], at=at, key=own, token=payload["token"], application=world.application)
    claim = store.claim("discord", [key or own], request.to_json())
    assert claim
    store.release(claim)
