"""A caveat among the sentences of its article: what every feature of scope asks anew, worked out once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import Kind, Object
from retrieval.caveats.claim_status import ClaimStatus
from retrieval.caveats.nouns import FAMILIES, PICTURED

REACH = 14  # sentences back among which whose it is, and the anchor, are looked for
FARTHEST = 40  # sentences on either side that a caveat is judged to cover; no label reaches as far
_LOOKED_THROUGH = 200  # sentences back, boilerplate among them
_DESCRIBED = 9  # sentences back in which a video may have been brought on
# How a sentence begins that speaks of the thing just named, by the number of its family.
_BEGINNING = r"\W*(?:\w+\W+){0,4}?(?:the|this|that|these|those) (?!(?:other|earlier|second)\b)(?:[\w-]+ )?"
_DEFINITE = tuple(re.compile(rf"{_BEGINNING}(?:{'|'.join(family)})s?\b", re.IGNORECASE) for family in FAMILIES)


@dataclass(frozen=True)
class CaveatContext:
    """Where a caveat stands: the sentences of the article, the caveat's own, and its object.

    ``deniers`` are the speakers who deny something anywhere in the article.
    """

    ground: tuple[ClaimStatus, ...]
    at: int
    object: Object
    deniers: frozenset[str]

    @property
    def own(self) -> ClaimStatus:
        """The sentence that holds the caveat."""
        return self.ground[self.at]

    def between(self, i: int) -> list[ClaimStatus]:
        """Return the sentences between ``i`` and the caveat, nearest to the caveat first, boilerplate left out."""
        if i < self.at:
            return [f for f in reversed(self.ground[i + 1 : self.at]) if not f.aside]
        return [f for f in self.ground[self.at + 1 : i] if not f.aside]

    @cached_property
    def before(self) -> tuple[ClaimStatus, ...]:
        """The sentences before the caveat, nearest first, that may say something of its object."""
        found = (
            f
            for f in reversed(self.ground[max(0, self.at - _LOOKED_THROUGH) : self.at])
            if not f.aside and not patterns.NO_COMMENT.search(f.text)
        )
        return tuple(f for f, _ in zip(found, range(REACH), strict=False))

    @cached_property
    def owner(self) -> frozenset[str]:
        """The stems of the owner's name; none where nobody before is called by it."""
        owner = self.object.owner
        told = any(not f.stems.isdisjoint(owner) for f in self.before)
        return owner if told or self.owner_spoke else frozenset()

    @cached_property
    def owner_spoke(self) -> bool:
        """Whether the owner says something before the caveat."""
        return any(f.is_said_by(self.object.owner) for f in self.before if not f.denies)

    @cached_property
    def anchor(self) -> ClaimStatus | None:
        """The nearest sentence before that says what could not be verified, by all that can be seen at once."""
        fitting = [f for f in self.before if self._fits(f)]
        if self.owner and self.object.kind not in (Kind.THING, Kind.POINT):
            owned = (f for f in fitting if f.is_said_by(self.owner))
            return next(owned, None) or next(iter(fitting), None)
        return next(iter(fitting), None)

    @cached_property
    def side(self) -> frozenset[int]:
        """The indexes of the claims before by the anchor's speaker, and by whoever speaks for the same party.

        "Officials in Oxley" and "the Oxley mayor's office" are one, and so is "the office" that goes on.
        """
        claims = [f for f in self.before if f.claim and f.speaker and not f.denies]
        found = [f for f in claims if f is self._told_by]
        while more := [f for f in claims if f not in found and any(f.goes_on_from(g) for g in found)]:
            found += more
        return frozenset(f.index for f in found)

    @cached_property
    def _told_by(self) -> ClaimStatus | None:
        """The anchor; where it names nobody and begins with "it" or "the group", the claim right before."""
        anchor = self.anchor
        if anchor is None or anchor.speaker or not patterns.GOING_ON.match(anchor.text):
            return anchor
        told = next((f for f in self.before if f.index < anchor.index), None)
        return told if told and told.claim else anchor

    def _fits(self, status: ClaimStatus) -> bool:
        if status.observed or status.reacts:
            return False
        if self.object.kind is Kind.FIGURE:
            return (status.claim or status.reports) and patterns.NUMBER.search(status.text) is not None
        if self.object.kind is Kind.THING:
            return not status.families.isdisjoint(self.object.families)
        return status.claim or status.hearsay or status.reports

    @cached_property
    def families(self) -> frozenset[int]:
        """The families of the thing meant; where it is "this", those that the caveat's sentence names."""
        implied = self.object.kind in (Kind.POINT, Kind.WITHIN) or self.object.inside
        return self.object.families or (self.own.families if implied else frozenset())

    @cached_property
    def brought_on(self) -> int | None:
        """The index of the first sentence, not far before, that names the thing."""
        near = self.ground[max(0, self.at - _DESCRIBED) : self.at]
        return next((f.index for f in near if f.families & self.families), None)

    @cached_property
    def going_on(self) -> frozenset[int]:
        """The indexes of the sentences behind the caveat that without a break go on to tell of the thing."""
        found: set[int] = set()
        if not self.families:
            return frozenset()
        for status, before in self._onward():
            if status.denies or not (self._names(status) or self._continues(status, before)):
                break
            found.add(status.index)
        return frozenset(found)

    def _onward(self) -> Iterator[tuple[ClaimStatus, ClaimStatus]]:
        """Yield each sentence after the caveat with the one before it."""
        before = self.own
        for status in self.ground[self.at + 1 : self.at + 1 + FARTHEST]:
            if not status.aside:
                yield status, before
                before = status

    def _names(self, status: ClaimStatus) -> bool:
        """Return whether it names the thing: "The letter says", "In the clip a man runs", not "Another video"."""
        return any(_DEFINITE[number].match(status.text) for number in status.families & self.families)

    def _continues(self, status: ClaimStatus, before: ClaimStatus) -> bool:
        run = before is not self.own
        alone = run and not status.claim
        shown = not PICTURED.isdisjoint(self.families) and patterns.SHOWING.search(before.text) is not None
        return alone and (shown or patterns.OF_PEOPLE.match(status.text) is not None)


def chains(claim_statuses: Iterable[ClaimStatus]) -> frozenset[int]:
    """Return the numbers of the chains in which somebody claims something."""
    return frozenset(f.chain for f in claim_statuses if f.claim and not f.reacts)
