"""A sentence beside a caveat -> named signals of whether it is covered; the weights are learned (``scope.toml``).

A signal is 0 or 1, or a small number; what does not speak is left out. The name says what is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import takewhile

from retrieval.caveats import patterns
from retrieval.caveats.footing import Footing
from retrieval.caveats.nouns import PICTURED
from retrieval.caveats.objects import Kind
from retrieval.caveats.scene import Scene, chains
from retrieval.model import Voice

Signal = tuple[str, float]
_FARTHEST = 4  # sentences away from which on distance is told by its logarithm alone
_MOST = 3  # from which on what is counted no longer tells anything


def signals(scene: Scene, i: int) -> dict[str, float]:
    """Return what speaks for and against sentence ``i`` being covered."""
    footing = scene.ground[i]
    return {name: float(value) for look in LOOKS for name, value in look(scene, footing) if value}


def _side(scene: Scene, footing: Footing) -> str:
    return "before" if footing.index < scene.at else "after"


def _one_matter(scene: Scene, footing: Footing) -> bool:
    """Tell whether a sentence is one of a party's claims, where claims are what could not be stood up."""
    return scene.object.kind is Kind.CLAIMS and footing.index in scene.side


def _number(scene: Scene) -> str:
    return "several" if scene.object.plural else "one"


def _place(scene: Scene, footing: Footing) -> Iterator[Signal]:
    side, kind = _side(scene, footing), scene.object.kind
    away = len(scene.between(footing.index)) + 1
    yield side, 1
    yield f"{side} by {min(away, _FARTHEST)}", 1
    yield f"{side} {kind}", 1
    if side == "after":
        yield "far after", math.log(away)
        yield "after a pointer", scene.object.pointing
    # a party's claims are one matter, however far they stand apart
    elif not _one_matter(scene, footing):
        yield f"far from {_number(scene)}", math.log(away)
        yield f"far from {kind}", math.log(away)
    yield f"{side} a claim told inside", scene.object.inside
    yield f"{side} a thing told inside", scene.object.inside and bool(scene.object.families)


def _voice(scene: Scene, footing: Footing) -> Iterator[Signal]:
    thing = bool(scene.object.families)
    if footing.denies:
        yield "denies beside two sides" if scene.object.sides else "denies", 1
        yield "denies beside a thing", thing
    elif footing.reacts:
        yield "reacts", 1
        yield "reacts beside a thing", thing
    if not footing.aside:
        yield f"{_told(footing)} {_side(scene, footing)}", 1
    yield "hearsay", footing.hearsay
    yield "media", footing.voice is Voice.MEDIA
    yield "office", footing.office
    yield f"office beside {scene.object.kind}", footing.office
    yield "denier speaks", footing.speaker in scene.deniers and not footing.denies
    yield "another caveat", footing.holds_caveat


def _told(footing: Footing) -> str:
    if footing.claim and footing.speaker:
        return "said"
    if footing.voice is Voice.UNRESOLVED:
        return "unresolved"
    if footing.claim:
        return "claimed"
    return "reported" if footing.reports else "own voice"


def _between(scene: Scene, footing: Footing) -> Iterator[Signal]:
    between = scene.between(footing.index)
    yield "heading between", any(f.heading for f in scene.ground[footing.index : scene.at])
    yield "caveat between", any(f.holds_caveat for f in between)
    yield "reaction between", any(f.reacts for f in between) and not _one_matter(scene, footing)
    yield "own voice between", min(_MOST, sum(not f.claim and not f.reports for f in between))
    if footing.index < scene.at and not _one_matter(scene, footing):
        meant = "thing" if scene.object.kind is Kind.THING else "sides" if scene.object.sides else _number(scene)
        yield f"speakers between {meant}", min(_MOST, len(chains(between) - {footing.chain}))


def _anchor(scene: Scene, footing: Footing) -> Iterator[Signal]:
    anchor, side, kind = scene.anchor, _side(scene, footing), scene.object.kind
    if anchor is None:
        yield f"no anchor {side}", 1
        return
    if footing is anchor:
        yield "anchor", 1
        yield f"anchor {kind}", 1
        yield "anchor with an opinion", patterns.OPINION.search(footing.text) is not None
        return
    if footing.index in scene.side:
        yield f"side of the anchor {kind}", 1
    yield "words of the anchor", min(4, len(footing.stems & anchor.stems)) / 2
    yield "nearer than the anchor", anchor.index < footing.index < scene.at
    yield from _beside_anchor(scene, footing, anchor)
    if footing.index < anchor.index:
        yield from _up_to(scene.ground[footing.index : anchor.index], anchor, _number(scene))


def _beside_anchor(scene: Scene, footing: Footing, anchor: Footing) -> Iterator[Signal]:
    side, number = _side(scene, footing), _number(scene)
    if footing.chain == anchor.chain:
        yield f"chain of the anchor {side}", 1
        yield f"chain of the anchor {number}", 1
    if footing.goes_on_from(anchor):
        yield f"speaker of the anchor {side}", 1
    elif footing.claim and footing.speaker and anchor.speaker and footing.index not in scene.side:
        yield f"another speaker {side}", 1
        yield f"another speaker {number} {side}", 1


def _up_to(run: tuple[Footing, ...], anchor: Footing, number: str) -> Iterator[Signal]:
    told = [f for f in run if not f.aside]
    if all(f.goes_on_from(anchor) for f in told):
        yield "unbroken to the anchor", 1
    elif all(f.claim for f in told):
        yield "claims up to the anchor", 1
        yield f"claims up to the anchor {number}", 1


