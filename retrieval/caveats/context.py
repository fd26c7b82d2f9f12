"""A caveat among the sentences of its article: what every feature of scope needs, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import CaveatObject, ObjectKind
from retrieval.caveats.claim_status import ClaimStatus

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
        found = (
            f
            for f in reversed(self.ground[max(0, self.at - _SEARCHED_SENTENCES) : self.at])
            if not f.is_boilerplate and not patterns.NO_COMMENT.search(f.text)
        )
        return tuple(f for f, _ in zip(found, range(REACH), strict=False))

    @cached_property
    def owner(self) -> frozenset[str]:
        """The stems of the owner's name; empty where nobody before has that name."""
        owner = self.object.owner
        named = any(not f.stems.isdisjoint(owner) for f in self.before)
        return owner if named or self.owner_spoke else frozenset()

    @cached_property
    def owner_spoke(self) -> bool:
        return any(f.is_said_by(self.object.owner) for f in self.before if not f.denies)

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
        claims = [f for f in self.before if f.is_claim and f.speaker and not f.denies]
        found = [f for f in claims if f is self._claim_behind_anchor]
        while more := [f for f in claims if f not in found and any(f.goes_on_from(g) for g in found)]:
            found += more
        return frozenset(f.index for f in found)

    @cached_property
    def _claim_behind_anchor(self) -> ClaimStatus | None:
        """The anchor; or the claim right before an anchor that begins with "it" or "the group"."""
        anchor = self.anchor
        if anchor is None or anchor.speaker or not patterns.GOING_ON.match(anchor.text):
            return anchor
        previous = next((f for f in self.before if f.index < anchor.index), None)
        return previous if previous and previous.is_claim else anchor

    def _fits(self, status: ClaimStatus) -> bool:
        if status.is_observed or status.reacts:
            return False
        if self.object.kind is ObjectKind.FIGURE:
            return (status.is_claim or status.reports_speech) and patterns.NUMBER.search(status.text) is not None
        if self.object.kind is ObjectKind.THING:
            return not status.families.isdisjoint(self.object.families)
        return status.is_claim or status.is_hearsay or status.reports_speech
