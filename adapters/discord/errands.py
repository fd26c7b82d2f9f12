"""What somebody on Discord wants, with all that is needed to reply, even for another process after a crash."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from adapters import machine
from adapters.store import Given
from bot.desk import Desk
from bot.model import Answer, Asker, Check, Extract, Listing, Message, Place, Question, Reply

PLATFORM = "discord"
TOKEN_LIFE = 890.0  # seconds; Discord gives an interaction fifteen minutes, and the last one may need a few


@dataclass(frozen=True, slots=True)
class Errand:
    """A question (``command`` empty) or a command of the desk, and where its reply goes.

    ``id`` is the interaction's or the message's. ``token`` is the interaction's; without one the reply is a plain
    message in the channel ``target``. ``place`` is where permission is decided: for a thread, its parent channel.
    ``remark`` is what is said instead of asking the desk. ``at`` is in seconds since 1970.
    """

    id: str
    at: float
    target: str
    asker: Asker
    place: Place
    words: str
    command: str = ""
    previous: str | None = None
    remark: str = ""
    token: str = ""
    application: str = ""
    ephemeral: bool = False

    @property
    def key(self) -> str:
        """The key under which it is claimed."""
        return f"{'interaction' if self.token else 'message'}:{self.id}"

    @property
    def question(self) -> Question:
        """What the desk is asked."""
        return Question(self.words, self.previous, self.asker, self.place)

    def expired(self, now: float) -> bool:
        """Tell whether Discord takes no reply any more."""
        return bool(self.token) and now - self.at > TOKEN_LIFE


def write(errand: Errand) -> str:
    """Return ``errand`` as text."""
    return json.dumps(asdict(errand))


def read(text: str) -> Errand | None:
    """Return the errand that ``text`` is; ``None`` for one of another version."""
    try:
        fields = json.loads(text)
        asker = Asker(**{**fields["asker"], "groups": tuple(fields["asker"]["groups"])})
        return Errand(**{**fields, "asker": asker, "place": Place(**fields["place"])})
    except (ValueError, TypeError, LookupError):
        return None


def run(desk: Desk, errand: Errand) -> Reply:
    """Ask the desk; blocks."""
    if errand.remark:
        return Message(errand.remark)
    if errand.command:
        return desk.command(errand.command, errand.words, errand.question)
    return desk.answer(errand.question)


def given(errand: Errand, reply: Reply) -> Given:
    """Return what is kept of a reply."""
    digests = tuple(dict.fromkeys(extract.citation.digest for extract in quoted(reply)))
    question = f"{errand.command} {errand.words}".strip()
    text = machine.line(machine.reply(reply))
    return Given(PLATFORM, errand.asker.id, question, text, digests, errand.place.workspace, errand.target)


def quoted(reply: Reply) -> tuple[Extract, ...]:
    """Return the extracts that a reply rests on."""
    match reply:
        case Answer():
            return reply.extracts
        case Check():
            return tuple(match.extract for match in reply.matches)
        case Listing():
            return tuple(extract for section in reply.sections for extract in section.extracts)
    return ()
