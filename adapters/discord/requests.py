"""What somebody on Discord wants, with all that is needed to reply, even for another process after a crash."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b

from bot.model import Asker, Place, Question

PLATFORM = "discord"
TOKEN_LIFE = 890.0  # seconds; Discord gives an interaction fifteen minutes, and the last one may need a few


@dataclass(frozen=True, slots=True)
class Request:
    """A question (``command`` empty) or a command of the desk, and where its reply goes.

    ``id`` is the interaction's or the message's. ``token`` is the interaction's; without one the reply is a plain
    message in ``channel``. ``place`` is where permission is decided: for a thread, its parent channel.
    ``remark`` is what is said instead of asking the desk. ``at`` is in seconds since 1970.
    ``revision`` says when the message was changed, where it was; ``aside``, that ``channel`` is the asker's own.
    ``reacted`` where ``id`` is the message that the asker reacted to, which asks nothing itself.
    """

    id: str
    at: float
    channel: str
    asker: Asker
    place: Place
    text: str
    command: str = ""
    previous: str | None = None
    remark: str = ""
    token: str = ""
    application: str = ""
    ephemeral: bool = False
    revision: str = ""
    unasked: bool = False
    thread: str = ""
    shown: str = ""
    aside: bool = False
    reacted: bool = False

    @property
    def person(self) -> str:
        """The id of whoever asks."""
        return self.asker.id

    @property
    def edited(self) -> bool:
        """Whether the message that asks was changed."""
        return bool(self.revision)

    @property
    def origin(self) -> str:
        """The message that asks; empty for a command."""
        return "" if self.token or self.reacted else self.id

    @property
    def key(self) -> str:
        """The key under which it is claimed."""
        if self.reacted:
            return f"reaction:{self.id}:{self.person}"
        return f"{'interaction' if self.token else 'message'}:{self.id}{':' * self.edited}{self.revision}"

    @property
    def nonce(self) -> str:
        """What Discord knows the answer by, so that it is not shown twice: at most 25 characters."""
        return blake2b(self.key.encode(), digest_size=12).hexdigest() if self.reacted else self.id

    @property
    def question(self) -> Question:
        """What the desk is asked."""
        return Question(self.text, self.previous, self.asker, self.place, self.shown)

    @property
    def words(self) -> str:
        """What was asked, as it is shown to who did not see it asked."""
        return f"/{self.command} {self.text}".strip() if self.command else self.text

    def expired(self, now: float) -> bool:
        """Return whether Discord takes no reply any more."""
        return bool(self.token) and now - self.at > TOKEN_LIFE


def write(request: Request) -> str:
    """Return ``request`` as text."""
    return json.dumps(asdict(request))


def read(text: str) -> Request | None:
    """Return the request that ``text`` is; ``None`` for one of another version."""
    try:
        fields = json.loads(text)
        asker = Asker(**{**fields["asker"], "groups": tuple(fields["asker"]["groups"])})
        return Request(**{**fields, "asker": asker, "place": Place(**fields["place"])})
    except (ValueError, TypeError, LookupError):
        return None
