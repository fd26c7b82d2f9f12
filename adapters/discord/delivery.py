"""A reply on its way to Discord: drawn, sent once, tried again where that helps."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters import away
from adapters.chat.transport import AwayError
from adapters.discord.gateway import MALFORMED
from adapters.discord.requests import DiscordRequest
from adapters.updates.revising import Pace

log = logging.getLogger(__name__)

ACKNOWLEDGED = 40060
NO_HISTORY = 160002  # who may not read what was said before may not reply to it
FIRST_RESPONSE = 3.0  # seconds that Discord waits for it
AGAIN = 0.1
WAITS = (0.5, 2.0)  # seconds between attempts, beyond those that discord.py makes itself
ORIGINAL: Any = "@original"  # in place of the id of an interaction's first response
EDITING = Pace()  # of posted answers: discord.py keeps to Discord's limits by itself
PASSING = (discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)


class StringReference(discord.MessageReference):
    """A reference whose ids are strings, as Discord's schema wants them; discord.py writes numbers."""

    def to_message_reference_dict(self) -> Any:  # noqa: ANN401 - discord.py's own type is private
        """Return it as it is sent."""
        guild = {"guild_id": str(self.guild_id)} if self.guild_id else {}
        ids = {"message_id": str(self.message_id), "channel_id": str(self.channel_id)}
        return {**ids, **guild, "fail_if_not_exists": False}


async def defer(interaction: discord.Interaction, request: DiscordRequest) -> bool:
    """Show "thinking…"; return whether the reply can be brought afterwards."""
    began = time.monotonic()
    while time.monotonic() - began < FIRST_RESPONSE:
        try:
            await interaction.response.defer(thinking=True, ephemeral=request.ephemeral)
        except discord.HTTPException as error:
            # an attempt before may have arrived though its receipt was lost
            if error.code != ACKNOWLEDGED:
                log.warning("interaction %s could not be acknowledged: %s", request.id, error)
            return error.code == ACKNOWLEDGED
        except PASSING as error:
            log.warning("interaction %s is acknowledged again: %r", request.id, error)
            await asyncio.sleep(AGAIN)
        except MALFORMED as error:
            log.warning("Discord's receipt for an acknowledgement was not understood: %r", error)
            return True
        else:
            return True
    return False


async def deliver(client: discord.Client, request: DiscordRequest, view: discord.ui.LayoutView, replaces: str) -> str:
    """Send a reply, or show it in place of a message; return its id, "" where Discord's receipt does not say.

    Raises ``discord.HTTPException`` where Discord does not take it, and one of ``PASSING`` where it cannot now.
    """
    if request.token:
        webhook = _webhook(client, request)
        return await _patiently(lambda: webhook.edit_message(ORIGINAL, view=view))
    guild = int(request.workspace) if request.workspace else None
    channel = client.get_partial_messageable(int(request.channel), guild_id=guild)
    if replaces:
        before = channel.get_partial_message(int(replaces))
        return await _patiently(lambda: before.edit(view=view))
    send: dict[str, Any] = {"view": view, "nonce": request.id}
    if not request.apart:
        reference = StringReference(message_id=int(request.id), channel_id=int(request.channel), guild_id=guild)
        reply = send | {"reference": reference, "mention_author": False}
        try:
            return await _patiently(lambda: channel.send(**reply))
        except discord.HTTPException as error:
            if error.code != NO_HISTORY:
                raise
    return await _patiently(lambda: channel.send(**send))


def _webhook(client: discord.Client, request: DiscordRequest) -> discord.Webhook:
    """Return an interaction's address; it serves another process as well, after a crash."""
    return discord.Webhook.partial(int(request.application), request.token, client=client)


async def _patiently(send: Callable[[], Awaitable[discord.Message]]) -> str:
    for wait in WAITS:
        try:
            return await _sent(send)
        except PASSING as error:
            log.warning("a reply could not be sent, trying again in %g s: %s", wait, error)
            await asyncio.sleep(wait)
    return await _sent(send)


async def _sent(send: Callable[[], Awaitable[discord.Message]]) -> str:
    try:
        message = await send()
    except MALFORMED as error:
        # it was taken, or there would be an HTTPException: sending it again would show it twice
        log.warning("Discord's receipt for a reply was not understood: %r", error)
        return ""
    return str(message.id)


async def defer_again(client: discord.Client, request: DiscordRequest) -> bool:
    """Show "thinking…" for a process that ended; return whether the reply can be brought afterwards."""
    path = "/interactions/{webhook_id}/{webhook_token}/callback"
    route = Route("POST", path, webhook_id=int(request.id), webhook_token=request.token)
    flags = discord.MessageFlags(ephemeral=request.ephemeral)
    thinking = {"type": discord.InteractionResponseType.deferred_channel_message.value, "data": {"flags": flags.value}}
    try:
        await client.http.request(route, json=thinking)
    except discord.HTTPException as error:
        return error.code == ACKNOWLEDGED
    except PASSING:
        return False
    return True


async def answered(client: discord.Client, request: DiscordRequest) -> bool | None:
    """Return whether an interaction was answered: ``False`` while it is thinking, ``None`` where nothing was said yet.

    Raises ``AwayError`` where Discord cannot be asked now.
    """
    try:
        original = await _webhook(client, request).fetch_message(ORIGINAL)
    except discord.DiscordServerError as error:
        raise AwayError(str(error)) from error
    except discord.HTTPException:
        return None
    except PASSING as error:
        raise AwayError(away.why(error)) from error
    return not original.flags.loading
