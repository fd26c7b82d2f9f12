"""A newsroom on Slack or Discord whose archive changes while people read the answers."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adapters.channel_rules import read_channels
from adapters.discord import transport
from adapters.settings import load
from adapters.storage.store import Store
from adapters.updates.revising import EditRate
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.adapters.discord import bench
from tests.adapters.slack import office
from tests.emulators.discord import DiscordEmulator, World, shown
from tests.emulators.discord_payloads import EPHEMERAL, Person
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import buttons, seen

AT_ONCE = EditRate(look=0.02)
QUAY = Article(
    id="quay.txt",
    path="copy/quay.txt",
    title="Crane falls at Tollen quay",
    source="The Tollen Post",
    url="https://post.example/quay",
    text=(
        "A harbour crane fell on the Tollen quay on Monday morning.\n\n"
        "Fire chief Greta Moll said nine dockers were pulled from under the crane. "
        "The crane was built in 1971, according to the port authority.\n\n"
        "The quay stays closed until Thursday."
    ),
)
MILL = Article(
    id="mill.txt",
    path="copy/mill.txt",
    title="Dockers rest at Oster mill",
    source="The Oster Bell",
    url="https://bell.example/mill",
    text="The warden, Piet Oru, said nine dockers from the Tollen quay were given beds at the Oster mill.",
)
DOCKERS, CRANE, CLOSED = (
    "how many dockers were pulled from under the crane?",
    "when was the crane built?",
    ("until when does the quay stay closed?"),
)
PULLED = "nine dockers were pulled from under the crane"
BEDS = "were given beds at the Oster mill"


def corrected(article: Article, old: str, new: str) -> Article:
    assert old in article.text
    return replace(article, text=article.text.replace(old, new))


@dataclass
class SlackRoom:
    """The newsroom on Slack. A message is named by its id; each method has its counterpart on Discord."""

    slack: Slack
    state: Path
    platform: str = "slack"
    channel: str = "C1"

    async def mention(self, question: str, times: int = 1) -> None:
        """Ask in a channel, without waiting; the event arrives so many times."""
        asked = await self.slack.mention(question)
        for _ in range(1, times):
            await self.slack.again(asked)

    async def apply(self, label: str, text: str) -> str:
        """Use a command of a message's menu; return the reply, which the person alone is shown."""
        before = len(self.slack.web.messages)
        await self.slack.shortcut({"Check this quote": "check_quote", "Proof this": "proof_draft"}[label], text)
        reply = (await self.slack.answers(before + 1))[-1]
        assert reply["ephemeral"]
        return str(reply["text"])

    async def take_back(self, question: str) -> None:
        asked = next(each for each in self.slack.wire.deliveries if question in str(each.payload))
        await self.slack.delete(asked)

    async def ask(self, question: str) -> str:
        """Ask the bot in a channel; return the message that answers."""
        before = len(self.slack.web.messages)
        await self.slack.mention(question)
        await self.slack.until(lambda: len(self.slack.web.messages) > before)
        return str(self.slack.web.messages[-1]["ts"])

    async def follow(self, answer: str, text: str, *, colleague: bool = False, after: int = 0) -> None:
        found = self._message(answer)
        with closing(sqlite3.connect(self.state)) as state, state:
            state.execute("UPDATE threads SET at = at - ?", (after,))
        user = "U2" if colleague else "U1"
        await self.slack.message(text, channel=found["channel"], thread_ts=found["thread_ts"], user=user)

    async def change_late(self, old: str, new: str) -> str:
        """Ask, and change the question more than ten minutes after; return the answer."""
        answer = await self.ask(old)
        asked = [each for each in self.slack.wire.deliveries if old in str(each.payload)]
        changed = await self.slack.edit(asked[-1], f"<@U0STET> {new}", after=700)
        await self.slack.until(lambda: changed.acknowledged)
        return answer

    async def command(self, name: str, words: str = "", place: str = "") -> str:
        """Use a command in a channel; return the reply, which the person alone is shown."""
        before = len(self.slack.web.messages)
        await self.slack.command("/stet", f"{name} {words}".strip(), place or "C1")
        await self.slack.answers(before + 1)
        return str(self.slack.web.messages.pop()["text"])

    async def react(self, text: str, emoji: str = "", times: int = 1) -> None:
        """Let a colleague write a text, and react to it; without ``emoji`` with a magnifying glass."""
        written = (await self.slack.message(text, channel="C1", user="U9")).payload["event"]
        for _ in range(times):
            await self.slack.react("C1", written["ts"], emoji or "mag")

    async def press(self, answer: str, label: str) -> str:
        """Press a button of an answer; return the text of what comes."""
        before = len(self.slack.web.messages)
        await self.slack.click(answer, label)
        return str((await self.slack.answers(before + 1))[-1]["text"])

    async def hand_over(self, answer: str, *, colleague: bool = False) -> str:
        """Have a question handed to people, by a colleague or its asker; return what the presser is told."""
        before = len(self.private())
        await self.slack.click(answer, "Ask the newsroom", "U2" if colleague else "U1")
        await self.until(lambda: len(self.private()) > before)
        return str([each for each in self.slack.web.messages if each["ephemeral"]][-1]["text"])

    async def mark_done(self, message: str) -> None:
        await self.slack.click(message, "Done")
        await self.until(lambda: not self.buttons(message))

    def close(self, channel: str, *, closed: bool = True) -> None:
        self.slack.web.channels[channel] = {"id": channel, "is_member": not closed}

    def posted(self, channel: str) -> list[str]:
        return [
            each["ts"] for each in self.slack.web.messages if (each["channel"], each["ephemeral"]) == (channel, False)
        ]

    def thread(self, answer: str) -> tuple[str, str]:
        found = self._message(answer)
        return found["channel"], found["thread_ts"]

    def private(self) -> list[str]:
        alone = [each for each in self.slack.web.messages if each["ephemeral"] or each["channel"].startswith("U")]
        return [f"{each['text']}\n{seen(each)}" for each in alone]

    async def post_link(self, address: str) -> None:
        await self.slack.link(address)

    async def link(self, address: str) -> None:
        before = self.cards()
        await self.post_link(address)
        await self.slack.until(lambda: self.cards() > before)

    def cards(self) -> int:
        return len(self.slack.web.unfurled)

    def card(self) -> str:
        return seen({"blocks": self.slack.web.unfurled[-1][3]})

    def _message(self, message: str) -> dict[str, Any]:
        return next((each for each in self.slack.web.messages if each["ts"] == message), {"text": "", "blocks": []})

    def text(self, message: str) -> str:
        found = self._message(message)
        return f"{found['text']}\n{seen(found)}" if found["text"] else ""

    def buttons(self, message: str) -> list[str]:
        return [label for label, _, _ in buttons(self._message(message))]

    def count(self) -> int:
        return len(self.slack.web.messages)

    def edits(self) -> list[str]:
        calls = [call for call in self.slack.web.calls if call.method == "chat.update" and call.answer.get("ok")]
        return [str(call.payload["ts"]) for call in calls]

    async def until(self, holds: Callable[[], object]) -> None:
        await self.slack.until(holds, 30)

    async def fail(self, status: int, times: int = 1) -> None:
        await self.slack.fail(status, "chat.update", times=times)

    def delete(self, message: str) -> None:
        self.slack.web.messages[:] = [each for each in self.slack.web.messages if each["ts"] != message]

    async def change(self, old: str, new: str) -> None:
        asked = [each for each in self.slack.wire.deliveries if old in str(each.payload)]
        await self.slack.edit(asked[-1], asked[-1].payload["event"]["text"].replace(old, new))


