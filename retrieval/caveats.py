"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.excuses import excused
from retrieval.footing import Footing, asserts, footings
from retrieval.inability import Trigger
from retrieval.layout import Layout
from retrieval.matter import PICTURES, Matter, matter_of
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Denial, Mention, Sentence, Span
from retrieval.outlets import Press, press_of
from retrieval.scope import Scene, covered, with_quotation
from retrieval.titles import listed
from retrieval.triggers import find_triggers
from retrieval.verifying import STEMS
from retrieval.whose import Inability, whose
from retrieval.wording import Wording, wording

_DEFINITE = listed("the this that these those his her its their any either neither none each both such 's ’s")
_OFTEN = listed("often frequently generally usually rarely seldom always most some")
_KEPT_OUT = re.compile(
    r"\b(?:journalists?|media|reporters?|press|correspondents?|access|communications)\b", re.IGNORECASE
)
_KEEPING_OUT = re.compile(
    r"\b(?:restrict\w*|barr(?:ed|ing)|bann?(?:ed|s)?|prevent\w*|expel\w*|not allow\w*|limit\w*|block\w*|curb\w*)\b",
    re.IGNORECASE,
)
_PARTIAL = listed("identity identities location locations date dates place when where whom")
_SIDES = listed("either both neither none sides side")


@dataclass(frozen=True, slots=True)
class _Found:
    """A caveat before its scope is known."""

    sentence: Sentence
    line: Wording
    trigger: Trigger
    inability: Inability
    matter: Matter


def find_caveats(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    found = tuple(_found(layout)) if _speaks_of_it(layout.article.text) else ()
    if not found:
        return ()
    ground = footings(layout, mentions, attributions, denials)
    floors = (0, *(each.sentence.index + 1 for each in found))
    return tuple(_caveat(each, ground, floor) for each, floor in zip(found, floors, strict=False))


def _speaks_of_it(text: str) -> bool:
    lowered = text.lower()
    return any(stem in lowered for stem in STEMS)


def _found(layout: Layout) -> Iterator[_Found]:
    press = press_of(layout.article)
    for sentence in layout.sentences:
        if _speaks_of_it(layout.text(sentence)):
            found = _in_sentence(layout, sentence, press)
            if found:
                yield found


def _in_sentence(layout: Layout, sentence: Sentence, press: Press) -> _Found | None:
    line = wording(layout, sentence)
    for trigger in find_triggers(line):
        inability = None if excused(line, trigger) else whose(line, trigger, press)
        if inability and (inability.verifier or not _quoted(layout, line.span(trigger.start, trigger.end))):
            return _Found(sentence, line, trigger, inability, matter_of(line, trigger))
    return None


def _quoted(layout: Layout, span: Span) -> bool:
    """Tell whether the words are somebody's own; nobody quoted speaks of a newsroom's inability by its name."""
    return any(quotation.span.contains(span) for quotation in layout.quotations)


def _caveat(found: _Found, ground: tuple[Footing, ...], floor: int) -> Caveat:
    kind = _kind(found)
    inside = _after_its_claim(found) or _before_its_claim(found)
    covers, rule = _scope(kind, Scene(ground, found.sentence.index, floor, found.matter, inside))
    span = found.line.span(found.trigger.start, found.trigger.end)
    rules = f"{found.trigger.rule}, {rule}"
    return Caveat(kind, found.sentence.index, span, covers, found.inability.verifier, rules)


def _scope(kind: CaveatKind, scene: Scene) -> tuple[tuple[int, ...], str]:
    if kind is CaveatKind.PHOTO:
        return (scene.at,), "picture credit"
    if kind is CaveatKind.STANDING:
        return (), "reporting restrictions"
    if kind is CaveatKind.INLINE:
        return tuple(sorted(with_quotation(scene))), "same sentence"
    return covered(scene)


def _kind(found: _Found) -> CaveatKind:
    if found.sentence.boilerplate in {Boilerplate.CAPTION, Boilerplate.CREDIT}:
        return CaveatKind.PHOTO
    if found.trigger.pending:
        return CaveatKind.PENDING
    if found.inability.relayed:
        return CaveatKind.RELAYED
    if _is_standing(found):
        return CaveatKind.STANDING
    if found.matter.within or _after_its_claim(found):
        return CaveatKind.INLINE
    return CaveatKind.PARTIAL if found.matter.speaks_of(_PARTIAL) else CaveatKind.OWN


def _is_standing(found: _Found) -> bool:
    """Tell "reports from there cannot be verified, as journalists are kept out": nothing definite is meant."""
    words = found.matter.words
    if not words or found.matter.within or not _DEFINITE.isdisjoint(words):
        return False
    text = " ".join(found.line.words)
    often = not _OFTEN.isdisjoint((*words, *found.line.lower[found.trigger.start : found.trigger.end]))
    return often or (_KEPT_OUT.search(text) is not None and _KEEPING_OUT.search(text) is not None)


def _after_its_claim(found: _Found) -> bool:
    """Tell "…, but the claim could not be verified": what is meant stands before it in the same sentence."""
    if not _SIDES.isdisjoint(found.matter.words):
        return False
    start = min(found.line.clause_start(found.trigger.start), found.matter.start)
    return _tells(found, found.line.words[:start])


def _before_its_claim(found: _Found) -> bool:
    """Tell "While it cannot be verified, the video shows …": what is meant stands after it in the same sentence."""
    end = max(found.trigger.end, found.matter.start + len(found.matter.words))
    return _tells(found, found.line.words[end:])


def _tells(found: _Found, words: tuple[str, ...]) -> bool:
    text = " ".join(words)
    pictured = found.matter.speaks_of(PICTURES) and not PICTURES.isdisjoint(text.lower().split())
    return pictured or asserts(text)
