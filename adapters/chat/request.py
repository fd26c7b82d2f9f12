"""What the inbox needs of a platform: its requests, a transport, and the errors that it may raise.

A request is what somebody asks, and where the answer goes; it is stored as JSON until it is answered. A platform fills
in facts: who writes, where, which words, under which message. What they mean is decided here and in the inbox.
"""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Generic, Protocol, Self, TypeVar

import msgspec

from adapters.storage.store import AnswerRecord, Posting, Watch
from bot.model import Asker, Listing, Place, Reply
from bot.references import is_reference
from bot.small_talk import SmallTalk, may_ask, says_nothing, small_talk

FOLLOW_UP_SECONDS = 3600.0  # during which a question needs no mention after the one before
KNOWN_SECONDS = 600.0  # for which what a platform said of a person is reused
SHARE = "share"  # the command that shows everybody the answer with that number


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A question (``command`` is empty) or a command; each platform adds what it alone needs.

    ``channel`` and ``thread`` are where the answer is shown. ``origin`` is the message that asks; it is empty where
    none does, so that nobody can change or delete it. ``edited`` says that it was changed.
    ``unasked`` marks what nobody addressed to the bot: everybody sees the answer only where it is certain.
    ``remark`` is said in place of an answer. ``key`` is the name under which the request is claimed.
    ``shared`` says that it is asked again, for all to see; ``name`` is what the person is called.
    """

    text: str
    person: str
    channel: str
    workspace: str | None = None
    command: str = ""
    thread: str = ""
    origin: str = ""
    edited: bool = False
    unasked: bool = False
    remark: str = ""
    key: str = ""
    shared: bool = False
    name: str = ""

    platform: ClassVar[str] = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self | None:
        """Return ``None`` for a request that another version stored."""
        try:
            stored = json.loads(text)
            is_known = stored.keys() <= {field.name for field in fields(cls)}
            return msgspec.convert(stored, cls) if is_known else None
        except (ValueError, AttributeError, msgspec.ValidationError):
            return None

    @classmethod
    def news(cls, watch: Watch, words: str, key: str) -> Self:
        """Return a request that nobody wrote: ``words`` (JSON for ``announce``) for the channel of ``watch``."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What was asked, as one would type it."""
        return f"/{self.command} {self.text}".strip() if self.command else self.text

    @property
    def place(self) -> Place:
        """Where the request counts as asked, for rights and rules."""
        return Place(self.platform, self.workspace, self.channel)

    @property
    def threads_before(self) -> tuple[str, ...]:
        """The threads that it goes on in, the one with the question before first; empty where it begins one."""
        return ()

    @property
    def seconds_before(self) -> float | None:
        """How long ago the question before may have been asked; ``None`` without a limit."""
        return None

    @property
    def own_thread(self) -> str:
        """The name under which a thread is remembered as one person has seen it; empty where that is the thread's."""
        return ""

    def posting(self, sent: str, number: int) -> Posting | None:
        """Return the message ``sent`` as one that shows answer ``number``; ``None`` where it cannot be edited later."""
        raise NotImplementedError

    def threads(self, sent: str) -> tuple[str, ...]:
        """Return the threads in which the next question may lean on this one.

        The inbox asks twice: before the answer is shown, with ``sent`` empty, and after, with the answer's id.
        """
        raise NotImplementedError


def is_said(words: str, *, is_call: bool) -> bool:
    """Return whether a message's words want an answer: a name alone is a call, marks alone and thanks are nothing."""
    return is_call if says_nothing(words) else small_talk(words) is not SmallTalk.THANKS


def asks_on(words: str) -> bool:
    return may_ask(words) or is_reference(words)


T = TypeVar("T")
R = TypeVar("R", bound=ChatRequest)
D = TypeVar("D")


class HopelessError(Exception):
    """The platform will not take this answer, however often it is sent."""


class AwayError(Exception):
    """The platform cannot be reached, or has no time; later it will."""


class Recent(Generic[T]):
    """A cache of at most ``size`` entries, the oldest go first, each good for ``seconds``."""

    def __init__(self, seconds: float = KNOWN_SECONDS, size: int = 5_000) -> None:
        self._seconds, self._size = seconds, size
        self._entries: dict[str, tuple[float, T]] = {}

    async def get(self, name: str, look_up: Callable[[], Awaitable[T]]) -> T:
        if name in self._entries and time.monotonic() - self._entries[name][0] <= self._seconds:
            return self._entries[name][1]
        value = await look_up()
        self._entries.pop(name, None)
        self._entries[name] = time.monotonic(), value
        if len(self._entries) > self._size:
            del self._entries[next(iter(self._entries))]
        return value


class Transport(Protocol[R, D]):
    """One platform: whom it serves, how replies are drawn on it (``D``), and how they are sent."""

    platform: str
    request_type: type[R]

    async def sender(self, request: R) -> tuple[Asker, Place]:
        """Return all that permission depends on; ``AwayError`` where that cannot be known now."""

    async def message_above(self, request: R) -> str:
        """Return what a colleague wrote in the message under which the request is written; "" where nobody did."""

    def render(self, request: R, reply: Reply, number: int | None) -> D:
        """Return a reply, stored as answer ``number``, drawn; called in a thread."""

    async def send(self, request: R, drawing: D, replaces: str) -> str:
        """Show an answer, in place of the message ``replaces`` where there is one; return its id, "" where unknown.

        Raises ``HopelessError`` or ``AwayError``.
        """

    async def attach(self, request: R, address: str, card: Listing) -> Posting | None:
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