@dataclass
class DiscordRoom:
    """The same on Discord."""

    discord: DiscordEmulator
    platform: str = "discord"
    channel: str = World().channel
    linked: dict[str, Any] = field(default_factory=dict)

    async def mention(self, question: str, times: int = 1) -> None:
        asked = await self.discord.mention(question)
        for _ in range(1, times):
            await self.discord.gateway.dispatch("MESSAGE_CREATE", asked)

    async def apply(self, label: str, text: str) -> str:
        one = await self.discord.answered(await self.discord.apply(label, await self.discord.say(text)))
        assert (one.message or {})["flags"] & EPHEMERAL
        return shown(one.message or {}).replace("\\", "")

    async def take_back(self, question: str) -> None:
        [asked] = [each for each in self.discord.rest.messages.values() if question in each["content"]]
        await self.discord.delete(asked)

    async def ask(self, question: str) -> str:
        [answer] = await self.discord.answers(await self.discord.mention(question))
        return str(answer["id"])

    async def follow(self, answer: str, text: str, *, colleague: bool = False, after: int = 0) -> None:
        who = Person("900000000000000088", "gil") if colleague else None
        await self.discord.say(text, who, to=self.discord.rest.messages[answer], ago=-after)

    async def change_late(self, old: str, new: str) -> str:
        asked = await self.discord.say(f"<@{self.discord.world.bot.id}> {old}", ago=700)
        [answer] = await self.discord.answers(asked)
        await self.discord.edit(asked, f"<@{self.discord.world.bot.id}> {new}")
        return str(answer["id"])

    async def command(self, name: str, words: str = "", place: str = "") -> str:
        given = {"words": words} if words else {}
        one = await self.discord.answered(await self.discord.command(name, given, place=place))
        return shown(one.message or {}).replace("\\", "")

    async def react(self, text: str, emoji: str = "", times: int = 1) -> None:
        written = await self.discord.say(text, Person("900000000000000088", "gil"))
        for _ in range(times):
            await self.discord.react(written, emoji or "🔍")

    async def press(self, answer: str, label: str) -> str:
        return await self._pressed(answer, label)

    async def _pressed(self, answer: str, label: str, who: Person | None = None) -> str:
        one = await self.discord.answered(await self.discord.click(self.discord.rest.messages[answer], label, who))
        return shown(one.message or {}).replace("\\", "")

    async def hand_over(self, answer: str, *, colleague: bool = False) -> str:
        return await self._pressed(
            answer, "Ask the newsroom", Person("900000000000000088", "gil") if colleague else None
        )

    async def mark_done(self, message: str) -> None:
        await self._pressed(message, "Done")

    def close(self, channel: str, *, closed: bool = True) -> None:
        (self.discord.rest.closed.add if closed else self.discord.rest.closed.discard)(channel)

    def posted(self, channel: str) -> list[str]:
        own = (channel, self.discord.world.bot.id)
        return [n for n, m in self.discord.rest.messages.items() if (m["channel_id"], m["author"]["id"]) == own]

    def thread(self, answer: str) -> tuple[str, str]:
        return self.discord.rest.messages[answer]["channel_id"], answer

    def private(self) -> list[str]:
        return [self.text(each["id"]) for each in self.discord.asides()]

    async def post_link(self, address: str) -> None:
        self.linked = await self.discord.say(address, direct=True)

    async def link(self, address: str) -> None:
        await self.post_link(address)
        await self.discord.answers(self.linked)

    def cards(self) -> int:
        return sum(bool(message["embeds"]) for message in self.discord.rest.messages.values())

    def card(self) -> str:
        [card] = self.discord.answers_to(self.linked)[0]["embeds"]
        return f"{card['title']}\n{card.get('description', '')}".replace("\\", "")

    def text(self, message: str) -> str:
        found = self.discord.rest.messages.get(message)
        return shown(found).replace("\\", "").replace("**", "") if found else ""

    def buttons(self, message: str) -> list[str]:
        return list(_labels(self.discord.rest.messages[message]["components"]))

    def count(self) -> int:
        return sum(len(each) for each in self.discord.rest.answers.values())

    def edits(self) -> list[str]:
        calls = [call for call in self.discord.rest.calls if call.method == "PATCH" and "/webhooks/" not in call.path]
        return [call.path.rpartition("/")[2] for call in calls if call.status == 200]

    async def until(self, holds: Callable[[], object]) -> None:
        await self.discord.rest.until(holds, 30)

    async def fail(self, status: int, times: int = 1) -> None:
        self.discord.fail("PATCH /channels", status, times)

    def delete(self, message: str) -> None:
        self.discord.rest.messages.pop(message)

    async def change(self, old: str, new: str) -> None:
        asked = [each for each in self.discord.rest.messages.values() if old in each["content"]]
        await self.discord.edit(asked[-1], asked[-1]["content"].replace(old, new))


