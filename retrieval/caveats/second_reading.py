"""What a model that was taught by reading makes of an article's caveats, beside what the rules found.

Rules know the usual wordings and hardly ever take anything else for a caveat; the model knows rare wordings and what a
caveat is about. Each finds what the other misses, so a caveat is what either is sure of. How it works and what each is
worth: ``docs/theory/scope.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from retrieval.caveats import patterns
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import find_triggers
from retrieval.caveats.wording import likeness
from retrieval.model import Boilerplate, Caveat, CaveatKind
from retrieval.models.caveat_model import CaveatGuess, CaveatModel, load_caveat_model
from retrieval.models.source_windows import MAX_TOKENS, Line, lines_of
from retrieval.names.outlets import AGENCIES, Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

FOUND = 0.9  # the probability, in three looks, from which a sentence is a caveat that no rule has found
SURE, POSSIBLE = 0.65, 0.35  # from which a sentence is surely covered by such a caveat, or possibly
# From which what the rules call possible is sure, and anything else is; below which what they call sure is possible.
AGREED, ADDED, DOUBTED = 0.5, 0.95, 0.05
GLANCE_TOKENS = 192  # of the first look
MOST = 60  # sentences of an article that are looked at: those whose words are most like a caveat's
REACH = 30  # sentences on either side that may fit into a window
_PICTURE = (Boilerplate.CAPTION, Boilerplate.CREDIT)
_READ = (None, Boilerplate.HEADING, Boilerplate.TITLE, *_PICTURE)
_LONGEST_NAME = 6  # words
# Kinds whose words are about their own sentence, or about reporting in general: what else they mean stays as it is.
_CONFINED = (CaveatKind.PHOTO, CaveatKind.OFFICIALS, CaveatKind.INLINE)


def read_again(
    layout: Layout, by_rule: Sequence[Caveat], bound: Collection[int], denied: Collection[int]
) -> tuple[Caveat, ...]:
    """Return all caveats in order, each with the sentences it covers.

    ``bound`` are the sentences whose caveats cover no more than the rules say, ``denied`` those that deny something:
    no caveat is on them unless a rule says so.
    """
    known = {caveat.sentence: caveat for caveat in by_rule}
    open_to = frozenset(s.index for s in layout.sentences if s.boilerplate is None and s.index not in denied)
    settled = {at for at, caveat in known.items() if at in bound or caveat.kind in _CONFINED}
    guesses = dict(_guesses(layout, known, settled))
    press = press_of(layout.article) if guesses else None
    joined = [_joined(caveat, guesses.get(at), open_to) for at, caveat in known.items()]
    for at, guess in guesses.items():
        if at not in known and press and guess.probability >= FOUND:
            joined.append(_caveat(layout, at, guess, press, open_to))
    return tuple(sorted(joined, key=lambda caveat: caveat.sentence))


def _may_be_caveat(layout: Layout, at: int) -> bool:
    """Return whether rules leave it open that a sentence is a caveat.

    None is one where somebody else is unable, could not be reached, or should verify something.
    """
    if patterns.NO_COMMENT.search(layout.text(layout.sentences[at])):
        return False
    line = layout.tokens.window(layout.tokens.sentences[at])
    return cues.obligations.isdisjoint(line.lower) and next(find_triggers(line), None) is None


def _guesses(
    layout: Layout, known: Mapping[int, Caveat], settled: Collection[int]
) -> Iterator[tuple[int, CaveatGuess]]:
    """Yield what the model makes of the sentences that may hold a caveat, by words or by rule, unless it is settled."""
    asked = [at for at in _asked(layout, known) if at not in settled and (at in known or _may_be_caveat(layout, at))]
    if not asked:
        return
    model = load_caveat_model()
    near = {i for at in asked for i in range(at - REACH, at + REACH + 1)}
    lines = lines_of(model.tokenizer, layout, lambda sentence: sentence.index in near and sentence.boilerplate in _READ)
    places = {line.sentence: place for place, line in enumerate(lines)}
    for at in asked:
        if at in places and (at in known or _is_found_unmarked(model, lines, places[at])):
            yield at, model.guess(lines, places[at])


def _is_found_unmarked(model: CaveatModel, lines: list[Line], at: int) -> bool:
    """Return whether the model finds a caveat without being asked about it: marked, plain sentences may seem one."""
    looks = (model.guess(lines, at, most=most, marked=False) for most in (GLANCE_TOKENS, MAX_TOKENS))
    return all(look.probability >= FOUND for look in looks)


def _asked(layout: Layout, known: Mapping[int, Caveat]) -> list[int]:
    """Return the indexes of the sentences that the model should look at, in order."""
    tokens = layout.tokens
    like = [
        (sentence.index in known, likeness(tokens.lower[line.start : line.stop]), sentence.index)
        for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
        if sentence.boilerplate in _READ
    ]
    return sorted(at for is_known, alike, at in sorted(like, reverse=True)[:MOST] if is_known or alike >= 0)


def _joined(caveat: Caveat, guess: CaveatGuess | None, open_to: Collection[int]) -> Caveat:
    """Return a caveat of the rules with what the model adds to what it covers, and doubts of it."""
    if guess is None:
        return caveat
    shares = dict(guess.covers)
    seen = {at: share for at, share in guess.covers if at != caveat.sentence and at in open_to}
    sure = {at for at in caveat.covers if at == caveat.sentence or shares.get(at, 1.0) >= DOUBTED}
    sure |= {at for at in seen if seen[at] >= (AGREED if at in caveat.possible else ADDED)}
    possible = {*caveat.possible, *caveat.covers, *(at for at in seen if seen[at] >= POSSIBLE)}
    return replace(caveat, covers=tuple(sorted(sure)), possible=tuple(sorted(possible - sure)))


def _caveat(layout: Layout, at: int, guess: CaveatGuess, press: Press, open_to: Collection[int]) -> Caveat:
    kind = CaveatKind.PHOTO if layout.sentences[at].boilerplate in _PICTURE else CaveatKind(guess.kind)
    judged = [each for each in guess.covers if each[0] == at or each[0] in open_to]
    sure = {i for i, share in judged if share >= SURE} | ({at} if kind is CaveatKind.PHOTO else set())
    possible = {i for i, share in judged if share >= POSSIBLE} - sure - {at}
    line = layout.tokens.window(layout.tokens.sentences[at])
    return Caveat(
        kind=kind,
        sentence=at,
        span=layout.sentences[at].span,
        covers=tuple(sorted(sure)),
        verifier=next(_newsrooms(line, press, relayed=kind is CaveatKind.RELAYED), None),
        rule=f"read, {guess.probability:.2f}",
        possible=tuple(sorted(possible)),
    )


def _newsrooms(line: Tokens, press: Press, *, relayed: bool) -> Iterator[str]:
    """Yield the newsrooms named in a sentence that may be the one that could not verify it."""
    for start, word in enumerate(line.words):
        if not word[:1].isupper() or line.is_quoted(start):
            continue
        for end in range(min(start + _LONGEST_NAME, len(line)), start, -1):
            found = press.outlet(line.words[max(0, start - (line.word(start - 1) == "the")) : end])
            if found and found.name and (found.own or relayed or found.name in AGENCIES):
                yield found.name
                break
