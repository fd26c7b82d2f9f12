"""The statements of a draft that are surer than the archive's, are another's there, or leave out a caveat or a denial.

A logistic model over their words, figures and names, and the cosine of an encoder where there is one, says whether two
sentences state the same; ``training/statements.py`` fits it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from rapidfuzz.distance import Levenshtein

import retrieval
from bot import messages, verbatim
from bot.commands.governing import plain
from bot.commands.proof_draft import Draft, Statement, Twin
from bot.commands.proof_facts import figures, names_in
from bot.model import Extract, Finding, FindingKind, Notice
from retrieval import VERBS, Entity, Force, Kind, Meaning, Passage, Reading, bare_name, classes, may_be_one, term, terms

SURE = 0.45  # the probability from which a statement is taken for the same as the archive's
COMPARED = 4  # sentences of the archive for each of the draft, most alike first
CAVEAT_WITHIN = 3  # sentences of the draft around a statement in which its own caveat may be
NEARLY_ALL, MOST = 0.8, 0.6  # shares of words, the draft's and the archive's, from which only a modal verb may differ
FEW = 3  # words that stand in another's place, where only the certainty differs
SOURCE = 30  # characters of a sentence in which it says who denies
DENIED_WITHIN = 3  # sentences behind a statement in an article in which its denial may be
_WORDS = retrieval.read_table("bot.commands", "claims.toml")
_ACCUSES, _TELLS, _PRONOUN, _DENIES, _NEGATES = (
    re.compile(plain(_WORDS[name], _WORDS), re.IGNORECASE)
    for name in ("accuses", "tells", "pronoun", "denies", "negates")
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,;:!?]")
_MODALS = frozenset("could may might would should possibly perhaps probably likely reportedly allegedly".split())
_FIRM, _WEAK = frozenset("will shall must".split()), frozenset("could may might".split())
_SURE = frozenset("will shall must is are was were has have had does did".split())
HEDGES = frozenset("alleged allegedly reportedly unverified unconfirmed purported purportedly apparently".split())

_BODIES = classes("chief_bodies", "public_bodies", "parliaments", "seats", "firms", "chief_associations")
_BODIES = frozenset(map(term, _BODIES | classes("associations", "organizations", "learning")))
_NOUN = r"(?P<source>(?:the )?(?:(?!that\b|and\b|but\b|which\b|who\b)[\w’'-]+ (?:of (?:the )?)?){0,4}?[\w’'-]+)"
_SAID = rf"(?:{'|'.join(sorted(form for form, verb in VERBS.items() if verb.force is Force.SAYING))})\b"
_CUES = (rf"[,”\"] {_NOUN} {_SAID}[^,;:]{{0,40}}[.]?$", rf"^{_NOUN} {_SAID}", rf"\baccording to {_NOUN}(?=[,.]|$)")
_CUED = tuple(re.compile(cue, re.IGNORECASE) for cue in _CUES)
# what may be another name for any body of a state; and for any with a name of its own
_GENERAL = frozenset(map(term, "government administration authority state".split()))
_ANY = frozenset(map(term, classes("firms", "chief_associations", "organizations") | {"agency", "group"}))

Features = Mapping[str, float]


def check_claims(draft: Draft) -> Iterator[Finding]:
    """Yield the statements that are surer than the archive's, or lost a caveat or a denial."""
    shown: set[Notice] = set()  # caveats whose scope is unclear: each is shown once
    for statement in draft.statements:
        yield from _lost_caveat(draft, statement, shown)
        yield from _lost_denial(draft, statement)
        yield from _surer(draft, statement)
        yield from _other_source(draft, statement)


def features(statement: Statement, twin: Twin, cosine: float | None) -> Features:
    """Return how alike a statement and a sentence are; without a ``cosine`` the words decide alone."""
    ours, theirs = figures(statement.text), figures(twin.text)
    agreeing = sum(any(each.equals(other) for other in theirs) for each in ours)
    our_names, their_names = names_in(statement.passage), names_in(twin.passage)
    found = {
        "shared": twin.shared,
        "own": twin.own,
        "figures": float(bool(agreeing)) - float(bool(ours) and bool(theirs) and not agreeing),
        "names": len(our_names & their_names) / (len(our_names | their_names) or 1),
    }
    return found if cosine is None else {**found, "cosine": cosine}


def cosines(meaning: Meaning | None, statement: Statement, twins: tuple[Twin, ...]) -> list[float | None]:
    codes = meaning.passages([statement.text, *(twin.text for twin in twins)]) if meaning and twins else None
    if codes is None:
        return [None] * len(twins)
    from retrieval import compared  # noqa: PLC0415 - loads numpy

    return [*compared(codes[0], codes[1:])]


