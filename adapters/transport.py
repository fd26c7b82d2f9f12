"""What the inbox asks of a platform: letters, and a transport for them.

In come letters as the platform's package makes them of what it is sent, out go drawings as it draws them.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from adapters.storage.records import AnswerRecord, Posting, Watch
from bot.model import Question, Reply

T = TypeVar("T")


class HopelessError(Exception):
    """The platform will not take this answer, however often it is sent."""


class AwayError(Exception):
    """The platform cannot be reached, or has no time; later it will."""


class Recent(Generic[T]):
    """What was found out lately, by a name: ``most`` at a time, the oldest go first, and each for ``seconds``."""

    def __init__(self, seconds: float, most: int = 5_000) -> None:
        self._seconds, self._most = seconds, most
        self._found: OrderedDict[str, tuple[float, T]] = OrderedDict()

    def get(self, name: str) -> T | None:
        """Return what was found out; ``None`` where that is too long ago."""
        at, value = self._found.get(name, (0.0, None))
        return value if value is not None and time.monotonic() - at <= self._seconds else None

    def put(self, name: str, value: T) -> T:
        """Keep what was found out, and return it."""
        self._found.pop(name, None)
        self._found[name] = time.monotonic(), value
        if len(self._found) > self._most:
            self._found.popitem(last=False)
        return value


class Letter(Protocol):
    """What somebody asked; ``command`` is empty for a question."""

    @property
    def text(self) -> str:
        """The question, or what the command is given."""

    @property
    def command(self) -> str:
        """The desk's command; empty for a question."""

    @property
    def remark(self) -> str:
        """What is said instead of asking the desk."""

    @property
    def person(self) -> str:
        """The id of whoever asks: each has turns of his own."""

    @property
    def channel(self) -> str:
        """The id of the place where the answer is shown."""

    @property
    def thread(self) -> str:
        """The thread in it, where there is one."""

    @property
    def origin(self) -> str:
        """The id of the message that asks; empty where it is none, so that nobody can change or delete it."""

    @property
    def edited(self) -> bool:
        """Whether that message was changed."""

    @property
    def unasked(self) -> bool:
        """Whether nobody addressed it to the bot: it is answered where something is found, and else for who asks."""


L = TypeVar("L", bound=Letter)
D = TypeVar("D")


class Transport(Protocol[L, D]):
    """A platform's part: it knows whom it serves, draws and delivers."""

    platform: str

    def write(self, letter: L) -> str:
        """Return a letter as it is kept until it is answered."""

    def read(self, text: str) -> L | None:
        """Return the letter that was kept; ``None`` for one of another version."""

    async def awaited(self, letter: L) -> bool:
        """Return whether a letter that was left over still waits for its answer."""

    async def announce(self, letter: L) -> None:
        """Show that it is being worked on; nothing depends on it, and nothing is raised."""

    async def question(self, letter: L) -> Question:
        """Return the question with all that permission depends on; ``AwayError`` where that cannot be known now."""

    async def alone(self, letter: L) -> L:
        """Return a letter that nobody addressed to the bot as one to be answered for its person alone."""

    async def can_post(self, letter: L) -> bool | None:
        """Return whether the bot may write where a letter comes from, unasked; ``None`` where that is not known."""

    def news(self, watch: Watch, words: str, key: str) -> L:
        """Return a letter that nobody wrote: ``words`` as JSON, for the channel of ``watch``.

        ``key`` names it, for who has to see whether it was delivered.
        """

    def draw(self, letter: L, reply: Reply, number: int | None) -> D:
        """Return the drawing of a reply that is kept as answer ``number``; called in a thread."""

    def rendered_copy(self, letter: L, reply: Reply) -> str:
        """Return what is kept of a reply to show it again; "" where it will not be."""

    async def at_hand(self, letter: L) -> tuple[L, D] | None:
        """Return what answers a letter without the desk, and how; ``None`` where the desk is to be asked."""

    async def deliver(self, letter: L, drawing: D, replaces: str) -> str:
        """Show an answer, in place of the message ``replaces`` where there is one; return its id, "" where unknown.

        Raises ``HopelessError`` or ``AwayError``.
        """

    async def regret(self, letter: L, text: str) -> None:
        """Tell whoever asked, between the two, that the answer cannot be shown where it was asked; raise nothing."""

    async def remove(self, channel: str, message: str) -> None:
        """Delete an answer, where it is still shown."""

    async def tell(self, channel: str, text: str) -> None:
        """Post words of the bot's own in a channel; raise as ``deliver``."""

    def posting(self, letter: L, sent: str, number: int) -> Posting | None:
        """Return the message ``sent`` as one that shows answer ``number``; None where it cannot be edited later."""

    async def redraw(self, posting: Posting, given: AnswerRecord, reply: Reply) -> D:
        """Return the drawing of what a posted answer is by now."""

    async def edit(self, posting: Posting, drawing: D) -> None:
        """Show a drawing in place of what a message shows; raise as ``deliver``."""

    def leads_on(self, letter: L, sent: str) -> Sequence[str]:
        """Return the threads in which a question leads on to the next.

        Asked twice: with ``sent`` empty before the answer is shown, and with the answer's id after.
        """