def _owner(scene: Scene, footing: Footing) -> Iterator[Signal]:
    owner = scene.owner
    if not owner:
        yield "owner unknown", bool(scene.object.owner)
        return
    if footing.is_said_by(owner):
        yield f"owner speaks {_side(scene, footing)}", 1
        return
    yield "owner is named", not footing.stems.isdisjoint(owner)
    yield "owner is not named", footing.stems.isdisjoint(owner)
    if scene.owner_spoke:
        yield "owner spoke, this is another", footing.claim and footing.speaker is not None
        yield "owner spoke, this is nobody", not (footing.claim and footing.speaker)


def _words(scene: Scene, footing: Footing) -> Iterator[Signal]:
    it = scene.object
    yield "words of the object", min(_MOST, len(footing.stems & (it.topic - scene.owner)))
    yield "words of the caveat", min(4, len(footing.stems & (it.sentence - it.topic))) / 2
    yield "noun of the object", not footing.stems.isdisjoint(it.echo)
    yield "opinion", patterns.OPINION.search(footing.text) is not None
    yield "no comment", patterns.NO_COMMENT.search(footing.text) is not None
    yield "if true", patterns.IF_TRUE.search(footing.text) is not None
    yield f"goes on {_side(scene, footing)}", patterns.GOING_ON.match(footing.text) is not None
    charging = patterns.CHARGING.search(footing.text) is not None
    yield "charges", charging
    yield "charges as meant", charging and it.charges
    yield "charges nobody as meant", it.charges and not charging
    yield "a side claims", it.sides and footing.claim
    yield "no side claims", it.sides and not footing.claim
    if it.kind is Kind.REPORT:
        yield "named as the report is", any(name.lower() in footing.text.lower() for name in it.names)


def _people(scene: Scene, footing: Footing) -> Iterator[Signal]:
    """Tell whether a sentence stands among those of the people who tell what they saw."""
    if scene.object.kind is not Kind.PEOPLE or footing.index > scene.at:
        return
    start = scene.people_from
    yield "people are brought on", footing.index == start
    yield "since people were brought on", start is not None and start <= footing.index
    yield "before people were brought on", start is not None and footing.index < start


def _thing(scene: Scene, footing: Footing) -> Iterator[Signal]:
    families, side = scene.object.families, _side(scene, footing)
    yield from _described(scene, footing)
    if not families:
        yield "another thing", not footing.families.isdisjoint(PICTURED)
        return
    match = not footing.families.isdisjoint(families)
    shows = patterns.SHOWING.search(footing.text) is not None
    yield f"thing {side}", match
    yield "thing shows", match and shows
    yield "thing told of", match and footing.claim
    yield "shows", shows
    yield "opens with the thing", patterns.OF_THE_THING.match(footing.text) is not None
    yield "own voice without the thing", not match and not footing.claim
    yield "quoted beside a thing", footing.voice is Voice.UNRESOLVED
    previous = scene.ground[footing.index - 1] if footing.index else None
    if previous and not match and not previous.families.isdisjoint(families):
        yield "behind the thing", 1
        yield "goes on behind the thing", patterns.GOING_ON.match(footing.text) is not None


def _described(scene: Scene, footing: Footing) -> Iterator[Signal]:
    """Tell whether a sentence stands where the thing is described: since it was brought on, or right after."""
    yield "goes on telling of the thing", footing.index in scene.going_on
    start = scene.brought_on
    if start is None or footing.index > scene.at:
        return
    yield "since the thing was brought on", start <= footing.index
    yield "no word for the thing since", start < footing.index and footing.families.isdisjoint(scene.families)
    yield "before the thing was brought on", footing.index < start


def _figures(scene: Scene, footing: Footing) -> Iterator[Signal]:
    counts = patterns.NUMBER.search(footing.text) is not None
    toll = patterns.TOLL.search(footing.text) is not None
    yield "toll", toll
    if scene.object.kind is not Kind.FIGURE:
        yield "number", counts
        return
    yield "figure", counts
    yield "figure of a toll", counts and toll
    yield f"figure told {_side(scene, footing)}", counts and (footing.claim or footing.reports)
    yield "no figure", not counts


def _standing(scene: Scene, footing: Footing) -> Iterator[Signal]:
    """Tell a remark on reporting in general: "reports from there are hard to verify"."""
    it = scene.object
    yield "general: often", it.often
    yield "general: kept out", it.kept_out
    yield "general: bare", bool(it.words) and not it.definite
    yield "general: present", not it.past
    yield "general", it.often or (it.kept_out and not it.definite)
    yield "standing", not it.past and not it.definite and (it.often or it.kept_out or it.hard)
    several = it.kind in (Kind.CLAIMS, Kind.PEOPLE)
    yield "standing over several", several and not it.definite and it.kept_out
    yield "chain of the caveat", it.inside and footing.chain == scene.own.chain
    near = list(takewhile(lambda f: f.quotation is not None, scene.ground[scene.at : footing.index + 1]))
    yield "quotation goes on", footing.index == scene.at + 1 and len(near) > 1


LOOKS: tuple[Callable[[Scene, Footing], Iterator[Signal]], ...] = (
    _place,
    _voice,
    _between,
    _anchor,
    _owner,
    _words,
    _people,
    _thing,
    _figures,
    _standing,
)
