"""Article -> the outlet's own caveats, and the sentences each covers."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import CaveatObject, caveat_object_of
from retrieval.caveats.caveat_source import SAYING, Inability, source_of
from retrieval.caveats.cues import STEMS, cues
from retrieval.caveats.scope import Limits, with_scopes
from retrieval.caveats.triggers import Trigger, Wording, find_triggers, is_excused, named_thing
from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Denial, Sentence, Span
from retrieval.names.outlets import Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_MAX_TRIGGERS = 20  # in one sentence; a caveat behind more of them is no news copy
_EPITHET_NOUNS = (cues.news | cues.reports) - {"information", "data"}
_PLAIN_RULES = frozenset(("denied verb", "negative subject", "inverted"))
_WORDS_BEFORE, _WORDS_BEHIND = 4, 6  # words on either side of what is called unverified


@dataclass(frozen=True, slots=True)
class CaveatCandidate:
    """A caveat before its scope is known."""

    sentence: Sentence
    line: Tokens
    trigger: Trigger
    inability: Inability
    object: CaveatObject

    @property
    def inside(self) -> bool:
        """Whether its sentence says something of what could not be verified."""
        if self.trigger.form is Wording.ATTRIBUTIVE:
            return self._epithet_claims()
        if self.object.within:  # "they deny the claims, which …" has none of them, and a name is no claim
            before = " ".join(self.line.words[: self.trigger.start])
            reacts = patterns.REACTING.search(before) is not None and not patterns.asserts(before)
            return not reacts and not self.object.speaks_of(cues.identity)
        return self.follows_its_claim or self._before_its_claim()

    def _epithet_claims(self) -> bool:
        """Tell "unconfirmed reports of a blast", "unverified footage shows", from "he leaked the unverified file"."""
        line, trigger = self.line, self.trigger
        thing = named_thing(line, trigger, _EPITHET_NOUNS | cues.happenings)
        if thing is None or line.is_quoted(trigger.start):
            return False
        before = line.lower[max(0, trigger.start - _WORDS_BEFORE) : trigger.start]
        known = not cues.known_marks.isdisjoint(before)
        return (
            line.lower[thing] in cues.happenings
            or line.word(thing + 1) in VERBS
            or any(
                word == "that" or word in SAYING or patterns.DESCRIBING.fullmatch(word) or (word == "of" and not known)
                for word in line.lower[thing + 1 : thing + 1 + _WORDS_BEHIND]
            )
        )

    @property
    def follows_its_claim(self) -> bool:
        """Match "…, but the claim could not be verified"."""
        clause = self.line.clause_start(self.trigger.start)
        pointing = not cues.pointers.isdisjoint(self.object.words[:1])
        conceding = pointing and not cues.contrasting.isdisjoint((self.line.word(clause - 1), self.line.word(clause)))
        before = " ".join(self.line.words[: min(clause, self.object.start)])
        if conceding and (self.inability.relayed or patterns.REPORTED.search(before)):
            return True
        meant = conceding or self.object.speaks_of(cues.claims | cues.claim)
        named = meant and patterns.HEARSAY.search(before) is not None
        return named or self._claims(0, min(clause, self.object.start))

    def _before_its_claim(self) -> bool:
        """Match "While it cannot be verified, the video shows …"."""
        back = not cues.pointers.isdisjoint(self.object.words[:1]) and self.line.word(0) not in cues.contrasting
        end = max(self.trigger.end, self.object.start + len(self.object.words))
        return not back and self._claims(end, len(self.line))

    def _claims(self, start: int, end: int) -> bool:
        text = " ".join(self.line.words[start:end])
        pictured = self.object.speaks_of(cues.pictures) and not cues.pictures.isdisjoint(self.line.lower[start:end])
        described = not self.object.origin or patterns.DESCRIBING.search(text) is not None
        return patterns.asserts(text) or (pictured and described)


def find_caveats(
    layout: Layout, attributions: Sequence[Attribution | None], denials: Sequence[Denial | None]
) -> tuple[Caveat, ...]:
    by_rule = [_limited(candidate) for candidate in _candidates(layout, attributions)]
    return with_scopes(layout, by_rule, attributions, frozenset(at for at, denial in enumerate(denials) if denial))


def _candidates(layout: Layout, attributions: Sequence[Attribution | None]) -> Iterator[CaveatCandidate]:
    text = layout.article.text.lower()
    stems = [stem for stem in STEMS if stem in text]
    if not stems:
        return
    press = press_of(layout.article)
    for sentence in layout.sentences:
        words = layout.text(sentence).lower()
        likely = any(stem in words for stem in stems)
        if likely and (found := _in_sentence(layout, sentence, press, attributions[sentence.index])):
            yield found


def _in_sentence(layout: Layout, sentence: Sentence, press: Press, said: Attribution | None) -> CaveatCandidate | None:
    line = layout.tokens.window(layout.tokens.sentences[sentence.index])
    reporter = Inability(press.source) if said is not None and said.speaker in press.reporters else None
    officials = None
    for trigger in islice(find_triggers(line), _MAX_TRIGGERS):
        if is_excused(line, trigger):
            continue
        inability = source_of(line, trigger, press) or reporter or _of_officials(line, trigger)
        if inability is None:
            continue
        if not (inability.verifier or inability.officials) and _is_quoted(
            layout, line.span(trigger.start, trigger.end)
        ):
            continue
        found = CaveatCandidate(sentence, line, trigger, inability, caveat_object_of(line, trigger))
        if not inability.officials:
            return found
        officials = officials or found
    return officials


def _is_quoted(layout: Layout, span: Span) -> bool:
    opened = bisect_right(layout.quotations, span.start, key=lambda quotation: quotation.span.start)
    return opened > 0 and layout.quotations[opened - 1].span.contains(span)


def _of_officials(line: Tokens, trigger: Trigger) -> Inability | None:
    """Tell "police have not confirmed the report" from what somebody has not seen, or should not confirm."""
    said = frozenset(line.lower[trigger.start : trigger.end])
    plain = trigger.form is Wording.ACTIVE and trigger.rule in _PLAIN_RULES
    failed = plain and not said.isdisjoint(cues.verify | cues.verified) and said.isdisjoint(cues.obligations)
    return Inability(None, officials=True) if failed else None


def _limited(found: CaveatCandidate) -> tuple[Caveat, Limits]:
    """Return a caveat that covers at most its own sentence so far, and how far it may reach."""
    kind = _kind_of(found)
    is_epithet = found.trigger.form is Wording.ATTRIBUTIVE
    # "could not determine why": it says so itself, and doubts nothing else
    is_confined = kind is CaveatKind.PHOTO or found.trigger.rule == "not found out" or (is_epithet and not found.inside)
    if kind is CaveatKind.OFFICIALS:  # who "could not confirm how" refuses to tell what nobody has claimed
        is_confined = not found.object.speaks_of(cues.news | cues.reports)
    # accounts go on
    has_claim = is_epithet or (found.follows_its_claim and not found.object.speaks_of(cues.accounts))
    covers_itself = kind is CaveatKind.PHOTO or (kind is not CaveatKind.OFFICIALS and found.inside)
    at = found.sentence.index
    span = found.line.span(found.trigger.start, found.trigger.end)
    covers = (at,) if covers_itself else ()
    caveat = Caveat(kind, at, span, covers, found.inability.verifier, found.trigger.rule)
    return caveat, Limits(is_confined, has_claim, found.object.speaks_of(cues.sides))


def _kind_of(found: CaveatCandidate) -> CaveatKind:
    if found.inability.officials:
        return CaveatKind.OFFICIALS
    if found.sentence.boilerplate in {Boilerplate.CAPTION, Boilerplate.CREDIT}:
        return CaveatKind.PHOTO
    if found.trigger.rule in ("pending", "being verified"):
        return CaveatKind.PENDING
    if found.inability.relayed:
        return CaveatKind.RELAYED
    if _is_standing(found):
        return CaveatKind.STANDING
    is_in_sentence = found.object.within or found.follows_its_claim
    if is_in_sentence and (found.inside or found.trigger.form is Wording.ATTRIBUTIVE):
        return CaveatKind.INLINE
    return CaveatKind.PARTIAL if found.object.speaks_of(cues.particulars) else CaveatKind.OWN


def _is_standing(found: CaveatCandidate) -> bool:
    """Match "reports from there cannot be verified, as journalists are kept out": nothing definite is meant."""
    words = found.object.words
    if not words or found.object.within or words[0] in cues.definite or not cues.possessive_endings.isdisjoint(words):
        return False
    if words[:2] in {("some", "of"), ("most", "of")}:
        return False
    return found.object.general
