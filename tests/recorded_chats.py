"""The part of a recording that is made in Slack and Discord: the bot as a process, at the emulators of both."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NamedTuple

from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_rest import Interaction
from tests.emulators.discord_rules import BUTTON, walk
from tests.emulators.slack import Slack
from tests.emulators.slack_rules import buttons

PATIENCE_SECONDS = 60
NOTED_SECONDS = 2
SILENT_SECONDS = 5  # after a button that shows nothing, such as "Helpful"; the next time it is not waited for
BESIDES = ("auth.test", "apps.connections.open", "users.info")  # what the bot asks Slack when it likes
FORM, MENU = 4, 3  # Discord's types of a field in a form, and of a command in the menu of a message
REASON = "Too few."

Payload = dict[str, Any]
Calls = dict[str, list[Any]]
Serving = Callable[..., AbstractAsyncContextManager[str]]  # command, environment -> first line


class Case(NamedTuple):
    """A question, or a command as it is typed in chat; the question that it follows, and one that follows it."""

    name: str
    words: str
    previous: str | None = None
    follow_up: str = ""


async def record(chat: AbstractAsyncContextManager[Chat], cases: Sequence[Case], draft: str) -> Calls:
    """Return the calls of a bot to which all this happens, one thing after the other, until it has ended.

    What follows comes in a later round: the bot notes an answer, and takes its button off, a moment after posting.
    """
    before, answers = dict[str, Payload](), dict[str, Payload]()
    async with chat as bot:
        for case in cases:
            if case.previous:
                before[case.name] = await bot.ask(case.previous, case.name)
        await asyncio.sleep(NOTED_SECONDS)
        for case in cases:
            command, _, argument = case.words.removeprefix("/").partition(" ")
            if case.words.startswith("/"):
                await bot.command(command, argument, case.name)
            else:
                answers[case.name] = await bot.ask(case.words, case.name, before.get(case.name))
        await bot.send_draft(draft)
        await asyncio.sleep(NOTED_SECONDS)
        for case in cases:
            if case.follow_up:
                await bot.ask(case.follow_up, case.name, answers[case.name])
        labels = {case.name: bot.labels(answers[case.name]) for case in cases if case.follow_up}
        for number in range(max(map(len, labels.values()), default=0)):
            for name, pressed in labels.items():
                if number < len(pressed):
                    await bot.press(answers[name], pressed[number], name)
    return bot.calls()


class InSlack:
    """Each name has a channel of its own, by which the bot's calls are told apart, whenever they come."""

    def __init__(self, slack: Slack) -> None:
        self._slack = slack
        self._channels: dict[str, str] = {}
        self._silent: set[str] = set()

    def _channel(self, name: str) -> str:
        number = self._channels.setdefault(name, f"C{len(self._channels):03}")
        self._slack.web.channels[number] = {"id": number, "is_member": True, "is_channel": True}
        return number

    def _posted(self, channel: str) -> list[Payload]:
        return [message for message in self._slack.web.messages if message["channel"] == channel]

    async def _answer(self, name: str, use: Callable[[str], Awaitable[object]]) -> Payload:
        channel = self._channel(name)
        count = len(self._posted(channel))
        await use(channel)
        await self._slack.until(lambda: len(self._posted(channel)) > count, PATIENCE_SECONDS)
        return self._posted(channel)[count]

    async def ask(self, words: str, name: str, to: Payload | None = None) -> Payload:
        thread = to["thread_ts"] if to else None
        return await self._answer(name, lambda where: self._slack.mention(words, where, thread_ts=thread))

    async def command(self, command: str, argument: str, name: str) -> None:
        await self._answer(name, lambda where: self._slack.command("/stet", f"{command} {argument}".strip(), where))

    def labels(self, message: Payload) -> list[str]:
        return [label for label, _, _ in buttons(message)]

    async def press(self, message: Payload, label: str, name: str) -> None:
        channel, views = self._channel(name), self._slack.web.views
        count, opened = len(self._posted(channel)), len(views)
        await self._slack.press(message, label)
        if label in self._silent:
            return
        try:
            await self._slack.until(lambda: len(views) > opened or len(self._posted(channel)) > count, SILENT_SECONDS)
        except TimeoutError:
            self._silent.add(label)
        for view in [*views.values()][opened:]:
            (field,) = [block["element"] for block in view["blocks"] if "element" in block]
            await self._slack.submit(view["id"], {field["action_id"]: {"type": field["type"], "value": REASON}})

    async def send_draft(self, draft: str) -> None:
        slack, file = self._slack, "draft.md"
        slack.files[file] = draft.encode()
        await self._answer("a file", lambda where: slack.mention("have a look", where, file=file))
        await self._answer("quotations checked", lambda where: slack.shortcut("check_quote", draft, where))
        await self._answer("draft proofed", lambda where: slack.shortcut("proof_draft", "", where, file=file))
        await slack.home()
        await slack.until(lambda: slack.web.homes)

    def calls(self) -> Calls:
        names, calls = {channel: name for name, channel in self._channels.items()}, defaultdict[str, list[Any]](list)
        for call in self._slack.web.calls:
            channel = call.channel or call.payload.get("channel") or call.payload.get("channel_id") or ""
            if call.method not in BESIDES:
                calls[names.get(channel, "besides")].append([call.method, call.payload])
        return calls


