"""A sentence beside a caveat -> named features: whether it is covered; the weights are learned (``scope.toml``).

A feature is 0 or 1, or a small number; what does not speak is left out. The name says what is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import ObjectKind
from retrieval.caveats.claim_status import ClaimStatus, stems
from retrieval.caveats.context import CaveatContext, chains
from retrieval.caveats.cues import PICTURED, cues
from retrieval.model import Voice

Feature = tuple[str, float]
_MAX_DISTANCE = 4  # sentences; beyond, only the logarithm counts
_VERIFYING = cues.verify | cues.verified | cues.unverified
_DENIAL = frozenset(("denial", "denials"))
_MAX_COUNT = 3  # more make no difference
_SHORT_ARTICLE = 10  # sentences


def features(context: CaveatContext, i: int) -> dict[str, float]:
    status = context.ground[i]
    return {name: float(value) for group in FEATURE_GROUPS for name, value in group(context, status) if value}


def _side(context: CaveatContext, status: ClaimStatus) -> str:
    return "before" if status.index < context.at else "after"


def _one_party(context: CaveatContext, status: ClaimStatus) -> bool:
    return context.object.kind is ObjectKind.CLAIMS and status.index in context.side


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
    yield f"{side} a claim told inside", context.object.inside
    yield f"{side} a thing told inside", context.object.inside and bool(context.object.families)


def _voice(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    thing = bool(context.object.families)
    if status.denies:
        yield "denies beside two sides" if context.object.sides else "denies", 1
        yield "denies beside a thing", thing
    if not status.is_boilerplate:
        yield f"{_assertion(status)} {_side(context, status)}", 1
    yield "hearsay", status.is_hearsay
    yield "media", status.voice is Voice.MEDIA
    yield "office", status.has_office
    yield f"office beside {context.object.kind}", status.has_office
    onlookers = status.is_claim and not cues.onlookers.isdisjoint((status.speaker or "").lower().split())
    yield f"onlookers speak beside {context.object.kind}", onlookers
    yield "denier speaks", status.speaker in context.article.deniers and not status.denies
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
        thing = context.object.kind is ObjectKind.THING
        meant = "thing" if thing else "sides" if context.object.sides else _number(context)
        yield f"speakers between {meant}", min(_MAX_COUNT, len(chains(between) - {status.chain}))


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
    if status.goes_on_from(anchor):
        yield f"speaker of the anchor {side}", 1
    if status.index < anchor.index:
        run = [f for f in context.ground[status.index : anchor.index] if not f.is_boilerplate]
        yield f"claims up to the anchor {_number(context)}", all(f.is_claim for f in run)
        yield f"claims up to the anchor {kind}", all(f.is_claim for f in run)


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
    if context.owner_spoke:
        yield "owner spoke, this is another", status.is_claim and status.speaker is not None
        yield "owner spoke, this is nobody", not (status.is_claim and status.speaker)


def _words(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    it = context.object
    yield "noun of the object", not status.stems.isdisjoint(it.echo)
    yield "opinion", patterns.OPINION.search(status.text) is not None
    yield "speaks of verifying", not _VERIFYING.isdisjoint(status.lower)
    yield "speaks of a denial", not _DENIAL.isdisjoint(status.lower)


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


def _topic(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    """Yield what the sentence shares with the caveat, its anchor and the title of the article."""
    article, side, own, anchor = context.article, _side(context, status), context.own, context.anchor
    matter = own.stems | (anchor.stems if anchor else frozenset())
    in_title = article.overlap(status.stems, article.title)
    yield "overlap with the caveat", article.overlap(status.stems, own.stems)
    yield "overlap with the topic", article.overlap(status.stems, context.object.topic)
    yield "share of the topic", article.share(status.stems, context.object.topic)
    yield "overlap with the title", in_title
    if article.overlap(matter, article.title) > 1:
        yield "title of the matter", in_title
        yield f"title of the matter {side}", 1
    if anchor and anchor is not status:
        yield f"overlap with the anchor {side}", article.overlap(status.stems, anchor.stems)
        yield "share of the anchor", article.share(anchor.stems, status.stems)
        yield f"paragraph of the anchor {side}", status.paragraph == anchor.paragraph


def _form(context: CaveatContext, status: ClaimStatus) -> Iterator[Feature]:
    """Yield how the caveat is put, together with where the sentence stands and whose it is."""
    side, kind, form = _side(context, status), context.object.kind, context.object.form
    away = len(context.between(status.index)) + 1
    yield f"{form} {side}", 1
    yield f"{form} {side} by {min(away, 2)}", 1
    yield f"{kind} {side} by {min(away, 3)}", 1
    yield f"{kind} {_assertion(status)} {side}", 1
    yield f"{side} by {min(_MAX_DISTANCE, abs(status.paragraph - context.own.paragraph))} paragraphs", 1
    yield "speaker is in the caveat", not stems(status.speaker or "").isdisjoint(context.own.stems)
    yield f"hearsay {side}", status.is_hearsay
    yield f"media {side}", status.voice is Voice.MEDIA
    is_opening = status is next((each for each in context.ground if not each.is_boilerplate), None)
    yield "opening", is_opening
    yield f"opening {kind}", is_opening
    yield "short article", len(context.ground) < _SHORT_ARTICLE


FEATURE_GROUPS: tuple[Callable[[CaveatContext, ClaimStatus], Iterator[Feature]], ...] = (
    *(_place, _voice, _between, _anchor, _owner, _words, _thing, _topic, _form),
)
