"""Questions and replies, and what replies are made of. ``verbatim`` alone makes extracts, citations and caveats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar

from bot.ask.model import Band
from retrieval import EVERYTHING, CaveatKind, Kind, Manner, Scope, Span, Voice

_BRACKETED = re.compile(r"\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class Asker:
    """``groups`` are Discord's roles; an ``outsider`` is a guest, or belongs to another organisation."""

    id: str
    groups: tuple[str, ...] = ()
    outsider: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question was asked. ``platform`` is "terminal", "slack", "discord" …; a ``workspace`` may be a guild."""

    platform: str
    workspace: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """``previous`` is the question before it in the same thread, ``shown`` the state of the extracts shown there last.

    ``brief`` asks for what a person is shown: one extract, and those that add to a sure one; the others come with
    "more". ``scope`` narrows the articles further than the channel does.
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
    """A place in an article. ``opening`` (the first words of the report) replaces a missing title.

    ``corrected`` is the day on which a new version changed the sentence; ``superseded`` means that a later version
    has replaced the one cited.
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
    """An outlet's caveat on an extract: the whole sentence that contains it, verbatim, and its citation."""

    text: str
    kind: CaveatKind
    verifier: str | None
    citation: Citation

    @property
    def identity(self) -> tuple[str, str]:
        """Its words and the id of their article: two with the same are one caveat."""
        return self.text, self.citation.article_id


class NoticeReason(StrEnum):
    ARTICLE = "article"  # it covers the whole article
    POSSIBLE = "possible"  # it may cover an extract


@dataclass(frozen=True, slots=True)
class Notice(QuotedCaveat):
    why: NoticeReason = NoticeReason.ARTICLE

    @property
    def key(self) -> tuple[NoticeReason, str, str]:
        return self.why, *self.identity


@dataclass(frozen=True, slots=True)
class Extract:
    """One sentence of an article, word for word (white space collapsed), with everything that must be shown with it.

    ``caveats`` are shown on it, ``notices`` below any reply that shows it. ``page`` is the address of the page that
    shows it in its article. ``answer`` are the code points of ``text`` that answer the question: they are emphasised,
    never cut out. ``anonymity`` is the article's reason, in its words, for not naming the speaker, where another
    sentence has it. ``revision`` is set where the article changed after the extract was posted.
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
    anonymity: str | None = None

    @property
    def place(self) -> tuple[str, int]:
        return self.citation.article_id, self.index

    @property
    def pieces(self) -> tuple[str, str, str]:
        """The text before the answer, the answer and the rest; without an answer all text is in the first."""
        start, end = (self.answer.start, self.answer.end) if self.answer else (len(self.text), len(self.text))
        return self.text[:start], self.text[start:end], self.text[end:]

    @property
    def newest(self) -> Extract:
        """Its current version, or itself where it did not change or was removed."""
        return self.revision.now or self if self.revision else self


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of an extract after it was posted; ``now`` is the current sentence, None where it was removed."""

    now: Extract | None


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one extract, best first.

    ``message`` is in the bot's own voice. ``looked_for`` are the asker's words and names, ``not_found`` those that no
    article has. ``more`` is the state that brings the next extracts (see ``bot.sentence_links``), or empty.
    ``confidence`` is the probability, 0 to 1, that a right answer is among the extracts; None where nothing was ranked.
    Where ``band`` is none of a sure answer, the ``message`` says so first.
    """

    extracts: tuple[Extract, ...]
    message: str | None = None
    more: str = ""
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    confidence: float | None = None
    band: Band = Band.ANSWER

    def __post_init__(self) -> None:
        if not self.extracts:
            raise ValueError("an answer needs at least one extract")

    @property
    def sure(self) -> bool:
        return self.band is Band.ANSWER


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """``message`` says that nothing answers; ``confidence`` is that of the best candidate, None without one.

    ``articles`` are those that mention the name asked about, ``more`` the state that brings the closest matches.
    """

    looked_for: tuple[str, ...]
    not_found: tuple[str, ...]
    message: str
    confidence: float | None = None
    articles: tuple[Citation, ...] = ()
    more: str = ""
    band: ClassVar[Band] = Band.NONE


@dataclass(frozen=True, slots=True)
class Message:
    text: str


@dataclass(frozen=True, slots=True)
class Companion:
    """A name that occurs in the same ``sentences`` (a count); ``extract`` is one of them."""

    name: str
    sentences: int
    extract: Extract


@dataclass(frozen=True, slots=True)
class Role:
    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Card:
    """An entity: its spellings and roles, what it said and what is said about it, newest first.

    ``described`` are the words of the roles, ``roles`` the sentences that contain them. ``said_in_all`` and ``in_all``
    count all its sentences and articles; of very many articles, the card covers the newest. ``may_be_several``: the
    ages that the articles give fit no one person.
    A ``brief`` one is for a message: ``more`` is the state that brings the sentences that it does not show, or empty.
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
    may_be_several: bool = False
    brief: bool = False
    more: str = ""


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """An entity that a name may mean; ``articles`` is a count."""

    name: str
    kind: Kind
    articles: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """Entities to pick from: those with the name typed (``found``), or those with the closest names."""

    candidates: tuple[NameCandidate, ...]
    message: str
    found: bool = True