@asynccontextmanager
async def in_slack(serving: Serving, given: Mapping[str, str]) -> AsyncIterator[Chat]:
    async with Slack() as slack:
        tokens = {"SLACK_API_URL": slack.url, "SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app_token}
        async with serving("slack", **tokens, STET_HANDOVER="C2", **given):
            yield InSlack(slack)


class InDiscord:
    """The bot's requests are told apart by the messages and interactions that they answer."""

    def __init__(self, discord: DiscordEmulator) -> None:
        self._discord = discord
        self._names: dict[str, str] = {}

    async def ask(self, words: str, name: str, to: Payload | None = None) -> Payload:
        said = await self._discord.say(f"<@{self._discord.world.bot.id}> {words}", to=to)
        (answer,) = await self._discord.answers(said, PATIENCE_SECONDS)
        self._names |= dict.fromkeys((said["id"], answer["id"]), name)
        return answer

    async def _use(self, one: Interaction, name: str) -> Interaction:
        self._names |= dict.fromkeys((one.payload["token"], one.id), name)
        return await self._discord.answered(one, PATIENCE_SECONDS)

    async def command(self, command: str, argument: str, name: str) -> None:
        (row,) = [row for row in self._discord.rest.commands if (row["name"], row["type"]) == (command, 1)]
        options = [option["name"] for option in row.get("options", ())]
        given = {options[0]: argument} if argument and options else {}
        await self._use(await self._discord.command(command, given), name)

    def labels(self, message: Payload) -> list[str]:
        parts = [*walk(message["components"])]
        pressed = [part["label"] for part in parts if part["type"] == BUTTON and part.get("custom_id")]
        return [*pressed, *(option["label"] for part in parts for option in part.get("options", ()))]

    async def press(self, message: Payload, label: str, name: str) -> None:
        modal = (await self._use(await self._discord.click(message, label), name)).modal
        if modal:
            fields = {part["custom_id"]: REASON for part in walk(modal["components"]) if part["type"] == FORM}
            await self._use(await self._discord.submit(modal, fields, message), name)

    async def send_draft(self, draft: str) -> None:
        said = await self._discord.say(draft)
        for row in [row for row in self._discord.rest.commands if row["type"] == MENU]:
            await self._use(await self._discord.apply(row["name"], said), row["name"])
        await self._use(await self._discord.complete("who", "name", "den"), "names")

    def calls(self) -> Calls:
        calls = defaultdict[str, list[Any]](list)
        for call in self._discord.rest.calls:
            body: Payload = call.body if isinstance(call.body, dict) else {"rows": call.body}
            answered = str((body.get("message_reference") or {}).get("message_id"))
            parts = (*call.path.split("/"), answered)
            name = next((self._names[part] for part in parts if part in self._names), "besides")
            kept = {key: value for key, value in body.items() if key != "nonce"}
            calls[name].append([call.method, call.path, kept])
        return calls


@asynccontextmanager
async def in_discord(serving: Serving) -> AsyncIterator[Chat]:
    async with DiscordEmulator() as discord:
        handover = discord.world.channel
        async with serving("discord", **discord.environment, STET_HANDOVER=handover):
            await discord.gateway.ready()
            yield InDiscord(discord)


Chat = InSlack | InDiscord  # a message that answers is known by its payload
