"""Socket Mode that stays up: a connection that is lost is made again, one that has gone silent is replaced."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: between pings, without any sign of life, to connect, without a connection, between looks.

    Questions that could not be answered wait for ``unfinished``; the end waits for answers for ``goodbye``.
    """

    ping: float = 5.0
    silence: float = 20.0
    connecting: float = 20.0
    closed: float = 0.5
    look: float = 0.1
    unfinished: float = 30.0
    goodbye: float = 5.0


class Socket:
    """Keeps one connection for ``app`` until it is told to stop."""

    def __init__(
        self, app: AsyncApp, token: str, client: AsyncWebClient, logger: logging.Logger, patience: Patience
    ) -> None:
        self._app = app
        self._token = token
        self._client = client
        self._logger = logger
        self._patience = patience
        self._heard = 0.0

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Stay connected until ``stop``; ``ready`` is called once, on the first connection."""
        announce: Callable[[], None] | None = ready
        while not stop.is_set():
            handler = self._handler()
            try:
                if await self._connected(handler, stop):
                    if announce:
                        announce()
                        announce = None
                    await self._watch(handler, stop)
            finally:
                await self._close(handler)

    def _handler(self) -> AsyncSocketModeHandler:
        handler = AsyncSocketModeHandler(
            self._app, self._token, self._logger, self._client, ping_interval=self._patience.ping
        )
        handler.client.on_message_listeners.append(self._note)
        return handler

    async def _note(self, _: object) -> None:
        self._heard = time.time()

    async def _connected(self, handler: AsyncSocketModeHandler, stop: asyncio.Event) -> bool:
        connecting = asyncio.ensure_future(handler.connect_async())  # type: ignore[no-untyped-call]  # the SDK's
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait(
            (connecting, stopping), timeout=self._patience.connecting, return_when=asyncio.FIRST_COMPLETED
        )
        stopping.cancel()
        if connecting.done() and not connecting.exception():
            self._heard = time.time()
            return not stop.is_set()
        connecting.cancel()
        if not stop.is_set():
            log.warning("no connection to Slack yet; trying again")
        return False

    async def _watch(self, handler: AsyncSocketModeHandler, stop: asyncio.Event) -> None:
        """Return when the connection is to be replaced, or the bot to stop."""
        closed_since = None
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self._patience.look)
            session = handler.client.current_session
            if session is not None and not session.closed:
                closed_since = None
            elif closed_since is None:
                closed_since = time.time()
            elif time.time() - closed_since > self._patience.closed:
                log.info("the connection to Slack is lost; making a new one")
                return
            if self._silent_for(handler) > self._patience.silence:
                await self._ask_for_life()
                return

    def _silent_for(self, handler: AsyncSocketModeHandler) -> float:
        return time.time() - max(self._heard, handler.client.last_ping_pong_time or 0.0)

    async def _ask_for_life(self) -> None:
        log.warning("the connection to Slack has gone silent; making a new one")
        try:
            await self._client.auth_test()
        except Exception as error:  # noqa: BLE001  (a new connection is tried whatever it is)
            log.warning("Slack cannot be reached: %s", type(error).__name__)

    async def _close(self, handler: AsyncSocketModeHandler) -> None:
        # a dead connection may not even close
        with suppress(Exception):
            async with asyncio.timeout(1):
                await handler.close_async()  # type: ignore[no-untyped-call]  # the SDK's
        for task in (
            handler.client.message_processor,
            handler.client.current_session_monitor,
            handler.client.message_receiver,
        ):
            if task is not None:
                task.cancel()
        await handler.client.aiohttp_client_session.close()
