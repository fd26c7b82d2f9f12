"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import Object, object_of
from retrieval.caveats.caveat_source import SAYING, Inability, source_of
from retrieval.caveats.claim_status import claim_statuses, is_quoted
from retrieval.caveats.context import CaveatContext
from retrieval.caveats.inability import Form, Trigger
from retrieval.caveats.negative_rules import excused
from retrieval.caveats.nouns import ACCOUNTS, CLAIM, CLAIMS, DEFINITE, FIGURES, POINTERS, REPORTS
from retrieval.caveats.object_phrase import PICTURES, ObjectPhrase, object_phrase_of, told_thing
from retrieval.caveats.scope import bands, judged, reach
from retrieval.caveats.triggers import find_triggers
from retrieval.caveats.verifying import BASE, DONE, STEMS
from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Denial, Sentence
from retrieval.press.outlets import Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_POSSESSIVE = classes("clitic_s", "possessives")
_MOST_TRIGGERS = 20  # in one sentence; a caveat behind more of them is no news copy
_PARTIAL = nouns("identifying_particulars") | {"place", "whom", "when", "where"}
_CONCEDING = classes("adversatives", "concessives") - {"whilst", "whereas"}
_WHO = nouns("identifying_particulars") - {"date", "dates"}
_KNOWN = {"the"} | _POSSESSIVE
_TOLD = (PICTURES | FIGURES | ACCOUNTS | CLAIMS | CLAIM | REPORTS) - {"information", "data"}
_PLAIN = frozenset(("denied verb", "negative subject", "inverted"))
_OUGHT = classes("modals") - {"can", "could"}
_BEFORE, _BEHIND = 4, 6  # words on either side of what is called unverified


@dataclass(frozen=True, slots=True)
class Found:
    """A caveat before its scope is known."""

    sentence: Sentence
    line: Tokens
    trigger: Trigger
    inability: Inability
    phrase: ObjectPhrase

    @property
    def object(self) -> Object:
        """What could not be verified."""
        return object_of(self.line, self.trigger, self.phrase, inside=self.is_inline)

    @property
    def is_inline(self) -> bool:
        """Whether what could not be verified stands in the same sentence, and there alone."""
        return self.phrase.within or self.follows_its_claim

    @property
    def inside(self) -> bool:
        """Whether its sentence tells something of what could not be verified."""
        if self.trigger.form is Form.ATTRIBUTIVE:
            return self._epithet_tells()
        if self.phrase.within:  # "they deny the claims, which …" tells none of them, and a name is no claim
            before = " ".join(self.line.words[: self.trigger.start])
            reacts = patterns.REACTING.search(before) is not None and not patterns.asserts(before)
            return not reacts and not self.phrase.speaks_of(_WHO)
        return self.follows_its_claim or self._before_its_claim()

    def _epithet_tells(self) -> bool:
        """Tell "unconfirmed reports of a blast", "unverified footage shows", from "he leaked the unverified file"."""
        line, trigger = self.line, self.trigger
        thing = told_thing(line, trigger, _TOLD)
        if thing is None or line.is_quoted(trigger.start):
            return False
        before = line.lower[max(0, trigger.start - _BEFORE) : trigger.start]
        known = not _KNOWN.isdisjoint(before)
        return line.word(thing + 1) in VERBS or any(
            word == "that" or word in SAYING or patterns.DESCRIBING.fullmatch(word) or (word == "of" and not known)
            for word in line.lower[thing + 1 : thing + 1 + _BEHIND]
        )

    @property
    def follows_its_claim(self) -> bool:
        """Whether it follows its claim: "…, but the claim could not be verified"."""
        clause = self.line.clause_start(self.trigger.start)
        pointing = not POINTERS.isdisjoint(self.phrase.words[:1])
        conceding = pointing and not _CONCEDING.isdisjoint((self.line.word(clause - 1), self.line.word(clause)))
        told = " ".join(self.line.words[: min(clause, self.phrase.start)])
        if conceding and (self.inability.relayed or patterns.REPORTED.search(told)):
            return True
        meant = conceding or self.phrase.speaks_of(CLAIMS | CLAIM)
        named = meant and patterns.HEARSAY.search(told) is not None
        return named or self._tells(0, min(clause, self.phrase.start))

    @property
    def stands_alone(self) -> bool:
        """Whether the claim that is meant stands beside it, so that none elsewhere surely is: accounts run on."""
        return self.follows_its_claim and not self.phrase.speaks_of(ACCOUNTS)

    def _before_its_claim(self) -> bool:
        """Return whether it precedes its claim: "While it cannot be verified, the video shows …"."""
        back = not POINTERS.isdisjoint(self.phrase.words[:1]) and self.line.word(0) not in _CONCEDING
        return not back and self._tells(
            max(self.trigger.end, self.phrase.start + len(self.phrase.words)), len(self.line)
        )

    def _tells(self, start: int, end: int) -> bool:
        text = " ".join(self.line.words[start:end])
        pictured = self.phrase.speaks_of(PICTURES) and not PICTURES.isdisjoint(self.line.lower[start:end])
        return patterns.asserts(text) or (
            pictured and (not self.phrase.origin or patterns.DESCRIBING.search(text) is not None)
        )


