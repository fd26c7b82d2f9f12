"""A caveat and the sentences near it -> those it surely covers and those it may, by scores from named features.

``CaveatContext`` holds what several features need, computed once for all sentences. A feature is 0 or 1, or a small
number; what does not speak is left out. The name says what is seen. The weights are learned (``scope.toml``). The
theory: ``docs/theory/scope.md``.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import CaveatObject, ObjectKind
from retrieval.caveats.claim_status import ClaimStatus
from retrieval.caveats.cues import PICTURED, cues
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import CaveatKind, Judgement, Voice

Feature = tuple[str, float]
JUDGED = 20_000  # sentences of an article, each as often as a caveat is near: some two seconds
WEIGHTS = files(__package__) / "scope.toml"
_MAX_DISTANCE = 4  # sentences; beyond, only the logarithm counts
_MAX_COUNT = 3  # more make no difference
REACH = 14  # sentences back among which whose it is, and the anchor, are looked for
FARTHEST = 40  # sentences on either side that a caveat may cover; no label reaches as far
_SEARCHED_SENTENCES = 200  # sentences back, boilerplate among them


@dataclass(frozen=True)
class CaveatContext:
    """A caveat among the sentences of its article; ``signs`` name what is known of it beside its object."""

    ground: tuple[ClaimStatus, ...]
    at: int
    object: CaveatObject
    signs: tuple[str, ...] = ()

    @property
    def own(self) -> ClaimStatus:
        return self.ground[self.at]

    def between(self, i: int) -> list[ClaimStatus]:
        if i < self.at:
            return [f for f in reversed(self.ground[i + 1 : self.at]) if not f.is_boilerplate]
        return [f for f in self.ground[self.at + 1 : i] if not f.is_boilerplate]

    @cached_property
    def before(self) -> tuple[ClaimStatus, ...]:
        """The sentences before the caveat, nearest first, that may be about its object."""
        nearest = reversed(self.ground[max(0, self.at - _SEARCHED_SENTENCES) : self.at])
        found = (f for f in nearest if not (f.is_boilerplate or patterns.NO_COMMENT.search(f.text)))
        return tuple(islice(found, REACH))

    @cached_property
    def owner(self) -> frozenset[str]:
        """The stems of the owner's name; empty where nobody before has that name."""
        owner = self.object.owner
        known = any(not f.stems.isdisjoint(owner) or (f.is_said_by(owner) and not f.denies) for f in self.before)
        return owner if known else frozenset()

    @cached_property
    def anchor(self) -> ClaimStatus | None:
        """The nearest sentence before that says what could not be verified."""
        fitting = [f for f in self.before if self._fits(f)]
        may_be_said = self.object.kind not in (ObjectKind.THING, ObjectKind.POINT)
        said = [f for f in fitting if f.is_said_by(self.owner)] if self.owner and may_be_said else []
        return next(iter(said or fitting), None)

    @cached_property
    def side(self) -> frozenset[int]:
        """The indexes of the claims before by the anchor's speaker, and by whoever speaks for the same party.

        "Officials in Oxley" and "the Oxley mayor's office" are one, and so is "the office" that goes on.
        """
        start = self.anchor
        if start and not start.speaker and patterns.GOING_ON.match(start.text):
            # an anchor that begins with "it" or "the group" goes on with the claim right before
            previous = next((f for f in self.before if f.index < start.index), None)
            start = previous if previous and previous.is_claim else start
        claims = [f for f in self.before if f.is_claim and f.speaker and not f.denies]
        found = [f for f in claims if f is start]
        while more := [f for f in claims if f not in found and any(f.goes_on_from(g) for g in found)]:
            found += more
        return frozenset(f.index for f in found)

    def _fits(self, status: ClaimStatus) -> bool:
        if status.is_observed or status.reacts:
            return False
        if self.object.kind is ObjectKind.FIGURE:
            return (status.is_claim or status.reports_speech) and patterns.NUMBER.search(status.text) is not None
        if self.object.kind is ObjectKind.THING:
            return not status.families.isdisjoint(self.object.families)
        return status.is_claim or status.is_hearsay or status.reports_speech


def features(context: CaveatContext, i: int) -> dict[str, float]:
    status = context.ground[i]
    return {name: float(value) for group in FEATURE_GROUPS for name, value in group(context, status) if value}


def _side(context: CaveatContext, status: ClaimStatus) -> str:
    return "before" if status.index < context.at else "after"


