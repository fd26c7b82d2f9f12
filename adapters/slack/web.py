"""Our calls of Slack's Web API: posted once it can be, refused in words, tried again where that may help."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.asked import Answered, Asked
from adapters.slack.rich_text import Drawing

# What another attempt cannot mend.
HOPELESS = (
    "not_in_channel",
    "channel_not_found",
    "is_archived",
    "messages_tab_disabled",
    "cannot_reply_to_message",
    "restricted_action",
    "restricted_action_read_only_channel",
    "restricted_action_thread_locked",
)
UNDRAWABLE = ("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long")
STATUS = "is looking through the articles…"
STATUS_PATIENCE = 0.4
KNOWN_FOR = 600.0
CALL = 30.0
PAUSES = (0.2, 1.0, 3.0)

log = logging.getLogger(__name__)


class HopelessError(Exception):
    """Slack will not take this answer, however often it is sent."""


@dataclass(frozen=True, slots=True)
class Clients:
    """Slack's SDK over one pool of connections: a patient client that tries again, and one that does not."""

    session: ClientSession
    patient: AsyncWebClient
    hasty: AsyncWebClient
    logger: logging.Logger

    def webhook(self, url: str) -> AsyncWebhookClient:
        """Return a patient client for an address to answer to."""
        handlers = list(self.patient.retry_handlers)
        return AsyncWebhookClient(url, session=self.session, logger=self.logger, retry_handlers=handlers)


@asynccontextmanager
async def connected(token: str, url: str, logger: logging.Logger) -> AsyncIterator[Clients]:
    """Give clients for a token. A patient one waits where Slack says so, and tries again where it stumbles."""
    handlers = [
        AsyncRateLimitErrorRetryHandler(max_retry_count=20),
        AsyncServerErrorRetryHandler(max_retry_count=3),
        AsyncConnectionErrorRetryHandler(max_retry_count=3),
    ]
    async with ClientSession(timeout=ClientTimeout(total=CALL)) as session:
        patient = AsyncWebClient(token, url, session=session, logger=logger, retry_handlers=handlers)
        hasty = AsyncWebClient(token, url, session=session, logger=logger, retry_handlers=[])
        yield Clients(session, patient, hasty, logger)


def reason(error: SlackApiError) -> str:
    """Return Slack's word for what was wrong, or the status where it had none."""
    # the SDK gives another kind of response where the body is no JSON
    data = getattr(error.response, "data", None)
    return str(data.get("error")) if isinstance(data, dict) else "no answer of Slack's"


class Web:
    """What the bot does in its workspace."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self.client = clients.patient
        self._guests: dict[str, tuple[float, bool]] = {}

    async def send(self, asked: Asked, drawing: Drawing) -> None:
        """Post an answer where it belongs; ``HopelessError`` where that can never be."""
        try:
            await self._send(asked, drawing.text, list(drawing.blocks))
        except SlackApiError as error:
            if reason(error) in HOPELESS:
                raise HopelessError(reason(error)) from error
            if reason(error) not in UNDRAWABLE:
                raise
            log.exception("Slack refused a drawing; its text is sent instead")
            await self._send(asked, drawing.text, [])

    async def _send(self, asked: Asked, text: str, blocks: list[dict[str, Any]]) -> None:
        message: dict[str, Any] = {"text": text, **({"blocks": blocks} if blocks else {})}
        message |= {"unfurl_links": False, "unfurl_media": False}
        thread: dict[str, Any] = {"thread_ts": asked.thread} if asked.thread else {}
        if asked.answered is Answered.THREAD:
            await self.client.chat_postMessage(channel=asked.channel, mrkdwn=False, **thread, **message)
        elif asked.answered is Answered.EPHEMERAL:
            await self._whisper(asked, message | thread)
        else:
            await self._respond(asked, message)

    async def _whisper(self, asked: Asked, message: dict[str, Any]) -> None:
        """Show something to one person alone; the address that came with the click will do as well."""
        for unknown in ("unfurl_links", "unfurl_media"):
            del message[unknown]
        try:
            await self.client.chat_postEphemeral(channel=asked.channel, user=asked.person, **message)
        except SlackApiError:
            if not asked.response_url:
                raise
            await self._respond(asked, message)

    async def _respond(self, asked: Asked, message: dict[str, Any]) -> None:
        public = asked.answered is Answered.CHANNEL
        kind = {"response_type": "in_channel" if public else "ephemeral", "replace_original": False}
        if not asked.response_url:
            raise HopelessError("there is no address to answer to")
        webhook = self._clients.webhook(asked.response_url)
        for pause in PAUSES:
            status = (await webhook.send_dict(message | kind)).status_code
            if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                break
            await asyncio.sleep(pause)
        else:
            raise ConnectionError(f"the address to answer to fails ({status})")
        if status == HTTPStatus.BAD_REQUEST and "blocks" in message:
            log.error("Slack refused a drawing; its text is sent instead")
            await self._respond(asked, {"text": message["text"]})
        elif status >= HTTPStatus.BAD_REQUEST:
            raise HopelessError(f"the address to answer to is no longer valid ({status})")

    async def show_status(self, asked: Asked) -> None:
        """Say that the question is being worked on; nothing depends on it."""
        try:
            async with asyncio.timeout(STATUS_PATIENCE):
                await self._clients.hasty.assistant_threads_setStatus(
                    channel_id=asked.channel, thread_ts=asked.thread, status=STATUS
                )
        except Exception as error:  # noqa: BLE001  (whatever happens, the answer matters more)
            log.debug("no status shown: %s", error)

    async def is_outsider(self, asked: Asked) -> bool:
        """Tell whether a person is a guest, or of another firm; where Slack does not say, what the question shows."""
        known = self._guests.get(asked.person)
        if known and time.monotonic() - known[0] < KNOWN_FOR:
            return known[1] or asked.foreign
        try:
            user = (await self.client.api_call("users.info", params={"user": asked.person})).get("user") or {}
        except SlackApiError as error:
            log.warning("cannot tell whether %s is a guest: %s", asked.person, reason(error))
            return asked.foreign
        guest = any(user.get(sign) for sign in ("is_restricted", "is_ultra_restricted", "is_stranger"))
        self._guests[asked.person] = (time.monotonic(), guest)
        return guest or asked.foreign