def find_caveats(
    layout: Layout,
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    found = contexts(layout, attributions, denials)
    farthest = reach(len(found))
    caveats = (_caveat(*pair, farthest) for pair in found)
    return tuple(each for each in caveats if each.by_outlet or each.possible)


def contexts(
    layout: Layout,
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[tuple[Found, CaveatContext], ...]:
    """Return each caveat that is found, and the sentences that it stands among; what the weights are learned on."""
    stems = _stems_in(layout.article.text, STEMS)
    found = tuple(_found(layout, attributions, stems)) if stems else ()
    if not found:
        return ()
    held = frozenset(each.sentence.index for each in found if not each.inability.officials)
    ground = claim_statuses(layout, attributions, denials, held)
    deniers = frozenset(f.speaker for f in ground if f.denies and f.speaker)
    return tuple((each, CaveatContext(ground, each.sentence.index, each.object, deniers)) for each in found)


def _stems_in(text: str, stems: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``stems`` that stand in ``text``: without one it tells of nothing that was to be verified."""
    lowered = text.lower()
    return tuple([stem for stem in stems if stem in lowered])


def _found(layout: Layout, attributions: tuple[Attribution | None, ...], stems: tuple[str, ...]) -> Iterator[Found]:
    """Yield the caveats; ``stems`` are those that stand in the article."""
    press = press_of(layout.article)
    for sentence in layout.sentences:
        if _stems_in(layout.text(sentence), stems):
            found = _in_sentence(layout, sentence, press, attributions[sentence.index])
            if found:
                yield found


def _in_sentence(layout: Layout, sentence: Sentence, press: Press, said: Attribution | None) -> Found | None:
    line = layout.tokens.window(layout.tokens.sentences[sentence.index])
    reporter = Inability(press.source) if said is not None and said.speaker in press.reporters else None
    officials = None
    for trigger in islice(find_triggers(line), _MOST_TRIGGERS):
        if excused(line, trigger):
            continue
        inability = source_of(line, trigger, press) or reporter or _of_officials(line, trigger)
        if inability is None:
            continue
        if not (inability.verifier or inability.officials) and is_quoted(layout, line.span(trigger.start, trigger.end)):
            continue
        found = Found(sentence, line, trigger, inability, object_phrase_of(line, trigger))
        if not inability.officials:
            return found
        officials = officials or found
    return officials


def _of_officials(line: Tokens, trigger: Trigger) -> Inability | None:
    """Tell "police have not confirmed the report" from what somebody has not seen, or should not confirm."""
    said = frozenset(line.lower[trigger.start : trigger.end])
    whole = trigger.form is Form.ACTIVE and trigger.rule in _PLAIN
    told = whole and not said.isdisjoint(BASE | DONE) and said.isdisjoint(_OUGHT)
    return Inability(None, officials=True) if told else None


def _caveat(found: Found, context: CaveatContext, farthest: int) -> Caveat:
    kind = kind_of(found)
    span = found.line.span(found.trigger.start, found.trigger.end)
    alone = found.trigger.form is Form.ATTRIBUTIVE or kind in (CaveatKind.PHOTO, CaveatKind.STANDING)
    judgements = () if alone else judged(context, farthest)
    sure, possible = bands(judgements)
    if kind is CaveatKind.OFFICIALS:
        return Caveat(kind, context.at, span, (), None, found.trigger.rule, sure, judgements)
    if found.stands_alone:
        sure, possible = (), tuple(sorted((*sure, *possible)))
    own = (context.at,) if found.inside or kind is CaveatKind.PHOTO else ()
    return Caveat(
        kind=kind,
        sentence=context.at,
        span=span,
        covers=tuple(sorted({*own, *sure})),
        verifier=found.inability.verifier,
        rule=f"{found.trigger.rule}, {context.object.kind}",
        possible=possible,
        judged=judgements,
    )


def kind_of(found: Found) -> CaveatKind:
    """Return how a caveat is put."""
    if found.inability.officials:
        return CaveatKind.OFFICIALS
    if found.sentence.boilerplate in {Boilerplate.CAPTION, Boilerplate.CREDIT}:
        return CaveatKind.PHOTO
    if found.trigger.pending:
        return CaveatKind.PENDING
    if found.inability.relayed:
        return CaveatKind.RELAYED
    if _is_standing(found):
        return CaveatKind.STANDING
    if found.is_inline and (found.inside or found.trigger.form is Form.ATTRIBUTIVE):
        return CaveatKind.INLINE
    return CaveatKind.PARTIAL if found.phrase.speaks_of(_PARTIAL) else CaveatKind.OWN


def _is_standing(found: Found) -> bool:
    """Tell "reports from there cannot be verified, as journalists are kept out": nothing definite is meant."""
    words = found.phrase.words
    if not words or found.phrase.within or words[0] in DEFINITE or not _POSSESSIVE.isdisjoint(words):
        return False
    if words[:2] in {("some", "of"), ("most", "of")}:
        return False
    return found.object.often or (found.object.kept_out and not found.object.past)