@cache
def weights(*, with_cosine: bool) -> retrieval.Logistic:
    name = "statements-meaning.toml" if with_cosine else "statements.toml"
    return retrieval.Logistic(**retrieval.read_table("bot.commands", f"weights/{name}"))


def _same(draft: Draft, statement: Statement, twins: tuple[Twin, ...]) -> Iterator[tuple[float, Twin]]:
    """Yield the sentences that surely state the same, each with how sure that is, the surest first."""
    twins = twins[:COMPARED]
    each = zip(twins, cosines(draft.library.meaning, statement, twins), strict=True)
    rated = [
        (weights(with_cosine=cosine is not None).probability(features(statement, twin, cosine)), twin)
        for twin, cosine in each
    ]
    yield from sorted((pair for pair in rated if pair[0] >= SURE), key=lambda pair: -pair[0])


def _lost_caveat(draft: Draft, statement: Statement, shown: set[Notice]) -> Iterator[Finding]:
    # a hedge stands for the outlet's caveat, unless the outlet has it and adds a caveat all the same
    hedges = HEDGES.intersection(statement.text.lower().split())
    own = (twin for twin in statement.twins if hedges.issubset(twin.text.lower().split()))
    covered = tuple(twin for twin in own if twin.passage.caveats or twin.passage.possible_caveats)
    if not covered or _has_caveat(draft, statement):
        return
    for confidence, twin in _same(draft, statement, covered):
        extract = verbatim.extract(draft.archive, *twin.place)
        # one that surely covers no sentence is a notice on the article, and may cover this one all the same
        outlets = (caveat.sentence for caveat in twin.passage.possible_caveats if caveat.by_outlet)
        spans = {twin.reading.passages[index].sentence.span for index in outlets}
        notices = extract.notices if extract else ()
        possible = [each for each in notices if each.citation.span in spans and each not in shown]
        if extract and (caveats := (*extract.caveats, *possible)):
            shown.update(possible)
            verifier, source = caveats[0].verifier or "", extract.citation.source or ""
            name = source if verifier in source else verifier
            outlet = messages.the_outlet(name) if name else messages.THE_OUTLET
            what = messages.caveat_lost(outlet) if extract.caveats else messages.caveat_perhaps_lost(outlet)
            yield from draft.finding(FindingKind.CAVEAT_LOST, statement.span, what, confidence, twin.place)
            return


def _has_caveat(draft: Draft, statement: Statement) -> bool:
    """Return whether the draft itself says, in the sentence or near it, that this is not verified."""
    passage, at = statement.passage, statement.passage.sentence.index
    return bool(passage.caveats or passage.possible_caveats) or any(
        each.is_caveat for each in draft.reading.passages[max(0, at - CAVEAT_WITHIN) : at + CAVEAT_WITHIN + 1]
    )


def _lost_denial(draft: Draft, statement: Statement) -> Iterator[Finding]:
    if statement.passage.denial or _DENIES.search(statement.text):
        return
    denied = {twin.place: at for twin in statement.twins if (at := _denial_of(twin)) is not None}
    for confidence, twin in _same(draft, statement, tuple(twin for twin in statement.twins if twin.place in denied)):
        places = twin.place, (twin.place[0], denied[twin.place])
        extracts = [*verbatim.at(draft.archive, places)]
        if len(extracts) == 2 and not _is_denied(draft, statement, extracts[1]):  # noqa: PLR2004 - accusation and denial
            what = messages.denial_lost(extracts[1].speaker or messages.SOMEBODY)
            yield from draft.finding(FindingKind.DENIAL_LOST, statement.span, what, confidence, *places)
            return


def _surer(draft: Draft, statement: Statement) -> Iterator[Finding]:
    """Yield where the archive has "could" or "may" and the draft, otherwise nearly the same, "will"; or the reverse."""
    for twin in statement.twins[:COMPARED]:
        if twin.shared < NEARLY_ALL or twin.own < MOST:
            continue
        ours, theirs = _WORD.findall(statement.text.lower()), _WORD.findall(twin.text.lower())
        for is_same, steps in groupby(Levenshtein.opcodes(theirs, ours), key=lambda step: step.tag == "equal"):
            each = [*steps]
            old, new = theirs[each[0].src_start : each[-1].src_end], ours[each[0].dest_start : each[-1].dest_end]
            if is_same or max(len(old), len(new)) > FEW:
                continue
            more = sum(map(_MODALS.__contains__, theirs)) - sum(map(_MODALS.__contains__, ours))
            hedge = next((word for word in old if word in _MODALS and more > 0), None)
            # "will", "was", or the verb itself without "could"
            is_sure = not new or bool(_SURE.intersection(new)) or not {*terms(" ".join(old))}.isdisjoint(map(term, new))
            is_weaker = more < 0 and bool(_FIRM.intersection(old) and _WEAK.intersection(new))
            if (hedge and is_sure) or is_weaker:
                what = messages.surer(hedge or " ".join(old), " ".join(new)) if new else messages.no_doubt(hedge)
                yield from draft.finding(FindingKind.CERTAINTY, statement.span, what, twin.likeness, twin.place)
                return