class Verdict(StrEnum):
    EXACT = "exact"
    OUT_OF_CONTEXT = "out_of_context"  # exact, but what stands around the words turns or limits them
    PARTIAL = "partial"  # what was compared is exact, and some of the words were not compared
    ALTERED = "altered"
    MISATTRIBUTED = "misattributed"
    STITCHED = "stitched"
    ABSENT = "absent"
    UNCHECKED = "unchecked"  # it could not be compared


class Change(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


Difference = tuple[tuple[Change, str], ...]


class QuotationLiberty(StrEnum):
    """A difference that doesn't make a quotation altered."""

    SPACES = "spaces"
    QUOTATION_MARKS = "quotation marks"
    PUNCTUATION = "punctuation"
    CAPITAL = "capital letters"
    DIRECTION = "marks of direction"
    OMISSION = "omission"  # words left out at an ellipsis
    BRACKETS = "brackets"  # words in square brackets


class Agreement(StrEnum):
    """Whether an article has the speaker that a quotation is claimed to have."""

    RIGHT = "right"
    UNKNOWN = "unknown"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class ClaimedSpeaker:
    """Who is claimed to have said a quotation; ``in_article`` is who says it there, where somebody is named."""

    name: str
    agreement: Agreement
    in_article: str | None = None


class ContextKind(StrEnum):
    """What the words around a quotation do to it."""

    DENIED = "denied"
    CONDITIONAL = "conditional"
    QUESTIONED = "questioned"
    FEARED = "feared"
    WISHED = "wished"
    PLANNED = "planned"
    DOUBTED = "doubted"
    REPORTED = "reported"
    TAKEN_BACK = "taken_back"
    LIMITED = "limited"


@dataclass(frozen=True, slots=True)
class QuotationContext:
    """The ``words`` of ``sentence`` that turn or limit a quotation: of its own sentence, or of the next."""

    kind: ContextKind
    words: str
    sentence: Extract


@dataclass(frozen=True, slots=True)
class Searched:
    """How much was looked through for a quotation."""

    articles: int
    outlets: int


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that a checked quotation was found in; ``difference`` goes from the article to the quotation."""

    extract: Extract
    difference: Difference

    @property
    def has_new_words(self) -> bool:
        """Whether the quotation has words that the article hasn't, outside square brackets."""
        added = (_BRACKETED.sub("", words) for change, words in self.difference if change is Change.ADDED)
        return any(map(str.isalnum, "".join(added)))

    @property
    def lacks_words(self) -> bool:
        return any(change is Change.REMOVED and any(map(str.isalnum, words)) for change, words in self.difference)


@dataclass(frozen=True, slots=True)
class Check:
    """A quotation checked against the articles.

    ``not_compared`` are the pasted words that were compared with nothing. ``left_out`` counts the article's words that
    an ellipsis replaces. ``context`` is what turns or limits the quotation where it stands.

    Raises ``ValueError`` where the verdict is better than the rest allows: nothing is exact with words that were not
    compared, with words that the article hasn't, or from another speaker.
    """

    verdict: Verdict
    quote: str
    matches: tuple[Match, ...] = ()
    not_compared: tuple[str, ...] = ()
    claimed: ClaimedSpeaker | None = None
    freedoms: tuple[QuotationLiberty, ...] = ()
    left_out: int = 0
    context: QuotationContext | None = None
    searched: Searched | None = None

    def __post_init__(self) -> None:
        if self.verdict is Verdict.EXACT and self.not_compared:
            raise ValueError("no quotation is exact of which words were not compared")
        has_new_words = any(match.has_new_words for match in self.matches)
        if has_new_words and self.verdict in (Verdict.EXACT, Verdict.OUT_OF_CONTEXT, Verdict.PARTIAL):
            raise ValueError("no quotation is exact that has other words than the article")
        if self.is_by_another is not (self.verdict is Verdict.MISATTRIBUTED):
            raise ValueError("a quotation is misattributed exactly where its speaker is wrong")
        if self.verdict in (Verdict.EXACT, Verdict.PARTIAL) and self.context:
            raise ValueError("no quotation is plainly exact that is out of context")

    @property
    def is_by_another(self) -> bool:
        return self.claimed is not None and self.claimed.agreement is Agreement.WRONG

    @property
    def is_unverified(self) -> bool:
        return any(match.extract.caveats for match in self.matches)


class FindingKind(StrEnum):
    QUOTATION = "quotation"
    FIGURE = "figure"
    NAME = "name"
    CERTAINTY = "certainty"
    CAVEAT_LOST = "caveat_lost"
    DENIAL_LOST = "denial_lost"


@dataclass(frozen=True, slots=True)
class Finding:
    """A point of a draft. ``what`` says what differs and from what; ``extracts`` are what the articles have.

    ``span`` counts the code points of the draft, whose words there are ``text``; ``instead`` is what the archive has in
    their place, where that is known. Quotations have a ``check``, and one with nothing to correct is a finding too.
    """

    kind: FindingKind
    span: Span
    text: str
    what: str
    confidence: float = 1.0
    extracts: tuple[Extract, ...] = ()
    check: Check | None = None
    instead: str = ""

    @property
    def is_correct(self) -> bool:
        """Whether there is nothing to correct or to check: an exact quotation, by its speaker, without a caveat."""
        check = self.check
        if check is None or check.verdict is not Verdict.EXACT or check.is_unverified:
            return False
        return check.claimed is None or check.claimed.agreement is Agreement.RIGHT


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found in a draft, in its order. ``left_out`` are quotations that are too long to be checked."""

    text: str
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def quotations(self) -> int:
        return sum(finding.check is not None for finding in self.findings)

    @property
    def extracts(self) -> tuple[Extract, ...]:
        return tuple(extract for finding in self.findings for extract in finding.extracts)

    @property
    def to_check(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.is_correct)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a listing: a heading and ``lines`` in the bot's voice, and extracts under them.

    ``marked`` is the index among the extracts of the one that the listing is about. ``cited`` are the articles that
    lines name, ``rests_on`` the sentences that lines are about and that are not shown. ``check`` is the check whose
    verdict the heading is. ``counts`` are labels with their numbers, the first of which is drawn as a bar.
    ``difference`` has the changes from the extract to a quotation that was checked.
    """

    heading: str
    extracts: tuple[Extract, ...] = ()
    lines: tuple[str, ...] = ()
    marked: int | None = None
    cited: tuple[Citation, ...] = ()
    rests_on: tuple[Extract, ...] = ()
    check: Check | None = None
    counts: tuple[tuple[str | int, ...], ...] = ()
    difference: Difference = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Sections under a title. Every other reply is drawn in this shape too (see ``bot.outline``)."""

    title: str
    sections: tuple[Section, ...] = ()

    @property
    def extracts(self) -> tuple[Extract, ...]:
        return tuple(extract for section in self.sections for extract in section.extracts)

    @property
    def all_extracts(self) -> tuple[Extract, ...]:
        return tuple(extract for section in self.sections for extract in (*section.rests_on, *section.extracts))


@dataclass(frozen=True, slots=True)
class Clipping:
    """A quotation to paste elsewhere; ``form`` is "text", "markdown", "csv" or "csl-json"."""

    text: str
    form: str
    extracts: tuple[Extract, ...]

    @property
    def extract(self) -> Extract:
        return self.extracts[0]


Reply = Answer | NoAnswer | Message | Card | Candidates | Check | Listing | Clipping
