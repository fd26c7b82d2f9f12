"""The nouns of asking: a question comes in, a reply goes out. Frozen.

``Extract`` and ``Citation`` are made in ``verbatim`` only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from retrieval.model import CaveatKind, Manner, Span, Voice


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, as the platform knows them; ``groups`` are Discord's roles; ``outsider`` a guest or another firm's."""

    id: str
    groups: tuple[str, ...] = ()
    outsider: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question was asked: ``platform`` ("terminal", "slack", "discord"), workspace or guild, channel."""

    platform: str
    workspace: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question as asked; ``previous`` is the one before it in the same thread."""

    text: str
    previous: str | None = None
    asker: Asker | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Where words stand: the article, and the place in it."""

    article_id: str
    path: str
    digest: str
    span: Span
    title: str
    source: str | None
    published: date | None
    url: str | None


@dataclass(frozen=True, slots=True)
class QuotedCaveat:
    """An outlet's caveat: the whole sentence that holds it, verbatim; ``citation`` is that sentence's place."""

    text: str
    kind: CaveatKind
    verifier: str | None
    citation: Citation


@dataclass(frozen=True, slots=True)
class QuotedDenial:
    """A denial as it stands, beside the claim it denies."""

    text: str
    speaker: str | None
    citation: Citation


@dataclass(frozen=True, slots=True)
class Extract:
    """One sentence of an article, word for word (white space collapsed), with all that must travel with it."""

    text: str
    citation: Citation
    index: int
    speaker: str | None
    voice: Voice
    manner: Manner | None = None
    caveats: tuple[QuotedCaveat, ...] = ()
    denials: tuple[QuotedDenial, ...] = ()
    before: Extract | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A caveat on an article as a whole, verbatim."""

    text: str
    kind: CaveatKind
    verifier: str | None
    citation: Citation


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one extract, best first.

    ``message`` is in the bot's own voice (a sentence was too long to show; what a caveat question found).
    ``looked_for`` are the asker's words and names, ``not_found`` those of them that occur nowhere.
    """

    extracts: tuple[Extract, ...]
    notices: tuple[Notice, ...] = ()
    message: str | None = None
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.extracts:
            raise ValueError("an answer without an extract is none")


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nothing found: what was looked for, and which of it occurs nowhere; ``message`` says so in words."""

    looked_for: tuple[str, ...]
    not_found: tuple[str, ...]
    message: str
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """The bot's own voice: help, a refusal, a failure in words."""

    text: str


Reply = Answer | NoAnswer | Message
