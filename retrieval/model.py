"""The data of reading: frozen, and validated on construction.

All offsets are half-open and count Unicode code points of ``Article.text``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

KEY = 8  # hexadecimal; two of 10,000 articles share a key in one archive of a hundred


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """``start`` inclusive, ``end`` exclusive, in code points; ``ValueError`` where it is empty or negative."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start < 0 or self.end <= self.start:
            raise ValueError(f"not a span: {self.start} to {self.end}")

    def of(self, text: str) -> str:
        """Return the text of this span; ``ValueError`` where ``text`` ends before it."""
        if self.end > len(text):
            raise ValueError(f"the text ends at {len(text)}, before {self.end}")
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


class LayoutKind(StrEnum):
    BOLD = "bold"
    CITE = "cite"  # the source of a quotation
    BLOCK_QUOTATION = "block_quotation"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class LayoutSpan:
    """How a stretch of an article's text was set on its page."""

    kind: LayoutKind
    span: Span

    def moved(self, characters: int) -> LayoutSpan:
        return LayoutSpan(self.kind, Span(self.span.start + characters, self.span.end + characters))


class LeftOutKind(StrEnum):
    FOOTNOTE_MARK = "footnote_mark"
    STRUCK_OUT = "struck_out"
    PAGE_CODE = "page_code"  # of a plugin or a page builder
    RUNNING_HEAD = "running_head"
    TEASER = "teaser"
    PULL_QUOTE = "pull_quote"
    EMBED = "embed"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a file has beside the words of its article; it is neither stored nor searched."""

    kind: LeftOutKind
    text: str


@dataclass(frozen=True, slots=True)
class Body:
    """A text, how it was set, and what is not in it."""

    text: str = ""
    layout: tuple[LayoutSpan, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """One article as loaded.

    ``path`` is where it came from, for people to read; ``wire`` the agency it was taken from; ``embargo`` the moment
    before which nobody may see it. ``layout`` is in the order of the text. ``origin`` is a digest
    of the file it was read from and of its keys; empty where it came from elsewhere.
    """

    id: str
    text: str
    path: str = ""
    title: str | None = None
    source: str | None = None
    url: str | None = None
    published: date | None = None
    author: str | None = None
    wire: str | None = None
    embargo: datetime | None = None
    layout: tuple[LayoutSpan, ...] = ()
    origin: str = field(default="", compare=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("an article needs an id")
        if any(part.span.end > len(self.text) for part in self.layout):
            raise ValueError("a layout span lies outside the text")
        # surrogates cannot be encoded, and a hostile text may hold one
        encoded = self.text.encode("utf-8", "surrogatepass")
        object.__setattr__(self, "digest", hashlib.sha256(encoded).hexdigest())

    @property
    def key(self) -> str:
        """A short key of this version of the article; the same text under two ids has two keys."""
        return version_key(self.id, self.digest)


def version_key(article_id: str, digest: str) -> str:
    return hashlib.sha256(f"{digest} {article_id}".encode("utf-8", "surrogatepass")).hexdigest()[:KEY]


class Boilerplate(StrEnum):
    ADVERTISEMENT = "advertisement"
    LINK = "link"  # "Read | …", "Also read: …"
    CALL = "call"  # "Watch …", "Subscribe …", "Follow us …"
    CAPTION = "caption"
    CREDIT = "credit"  # picture credit, "Additional reporting by …"
    HEADING = "heading"
    TITLE = "title"
    DATELINE = "dateline"  # a date or place-and-date standing by itself
    BYLINE = "byline"
    CORRECTION = "correction"  # a note of what the article had wrong


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation with its marks; it may run over several sentences and paragraphs."""

    number: int
    span: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, white space at both ends excluded.

    ``paragraph`` counts the blocks of the article from 0.
    ``quotation`` is the number of the quotation that it shares with its neighbours, or is part of.
    ``rule`` names the rule that ended it (or marked it as boilerplate), for ``--explain``.
    """

    article_id: str
    index: int
    span: Span
    paragraph: int
    boilerplate: Boilerplate | None = None
    quotation: int | None = None
    rule: str = ""


class Kind(StrEnum):
    PERSON = "PERSON"
    ORG = "ORG"
    PLACE = "PLACE"
    GROUP = "GROUP"  # nationalities, parties, faiths: "Ukrainians", "Tories"
    EVENT = "EVENT"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a sentence.

    ``name`` is the canonical form: the fullest in the article, or over all articles once they are joined. ``role`` is
    the span of the words beside it that describe its bearer ("Ukraine's foreign minister").
    """

    kind: Kind
    name: str
    span: Span
    role: Span | None = None
    rule: str = ""


class Voice(StrEnum):
    """Whose words or eyes a sentence rests on: the first that fits."""

    OBSERVED = "observed"  # reporters of the outlet or of an agency saw it
    NAMED = "named"  # a name says it, or a pronoun that refers to one
    UNNAMED = "unnamed"  # officials, witnesses, a source: no name
    MEDIA = "media"  # another outlet, an agency, state television
    IMPERSONAL = "impersonal"  # "reportedly", "is believed to": no source at all
    UNRESOLVED = "unresolved"  # in quotation marks, by an unknown speaker
    OUTLET = "outlet"  # none of these: the outlet's own words


