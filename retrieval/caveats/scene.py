"""Where a caveat stands among the sentences of its article, and walking from there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from retrieval.caveats.footing import Footing
from retrieval.caveats.matter import Matter

PASSED_OVER = 3  # sentences that are nobody's claim, between a caveat and the claim it speaks of


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a caveat stands: the sentences of the article, the caveat's own, and how far it may reach.

    It reaches from ``floor`` on and stops before ``ceiling``: the caveats before and after.
    ``inside`` tells that its own sentence tells something of what could not be stood up.
    """

    ground: tuple[Footing, ...]
    at: int
    floor: int
    ceiling: int
    matter: Matter
    inside: bool = False

    def back(self) -> Iterator[Footing]:
        """Give the sentences before the caveat, nearest first, up to the first barrier."""
        for i in range(self.at - 1, self.floor - 1, -1):
            footing = self.ground[i]
            if footing.heading or footing.observed:
                return
            if not footing.aside:
                yield footing

    def onward(self) -> Iterator[Footing]:
        """Give the sentences after the caveat, up to the first barrier."""
        for i in range(self.at + 1, self.ceiling):
            footing = self.ground[i]
            if footing.heading or footing.observed:
                return
            if not footing.aside:
                yield footing


def unbroken(footings: Iterable[Footing], wanted: Callable[[Footing], bool]) -> list[Footing]:
    """Return the sentences at the beginning of ``footings`` that are wanted, up to the first that is not."""
    found = []
    for footing in footings:
        if not wanted(footing):
            break
        found.append(footing)
    return found


def nearest_run(scene: Scene, wanted: Callable[[Footing], bool]) -> list[Footing]:
    """Return the nearest unbroken run of wanted sentences before the caveat, nearest first."""
    before = list(scene.back())
    for start, footing in enumerate(before[: PASSED_OVER + 1]):
        if wanted(footing):
            return unbroken(before[start:], wanted)
    return []


def is_claim(footing: Footing) -> bool:
    """Tell whether somebody claims the sentence."""
    return footing.claim


def indexes(footings: Iterable[Footing]) -> tuple[int, ...]:
    """Return where the sentences stand in the article."""
    return tuple(footing.index for footing in footings)
