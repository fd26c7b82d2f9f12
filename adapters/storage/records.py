"""The rows of the store: claims of events, answers and the messages that show them, feedback, standing questions."""

from dataclasses import dataclass

CARD = "card"


@dataclass(frozen=True, slots=True)
class Claim:
    """An event that this process alone answers; ``attempts`` counts the times it was taken up, from 1."""

    id: int
    platform: str
    payload: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer that was sent: the question, the reply as JSON, the digests of the articles quoted, where and to whom.

    ``at`` is in seconds since 1970; at 0, the store puts in the moment of recording. ``previous`` is the question that
    this one followed on, ``program`` the version that answered, ``shown`` the state of the extracts shown before.
    ``sources`` and ``since`` (a day) are the bounds of the articles that were asked; None where there were none.
    ``unasked`` is 1 for the answer to a line that was not addressed to the bot, else 0.
    """

    platform: str
    asker: str
    question: str
    reply: str
    digests: tuple[str, ...] = ()
    workspace: str | None = None
    channel: str | None = None
    thread: str | None = None
    at: float = 0.0
    previous: str | None = None
    program: str = ""
    shown: str = ""
    sources: tuple[str, ...] | None = None
    since: str | None = None
    unasked: int = 0


@dataclass(frozen=True, slots=True)
class Opinion:
    answer: int
    person: str
    right: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that shows an answer to everybody and can be edited.

    ``origin`` is the message that asked, where one did. ``appearance`` is the platform's note of how it drew the
    answer, ``CARD`` for the card of a link. ``mark`` tells one edited state from the next; empty as it was posted.
    """

    channel: str
    message: str
    answer: int
    origin: str = ""
    appearance: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ReplyMessage:
    """The message ``message`` that answers the message ``origin`` in the same channel."""

    channel: str
    origin: str
    message: str


@dataclass(frozen=True, slots=True)
class Watch:
    """A standing question of a channel: who asked for it, and the archive's last arrival before that.

    ``thread`` is where news is posted if not in the channel itself, whose rules apply there too.
    """

    id: int
    platform: str
    workspace: str | None
    channel: str
    person: str
    words: str
    since: int
    thread: str = ""

    @property
    def target(self) -> str:
        """The id of the channel or thread where news is posted."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class News:
    """An article with news on a standing question: the state of its sentences, and a ``mark`` for their words."""

    watch: Watch
    mark: str
    article: str
    places: str
