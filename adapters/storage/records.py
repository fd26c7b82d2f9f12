"""What the store keeps, as nouns: claims of events, answers given and where they are shown, opinions. Frozen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """An event that this process alone answers; ``attempts`` counts the times it was taken up, from 1."""

    id: int
    platform: str
    payload: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Given:
    """An answer given: the question, the reply as JSON, the digests of the articles quoted, where and to whom.

    ``at`` is in seconds since 1970; left at 0, it is the moment of recording. ``keepsake`` is what was shown, where
    it may be shown again, in the platform's own form.
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
    keepsake: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person thought of an answer."""

    answer: int
    person: str
    right: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """That the message ``message`` shows the answer to the message ``origin``, in the same channel."""

    channel: str
    origin: str
    message: str
