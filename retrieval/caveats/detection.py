"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.caveats.candidates import Candidate, candidates
from retrieval.caveats.caveat_object import CaveatObject, caveat_object_of
from retrieval.caveats.caveat_source import Inability
from retrieval.caveats.claim_status import Attributions, Denials, claim_statuses, stems
from retrieval.caveats.context import CaveatContext, Ground
from retrieval.caveats.cues import STEMS, cues
from retrieval.caveats.scope import bands, judge_sentences, reach
from retrieval.caveats.triggers import Wording
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Sentence
from retrieval.press.outlets import Press, press_of
from retrieval.text.blocks import Layout

FINDING = files(__package__) / "finding.toml"
INSIDE = files(__package__) / "inside.toml"
_PLAIN_RULES = frozenset(("denied verb", "negative subject", "inverted"))


@dataclass(frozen=True, slots=True)
class FindingModel:
    """Weights and thresholds (probabilities) of the two judgements on a candidate.

    It is a caveat from ``found`` on ("unverified footage" from ``epithet`` on), and surely one from ``sure`` on; it is
    about its own sentence from ``inside`` on.
    """

    caveat: Logistic
    own_sentence: Logistic
    found: float
    epithet: float
    sure: float
    inside: float


@cache
def load_finding() -> FindingModel:
    found, inside = (tomllib.loads(file.read_text(encoding="utf-8")) for file in (FINDING, INSIDE))
    thresholds = (found["found"], found["epithet"], found["sure"], inside["inside"])
    return FindingModel(read_logistic(FINDING), read_logistic(INSIDE), *thresholds)


@dataclass(frozen=True, slots=True)
class CaveatCandidate:
    """A caveat before its scope is known: ``inability`` is set, and its own sentence is judged."""

    candidate: Candidate
    inability: Inability
    is_sure: bool
    is_inside: bool

    @property
    def sentence(self) -> Sentence:
        return self.candidate.sentence

    @property
    def object(self) -> CaveatObject:
        line, trigger, phrase = self.candidate.line, self.candidate.trigger, self.candidate.phrase
        return caveat_object_of(line, trigger, phrase, inside=self.is_inside or phrase.within)


def find_caveats(layout: Layout, attributions: Attributions, denials: Denials) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    found = contexts(layout, attributions, denials)
    farthest = reach(len(found))
    caveats = (_caveat(*pair, farthest) for pair in found)
    return tuple(each for each in caveats if each.by_outlet or each.possible)


def contexts(
    layout: Layout, attributions: Attributions, denials: Denials
) -> tuple[tuple[CaveatCandidate, CaveatContext], ...]:
    cue_stems = _stems_in(layout.article.text, STEMS)
    found = tuple(_caveats_in(layout, attributions, cue_stems)) if cue_stems else ()
    if not found:
        return ()
    with_caveat = frozenset(each.sentence.index for each in found if not each.inability.officials)
    title = stems(layout.article.title or "")
    ground = Ground(claim_statuses(layout, attributions, denials, with_caveat), title)
    return tuple((each, CaveatContext(ground, each.sentence.index, each.object)) for each in found)


def _stems_in(text: str, stems: Iterable[str]) -> tuple[str, ...]:
    lowered = text.lower()
    return tuple([stem for stem in stems if stem in lowered])


def _caveats_in(layout: Layout, attributions: Attributions, cue_stems: tuple[str, ...]) -> Iterator[CaveatCandidate]:
    press = press_of(layout.article)
    for sentence in layout.sentences:
        if _stems_in(layout.text(sentence), cue_stems):
            found = _in_sentence(layout, sentence, press, attributions[sentence.index])
            if found:
                yield found


def _in_sentence(layout: Layout, sentence: Sentence, press: Press, said: Attribution | None) -> CaveatCandidate | None:
    model = load_finding()
    seen = [(model.caveat.probability(each.features), each) for each in candidates(layout, sentence, press, said)]
    if not seen:
        return None
    probability, best = max(seen, key=lambda pair: pair[0])
    if probability >= (model.epithet if best.trigger.form is Wording.ATTRIBUTIVE else model.found):
        inside = model.own_sentence.probability(best.features) >= model.inside
        return CaveatCandidate(best, best.inability or Inability(None), probability >= model.sure, inside)
    officials = next((each for _, each in seen if _of_officials(each)), None)
    if officials is None:
        return None
    return CaveatCandidate(officials, Inability(None, officials=True), is_sure=False, is_inside=False)


def _of_officials(found: Candidate) -> bool:
    """Tell "police have not confirmed the report" from what somebody has not seen, or should not confirm."""
    trigger = found.trigger
    said = frozenset(found.line.lower[trigger.start : trigger.end])
    plain = found.inability is None and trigger.form is Wording.ACTIVE and trigger.rule in _PLAIN_RULES
    return plain and not said.isdisjoint(cues.verify | cues.verified) and said.isdisjoint(cues.obligations)


def _caveat(found: CaveatCandidate, context: CaveatContext, farthest: int) -> Caveat:
    kind = kind_of(found)
    trigger = found.candidate.trigger
    span = found.candidate.line.span(trigger.start, trigger.end)
    is_epithet = trigger.form is Wording.ATTRIBUTIVE and not found.is_inside  # "the unverified dossier"
    judgements = () if kind is CaveatKind.PHOTO or is_epithet else judge_sentences(context, farthest)
    sure, possible = bands(judgements)
    if kind is CaveatKind.OFFICIALS:
        sure, possible = (), sure
    elif found.is_inside or not found.is_sure:  # beside the claim that is meant, no other is sure
        sure, possible = (), tuple(sorted((*sure, *possible)))
    own = (context.at,) if (found.is_inside and found.is_sure) or kind is CaveatKind.PHOTO else ()
    return Caveat(
        kind=kind,
        sentence=context.at,
        span=span,
        covers=tuple(sorted({*own, *sure})),
        verifier=found.inability.verifier,
        rule=trigger.rule if kind is CaveatKind.OFFICIALS else f"{trigger.rule}, {context.object.kind}",
        possible=possible,
        judgements=judgements,
    )


def kind_of(found: CaveatCandidate) -> CaveatKind:
    trigger, phrase = found.candidate.trigger, found.candidate.phrase
    if found.inability.officials:
        return CaveatKind.OFFICIALS
    if found.sentence.boilerplate in {Boilerplate.CAPTION, Boilerplate.CREDIT}:
        return CaveatKind.PHOTO
    if trigger.pending:
        return CaveatKind.PENDING
    if found.inability.relayed:
        return CaveatKind.RELAYED
    if _is_standing(found):
        return CaveatKind.STANDING
    if found.is_inside or trigger.form is Wording.ATTRIBUTIVE:
        return CaveatKind.INLINE
    return CaveatKind.PARTIAL if phrase.speaks_of(cues.particulars) else CaveatKind.OWN


def _is_standing(found: CaveatCandidate) -> bool:
    """Match "reports from there cannot be verified, as journalists are kept out": nothing definite is meant."""
    words = found.candidate.phrase.words
    vague = words and not found.candidate.phrase.within and words[0] not in cues.definite
    if not vague or not cues.possessive_endings.isdisjoint(words) or words[:2] in {("some", "of"), ("most", "of")}:
        return False
    return found.object.often or (found.object.access_restricted and not found.object.past)
