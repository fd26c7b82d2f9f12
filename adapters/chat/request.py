"""What somebody asks on Slack or Discord, and where the answer goes; stored as JSON until it is answered."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from adapters.storage.records import Posting, Watch
from bot.model import Place


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A question (``command`` is empty) or a command; each platform adds what it alone needs.

    ``channel`` and ``thread`` are where the answer is shown. ``origin`` is the message that asks; it is empty where
    none does, so that nobody can change or delete it. ``edited`` says that it was changed.
    ``unasked`` marks what nobody addressed to the bot: everybody sees the answer only where it is certain.
    ``remark`` is said in place of an answer. ``key`` is the name under which the request is claimed.
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

    platform: ClassVar[str] = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self | None:
        """Return ``None`` for a request that another version stored."""
        try:
            return cls(**cls._parsed(json.loads(text)))
        except (ValueError, TypeError, LookupError):
            return None

    @classmethod
    def _parsed(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with those types that JSON lacks."""
        return fields

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
