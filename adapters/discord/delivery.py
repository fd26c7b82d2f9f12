"""A reply on its way to Discord: drawn in the style that was set, sent once, tried again where that helps."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters.discord import components, embeds
from adapters.discord.buttons import Controls
from adapters.discord.errands import Errand
from adapters.discord.gateway import MALFORMED
from bot.model import Reply

log = logging.getLogger(__name__)

LOADING = 1 << 7  # the flag of a message that says "thinking…"
ACKNOWLEDGED = 40060
FIRST_RESPONSE = 3.0  # seconds that Discord waits for it
AGAIN = 0.1
WAITS = (1.0, 4.0, 15.0)  # seconds between attempts, beyond those that discord.py makes itself
PASSING = (discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)

Drawing = dict[str, Any]


class StringReference(discord.MessageReference):
    """A reference whose ids are strings, as Discord's schema wants them; discord.py writes numbers."""

    def to_message_reference_dict(self) -> Any:  # noqa: ANN401 - discord.py's own type is private
        """Return it as it is sent."""
        guild = {"guild_id": str(self.guild_id)} if self.guild_id else {}
        ids = {"message_id": str(self.message_id), "channel_id": str(self.channel_id)}
        return {**ids, **guild, "fail_if_not_exists": False}


def draw(reply: Reply, controls: Controls, style: str) -> Drawing:
    """Return what discord.py is to send for a reply."""
    if style == "embeds":
        letter = embeds.draw(reply, controls)
        return {"content": letter.content or None, "embeds": list(letter.embeds), "view": letter.view}
    return {"view": components.draw(reply, controls)}


async def defer(interaction: discord.Interaction, errand: Errand) -> bool:
    """Say "thinking…"; tell whether the reply can be brought afterwards."""
    began = time.monotonic()
    while time.monotonic() - began < FIRST_RESPONSE:
        try:
            await interaction.response.defer(thinking=True, ephemeral=errand.ephemeral)
        except discord.HTTPException as error:
            # an attempt before may have arrived though its receipt was lost
            if error.code != ACKNOWLEDGED:
                log.warning("interaction %s could not be acknowledged: %s", errand.id, error)
            return error.code == ACKNOWLEDGED
        except PASSING as error:
            log.warning("interaction %s is acknowledged again: %r", errand.id, error)
            await asyncio.sleep(AGAIN)
        except MALFORMED as error:
            log.warning("Discord's receipt for an acknowledgement was not understood: %r", error)
            return True
        else:
            return True
    return False


async def deliver(
    client: discord.Client, interaction: discord.Interaction | None, errand: Errand, drawing: Drawing
) -> str:
    """Send a drawn reply; return the id of its message, empty where Discord's receipt does not say.

    Raises ``discord.HTTPException`` where Discord takes no reply at all.
    """
    if interaction is not None:
        return await _patiently(lambda: interaction.edit_original_response(**drawing))
    guild = int(errand.place.workspace) if errand.place.workspace else None
    channel = client.get_partial_messageable(int(errand.target), guild_id=guild)
    reference = StringReference(message_id=int(errand.id), channel_id=int(errand.target), guild_id=guild)
    send = {**drawing, "reference": reference, "mention_author": False, "nonce": errand.id}
    return await _patiently(lambda: channel.send(**send))


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


def revive(client: discord.Client, errand: Errand) -> discord.Interaction | None:
    """Return the interaction of an errand left over from a process that ended; ``None`` for a plain message."""
    if not errand.token:
        return None
    data: Any = {
        "id": errand.id,
        "application_id": errand.application,
        "type": discord.InteractionType.application_command.value,
        "token": errand.token,
        "version": 1,
        "attachment_size_limit": 0,
    }
    return discord.Interaction(data=data, state=client._connection)  # noqa: SLF001 - there is no other way to make one


async def answered(client: discord.Client, errand: Errand) -> bool | None:
    """Tell whether an interaction was answered: ``False`` while it is thinking, ``None`` where nothing was said yet."""
    path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
    route = Route("GET", path, webhook_id=int(errand.application), webhook_token=errand.token)
    try:
        original = await client.http.request(route)
    except discord.HTTPException:
        return None
    return not int(original.get("flags", 0)) & LOADING
