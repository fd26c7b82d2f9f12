"""The nouns of asking: a question comes in, a reply goes out. Frozen.

``Extract`` and ``Citation`` are made in ``verbatim`` only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from retrieval import EVERYTHING, CaveatKind, Kind, Manner, Scope, Span, Voice


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
    """A question as asked; ``previous`` is the one before it in the same thread.

    ``shown`` is the state of the extracts that were shown there last, of whatever reply.
    ``brief`` where a sure answer is to be one extract, and the others come with "more". ``scope`` is what the asker
    narrows it to, within what is seen from there.
    """

    text: str
    previous: str | None = None
    asker: Asker | None = None
    place: Place | None = None
    shown: str = ""
    brief: bool = False
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class Citation:
    """Where words stand: the article, and the place in it; ``opening`` stands in where there is no title.

    ``corrected`` is the day on which the sentence was changed since an earlier version of the article; ``superseded``
    where a later version has taken the place of the one that is cited.
    """

    article_id: str
    path: str
    digest: str
    span: Span
    title: str | None
    opening: str
    source: str | None
    published: date | None
    url: str | None
    corrected: date | None = None
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class QuotedCaveat:
    """An outlet's caveat: the whole sentence that holds it, verbatim; ``citation`` is that sentence's place."""

    text: str
    kind: CaveatKind
    verifier: str | None
    citation: Citation


class NoticeReason(StrEnum):
    """Why a reply tells a caveat that stands on none of its extracts."""

    ARTICLE = "article"  # it is on the article as a whole
    POSSIBLE = "possible"  # it may cover an extract shown


@dataclass(frozen=True, slots=True)
class Notice:
    """A caveat on an article as a whole, or one that may cover an extract shown; verbatim."""

    text: str
    kind: CaveatKind
    verifier: str | None
    citation: Citation
    why: NoticeReason = NoticeReason.ARTICLE


@dataclass(frozen=True, slots=True)
class Extract:
    """One sentence of an article, word for word (white space collapsed), with all that must travel with it.

    ``caveats`` stand on it; ``notices`` are what any reply that shows it must tell below.
    ``page`` is the address where it is shown in its article, where there is such a page. ``answer`` are the code points
    of ``text`` that answer what was asked, where that is sure: they are emphasised, never cut out.
    ``revision`` says what became of it, where it was posted and its article changed after that.
    """

    text: str
    citation: Citation
    index: int
    speaker: str | None
    voice: Voice
    manner: Manner | None = None
    caveats: tuple[QuotedCaveat, ...] = ()
    before: Extract | None = None
    notices: tuple[Notice, ...] = ()
    page: str | None = None
    answer: Span | None = None
    revision: Revision | None = None

    @property
    def pieces(self) -> tuple[str, str, str]:
        """The words before those that answer, these, and what is behind; the first are all where none are told."""
        start, end = (self.answer.start, self.answer.end) if self.answer else (len(self.text), len(self.text))
        return self.text[:start], self.text[start:end], self.text[end:]

    @property
    def newest(self) -> Extract:
        """What stands in its place by now; itself, where that is nothing else, or nothing at all."""
        return self.revision.now or self if self.revision else self


@dataclass(frozen=True, slots=True)
class Revision:
    """That an extract changed since it was posted; ``now`` is what stands in its place, None where nothing does."""

    now: Extract | None


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one extract, best first.

    ``message`` is in the bot's own voice (a sentence was too long to show; what a caveat question found).
    ``looked_for`` are the asker's words and names, ``not_found`` those of them that occur nowhere.
    ``more`` is the state that brings the next extracts (see ``bot.state``), empty where there are none.
    ``confidence`` is the probability, 0 to 1, that a right answer is among the extracts; None where nothing was ranked.
    ``sure`` is False where that is too little for an answer: people are told so before anything else.
    """

    extracts: tuple[Extract, ...]
    message: str | None = None
    more: str = ""
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    confidence: float | None = None
    sure: bool = True

    def __post_init__(self) -> None:
        if not self.extracts:
            raise ValueError("an answer without an extract is none")


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nothing found: what was looked for, and which of it occurs nowhere; ``message`` says so in words.

    ``confidence`` is that of the best candidate, which was kept back; None where nothing was ranked.
    """

    looked_for: tuple[str, ...]
    not_found: tuple[str, ...]
    message: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """The bot's own voice: help, a refusal, a failure in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody or something named in the same sentences; ``extract`` is one of them."""

    name: str
    sentences: int
    extract: Extract


@dataclass(frozen=True, slots=True)
class Role:
    """What an article calls somebody, in its own words ("the harbour master"), at their place."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Card:
    """An entity: its spellings, its roles as quoted, what it said (newest first), what is said of it.

    ``described`` are the words of the roles alone, ``roles`` the sentences that they stand in; ``said_in_all`` is how
    many sentences it said, of which ``said`` are the newest. It is in ``in_all`` articles; where there are very many,
    the rest tells of the newest alone, and ``articles`` are these.
    """

    name: str
    kind: Kind
    variants: tuple[str, ...]
    roles: tuple[Extract, ...]
    said: tuple[Extract, ...]
    about: tuple[Extract, ...]
    company: tuple[Companion, ...]
    articles: tuple[Citation, ...]
    described: tuple[Role, ...] = ()
    in_all: int = 0
    said_in_all: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of those who may be meant; ``articles`` counts those that name it."""

    name: str
    kind: Kind
    articles: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """Those to pick from: the bearers of a name (``found``), or the nearest names to one that does not occur."""

    candidates: tuple[Candidate, ...]
    message: str
    found: bool = True


class Verdict(StrEnum):
    """What became of a quotation that was checked."""

    EXACT = "exact"
    ALTERED = "altered"
    MISATTRIBUTED = "misattributed"
    STITCHED = "stitched"
    ABSENT = "absent"


class Change(StrEnum):
    """What a checked quotation did with a run of words."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that a checked quotation was found in; ``difference`` goes from the article to the quotation."""

    extract: Extract
    difference: tuple[tuple[Change, str], ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A quotation checked against the articles; ``message`` says in words what was found.

    ``punctuation`` is set where the words are the article's, and the stops and commas between them are not.
    """

    verdict: Verdict
    quote: str
    matches: tuple[Match, ...]
    message: str
    punctuation: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a listing: a heading and ``lines`` in the bot's voice, and extracts under them.

    ``marked`` is the place among the extracts of the one that the listing is about. ``cited`` are the articles that
    lines name, ``rests_on`` the sentences that lines tell of and that are not shown.
    """

    heading: str
    extracts: tuple[Extract, ...] = ()
    lines: tuple[str, ...] = ()
    marked: int | None = None
    cited: tuple[Citation, ...] = ()
    rests_on: tuple[Extract, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Several things under headings: what is unverified, disputed, held; the context of an extract.

    It is also the shape in which every other reply is drawn (see ``bot.outline``).
    """

    title: str
    sections: tuple[Section, ...] = ()

    @property
    def extracts(self) -> tuple[Extract, ...]:
        """All that is shown, in the order in which it is read."""
        return tuple(extract for section in self.sections for extract in section.extracts)

    @property
    def all_extracts(self) -> tuple[Extract, ...]:
        """The same, with all that lines rest on."""
        return tuple(extract for section in self.sections for extract in (*section.rests_on, *section.extracts))


@dataclass(frozen=True, slots=True)
class Clipping:
    """An extract as it is pasted elsewhere; ``form`` is "text", "markdown", "csv" or "csl-json"."""

    text: str
    form: str
    extract: Extract


Reply = Answer | NoAnswer | Message | Card | Candidates | Check | Listing | Clipping