class Manner(StrEnum):
    """Whether a sentence has the speaker's own words or the outlet's account of them."""

    QUOTED = "quoted"
    PARAPHRASED = "paraphrased"


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who says a sentence. The voice is never ``OUTLET``: such a sentence has no attribution.

    ``speaker`` is the fullest form of the name in the article, or the noun phrase of an unnamed source. ``span`` is
    that of the cue ("said"), None where the cue is in another sentence; ``anonymity`` that of the reason given for not
    naming an unnamed source. Only a ``sure`` speaker may be shown; a likely
    one helps to find denials and caveats.
    """

    speaker: str | None
    voice: Voice
    manner: Manner
    span: Span | None
    rule: str = ""
    sure: bool = True
    anonymity: Span | None = None

    def __post_init__(self) -> None:
        if self.voice is Voice.OUTLET:
            raise ValueError("the outlet's own voice has no attribution")
        if self.speaker is not None and self.voice in (Voice.IMPERSONAL, Voice.UNRESOLVED):
            raise ValueError(f"a sentence in the {self.voice} voice has no speaker")

    @property
    def displayable(self) -> Attribution | None:
        """All of it where the speaker is sure; else an unknown speaker for a quotation, and None for a paraphrase."""
        if self.sure:
            return self
        if self.manner is Manner.PARAPHRASED:
            return None
        return Attribution(None, Voice.UNRESOLVED, self.manner, self.span, "speaker not sure")


@dataclass(frozen=True, slots=True)
class Denial:
    """A sentence's denial, and who denies; ``speaker`` is None where that is unknown."""

    speaker: str | None
    rule: str = ""


class CaveatKind(StrEnum):
    """How an outlet says that it could not verify something."""

    OWN = "own"  # a sentence of its own: "The accounts could not be independently verified."
    INLINE = "inline"  # within the sentence it covers
    RELAYED = "relayed"  # another outlet's inability
    PARTIAL = "partial"  # only the place, the date, the identity
    STANDING = "standing"  # reporting restrictions in general
    PENDING = "pending"  # "is working to verify"
    PHOTO = "photo"  # a picture credit
    OFFICIALS = "officials"  # not the outlet: its sources had not confirmed it


@dataclass(frozen=True, slots=True)
class Caveat:
    """An outlet's own caveat.

    ``sentence`` is the index of the sentence that states it, ``span`` that of its words. ``covers`` are the indexes of
    the sentences surely in its scope, in order (none: a notice on the article), ``possible`` of those that may be.
    ``judgements`` are the sentences near it, each with the probability that it is covered; they are not stored.
    ``verifier`` is the outlet that could not verify, where named.
    """

    kind: CaveatKind
    sentence: int
    span: Span
    covers: tuple[int, ...]
    verifier: str | None = None
    rule: str = ""
    possible: tuple[int, ...] = ()
    judgements: tuple[tuple[int, float], ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if both := set(self.covers) & set(self.possible):
            raise ValueError(f"a caveat covers a sentence surely or possibly, not both: {sorted(both)}")

    @property
    def by_outlet(self) -> bool:
        """False where officials had not confirmed it: then no outlet tried and failed."""
        return self.kind is not CaveatKind.OFFICIALS

    @property
    def is_notice(self) -> bool:
        """Whether it belongs to the article as a whole, as no sentence is surely covered.

        An inline caveat ("the unverified file") is read in its own sentence, and what officials had not confirmed only
        beside what it may be about.
        """
        return self.by_outlet and not self.covers and self.kind is not CaveatKind.INLINE


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with its annotations: the unit that is indexed and shown.

    ``caveats`` surely cover it, ``possible_caveats`` may. The ``attribution`` may be shown: its speaker is sure.
    """

    sentence: Sentence
    mentions: tuple[Mention, ...] = ()
    attribution: Attribution | None = None
    caveats: tuple[Caveat, ...] = ()
    denial: Denial | None = None
    is_caveat: bool = False
    possible_caveats: tuple[Caveat, ...] = ()

    @property
    def speaker(self) -> str | None:
        return self.attribution.speaker if self.attribution else None

    @property
    def voice(self) -> Voice:
        return self.attribution.voice if self.attribution else Voice.OUTLET


@dataclass(frozen=True, slots=True)
class Reading:
    """An article's passages, one for each sentence in order, and all its caveats."""

    article: Article
    passages: tuple[Passage, ...]
    caveats: tuple[Caveat, ...] = ()

    @property
    def notices(self) -> tuple[Caveat, ...]:
        return tuple(c for c in self.caveats if c.is_notice)


@dataclass(frozen=True, slots=True)
class Entity:
    """One person, body, place, group or event over all articles, whatever order they were read in.

    ``variants`` are its spellings, ``name`` the one that is displayed.
    """

    name: str
    kind: Kind
    variants: tuple[str, ...]
    articles: tuple[str, ...] = ()
