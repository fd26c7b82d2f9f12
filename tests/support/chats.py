"""A newsroom on Slack or Discord whose archive changes while people read the answers."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from adapters.articles import policy
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
from tests.emulators.discord_rest import Interaction
from tests.emulators.discord_rules import walk
from tests.emulators.slack import Slack
from tests.emulators.slack_rules import buttons, seen
from tests.support.tables import articles

AT_ONCE = EditRate(look=0.02)
QUAY, MILL = articles(__file__).values()
DOCKERS = "how many dockers were pulled from under the crane?"
CRANE, CLOSED = "when was the crane built?", "until when does the quay stay closed?"
SHARE = "Share to channel"
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
    bot, colleague = "U0STET", "U2"

    async def mention(self, question: str, times: int = 1) -> None:
        """Ask in a channel, without waiting; the event arrives so many times."""
        asked = await self.slack.mention(question)
        for _ in range(1, times):
            await self.slack.again(asked)

    async def _next(self, doing: Awaitable[object]) -> dict[str, Any]:
        """Return the message that comes of something."""
        before = len(self.slack.web.messages)
        await doing
        return (await self.slack.answers(before + 1))[-1]

    async def apply(self, label: str, text: str) -> str:
        """Use a command of a message's menu; return the reply."""
        known = {"Check this quote": "check_quote", "Proof this": "proof_draft"}
        return str((await self._next(self.slack.shortcut(known[label], text)))["ts"])

    async def take_back(self, question: str) -> None:
        asked = next(each for each in self.slack.wire.deliveries if question in str(each.payload))
        await self.slack.delete(asked, answered=False)

    async def ask(self, question: str, who: str = "U1") -> str:
        """Ask the bot in a channel; return the message that answers."""
        return str((await self._next(self.slack.mention(question, user=who)))["ts"])

    async def ask_by_command(self, question: str) -> str:
        """Ask with a command; return the message that answers, which is the person's alone unless the rules say so."""
        return str((await self._next(self.slack.command("/ask", question)))["ts"])

    async def suggest(self, typed: str, who: str = "U1") -> list[str]:
        """Type into the field of names; return what is offered."""
        await self.slack.command("/who")
        view = await self.slack.until(lambda: next(iter(self.slack.web.views.values()), None))
        offered = await self.slack.suggest(view["id"], "stet_name", typed, who)
        await self.slack.until(lambda: offered.acknowledged)
        return [option["value"] for option in offered.response["options"]]

    async def follow(self, answer: str, text: str, who: str = "U1", after: int = 0) -> None:
        found = self._message(answer)
        with closing(sqlite3.connect(self.state)) as state, state:
            state.execute("UPDATE threads SET at = at - ?", (after,))
        await self.slack.message(text, found["channel"], who, found["thread_ts"])

    async def change_late(self, old: str, new: str) -> str:
        """Ask, and change the question more than ten minutes after; return the answer."""
        answer = await self.ask(old)
        asked = [each for each in self.slack.wire.deliveries if old in str(each.payload)]
        changed = await self.slack.edit(asked[-1], f"<@U0STET> {new}", after=700)
        await self.slack.until(lambda: changed.acknowledged)
        return answer

    async def command(self, name: str, words: str = "", place: str = "", who: str = "U1") -> str:
        """Use a command in a channel; return the reply, which the person alone is shown."""
        await self._next(self.slack.command("/stet", f"{name} {words}".strip(), place or "C1", who))
        return str(self.slack.web.messages.pop()["text"])

    async def react(self, text: str, emoji: str = "", times: int = 1, who: str = "U1") -> None:
        """Let a colleague write a text, and react to it; without ``emoji`` with a magnifying glass."""
        written = (await self.slack.message(text, channel="C1", user="U9")).payload["event"]
        for _ in range(times):
            await self.slack.react("C1", written["ts"], emoji or "mag", who)

    async def press(self, answer: str, label: str, who: str = "U1") -> str:
        """Press a button of an answer; return what comes."""
        return str((await self._next(self.slack.click(answer, label, who)))["ts"])

    async def share(self, answer: str) -> str:
        """Show everybody what one person was shown; return what comes, which is that person's alone if it changed."""
        return await self.press(answer, SHARE)

    def is_private(self, message: str) -> bool:
        return bool(self._message(message)["ephemeral"])

    async def hand_over(self, answer: str, who: str = "U1") -> str:
        """Have a question handed to people, by a colleague or its asker; return what the presser is told."""
        before = len(self.private())
        await self.slack.click(answer, "Ask the newsroom", who)
        await self.until(lambda: len(self.private()) > before)
        return str([each for each in self.slack.web.messages if each["ephemeral"]][-1]["text"])

    async def mark_done(self, message: str) -> None:
        await self.slack.click(message, "Done")
        await self.until(lambda: not self.buttons(message))

    def close(self, channel: str, *, closed: bool = True) -> None:
        self.slack.web.channels[channel] = {"id": channel, "is_member": not closed}

    def posted(self, channel: str) -> list[str]:
        return [m["ts"] for m in self.slack.web.messages if (m["channel"], m["ephemeral"]) == (channel, False)]

    def thread(self, answer: str) -> tuple[str, str]:
        found = self._message(answer)
        return found["channel"], found["thread_ts"]

    def private(self) -> list[str]:
        alone = [each for each in self.slack.web.messages if each["ephemeral"] or each["channel"].startswith("U")]
        return [f"{each['text']}\n{seen(each)}" for each in alone]

    async def post_link(self, address: str, who: str = "U1") -> None:
        await self.slack.link(address, user=who)

    async def link(self, address: str) -> None:
        before = self.cards()
        await self.post_link(address)
        await self.until(lambda: self.cards() > before)

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

    def label(self, message: str, begins: str) -> str:
        return next(label for label in self.buttons(message) if label.startswith(begins))

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
    bot, colleague = World().bot, Person("900000000000000088", "gil")
    linked: dict[str, Any] = field(default_factory=dict)

    async def mention(self, question: str, times: int = 1) -> None:
        asked = await self.discord.mention(question)
        for _ in range(1, times):
            await self.discord.gateway.dispatch("MESSAGE_CREATE", asked)

    async def apply(self, label: str, text: str) -> str:
        return await self._next(self.discord.apply(label, await self.discord.say(text)))

    async def _next(self, doing: Awaitable[Interaction]) -> str:
        return str((await self.discord.answered(await doing)).message["id"])

    async def take_back(self, question: str) -> None:
        [asked] = [each for each in self.discord.rest.messages.values() if question in each["content"]]
        await self.discord.delete(asked)

    async def ask(self, question: str, who: Person | None = None) -> str:
        [answer] = await self.discord.answers(await self.discord.mention(question, who))
        return str(answer["id"])

    async def ask_by_command(self, question: str) -> str:
        return await self._next(self.discord.command("ask", {"question": question}))

    async def suggest(self, typed: str, who: Person | None = None) -> list[str]:
        typing = await self.discord.complete("who", "name", typed, who)
        return [choice["value"] for choice in (await self.discord.answered(typing)).choices]

    async def follow(self, answer: str, text: str, who: Person | None = None, after: int = 0) -> None:
        await self.discord.say(text, who, to=self.discord.rest.messages[answer], ago=-after)

    async def change_late(self, old: str, new: str) -> str:
        asked = await self.discord.say(f"<@{self.discord.world.bot.id}> {old}", ago=700)
        [answer] = await self.discord.answers(asked)
        await self.discord.edit(asked, f"<@{self.discord.world.bot.id}> {new}")
        return str(answer["id"])

    async def command(self, name: str, words: str = "", place: str = "", who: Person | None = None) -> str:
        given = {"words": words} if words else {}
        return self.text(await self._next(self.discord.command(name, given, who, place=place)))

    async def react(self, text: str, emoji: str = "", times: int = 1, who: Person | None = None) -> None:
        written = await self.discord.say(text, self.colleague)
        for _ in range(times):
            await self.discord.react(written, emoji or "🔍", who)

    async def press(self, answer: str, label: str, who: Person | None = None) -> str:
        on = self.discord.rest.messages[answer]
        return await self._next(self.discord.click(on, label, who))

    async def share(self, answer: str) -> str:
        told = await self.press(answer, SHARE)
        public = [number for number, each in self.discord.rest.messages.items() if not each["flags"] & EPHEMERAL]
        return public[-1] if self.text(told) == "Shared" else told

    def is_private(self, message: str) -> bool:
        return bool(self.discord.rest.messages[message]["flags"] & EPHEMERAL)

    async def hand_over(self, answer: str, who: Person | None = None) -> str:
        return self.text(await self.press(answer, "Ask the newsroom", who))

    async def mark_done(self, message: str) -> None:
        await self.press(message, "Done")

    def close(self, channel: str, *, closed: bool = True) -> None:
        (self.discord.rest.closed.add if closed else self.discord.rest.closed.discard)(channel)

    def posted(self, channel: str) -> list[str]:
        own = (channel, self.discord.world.bot.id)
        every = self.discord.rest.messages.items()
        return [n for n, m in every if (m["channel_id"], m["author"]["id"]) == own and not m["flags"] & EPHEMERAL]

    def thread(self, answer: str) -> tuple[str, str]:
        return self.discord.rest.messages[answer]["channel_id"], answer

    def private(self) -> list[str]:
        return [self.text(each["id"]) for each in self.discord.asides()]

    async def post_link(self, address: str, who: Person | None = None) -> None:
        """Post a link in the channel where the bot may read what is written there, else to the bot itself."""
        direct = not self.discord.gateway.content
        self.linked = await self.discord.say(address, who, direct=direct)

    def cards(self) -> int:
        return sum(bool(message["embeds"]) for message in self.discord.rest.messages.values())

    def card(self) -> str:
        [card] = self.discord.answers_to(self.linked)[0]["embeds"]
        return f"{card['title']}\n{card.get('description', '')}".replace("\\", "")

    def text(self, message: str) -> str:
        found = self.discord.rest.messages.get(message)
        return shown(found).replace("\\", "").replace("**", "") if found else ""

    def buttons(self, message: str) -> list[str]:
        parts = walk(self.discord.rest.messages[message]["components"])
        return [each["label"] for part in parts for each in (part, *part.get("options", ())) if each.get("label")]

    label, link = SlackRoom.label, SlackRoom.link

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

    def kept(self) -> str:
        files = self.folder.glob("state.sqlite*")
        return b"".join(file.read_bytes() for file in files).decode("utf-8", "replace")

    @property
    def state(self) -> Path:
        return self.folder / "state.sqlite"

    async def remembers(self, room: PressRoom, answer: str) -> None:
        """Wait until the bot has stored what an answer shows; on Discord it does so once it is sent."""
        await self.stored(lambda store: store.last_shown(room.platform, *room.thread(answer)))

    async def stored(self, holds: Callable[[Store], object]) -> None:
        """Wait until something holds of the bot's store."""
        with Store(self.state) as store:
            async with asyncio.timeout(60):
                while not await asyncio.to_thread(holds, store):
                    pass

    async def reviewed(self, platform: str) -> None:
        last = "".join(str(each.number) for each in [*self.archive.retirements.after(0)][-1:])
        fact = f"{platform} answers reviewed, {self.archive.retirements.identity()}"
        await self.stored(lambda store: (store.fact(fact) or "") == last and not store.postings_to_review(platform, ()))


@asynccontextmanager
async def press_room(
    platform: str, folder: Path, edit_rate: EditRate = AT_ONCE, **more: str
) -> AsyncIterator[tuple[PressRoom, Archived]]:
    """Return a newsroom on a platform, and its archive; check at the end that no call was refused and nobody pinged."""
    archived, rules = Archived(folder), load(more, folder / "none")
    library = Library(PersistentArchive(archived.archive.path))
    service = QuestionService(library, policy(rules), channels=read_channels(rules))
    if platform == "slack":
        async with Slack() as slack:
            settings = office.settings_for(slack, folder, **more)
            async with office.serving(slack, settings, service, replace(office.QUICK, revising=edit_rate)):
                yield SlackRoom(slack, archived.state), archived
            assert slack.refused() == []
            assert [message["pinged"] for message in slack.web.messages if message["pinged"]] == []
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "EDITING", edit_rate)
        given = {"STET_STATE": str(archived.state), **more}
        async with bench.newsroom(folder, service, world=World(content=True), **given) as discord:
            yield DiscordRoom(discord), archived
