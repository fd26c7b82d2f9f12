"""Discord's gateway on loopback: hello, identify, resume, heartbeats, dispatches, all in a zlib-stream.

A session outlives its connection: what is dispatched meanwhile is kept, and a RESUME brings it.
Every IDENTIFY begins a session beside those there are, and each of them is brought every event, as at Discord where
they are of the same shard. What a session had not delivered is lost with it.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from aiohttp import WSMsgType, web

from tests.emulators.discord_payloads import Payload, World, guild

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
PRIVILEGED, CONTENT = 1 << 1 | 1 << 8 | 1 << 15, 1 << 15
REACTIONS = 1 << 10
LARGEST = 4096


@dataclass(eq=False)
class Line:
    """One websocket connection."""

    socket: web.WebSocketResponse
    deflate: zlib._Compress = field(default_factory=zlib.compressobj)
    beats: list[float] = field(default_factory=list)

    async def send(self, payload: Payload) -> None:
        await self.raw(json.dumps(payload))

    async def raw(self, text: str) -> None:
        if not self.socket.closed:
            packed = self.deflate.compress(text.encode()) + self.deflate.flush(zlib.Z_SYNC_FLUSH)
            await self.socket.send_bytes(packed)


@dataclass(eq=False)
class Session:
    """What was dispatched to one identified client, and the connection it has at the moment."""

    id: str = field(default_factory=lambda: uuid4().hex)
    log: list[Payload] = field(default_factory=list)
    line: Line | None = None
    resumable: bool = True

    async def dispatch(self, event: str, data: Payload) -> None:
        payload = {"op": DISPATCH, "t": event, "s": len(self.log) + 1, "d": data}
        self.log.append(payload)
        if self.line:
            await self.line.send(payload)


class Gateway:
    """The gateway's end of the websocket; ``url`` is set by whoever serves ``handle``."""

    def __init__(self, world: World, violation: Callable[[str], None], heartbeat: float = 41.25) -> None:
        self.world = world
        self.url = ""
        self.heartbeat = heartbeat
        self.sessions: list[Session] = []
        self.identified: list[float] = []
        self.resumed: list[float] = []
        self.content = self.reactions = False  # whether the bot is shown what people write to each other, and react
        self.gaps: list[float] = []  # seconds between two heartbeats
        self.refusals = 0  # connections still to be refused
        self.spacing = 0.0  # seconds between two IDENTIFY; five at Discord, which most tests need not wait for
        self._violation = violation
        self._changed = asyncio.Condition()

    async def ready(self, sessions: int = 1, timeout: float = 20) -> None:  # noqa: ASYNC109  (tests read better so)
        """Wait until clients have identified or resumed ``sessions`` times in all, and one is connected."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(lambda: self._connected(sessions)), timeout)

    def _connected(self, sessions: int) -> bool:
        enough = len(self.identified) + len(self.resumed) >= sessions
        return enough and self.session is not None and self.session.line is not None

    async def connected(self, clients: int, timeout: float = 120) -> None:  # noqa: ASYNC109
        async with self._changed:
            just_so = self._changed.wait_for(lambda: sum(each.line is not None for each in self.sessions) == clients)
            await asyncio.wait_for(just_so, timeout)

    @property
    def session(self) -> Session | None:
        return self.sessions[-1] if self.sessions else None

    async def dispatch(self, event: str, data: Payload) -> None:
        """Bring an event to every session there is; without one it is lost."""
        for session in self.sessions:
            await session.dispatch(event, data)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        if self.refusals:
            self.refusals -= 1
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(autoping=True, max_msg_size=0)
        await socket.prepare(request)
        if request.query.get("compress") != "zlib-stream":
            self._violation("a gateway connection that asks for no zlib-stream")
        line = Line(socket)
        await line.send({"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat * 1000)}})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._receive(line, message.data)
        await self._ended(line)
        return socket

    async def _ended(self, line: Line) -> None:
        if line.beats and time.monotonic() - line.beats[-1] > self.heartbeat * 1.5 + 1:
            self._violation("a heartbeat was missed")
        for session in self.sessions:
            session.line = None if session.line is line else session.line
        await self._tell()

    async def _receive(self, line: Line, text: str) -> None:
        if len(text.encode()) > LARGEST:
            self._violation("a gateway message over 4,096 bytes")
            await line.socket.close(code=4002)
            return
        payload = json.loads(text)
        acts = {HEARTBEAT: self._beat, IDENTIFY: self._identify, RESUME: self._resume}
        if act := acts.get(payload["op"]):
            await act(line, payload.get("d"))

    async def _beat(self, line: Line, _: object) -> None:
        now = time.monotonic()
        if line.beats:
            gap = now - line.beats[-1]
            self.gaps.append(gap)
            if gap > self.heartbeat * 1.5 + 1:
                self._violation(f"a heartbeat came after {gap:.1f} seconds")
        line.beats.append(now)
        await line.send({"op": ACK})

    async def _identify(self, line: Line, data: Payload) -> None:
        if data["token"] != self.world.token:
            await line.socket.close(code=4004)
            return
        if data["intents"] & PRIVILEGED & ~(CONTENT * self.world.content):
            await line.socket.close(code=4014)
            return
        if self.identified and time.monotonic() - self.identified[-1] < self.spacing:
            await line.send({"op": INVALID, "d": False})
            return
        self.content, self.reactions = bool(data["intents"] & CONTENT), bool(data["intents"] & REACTIONS)
        session = Session(line=line)
        self.sessions = [each for each in self.sessions if each.resumable]
        self.sessions.append(session)
        self.identified.append(time.monotonic())
        await self._welcome(session)
        await self._tell()

    async def _welcome(self, session: Session) -> None:
        ready = {
            "v": 10,
            "user": self.world.bot.payload(),
            "guilds": [{"id": self.world.guild, "unavailable": True}],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "application": {"id": self.world.application, "flags": 0},
        }
        await session.dispatch("READY", ready)
        await session.dispatch("GUILD_CREATE", guild(self.world))

    async def _resume(self, line: Line, data: Payload) -> None:
        known = (each for each in self.sessions if each.resumable and each.id == data["session_id"])
        session = next(known, None)
        if session is None or data["token"] != self.world.token:
            await line.send({"op": INVALID, "d": False})
            return
        if session.line:
            self._violation("a session was taken from a client that was connected")
        session.line = line
        self.resumed.append(time.monotonic())
        for payload in session.log:
            if payload["s"] > (data["seq"] or 0):
                await line.send(payload)
        await session.dispatch("RESUMED", {})
        await self._tell()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _cut_off(self) -> Line:
        """Return the connection of the newest session, which then has none."""
        line, self.session.line = self.session.line, None
        return line

    async def drop(self, *, code: int = 4000) -> None:
        await self._cut_off().socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        await self._cut_off().send({"op": RECONNECT, "d": None})

    async def invalidate(self) -> None:
        self.session.resumable = False
        await self._cut_off().send({"op": INVALID, "d": False})

    async def garble(self, text: str) -> None:
        await self.session.line.raw(text)
