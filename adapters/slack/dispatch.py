"""A request of Slack's -> bolt's response, the same in both modes; what bolt itself trips over is taken and dropped."""

from __future__ import annotations

import logging

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

# what comes of a body that lacks the very fields its kind is read by
MALFORMED = (LookupError, TypeError, AttributeError, ValueError)

log = logging.getLogger(__name__)


async def dispatched(app: AsyncApp, request: AsyncBoltRequest) -> BoltResponse:
    """Let ``app`` handle a request; a malformed one is acknowledged, or Slack would send it again."""
    try:
        return await app.async_dispatch(request)
    except MALFORMED as error:
        log.warning("a request of Slack's was not understood: %r", error)
        return BoltResponse(status=200)
