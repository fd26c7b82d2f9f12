"""The nouns of reading, frozen: plain data, checked when it is made.

All offsets are half-open and count Unicode code points of ``Article.text``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

KEY = 8  # hexadecimal digits of a key: two of 10,000 articles share them once in a hundred archives


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a text: ``start`` inclusive, ``end`` exclusive, in code points.

    Raises ``ValueError`` where it is empty or begins before the text.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start < 0 or self.end <= self.start:
            raise ValueError(f"no place in a text: {self.start} to {self.end}")

    def of(self, text: str) -> str:
        """Return the words at this place; ``ValueError`` where the text ends before it."""
        if self.end > len(text):
            raise ValueError(f"the text ends at {len(text)}, before {self.end}")
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Return whether the two share a character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Return whether ``other`` lies wholly inside."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Article:
    """One article as loaded; its ``text`` never changes after that moment.

    ``path`` is where it came from, as people are shown it; ``wire`` the agency it was taken from; ``embargo`` the
    moment before which nobody is to be shown any of it.
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
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("an article needs an id")
        # surrogates cannot be encoded, and a hostile text may hold one
        encoded = self.text.encode("utf-8", "surrogatepass")
        object.__setattr__(self, "digest", hashlib.sha256(encoded).hexdigest())

    @property
    def key(self) -> str:
        """What stands for the article as it is now; of one text under two names, each has its own."""
        return version_key(self.id, self.digest)


def version_key(article_id: str, digest: str) -> str:
    """Return what stands for one version of an article wherever there is little room."""
    return hashlib.sha256(f"{digest} {article_id}".encode("utf-8", "surrogatepass")).hexdigest()[:KEY]


class Boilerplate(StrEnum):
    """Why a sentence is not part of the report."""

    ADVERTISEMENT = "advertisement"
    LINK = "link"  # "Read | …", "Also read: …"
    CALL = "call"  # "Watch …", "Subscribe …", "Follow us …"
    CAPTION = "caption"
    CREDIT = "credit"  # picture credit, "Additional reporting by …"
    HEADING = "heading"
    TITLE = "title"
    DATELINE = "dateline"  # a date or place-and-date standing by itself
    BYLINE = "byline"


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands between two quotation marks, the marks included.

    It may run over several sentences, and over paragraphs that each open with a mark of their own.
    """

    number: int
    span: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence at its place, white space at both ends excluded.

    ``paragraph`` counts the blocks of the article from 0.
    ``quotation`` is the number of the quotation it shares with its neighbours, or that it stands in.
    ``rule`` names the rule that cut it off (or marked it as boilerplate), for ``--explain``.
    """

    article_id: str
    index: int
    span: Span
    paragraph: int
    boilerplate: Boilerplate | None = None
    quotation: int | None = None
    rule: str = ""


class Kind(StrEnum):
    """What a name is the name of."""

    PERSON = "PERSON"
    ORG = "ORG"
    PLACE = "PLACE"
    GROUP = "GROUP"  # nationalities, parties, faiths: "Ukrainians", "Tories"
    EVENT = "EVENT"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where it stands.

    ``name`` is the canonical form: the fullest in the article, or over all articles once they are united; ``role``
    the place of the words beside it that say what its bearer is ("Ukraine's foreign minister").
    """

    kind: Kind
    name: str
    span: Span
    role: Span | None = None
    rule: str = ""


class Voice(StrEnum):
    """Whose words or eyes a sentence rests on: of those that fit, the first."""

    OBSERVED = "observed"  # the outlet's or an agency's own reporters saw it
    NAMED = "named"  # a name says it, or a pronoun that stands for one
    UNNAMED = "unnamed"  # officials, witnesses, a source: no name
    MEDIA = "media"  # another outlet, an agency, state television
    IMPERSONAL = "impersonal"  # "reportedly", "is believed to": no source at all
    UNRESOLVED = "unresolved"  # in quotation marks, and nobody found to say it
    OUTLET = "outlet"  # none of these: the outlet's own words


class Manner(StrEnum):
    """Whether the speaker's own words stand there or the outlet's account of them."""

    QUOTED = "quoted"
    PARAPHRASED = "paraphrased"


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who says a sentence. The voice is never ``OUTLET``: that is told by there being no attribution.

    ``speaker`` is the fullest form of the name in the article (or the unnamed source's noun phrase), as spelt there.
    ``span`` is the place of the cue ("said"), or none where the cue stands in another sentence. ``sure`` tells whether
    the speaker can be named beside the sentence; one who is only likely helps to judge what else is read there.
    """

    speaker: str | None
    voice: Voice
    manner: Manner
    span: Span | None
    rule: str = ""
    sure: bool = True

    def __post_init__(self) -> None:
        if self.voice is Voice.OUTLET:
            raise ValueError("the outlet's own voice has no attribution")
        if self.speaker is not None and self.voice in (Voice.IMPERSONAL, Voice.UNRESOLVED):
            raise ValueError(f"a sentence in the {self.voice} voice has no speaker")

    @property
    def shown(self) -> Attribution | None:
        """What of it is shown: all where the speaker is sure; else that whoever is quoted is open, or nothing."""
        if self.sure:
            return self
        if self.manner is Manner.PARAPHRASED:
            return None
        return Attribution(None, Voice.UNRESOLVED, self.manner, self.span, "speaker not sure")