def _other_source(draft: Draft, statement: Statement) -> Iterator[Finding]:
    """Yield where the draft gives a statement without quotation marks to a body, and the archive to somebody else."""
    ours = _source(draft, statement.passage, statement.text)
    if ours is None or not ours.heads or statement.passage.sentence.quotation is not None:
        return
    same = [*_same(draft, statement, tuple(twin for twin in statement.twins if twin.shared >= MOST))]
    sources = ((twin, _source(draft, twin.passage, twin.text)) for _, twin in same)
    others = [source for twin, source in sources if source and ours.is_other_than(source, twin.reading)]
    if same and len(others) == len(same):
        (confidence, twin), what = same[0], messages.other_source(ours.name, others[0].name)
        yield from draft.finding(FindingKind.NAME, statement.span, what, confidence, twin.place)


@dataclass(frozen=True)
class _Source:
    """Who says a sentence; ``heads`` are the words for a kind of body, or of an organisation's own name."""

    name: str
    entity: Entity | None
    words: frozenset[str]
    heads: frozenset[str]

    def is_other_than(self, other: _Source, reading: Reading) -> bool:
        """Return whether the two are surely not one: "the bank" may be any firm, and who speaks for it."""
        is_person = other.entity is not None and other.entity.kind is Kind.PERSON
        if self.words & other.words or (self.entity and self.entity == other.entity):
            return False
        if not (other.heads or other.entity) or self.words <= _GENERAL or other.words <= _GENERAL:
            return False
        if bool(self.entity) == bool(other.entity) and not is_person:
            return True
        if not is_person and (other if self.entity else self).heads & _ANY:
            return False
        texts = (passage.sentence.span.of(reading.article.text) for passage in reading.passages)
        return not any(self.words & near and other.words & near for near in map(frozenset, map(terms, texts)))


def _source(draft: Draft, passage: Passage, text: str) -> _Source | None:
    """Return who says a sentence: the body that it names beside a verb of saying, or who was read as its speaker."""
    cued = (match["source"] for match in (cue.search(text) for cue in _CUED) if match)
    says = passage.attribution
    name = next((c for c in cued if _BODIES & {*terms(c)}), says.speaker if says and says.sure else None)
    if not name:
        return None
    meant = None if name.islower() else draft.archive.register().meant(name)
    words = frozenset(terms(name))
    heads = words & _BODIES
    return _Source(name, meant, words, heads or words if meant and meant.kind is Kind.ORG else heads)


def _denial_of(twin: Twin) -> int | None:
    """Return the sentence in which somebody whom this one accuses, or who speaks of the same, denies it."""
    names, text = names_in(twin.passage), twin.reading.article.text
    claims = twin.passage.speaker or _ACCUSES.search(twin.text) or _TELLS.search(twin.text)
    if not claims or twin.passage.denial or _DENIES.search(twin.text):
        return None
    for passage in twin.reading.passages[twin.index + 1 : twin.index + 1 + DENIED_WITHIN]:
        denial = passage.sentence.span.of(text)
        speaker = passage.denial.speaker if passage.denial else passage.speaker
        if not (passage.denial or _NEGATES.search(denial) or _DENIES.search(denial)) or (
            speaker and speaker == twin.passage.speaker
        ):
            continue
        words = frozenset(bare_name(speaker or ""))
        follows = passage.sentence.index == twin.index + 1
        source = speaker or denial  # "The bank", "She"
        shared = {*terms(source.partition(",")[0][:SOURCE])} & {*terms(twin.text)}
        is_meant = follows and (shared or _PRONOUN.match(source))
        theirs = is_meant or not names.isdisjoint(words | names_in(passage))
        # "all of those men have denied the allegations"
        points_back = _DENIES.search(denial) is not None and (theirs or follows)
        same = frozenset(terms(twin.text)) & frozenset(terms(denial)) - words - names
        if points_back or (same and (theirs or (passage.denial and follows))):
            return passage.sentence.index
    return None


def _is_denied(draft: Draft, statement: Statement, denial: Extract) -> bool:
    """Return whether the draft has a denial near the statement, or by the same speaker anywhere."""
    at = statement.passage.sentence.index
    return any(
        (
            abs(passage.sentence.index - at) <= DENIED_WITHIN
            and (passage.denial or _DENIES.search(passage.sentence.span.of(draft.text)))
        )
        or (passage.denial and passage.denial.speaker and may_be_one(passage.denial.speaker, denial.speaker or ""))
        for passage in draft.reading.passages
    )