def _one_party(context: CaveatContext, status: ClaimStatus) -> bool:
    """Return whether distance says nothing: of a party's claims, and under a remark on reporting in general."""
    of_party = context.object.kind is ObjectKind.CLAIMS and status.index in context.side
    return of_party or f"kind {CaveatKind.STANDING}" in context.signs


def _number(context: CaveatContext) -> str:
    return "several" if context.object.plural else "one"


def _place(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    side, kind = _side(context, status), context.object.kind
    away = len(context.between(status.index)) + 1
    yield side, 1
    yield f"{side} by {min(away, _MAX_DISTANCE)}", 1
    yield f"{side} {kind}", 1
    if side == "after":
        yield "far after", math.log(away)
    # a party's claims are one matter, however far apart they are
    elif not _one_party(context, status):
        yield f"far from {_number(context)}", math.log(away)
        yield f"far from {kind}", math.log(away)
    paragraphs = min(_MAX_COUNT, abs(status.paragraph - context.own.paragraph))
    yield f"{side} by {paragraphs} paragraphs", 1
    yield from ((f"{side}: {sign}", 1) for sign in context.signs)


def _voice(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    yield "denies", status.denies
    yield f"{_assertion(status)} {_side(context, status)}", 1
    yield f"{_assertion(status)}: {context.signs[0]}", 1
    yield "hearsay", status.is_hearsay
    yield "media", status.voice is Voice.MEDIA
    yield "office", status.has_office
    yield f"office beside {context.object.kind}", status.has_office
    onlookers = status.is_claim and not cues.onlookers.isdisjoint((status.speaker or "").lower().split())
    yield f"onlookers speak beside {context.object.kind}", onlookers
    yield "another caveat", status.holds_caveat


def _assertion(status: ClaimStatus) -> str:
    if status.is_claim and status.speaker:
        return "said"
    if status.voice is Voice.UNRESOLVED:
        return "unresolved"
    if status.is_claim:
        return "claimed"
    return "reported" if status.reports_speech else "own voice"


def _between(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    between = context.between(status.index)
    yield "heading between", any(f.is_heading for f in context.ground[status.index : context.at])
    yield "caveat between", any(f.holds_caveat for f in between)
    yield "reaction between", any(f.reacts for f in between) and not _one_party(context, status)
    yield "own voice between", min(_MAX_COUNT, sum(not f.is_claim and not f.reports_speech for f in between))
    if status.index < context.at and not _one_party(context, status):
        is_thing = context.object.kind is ObjectKind.THING
        meant = "thing" if is_thing else "sides" if context.object.sides else _number(context)
        others = {f.chain for f in between if f.is_claim and not f.reacts} - {status.chain}
        yield f"speakers between {meant}", min(_MAX_COUNT, len(others))


def _anchor(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    anchor, side, kind = context.anchor, _side(context, status), context.object.kind
    if anchor is None:
        yield f"no anchor {side}", 1
        return
    if status is anchor:
        yield "anchor", 1
        yield f"anchor {kind}", 1
        yield "anchor with an opinion", patterns.OPINION.search(status.text) is not None
        return
    if status.index in context.side:
        yield f"side of the anchor {kind}", 1
    yield "words of the anchor", min(4, len(status.stems & anchor.stems)) / 2
    yield "nearer than the anchor", anchor.index < status.index < context.at
    yield from _beside_anchor(context, status, anchor)


def _beside_anchor(context: CaveatContext, status: ClaimStatus, anchor: ClaimStatus) -> Iterator[Feature]:
    side, number = _side(context, status), _number(context)
    if status.chain == anchor.chain:
        yield f"chain of the anchor {side}", 1
        yield f"chain of the anchor {number}", 1
    if status.goes_on_from(anchor):
        yield f"speaker of the anchor {side}", 1
    elif status.is_claim and status.speaker and anchor.speaker and status.index not in context.side:
        yield f"another speaker {side}", 1
        yield f"another speaker {number} {side}", 1


def _owner(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    owner = context.owner
    if not owner:
        yield "owner unknown", bool(context.object.owner)
        return
    if status.is_said_by(owner):
        yield f"owner speaks {_side(context, status)}", 1
        return
    yield "owner is named", not status.stems.isdisjoint(owner)
    yield "owner is not named", status.stems.isdisjoint(owner)


def _words(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    it, side = context.object, _side(context, status)
    yield "words of the object", min(_MAX_COUNT, len(status.stems & (it.topic - context.owner)))
    yield "words of the caveat", min(4, len(status.stems & (it.sentence - it.topic))) / 2
    apart = bool(it.topic) and status.stems.isdisjoint(it.topic)
    yield f"no word of the object {side}", apart
    yield f"no word of the {it.kind} {side}", apart
    yield "noun of the object", not status.stems.isdisjoint(it.echo)
    yield "opinion", patterns.OPINION.search(status.text) is not None
    yield "no comment", patterns.NO_COMMENT.search(status.text) is not None
    yield "if true", patterns.IF_TRUE.search(status.text) is not None
    yield f"goes on {_side(context, status)}", patterns.GOING_ON.match(status.text) is not None
    yield "a side claims", it.sides and status.is_claim
    yield "no side claims", it.sides and not status.is_claim


def _thing(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    families, side = context.object.families, _side(context, status)
    if not families:
        yield "another thing", not status.families.isdisjoint(PICTURED)
        return
    match = not status.families.isdisjoint(families)
    shows = patterns.SHOWING.search(status.text) is not None
    yield f"thing {side}", match
    yield "thing shows", match and shows
    yield "thing told of", match and status.is_claim
    yield "shows", shows
    yield "opens with the thing", patterns.OF_THE_THING.match(status.text) is not None
    yield "own voice without the thing", not match and not status.is_claim
    yield "quoted beside a thing", status.voice is Voice.UNRESOLVED
    previous = context.ground[status.index - 1] if status.index else None
    if previous and not match and not previous.families.isdisjoint(families):
        yield "behind the thing", 1
        yield "goes on behind the thing", patterns.GOING_ON.match(status.text) is not None


def _figures(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    counts = patterns.NUMBER.search(status.text) is not None
    toll = patterns.TOLL.search(status.text) is not None
    yield "toll", toll
    if context.object.kind is not ObjectKind.FIGURE:
        yield "number", counts
        return
    yield "figure", counts
    yield "figure of a toll", counts and toll
    yield f"figure told {_side(context, status)}", counts and (status.is_claim or status.reports_speech)
    yield "no figure", not counts


FEATURE_GROUPS: tuple[Callable[[CaveatContext, ClaimStatus], Iterator[Feature]], ...] = (
    _place,
    _voice,
    _between,
    _anchor,
    _owner,
    _words,
    _thing,
    _figures,
)


@dataclass(frozen=True, slots=True)
class ScopeModel:
    """The weights; a sentence is covered from ``sure`` on, possibly from ``possible`` on (probabilities)."""

    logistic: Logistic
    sure: float
    possible: float


@cache
def load_model() -> ScopeModel:
    with_caveat = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return ScopeModel(read_logistic(WEIGHTS), with_caveat["sure"], with_caveat["possible"])


def eligible(context: CaveatContext, i: int) -> bool:
    """Return whether a caveat can be about sentence ``i``: no boilerplate, no denial, nothing a reporter saw."""
    status = context.ground[i]
    denies = status.denies and not context.object.sides
    return i != context.at and not (status.is_boilerplate or status.is_observed or denies)


def reach(caveats: int) -> int:
    """Return how many sentences on either side are judged, in an article with so many caveats.

    Nobody writes hundreds. Where they do, each has fewer sentences to itself, and in the longest article that
    is taken every sentence is, on average, still within reach of one.
    """
    return max(1, min(FARTHEST, JUDGED // (2 * max(caveats, 1))))


def judge_sentences(context: CaveatContext, farthest: int = FARTHEST) -> tuple[Judgement, ...]:
    """Judge each sentence within reach that the caveat can be about, in order."""
    weights = load_model().logistic
    near = range(max(0, context.at - farthest), min(len(context.ground), context.at + farthest + 1))
    found = ((i, features(context, i)) for i in near if eligible(context, i))
    return tuple(Judgement(i, weights.probability(seen), weights.parts(seen), lacks_fact(seen)) for i, seen in found)


def lacks_fact(seen: Iterable[str]) -> bool:
    """Return whether a sentence has no word of the fact that could not be verified: of 424 such, 29 are covered."""
    return any(feature.startswith("no word of the fact") for feature in seen)


def bands(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indexes of the sentences that are surely covered, and of those that may be.

    A sentence that lacks the fact may be, and never is surely.
    """
    learned = load_model()
    near = [each for each in judgements if each.probability >= learned.possible]
    sure = tuple(each.sentence for each in near if each.probability >= learned.sure and not each.lacks_fact)
    return sure, tuple(each.sentence for each in near if each.sentence not in sure)
