"""What the store keeps, as nouns: claims of events, answers given and where they are shown, opinions."""

from __future__ import annotations

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
    """An answer given: the question, the reply as JSON, the digests of the articles quoted, where and to whom.

    ``at`` is in seconds since 1970; left at 0, it is the moment of recording. ``rendered_copy`` is what was shown, where
    it may be shown again, in the platform's own form. ``previous`` is the question before, where this one was asked
    as following it; ``program`` the version that answered; ``shown`` the state of what stood there before.
    ``sources`` and ``since`` (a day) bound the articles that were asked; None where they did not.
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
    rendered_copy: str = ""
    previous: str | None = None
    program: str = ""
    shown: str = ""
    sources: tuple[str, ...] | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person thought of an answer."""

    answer: int
    person: str
    right: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """That the message ``message`` shows the answer of that number, as the platform dressed it, for all to see.

    ``origin`` is the message that asked, where one did, and ``appearance`` is ``CARD`` for the card of a link. ``mark``
    tells what became of the answer from what it is edited to next: empty as it was posted.
    """

    channel: str
    message: str
    answer: int
    origin: str = ""
    appearance: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ReplyMessage:
    """That the message ``message`` shows the answer to the message ``origin``, in the same channel."""

    channel: str
    origin: str
    message: str


@dataclass(frozen=True, slots=True)
class Watch:
    """A standing question of a channel: who asked for it, and the last arrival in the archive before that.

    ``thread`` is where news is posted, where that is not the channel itself, whose rules hold there too.
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
        """The id of what news is posted in."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class News:
    """That an article has news on a standing question: the state of its sentences, and a ``mark`` for their words."""

    watch: Watch
    mark: str
    article: str
    places: str
