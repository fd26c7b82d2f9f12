"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from retrieval.caveats.excuses import excused
from retrieval.caveats.footing import asserts, describes, footings, is_quoted
from retrieval.caveats.inability import Trigger
from retrieval.caveats.matter import PICTURES, POINTERS, Matter, matter_of
from retrieval.caveats.scene import Scene
from retrieval.caveats.scope import covered, within
from retrieval.caveats.triggers import find_triggers
from retrieval.caveats.verifying import STEMS
from retrieval.caveats.whose import Inability, whose
from retrieval.caveats.wording import Wording, wording
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Denial, Mention, Sentence
from retrieval.names.outlets import Press, press_of
from retrieval.sentences.layout import Layout
from retrieval.tables import listed

_DEFINITE = listed("the this that these those his her its their any either neither none each both such")
_POSSESSIVE = listed("'s ’s their his her its")
_OFTEN = listed("often frequently generally usually rarely seldom always most some")
_KEPT_OUT = re.compile(
    r"\b(?:journalists?|media|reporters?|press|correspondents?|access|communications)\b", re.IGNORECASE
)
_KEEPING_OUT = re.compile(
    r"\b(?:restrict\w*|barr(?:ed|ing)|bann?(?:ed|s)?|prevent\w*|expel\w*|not allow\w*|limit\w*|block\w*|curb\w*)\b",
    re.IGNORECASE,
)
_MOST_TRIGGERS = 20  # in one sentence; a caveat behind more of them is no news copy
_PARTIAL = listed("identity identities location locations date dates place when where whom")
_CONCEDING = listed("but though although while yet")
_SIDES = listed("either both neither none sides side")


@dataclass(frozen=True, slots=True)
class _Found:
    """A caveat before its scope is known."""

    sentence: Sentence
    line: Wording
    trigger: Trigger
    inability: Inability
    matter: Matter

    @property
    def is_inline(self) -> bool:
        """Whether what could not be stood up stands in the same sentence, and there alone."""
        return self.matter.within or self._after_its_claim()

    @property
    def inside(self) -> bool:
        """Whether its sentence tells something of what could not be stood up."""
        return self.matter.within or self._after_its_claim() or self._before_its_claim()

    def _after_its_claim(self) -> bool:
        """Tell "…, but the claim could not be verified"."""
        clause = self.line.clause_start(self.trigger.start)
        pointing = not POINTERS.isdisjoint(self.matter.words[:1])
        if self.inability.relayed and pointing and self.line.word(clause - 1) in _CONCEDING:
            return True
        if not _SIDES.isdisjoint(self.matter.words):
            return False
        return self._tells(0, min(clause, self.matter.start))

    def _before_its_claim(self) -> bool:
        """Tell "While it cannot be verified, the video shows …"."""
        return self._tells(max(self.trigger.end, self.matter.start + len(self.matter.words)), len(self.line))

    def _tells(self, start: int, end: int) -> bool:
        text = " ".join(self.line.words[start:end])
        pictured = self.matter.speaks_of(PICTURES) and not PICTURES.isdisjoint(self.line.lower[start:end])
        return asserts(text) or (pictured and (not self.matter.origin or describes(text)))


def find_caveats(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    stems = _stems_in(layout.article.text, STEMS)
    found = tuple(_found(layout, attributions, stems)) if stems else ()
    if not found:
        return ()
    ground = footings(layout, mentions, attributions, denials)
    floors = (0, *(each.sentence.index + 1 for each in found))
    ceilings = (*(each.sentence.index for each in found[1:]), len(ground))
    return tuple(
        _caveat(each, Scene(ground, each.sentence.index, floor, ceiling, each.matter, each.inside))
        for each, floor, ceiling in zip(found, floors, ceilings, strict=False)
    )


def _stems_in(text: str, stems: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``stems`` that stand in ``text``: without one it tells of nothing that was to be stood up."""
    lowered = text.lower()
    return tuple([stem for stem in stems if stem in lowered])


def _found(layout: Layout, attributions: tuple[Attribution | None, ...], stems: tuple[str, ...]) -> Iterator[_Found]:
    """Give the caveats; ``stems`` are those that stand in the article."""
    press = press_of(layout.article)
    for sentence in layout.sentences:
        if _stems_in(layout.text(sentence), stems):
            found = _in_sentence(layout, sentence, press, attributions[sentence.index])
            if found:
                yield found


def _in_sentence(layout: Layout, sentence: Sentence, press: Press, said: Attribution | None) -> _Found | None:
    line = wording(layout, sentence)
    reported = said is not None and said.speaker in press.reporters
    for trigger in islice(find_triggers(line), _MOST_TRIGGERS):
        if excused(line, trigger):
            continue
        inability = whose(line, trigger, press) or (Inability(press.source) if reported else None)
        if inability and (inability.verifier or not is_quoted(layout, line.span(trigger.start, trigger.end))):
            return _Found(sentence, line, trigger, inability, matter_of(line, trigger))
    return None


def _caveat(found: _Found, scene: Scene) -> Caveat:
    kind = _kind(found)
    covers, rule = _scope(found, kind, scene)
    span = found.line.span(found.trigger.start, found.trigger.end)
    return Caveat(kind, scene.at, span, covers, found.inability.verifier, f"{found.trigger.rule}, {rule}")


def _scope(found: _Found, kind: CaveatKind, scene: Scene) -> tuple[tuple[int, ...], str]:
    if kind is CaveatKind.PHOTO:
        return (scene.at,), "picture credit"
    if kind is CaveatKind.STANDING:
        return (), "reporting restrictions"
    if found.is_inline:
        return within(scene), "same sentence"
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
    if found.is_inline:
        return CaveatKind.INLINE
    return CaveatKind.PARTIAL if found.matter.speaks_of(_PARTIAL) else CaveatKind.OWN


def _is_standing(found: _Found) -> bool:
    """Tell "reports from there cannot be verified, as journalists are kept out": nothing definite is meant."""
    words = found.matter.words
    if not words or found.matter.within or words[0] in _DEFINITE or not _POSSESSIVE.isdisjoint(words):
        return False
    text = " ".join(found.line.words)
    if words[:2] in {("some", "of"), ("most", "of")}:
        return False
    often = not _OFTEN.isdisjoint((*words, *found.line.lower[max(0, found.trigger.start - 2) : found.trigger.end]))
    return often or (_KEPT_OUT.search(text) is not None and _KEEPING_OUT.search(text) is not None)
