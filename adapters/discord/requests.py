"""What somebody on Discord wants, with all that is needed to reply, even for another process after a crash."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from adapters.chat.request import ChatRequest
from adapters.storage.records import Posting, Watch
from bot.commands.table import BY_STATE
from bot.model import Asker, Place, Question
from bot.standing_questions import NEWS_COMMAND

PLATFORM = "discord"
TOKEN_SECONDS = 890.0  # Discord gives an interaction fifteen minutes, and the last attempt may need a few seconds
HEADED = "headed"  # a message with the question above the answer; in older rows behind the name of a style


def digest(name: str) -> str:
    """Return an id of our own: Discord takes at most 25 characters for a nonce."""
    return blake2b(name.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class DiscordRequest(ChatRequest):
    """A question or a command on Discord.

    ``id`` is the interaction's or the message's, or a digest where there is neither; Discord gets it as the nonce,
    so that no answer is shown twice. ``token`` is the interaction's; without one the reply is a plain message in
    ``channel``. ``rules_channel`` is where permission is decided: for a thread, its parent channel.
    ``at`` is in seconds since 1970. ``apart`` says that the answer is no reply to a message in ``channel``.
    """

    id: str = ""
    at: float = field(default_factory=time.time)
    groups: tuple[str, ...] = ()
    outsider: bool = False
    rules_channel: str | None = None
    previous: str | None = None
    shown: str = ""
    token: str = ""
    application: str = ""
    ephemeral: bool = False
    apart: bool = False

    platform = PLATFORM

    @classmethod
    def _parsed(cls, fields: dict[str, Any]) -> dict[str, Any]:
        return fields | {"groups": tuple(fields["groups"])}

    @classmethod
    def news(cls, watch: Watch, words: str, key: str) -> DiscordRequest:
        name = digest(key)
        return cls(
            words,
            watch.person,
            watch.target,
            watch.workspace,
            NEWS_COMMAND,
            origin=name,
            key=f"message:{name}",
            id=name,
            rules_channel=watch.channel,
            apart=True,
        )

    @property
    def asker(self) -> Asker:
        return Asker(self.person, self.groups, self.outsider)

    @property
    def place(self) -> Place:
        return Place(PLATFORM, self.workspace, self.rules_channel)

    @property
    def question(self) -> Question:
        return Question(self.text, self.previous, self.asker, self.place, self.shown)

    @property
    def is_headed(self) -> bool:
        """Whether the question is shown above an answer: nothing near the answer says what was asked."""
        return self.command != NEWS_COMMAND and (self.apart or (bool(self.token) and self.command not in BY_STATE))

    def is_expired(self, now: float) -> bool:
        return bool(self.token) and now - self.at > TOKEN_SECONDS

    def posting(self, sent: str, number: int) -> Posting | None:
        if self.ephemeral:
            return None
        origin = "" if self.command == NEWS_COMMAND else self.origin
        return Posting(self.channel, sent, number, origin, HEADED if self.is_headed else "")

    def threads(self, sent: str) -> tuple[str, ...]:
        """Return the answer itself: who replies to it asks on."""
        return (sent,) if sent else ()
