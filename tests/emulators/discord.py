"""Discord's other end on loopback: its REST API and its gateway, and the people who use it.

In a test: ``async with DiscordEmulator() as discord: … await discord.mention("who?")``; the bot has ``environment``.
"""

from typing import Self

from aiohttp import web

from tests.emulators.discord_gateway import Gateway
from tests.emulators.discord_payloads import Payload, Person, World, interaction, member, message, now, snowflake
from tests.emulators.discord_rest import Failure, Interaction, Rest
from tests.emulators.discord_rules import BUTTON, TEXT, walk


class DiscordEmulator:
    """One server, one direct conversation, one application; serves from ``async with`` on, on a free port."""

    def __init__(self, world: World | None = None, heartbeat: float = 41.25) -> None:
        self.world = world or World()
        self.rest = Rest(self.world)
        self.gateway = Gateway(self.world, self.rest.violations.append, heartbeat)
        self._runner: web.AppRunner | None = None
        self.environment: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=25 << 20)
        app.add_routes([*self.rest.routes(), web.get("/gateway", self.gateway.handle)])
        app.add_routes([web.get("/gateway/", self.gateway.handle)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        self.environment = {
            "DISCORD_TOKEN": self.world.token,
            "DISCORD_API_BASE": f"http://127.0.0.1:{port}/api/v10",
            "DISCORD_GATEWAY_URL": self.gateway.url,
        }
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def command(
        self, name: str, options: dict[str, str] | None = None, who: Person | None = None, place: str = ""
    ) -> Interaction:
        """Use a slash command, in the channel or in ``place``; ``LookupError`` where it was never synced."""
        synced = self._synced(name, 1)
        given = [{"name": key, "type": 3, "value": value} for key, value in (options or {}).items()]
        unknown = set(options or {}) - {option["name"] for option in synced.get("options", [])}
        if unknown:
            raise LookupError(f"/{name} has no option {unknown}")
        data = {"id": synced["id"], "name": name, "type": 1, "options": given}
        return await self._interact(2, data, who, place)

    async def complete(self, name: str, option: str, typed: str, who: Person | None = None) -> Interaction:
        synced = self._synced(name, 1)
        if not any(o["name"] == option and o.get("autocomplete") for o in synced.get("options", [])):
            raise LookupError(f"/{name} {option} does not complete itself")
        focused = [{"name": option, "type": 3, "value": typed, "focused": True}]
        return await self._interact(4, {"id": synced["id"], "name": name, "type": 1, "options": focused}, who)

    async def apply(self, name: str, to: Payload, who: Person | None = None) -> Interaction:
        synced = self._synced(name, 3)
        data = {"id": synced["id"], "name": name, "type": 3, "target_id": to["id"]}
        return await self._interact(2, data | {"resolved": {"messages": {to["id"]: to}}}, who)

    async def click(self, on: Payload, label: str, who: Person | None = None) -> Interaction:
        """Press a button of a message, or choose an option; ``LookupError`` where there is none with this label."""
        for component in walk(on["components"]):
            chosen = [option["value"] for option in component.get("options", ()) if option["label"] == label]
            pressed = component["type"] == BUTTON and component.get("label") == label and component.get("custom_id")
            if chosen or pressed:
                data = {"component_type": component["type"], "custom_id": component["custom_id"], "id": 1}
                data |= {"values": chosen} if chosen else {}
                return await self._interact(3, data, who, on=on)
        raise LookupError(f"no button {label!r}")

    async def submit(
        self, modal: Payload, values: dict[str, str], on: Payload, who: Person | None = None
    ) -> Interaction:
        fields = [c["custom_id"] for c in walk(modal["components"]) if c["type"] == 4]
        if set(fields) != set(values):
            raise LookupError(f"the modal has {fields}")
        filled = [
            {"type": 18, "id": n, "component": {"type": 4, "id": n + 50, "custom_id": field, "value": values[field]}}
            for n, field in enumerate(fields, 1)
        ]
        return await self._interact(5, {"custom_id": modal["custom_id"], "components": filled}, who, on=on)

    def _synced(self, name: str, kind: int) -> Payload:
        for command in self.rest.commands:
            if command["name"] == name and command["type"] == kind:
                return command
        raise LookupError(f"no command {name!r} was ever synced")

    async def _interact(
        self, kind: int, data: Payload, who: Person | None, place: str = "", on: Payload | None = None
    ) -> Interaction:
        payload = interaction(self.world, kind, data, who or self.world.reporter, place or self.world.channel)
        one = Interaction(payload | ({"message": on} if on else {}))
        self.rest.begin(one)
        await self.gateway.dispatch("INTERACTION_CREATE", one.payload)
        return one

    async def say(  # noqa: PLR0913  (each is a way in which people write)
        self,
        text: str,
        who: Person | None = None,
        *,
        direct: bool = False,
        to: Payload | None = None,
        ping: bool = True,
        ago: float = 0.0,
    ) -> Payload:
        """Write a message, as an answer ``to`` another where given; the content is kept back as Discord does.

        ``ago`` are the seconds since it was written.
        """
        author = who or self.world.reporter
        bot = self.world.bot
        written = message(author, self.world.direct if direct else self.world.channel, text, id=snowflake(ago))
        if to:
            written |= {"type": 19, "referenced_message": to}
            written["message_reference"] = {"message_id": to["id"], "channel_id": to["channel_id"]}
        if f"<@{bot.id}>" in text or (to and ping and to["author"]["id"] == bot.id):
            written["mentions"] = [bot.payload()]
        if not direct:
            written |= {"guild_id": self.world.guild, "member": member(author)}
        self.rest.messages[written["id"]] = written
        self.world.last[written["channel_id"]] = written["id"]
        hidden = not (direct or written["mentions"] or self.gateway.content)
        await self.gateway.dispatch("MESSAGE_CREATE", written | ({"content": ""} if hidden else {}))
        return written

    async def react(self, on: Payload, emoji: str = "🔍", who: Person | None = None) -> None:
        person = who or self.world.reporter
        if not self.gateway.reactions:
            return
        at = {"user_id": person.id, "channel_id": on["channel_id"], "message_id": on["id"], "type": 0, "burst": False}
        of = {"guild_id": self.world.guild, "member": member(person), "emoji": {"id": None, "name": emoji}}
        await self.gateway.dispatch("MESSAGE_REACTION_ADD", {**at, **of, "message_author_id": on["author"]["id"]})

    async def edit(self, said: Payload, text: str) -> Payload:
        changed = {**said, "content": text, "edited_timestamp": now()}
        if f"<@{self.world.bot.id}>" in text:
            changed["mentions"] = [self.world.bot.payload()]
        self.rest.messages[said["id"]] = changed
        await self.gateway.dispatch("MESSAGE_UPDATE", changed)
        return changed

    async def delete(self, said: Payload) -> None:
        self.rest.messages.pop(said["id"])
        gone = {"id": said["id"], "channel_id": said["channel_id"]}
        await self.gateway.dispatch("MESSAGE_DELETE", gone | {k: said[k] for k in ("guild_id",) if k in said})

    async def mention(self, text: str, who: Person | None = None) -> Payload:
        return await self.say(f"<@{self.world.bot.id}> {text}", who)

    async def answered(self, one: Interaction, timeout: float = 10) -> Interaction:  # noqa: ASYNC109
        await self.rest.until(lambda: one.answered is not None, timeout)
        return one

    async def answers(self, to: Payload, timeout: float = 10) -> list[Payload]:  # noqa: ASYNC109
        """Wait for the messages that answer a message; all that are there once the first has come."""
        await self.rest.until(lambda: self.answers_to(to), timeout)
        return self.answers_to(to)

    def answers_to(self, to: Payload) -> list[Payload]:
        found = (self.rest.messages.get(number) for number in self.rest.answers.get(to["id"], ()))
        return [message for message in found if message]

    def asides(self) -> list[Payload]:
        """Return what the bot wrote in its direct conversation without answering a message there."""
        own = (self.world.direct, self.world.bot.id)
        written = (m for m in self.rest.messages.values() if (m["channel_id"], m["author"]["id"]) == own)
        return [message for message in written if not message.get("message_reference")]

    def fail(self, part: str, status: int, times: int = 1) -> None:
        """Let requests fail whose "METHOD /path" holds ``part``."""
        self.rest.failures.append(Failure(part, status, times))


def shown(written: Payload) -> str:
    texts = [written.get("content") or ""]
    texts += [c["content"] for c in walk(written.get("components") or []) if c["type"] == TEXT]
    texts += [embed.get("description") or "" for embed in written.get("embeds") or []]
    return "\n".join(text for text in texts if text)
