"""An answer -> its message in a channel, once: if a receipt was lost, the thread is read before the next attempt.

Slack accepts the same message twice, so each carries, in its metadata, the key of the request that it answers.
"""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.requests import SlackRequest

KIND = "stet_answer"
PAUSES = (0.2, 1.0, 3.0)
LOOK_AT = 200  # messages of a thread


def names_error(error: SlackApiError) -> bool:
    """Return whether Slack's answer says what was wrong; one that doesn't was lost, or is not Slack's own."""
    # the SDK gives another kind of response if the body isn't JSON, and an empty one for a web page
    data = getattr(error.response, "data", None)
    return isinstance(data, dict) and bool(data.get("error"))


async def post(client: AsyncWebClient, request: SlackRequest, message: dict[str, Any]) -> str:
    """Post, with a client that repeats nothing whose receipt was lost; return the message's ``ts``.

    Raises what the wire raises where it cannot be done in a few attempts.
    """
    signed = (
        message | {"metadata": {"event_type": KIND, "event_payload": {"key": request.key}}} if request.key else message
    )
    for wait in PAUSES:
        try:
            return await _posted_now(client, request, signed)
        except SlackApiError as error:
            if names_error(error):
                raise
        except (ClientError, OSError, TimeoutError):
            await asyncio.sleep(wait)
        before = await posted(client, request)
        if before:
            return before
    return await _posted_now(client, request, signed)


async def update(client: AsyncWebClient, channel: str, message: str, text: str, blocks: list[dict[str, Any]]) -> str:
    """Show something else in a message of the bot's own; return its ``ts``."""
    # where no blocks are named, those that there are may stay
    await client.chat_update(channel=channel, ts=message, text=text, blocks=blocks)
    return message


async def _posted_now(client: AsyncWebClient, request: SlackRequest, message: dict[str, Any]) -> str:
    thread: dict[str, Any] = {"thread_ts": request.thread} if request.thread else {}
    response = await client.chat_postMessage(channel=request.channel, mrkdwn=False, **thread, **message)
    return str(response.get("ts") or "")


async def posted(client: AsyncWebClient, request: SlackRequest) -> str:
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
    for message in response.get("messages") or ():
        signature = message.get("metadata") or {}
        if signature.get("event_type") == KIND and signature.get("event_payload", {}).get("key") == request.key:
            return str(message.get("ts") or "")
    return ""