@dataclass(frozen=True, slots=True)
class Denial:
    """That a sentence denies something, and who does: ``speaker``, where that is told."""

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
    OFFICIALS = "officials"  # no inability of an outlet: those whom it asked or cites had not confirmed it


@dataclass(frozen=True, slots=True)
class Judgement:
    """How probable it is, 0 to 1, that a caveat covers a sentence; ``parts`` is what each feature adds (log-odds)."""

    sentence: int
    probability: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Caveat:
    """An outlet's own caveat.

    ``sentence`` is the index of the sentence that holds it, ``span`` the place of the very words in it. ``covers`` are
    those surely in its scope, in order (none: a notice on the article), ``possible`` those that may be, ``judged`` how
    each one near was judged: known while an article is read, and not kept. ``verifier`` is the outlet that could not,
    where named.
    """

    kind: CaveatKind
    sentence: int
    span: Span
    covers: tuple[int, ...]
    verifier: str | None = None
    rule: str = ""
    possible: tuple[int, ...] = ()
    judged: tuple[Judgement, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if both := set(self.covers) & set(self.possible):
            raise ValueError(f"a caveat covers a sentence surely or possibly, not both: {sorted(both)}")

    @property
    def by_outlet(self) -> bool:
        """Whether an outlet could not: where officials had not confirmed it, nobody tried and failed."""
        return self.kind is not CaveatKind.OFFICIALS

    @property
    def is_notice(self) -> bool:
        """Whether it belongs to the article as a whole: there is no sentence that it can safely be pinned to.

        What is a word or a clause on a thing named in its own sentence ("the unverified file") is read there, and what
        others had not confirmed only beside what it may be about.
        """
        return self.by_outlet and not self.covers and self.kind is not CaveatKind.INLINE


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with all that was read into it: the unit that is indexed and shown.

    ``caveats`` are those that surely cover it, ``possible_caveats`` those that may. The ``attribution`` is what can be
    shown: its speaker is sure.
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
        """Who says it, if anybody is known to."""
        return self.attribution.speaker if self.attribution else None

    @property
    def voice(self) -> Voice:
        """In what voice it stands."""
        return self.attribution.voice if self.attribution else Voice.OUTLET


@dataclass(frozen=True, slots=True)
class Reading:
    """An article read: its passages, one a sentence and in order, and all its caveats."""

    article: Article
    passages: tuple[Passage, ...]
    caveats: tuple[Caveat, ...] = ()

    @property
    def notices(self) -> tuple[Caveat, ...]:
        """The caveats that no sentence can safely be pinned to."""
        return tuple(c for c in self.caveats if c.is_notice)


@dataclass(frozen=True, slots=True)
class Entity:
    """One person, body, place, group or event over all articles, the same in whatever order they were read.

    ``variants`` are the spellings met, ``name`` the one chosen to stand for them.
    """

    name: str
    kind: Kind
    variants: tuple[str, ...]
    articles: tuple[str, ...] = ()
