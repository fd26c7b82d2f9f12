"""What the inbox needs of a platform, and the errors that a platform may raise."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from adapters.chat.request import ChatRequest
from adapters.storage.records import AnswerRecord, Posting
from bot.link_card import LinkCard
from bot.model import Question, Reply

T = TypeVar("T")
R = TypeVar("R", bound=ChatRequest)
D = TypeVar("D")


class HopelessError(Exception):
    """The platform will not take this answer, however often it is sent."""


class AwayError(Exception):
    """The platform cannot be reached, or has no time; later it will."""


class Recent(Generic[T]):
    """A cache of at most ``size`` entries, the oldest go first, each good for ``seconds``."""

    def __init__(self, seconds: float, size: int = 5_000) -> None:
        self._seconds, self._size = seconds, size
        self._entries: OrderedDict[str, tuple[float, T]] = OrderedDict()

    async def get(self, name: str, look_up: Callable[[], Awaitable[T]]) -> T:
        if name in self._entries and time.monotonic() - self._entries[name][0] <= self._seconds:
            return self._entries[name][1]
        value = await look_up()
        self._entries.pop(name, None)
        self._entries[name] = time.monotonic(), value
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)
        return value


class Transport(Protocol[R, D]):
    """One platform: whom it serves, how replies are drawn on it (``D``), and how they are sent.

    A platform need not show a status, or have answers that are shown again.
    """

    platform: str
    request_type: type[R]

    async def question(self, request: R) -> Question:
        """Return the question with all that permission depends on; ``AwayError`` where that cannot be known now."""

    def render(self, request: R, reply: Reply, number: int | None) -> D:
        """Return a reply, stored as answer ``number``, drawn; called in a thread."""

    def rendered_copy(self, request: R, reply: Reply) -> str:
        """Return what is stored of a drawing to show it again; empty where it never will be."""
        del request, reply
        return ""

    async def stored_drawing(self, request: R) -> tuple[R, D] | None:
        """Return what answers a request without the archive being asked, and how; ``None`` for any other request."""
        del request
        return None

    async def send(self, request: R, drawing: D, replaces: str) -> str:
        """Show an answer, in place of the message ``replaces`` where there is one; return its id, "" where unknown.

        Raises ``HopelessError`` or ``AwayError``.
        """

    async def attach(self, request: R, address: str, card: LinkCard) -> Posting | None:
        """Show the card of a link in the message that is the request's origin; return where, if that is known."""

    async def redraw(self, posting: Posting, record: AnswerRecord, reply: Reply) -> D:
        """Return what a posted answer is now, drawn."""

    async def edit(self, posting: Posting, drawing: D) -> None:
        """Show a drawing in place of what a message shows; raise as ``send``."""

    async def delete(self, channel: str, message: str) -> None:
        """Delete an answer, where it is still shown."""

    async def post(self, channel: str, text: str) -> None:
        """Post words of the bot's own in a channel; raise as ``send``."""

    async def direct(self, request: R) -> R:
        """Return the same request, to be answered so that only the person who wrote it sees the answer."""

    async def direct_channel(self, request: R) -> str:
        """Return the channel in which the bot and the person write to each other; raise as ``send``."""

    async def show_status(self, request: R) -> None:
        """Show that the request is being worked on; nothing depends on it, and nothing is raised."""
        del request

    async def is_waiting(self, request: R) -> bool:
        """Return whether a request of an earlier process still waits for its answer."""

    async def can_post(self, request: R) -> bool | None:
        """Return whether the bot may post in the channel, unasked; ``None`` where that is not known."""