def _labels(components: Iterable[dict[str, Any]]) -> Iterable[str]:
    for each in components:
        yield from _labels(each.get("components") or ())
        if each.get("label"):
            yield each["label"]


PressRoom = SlackRoom | DiscordRoom


@dataclass
class Archived:
    """The archive as another process has it, and the store of the bot."""

    folder: Path

    def __post_init__(self) -> None:
        self.archive = PersistentArchive(self.folder / "archive.sqlite")
        for article in (QUAY, MILL):
            self.put(article)

    def put(self, article: Article) -> None:
        self.archive.add([read_one(article)])

    def remove(self, article: Article) -> None:
        self.archive.remove(article.id)

    def service(self, **settings: str) -> QuestionService:
        channels = read_channels(load(settings, self.folder / "none"))
        return QuestionService(Library(PersistentArchive(self.archive.path)), channels=channels)

    def kept(self) -> str:
        files = self.folder.glob("state.sqlite*")
        return b"".join(file.read_bytes() for file in files).decode("utf-8", "replace")

    @property
    def state(self) -> Path:
        return self.folder / "state.sqlite"

    async def remembers(self, room: PressRoom, answer: str) -> None:
        """Wait until the bot has stored what an answer shows; on Discord it does so once it is sent."""
        with Store(self.state) as store:
            async with asyncio.timeout(10):
                while not await asyncio.to_thread(store.last_shown, room.platform, *room.thread(answer)):
                    pass

    async def reviewed(self, platform: str) -> None:
        last = [each.number for each in self.archive.retirements.after(0)][-1:]
        fact = f"{platform} answers reviewed, {self.archive.retirements.identity()}"
        with Store(self.state) as store:
            async with asyncio.timeout(60):
                while [int(number) for number in [await asyncio.to_thread(store.fact, fact)] if number] != last or (
                    await asyncio.to_thread(store.postings_to_review, platform, ())
                ):
                    pass


@asynccontextmanager
async def press_room(
    platform: str, folder: Path, edit_rate: EditRate = AT_ONCE, **more: str
) -> AsyncIterator[tuple[PressRoom, Archived]]:
    """Return a newsroom on a platform, and its archive; check at the end that no call was refused and nobody pinged."""
    archived = Archived(folder)
    service = archived.service(**more)
    if platform == "slack":
        async with Slack() as slack:
            settings = office.settings_for(slack, folder, **more)
            async with office.serving(slack, settings, service, replace(office.QUICK, revising=edit_rate)):
                yield SlackRoom(slack, archived.state), archived
            assert slack.refused() == []
            assert [message["pinged"] for message in slack.web.messages if message["pinged"]] == []
        return
    before, transport.EDITING = transport.EDITING, edit_rate
    try:
        given = {"STET_STATE": str(archived.state), **more}
        async with bench.newsroom(folder, service, world=World(content=True), **given) as discord:
            yield DiscordRoom(discord), archived
    finally:
        transport.EDITING = before
