"""Slack's transport over its Web API: whom it serves, how an answer is drawn, and how it is sent once.

Slack accepts the same message twice, so an answer carries, in its metadata, the key of the request that it answers:
if a receipt was lost, the thread is read before the next attempt. The log of Slack's SDK hides our tokens.
A guest, or a person of another firm, is an outsider; so is anyone whom Slack does not describe.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import builtin_async_handlers as retries
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.answer_record import command_and_words
from adapters.chat.loops import describe_connection_error
from adapters.chat.request import AwayError, HopelessError, Recent, Transport
from adapters.settings import Settings, own_ids
from adapters.slack.blocks import MORE, Block, SlackDrawing, call, context, draw, draw_card, escape
from adapters.slack.requests import PLATFORM, Answered, SlackRequest, more_key, question
from adapters.storage.ledger import Ledger
from adapters.storage.store import CARD, AnswerRecord, Posting, Store
from bot import messages
from bot.commands.command_table import BY_STATE
from bot.model import Answer, Asker, Card, Listing, Message, Place, Reply
from retrieval import QUESTION

# Slack's error codes for a token that it does not accept; anything else may be temporary.
REFUSALS = tuple("invalid_auth not_authed account_inactive token_revoked token_expired not_allowed_token_type".split())
# Errors that another attempt may resolve.
TRANSIENT_ERRORS = frozenset(
    "ratelimited rate_limited internal_error fatal_error service_unavailable request_timeout team_added_to_org".split()
)
WIRE_ERRORS = (ClientError, OSError, TimeoutError)
FAILURES = (SlackApiError, *WIRE_ERRORS)
ANSWER = "stet_answer"  # the type of a message's metadata
LOOK_AT = 200  # messages of a thread
NO_WORD = "no answer of Slack's"
UNDRAWABLE = ("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long")
STATUS = "is looking through the articles…"
STATUS_PATIENCE = 0.4
GLANCE = 1.5  # seconds for a look at a message; what asks is acknowledged within three
CALL = 30.0
SLACK_HOST = ".slack.com"
READ_BYTES = 65_536  # of a file at a time
PAUSES = (0.2, 1.0, 3.0)
HIDDEN = "…"
# tokens of any workspace, tickets of a connection, and the addresses that answers go to
SECRETS = re.compile(r"xox[a-z]-[\w-]+|xapp-[\w-]+|(?<=ticket=)[\w-]+|(?<=hooks\.slack\.com/)[\w/-]+")

log = logging.getLogger(__name__)


class SlackError(Exception):
    """The bot cannot run in Slack; the text says why, and what to do."""


def unacceptable(name: str, why: str) -> SlackError:
    return SlackError(f"Slack does not accept {name} ({why}). `stet check` says more.")


class SecretFilter(logging.Filter):
    """Takes secrets out of a record, its traceback included."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__()
        self._secrets = re.compile("|".join([*(re.escape(secret) for secret in secrets if secret), SECRETS.pattern]))

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._secrets.sub(HIDDEN, record.getMessage()), None
        if record.exc_info:
            record.exc_text = self._secrets.sub(HIDDEN, logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        return True


def sdk_log(settings: Settings) -> logging.Logger:
    """Return the logger for Slack's SDK; its warnings are dropped because we handle their causes."""
    logger = logging.getLogger("adapters.slack.sdk")
    secrets = (settings.slack_bot_token, settings.slack_app_token, settings.slack_signing_secret)
    logger.filters = [SecretFilter(secrets)]
    logger.setLevel(logging.DEBUG if logging.root.level <= logging.DEBUG else logging.ERROR)
    return logger


@dataclass(frozen=True, slots=True)
class Clients:
    """Slack's SDK over one pool of connections: a patient client that tries again, and one that does not.

    The careful one tries again only what Slack has refused, so that nothing is done twice.
    """

    session: ClientSession
    patient: AsyncWebClient
    hasty: AsyncWebClient
    careful: AsyncWebClient
    logger: logging.Logger

    def webhook(self, url: str) -> AsyncWebhookClient:
        handlers = list(self.patient.retry_handlers)
        return AsyncWebhookClient(url, session=self.session, logger=self.logger, retry_handlers=handlers)


@asynccontextmanager
async def connected(token: str, url: str, logger: logging.Logger, call: float = CALL) -> AsyncIterator[Clients]:
    """Return clients for a token whose calls end within ``call`` seconds; the patient one waits, and tries again."""
    handlers = [
        retries.AsyncRateLimitErrorRetryHandler(max_retry_count=20),
        retries.AsyncServerErrorRetryHandler(max_retry_count=3),
        retries.AsyncConnectionErrorRetryHandler(max_retry_count=3),
    ]
    async with ClientSession(timeout=ClientTimeout(total=call)) as session:
        patient, hasty, careful = (
            AsyncWebClient(token, url, session=session, logger=logger, retry_handlers=chosen)
            for chosen in (handlers, [], handlers[:2])
        )
        yield Clients(session, patient, hasty, careful, logger)


def reason(error: SlackApiError) -> str:
    """Return Slack's error code; ``NO_WORD`` where its answer was lost, or is not Slack's own."""
    # the SDK gives another kind of response if the body isn't JSON, and an empty one for a web page
    data = getattr(error.response, "data", None)
    return str((isinstance(data, dict) and data.get("error")) or NO_WORD)


def passes(error: SlackApiError) -> bool:
    """Return whether the error is Slack's own and may be over in a moment."""
    status = getattr(error.response, "status_code", 0) or 0
    return reason(error) in TRANSIENT_ERRORS | {NO_WORD} or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def without(blocks: list[Block], action: str) -> Iterator[Block]:
    """Yield the blocks of a message without a button, and without the row where it was the only one."""
    for block in blocks:
        elements = [element for element in block.get("elements") or () if element.get("action_id") != action]
        if block.get("type") != "actions":
            yield block
        elif elements:
            yield block | {"elements": elements}


class SlackTransport(Transport[SlackRequest, SlackDrawing]):
    """Serves one workspace; ``refuse`` is called with Slack's error code for a token that it does not accept."""

    platform = PLATFORM
    request_type = SlackRequest

    def __init__(
        self, clients: Clients, home: AuthorizeResult, refuse: Callable[[str], None], ledger: Ledger, settings: Settings
    ) -> None:
        self.clients, self.client, self.home, self.refuse = clients, clients.patient, home, refuse
        self._ledger, self._outsiders = ledger, settings.allow_outsiders
        self._handover = "".join(own_ids(PLATFORM, settings.handover)[:1])
        self._guests = Recent[bool]()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what Slack and the wire report as the inbox's errors."""
        try:
            yield
        except SlackApiError as error:
            why = reason(error)
            if why in REFUSALS:
                self.refuse(why)
                raise AwayError(f"Slack does not accept the token ({why})") from error
            if passes(error):
                raise AwayError(f"Slack has no time ({why})") from error
            raise HopelessError(why) from error
        except WIRE_ERRORS as error:
            raise AwayError(f"Slack cannot be reached ({describe_connection_error(error)})") from error

    async def try_to(self, call: Awaitable[Any], seconds: float | None = None) -> Mapping[str, Any]:
        """Make a call on which nothing depends; return what it brings, nothing where it fails or takes longer."""
        try:
            async with asyncio.timeout(seconds):
                response = await call
        except Exception as error:  # noqa: BLE001 - whatever happens, the answer matters more
            log.debug("Slack did not do what it was asked: %r", error)
            return {}
        data = getattr(response, "data", None)
        return data if isinstance(data, dict) else {}

    # -- who asks, and of what ---------------------------------------------------------------------------------

    async def sender(self, request: SlackRequest) -> tuple[Asker, Place]:
        outsider = not self._outsiders and (
            self._is_foreign(request.team, request.enterprise, request.workspace)
            or await self._guests.get(request.person, lambda: self._is_guest(request))
        )
        return Asker(request.person, outsider=outsider), request.place

    def _is_foreign(self, team: str, enterprise: str, workspace: str | None) -> bool:
        home = self.home.team_id or workspace
        kin = bool(enterprise) and enterprise == self.home.enterprise_id
        return bool(team and home) and team != home and not kin

    async def _is_guest(self, request: SlackRequest) -> bool:
        try:
            with self.translated():
                response = await self.client.api_call("users.info", params={"user": request.person})
        except HopelessError as error:
            log.warning("%s is refused: Slack does not say who that is (%s)", request.person, error)
            return True
        user = response.get("user") or {}
        if not (user.get("team_id") or request.team):
            return True
        kin = str((user.get("enterprise_user") or {}).get("enterprise_id") or "")
        signs = ("is_restricted", "is_ultra_restricted", "is_stranger")
        return any(map(user.get, signs)) or self._is_foreign(user.get("team_id") or "", kin, request.workspace)

    async def message(self, channel: str, ts: str, thread: str = "", within: float | None = GLANCE) -> Block | None:
        """Return a message; ``None`` where Slack does not show it ``within`` so many seconds."""
        look = self.clients.hasty.conversations_replies
        answer = await self.try_to(look(channel=channel, ts=thread or ts, oldest=ts, latest=ts, inclusive=True), within)
        return next((message for message in answer.get("messages") or () if message.get("ts") == ts), None)

    async def message_above(self, request: SlackRequest) -> str:
        root = await self.message(request.channel, request.thread) if request.within else None
        is_own = root is not None and root.get("user") == self.home.bot_user_id
        return "" if root is None or is_own else question(root.get("text") or "")[:QUESTION]

    async def is_known(self) -> bool:
        try:
            with suppress(HopelessError), self.translated():  # a hopeless one is Slack's word too
                async with asyncio.timeout(STATUS_PATIENCE * 5):
                    await self.clients.hasty.auth_test()
        except AwayError:
            return False
        return True

    async def is_waiting(self, request: SlackRequest) -> bool:
        if request.answered is not Answered.THREAD:
            return True
        with self.translated():  # it may have been answered, and that not noted
            return not await self._find(self.clients.hasty, request)

    async def can_post(self, request: SlackRequest) -> bool | None:
        # which of the two scopes the bot has, if any, depends on the kind of the channel
        for method, more in (("conversations.info", {}), ("conversations.history", {"limit": 1})):
            try:
                response = await self.clients.hasty.api_call(method, params={"channel": request.channel, **more})
            except FAILURES as error:
                if isinstance(error, SlackApiError) and reason(error) in ("not_in_channel", "channel_not_found"):
                    return False
                log.debug("Slack does not say whether the bot is in %s: %r", request.channel, error)
            else:
                channel: dict[str, Any] = response.get("channel") or {}
                return not channel.get("is_archived") and bool(channel.get("is_member", True))
        return None

    async def download(self, file: Mapping[str, Any], most: int) -> bytes:
        """Return a shared file, up to a byte more than ``most``; raise as ``send``. The token goes to Slack alone."""
        address = str(file.get("url_private_download") or file.get("url_private") or "")
        place = urlsplit(address)
        is_slack = place.scheme == "https" and (place.hostname or "").endswith(SLACK_HOST)
        if not is_slack and place[:2] != urlsplit(self.client.base_url)[:2]:
            raise HopelessError("the file is not in Slack")
        headers = {"Authorization": f"Bearer {self.client.token}"}
        with self.translated():
            async with self.clients.session.get(address, headers=headers, allow_redirects=False) as response:
                if response.status != HTTPStatus.OK or response.content_type == "text/html":
                    raise HopelessError(f"Slack does not give the file ({response.status}): the bot needs files:read")
                content = bytearray()
                async for chunk in response.content.iter_chunked(READ_BYTES):
                    content += chunk
                    if len(content) > most:
                        break
        return bytes(content)

    # -- where answers go --------------------------------------------------------------------------------------

    async def direct(self, request: SlackRequest) -> SlackRequest:
        return replace(request, answered=Answered.RESPONSE if request.response_url else Answered.EPHEMERAL)

    async def direct_channel(self, request: SlackRequest) -> str:
        return request.person  # whom Slack takes for a channel

    async def show_status(self, request: SlackRequest) -> None:
        if request.answered is Answered.THREAD and request.thread:
            status = self.clients.hasty.assistant_threads_setStatus(
                channel_id=request.channel, thread_ts=request.thread, status=STATUS
            )
            await self.try_to(status, STATUS_PATIENCE)

    def render(self, request: SlackRequest, reply: Reply, number: int | None) -> SlackDrawing:
        # what a command asked, nobody else has seen
        asked = request.typed if request.answered is Answered.CHANNEL else ""
        alone = request.answered is Answered.RESPONSE
        handover = bool(self._handover) and request.command not in BY_STATE
        drawing = draw(reply, number, shareable=alone, asked=asked, handover=handover)
        if request.shared and not isinstance(reply, Message):
            note = messages.CHANGED_BEFORE_SHARING if alone else messages.shared_by(request.name)
            return SlackDrawing(f"{escape(note)}\n{drawing.text}", (context(note), *drawing.blocks))
        return replace(drawing, is_failure=isinstance(reply, Message))

    async def redraw(self, posting: Posting, record: AnswerRecord, reply: Reply) -> SlackDrawing:
        if posting.appearance == CARD:
            return draw_card(reply)
        if isinstance(reply, Answer | Card) and reply.more:
            key = more_key(posting.channel, posting.message, reply.more)
            used = await self._ledger.briefly(self._ledger.read_own(Store.is_claimed, key))
            reply = replace(reply, more="") if used else reply
        handover = bool(self._handover) and command_and_words(record)[0] not in BY_STATE
        return await asyncio.to_thread(draw, reply, posting.answer, handover=handover)

    # -- sending -----------------------------------------------------------------------------------------------

    async def send(self, request: SlackRequest, drawing: SlackDrawing, replaces: str = "") -> str:
        if request.answered is Answered.STEP:
            await self._end_step(request, drawing)
            return ""
        sent = await self._shown(drawing, lambda text, blocks: self._send(request, text, blocks, replaces))
        if request.shared and request.answered is Answered.CHANNEL:  # what one saw alone, all see now
            await self.try_to(self.clients.webhook(request.response_url).send_dict({"delete_original": True}))
        elif request.command == "more" and request.pressed:
            await self._use_up(request)
        return sent

    async def _end_step(self, request: SlackRequest, drawing: SlackDrawing) -> None:
        """Give a workflow its step's answer, or say why there is none; whatever happens, the workflow goes on."""
        step, text = {"function_execution_id": request.execution}, drawing.text
        if not drawing.is_failure:
            try:
                with self.translated():
                    await self.client.functions_completeSuccess(**step, outputs={"answer": text})
            except HopelessError as error:
                log.error("Slack refused a workflow step's answer (%s); the step fails", error)  # noqa: TRY400
                text = messages.FAILED
            else:
                return
        with self.translated():
            await self.client.functions_completeError(**step, error=text)

    async def _use_up(self, request: SlackRequest) -> None:
        """Take "More" off its message: Slack is asked what that shows, so that nobody may edit it meanwhile.

        A process that is editing it draws it again, without the button once that was pressed.
        """
        channel, pressed = request.channel, request.pressed
        claim = await self._ledger.write_own(Store.claim_edit, channel, pressed)
        if claim is None:
            return
        try:
            message = await self.message(channel, pressed, request.thread, None)
            if message is not None:
                blocks, text = list(without(message.get("blocks") or [], MORE)), message.get("text") or ""
                await self.try_to(self.clients.hasty.chat_update(channel=channel, ts=pressed, text=text, blocks=blocks))
        finally:
            await asyncio.shield(self._ledger.write(Store.delete_claim, claim))

    async def _shown(self, drawing: SlackDrawing, show: Callable[[str, list[Block]], Awaitable[str]]) -> str:
        with self.translated():
            try:
                return await show(drawing.text, list(drawing.blocks))
            except SlackApiError as error:
                if reason(error) not in UNDRAWABLE:
                    raise
                log.error("Slack refused a drawing (%s); its text is sent instead", reason(error))  # noqa: TRY400
                return await show(drawing.text, [])

    async def _send(self, request: SlackRequest, text: str, blocks: list[Block], replaces: str) -> str:
        if replaces:
            return await self._update(request.channel, replaces, text, blocks)
        message: Block = {"text": text, **({"blocks": blocks} if blocks else {})}
        thread: Block = {"thread_ts": request.thread} if request.thread else {}
        if request.answered is Answered.EPHEMERAL:
            try:
                await self.client.chat_postEphemeral(channel=request.channel, user=request.person, **message, **thread)
            except SlackApiError:
                if not request.response_url:  # the address that came with the click will do as well
                    raise
                await self._respond(request, message | thread)
            return ""
        message |= {"unfurl_links": False, "unfurl_media": False}
        if request.answered is Answered.THREAD:
            return await self._post_once(request, message | thread)
        await self._respond(request, message)
        return ""

    async def _update(self, channel: str, message: str, text: str, blocks: list[Block]) -> str:
        # where no blocks are named, those that there are may stay
        await self.client.chat_update(channel=channel, ts=message, text=text, blocks=blocks)
        return message

    async def _post_once(self, request: SlackRequest, message: Block) -> str:
        """Post, and return the message's ``ts``; raise what the SDK raises where a few attempts fail."""
        client = self.clients.careful
        if request.key:
            message["metadata"] = {"event_type": ANSWER, "event_payload": {"key": request.key}}
        post = partial(client.chat_postMessage, channel=request.channel, mrkdwn=False, **message)
        for wait in PAUSES:
            try:
                return str((await post()).get("ts") or "")
            except SlackApiError as error:
                if reason(error) != NO_WORD:
                    raise
            except WIRE_ERRORS:
                await asyncio.sleep(wait)
            if before := await self._find(client, request):
                return before
        return str((await post()).get("ts") or "")

    async def _find(self, client: AsyncWebClient, request: SlackRequest) -> str:
        """Return the message that answers this already, in its thread, where there is one, or else in the channel.

        Empty where there is none, or Slack will not show.
        """
        if not request.key:
            return ""
        where: dict[str, Any] = {"channel": request.channel, "include_all_metadata": True, "limit": LOOK_AT}
        try:
            if request.thread:
                response = await client.conversations_replies(ts=request.thread, **where)
            else:
                response = await client.conversations_history(**where)
        except SlackApiError:
            return ""
        signature = {"event_type": ANSWER, "event_payload": {"key": request.key}}
        for message in response.get("messages") or ():
            metadata = message.get("metadata") or {}
            if signature == {name: metadata.get(name) for name in signature}:
                return str(message.get("ts") or "")
        return ""

    async def _respond(self, request: SlackRequest, message: Block) -> None:
        public = request.answered is Answered.CHANNEL
        kind = {"response_type": "in_channel" if public else "ephemeral", "replace_original": False}
        if not request.response_url:
            raise HopelessError("there is no address to answer to")
        webhook = self.clients.webhook(request.response_url)
        for pause in PAUSES:
            status = (await webhook.send_dict(message | kind)).status_code
            if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                break
            await asyncio.sleep(pause)
        else:
            raise AwayError(f"the address to answer to fails ({status})")
        if status == HTTPStatus.BAD_REQUEST and "blocks" in message:
            log.error("Slack refused a drawing; its text is sent instead")
            await self._respond(request, {"text": message["text"]})
        elif status >= HTTPStatus.BAD_REQUEST:
            raise HopelessError(f"the address to answer to is no longer valid ({status})")

    async def attach(self, request: SlackRequest, address: str, card: Listing) -> Posting:
        await self._unfurl(request.channel, request.origin, address, draw_card(card))
        return Posting(request.channel, f"{request.origin} {address}", 0, request.origin, CARD)

    async def _unfurl(self, channel: str, message: str, address: str, card: SlackDrawing) -> None:
        with self.translated():
            await self.client.chat_unfurl(channel=channel, ts=message, unfurls={address: {"blocks": list(card.blocks)}})

    async def edit(self, posting: Posting, drawing: SlackDrawing) -> None:
        if posting.appearance == CARD:
            message, _, address = posting.message.partition(" ")
            await self._unfurl(posting.channel, message, address, drawing)
        else:
            await self._shown(drawing, lambda *message: self._update(posting.channel, posting.message, *message))

    async def delete(self, channel: str, message: str) -> None:
        with suppress(HopelessError), self.translated():
            await self.client.chat_delete(channel=channel, ts=message)

    async def post(self, channel: str, text: str) -> None:
        with self.translated():
            send = self.clients.careful.chat_postMessage
            await send(channel=channel, text=escape(text), mrkdwn=False, unfurl_links=False, unfurl_media=False)

    async def hand_over(self, request: SlackRequest, record: AnswerRecord) -> None:
        """Post a question in the people's channel, with the way to where it was asked; raise as ``send``."""
        asked = record.thread or request.pressed
        link = await self.try_to(self.clients.hasty.chat_getPermalink(channel=record.channel or "", message_ts=asked))
        handover = replace(request, channel=self._handover, thread="", answered=Answered.THREAD)
        await self.send(handover, call(record.question, request.name, str(link.get("permalink") or "")))
