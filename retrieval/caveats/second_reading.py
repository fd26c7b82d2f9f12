"""What a model that was taught by reading makes of an article's caveats, beside what the rules found.

Rules know the usual wordings and hardly ever take anything else for a caveat; the model knows rare wordings and what a
caveat is about. Each finds what the other misses, so a caveat is what either is sure of. How it works and what each is
worth: ``docs/theory/scope.md``.

Beside those of the rules, it looks only at sentences that may hold a caveat by their words and pairs of words alone.
Their weights are learned with the model (``training.caveats``): of what a reader calls a caveat hardly any is missed,
and of ordinary sentences a few in a hundred are let through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from zlib import crc32

import numpy as np
import numpy.typing as npt

from retrieval.caveats import patterns
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import find_triggers
from retrieval.model import Boilerplate, Caveat, CaveatKind
from retrieval.models.caveat_model import CaveatGuess, load_caveat_model
from retrieval.models.source_windows import lines_of
from retrieval.names.outlets import AGENCIES, Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

# The probability, before and when the model is asked about it, from which a sentence is a caveat that no rule found.
GLANCED, FOUND = 0.3, 0.8
SURE, POSSIBLE = 0.65, 0.35  # from which a sentence is surely covered by such a caveat, or possibly
# From which what the rules call possible is sure, and anything else is; below which what they call sure is possible.
AGREED, ADDED, DOUBTED = 0.5, 0.95, 0.02
GLANCE_TOKENS = 192  # of the first look
BUCKETS = 1 << 16  # that words and pairs of words are hashed into
WEIGHTS = files("retrieval.models").joinpath("caveats", "words.npz")  # of these
MOST = 60  # sentences of an article that are looked at: those whose words are most like a caveat's
REACH = 30  # sentences on either side that may fit into a window
_PICTURE = (Boilerplate.CAPTION, Boilerplate.CREDIT)
READ = (None, Boilerplate.HEADING, Boilerplate.TITLE, *_PICTURE)
_LONGEST_NAME = 6  # words
# Kinds whose words are about their own sentence, or about reporting in general: what else they mean stays as it is.
_CONFINED = (CaveatKind.PHOTO, CaveatKind.OFFICIALS, CaveatKind.INLINE)


def read_again(
    layout: Layout, by_rule: Sequence[Caveat], bound: Collection[int], denied: Collection[int]
) -> tuple[Caveat, ...]:
    """Return all caveats in order, each with the sentences it covers.

    ``bound`` are the sentences whose caveats cover no more than the rules say, ``denied`` those that deny something:
    they are no caveat, and none is on them, unless a rule says so.
    """
    known = {caveat.sentence: caveat for caveat in by_rule}
    open_to = frozenset(s.index for s in layout.sentences if s.boilerplate is None and s.index not in denied)
    settled = {at for at, caveat in known.items() if at in bound or caveat.kind in _CONFINED}
    guesses = dict(_guess(layout, known, settled))
    press = press_of(layout.article) if guesses else None
    joined = [_joined(caveat, guesses.get(at), open_to) for at, caveat in known.items()]
    if press:
        beside = {at + step for at in known for step in (-1, 1)}  # what follows from a caveat seems another
        found = [at for at, guess in guesses.items() if guess.probability >= FOUND]
        joined += (_caveat(layout, at, guesses[at], press, open_to) for at in {*found} - {*known} - {*denied} - beside)
    return tuple(sorted(joined, key=lambda caveat: caveat.sentence))


def _is_open(layout: Layout, at: int) -> bool:
    """Return whether rules leave it open that a sentence is a caveat.

    None is one where somebody else is unable, could not be reached, or should verify something.
    """
    if patterns.NO_COMMENT.search(layout.text(layout.sentences[at])):
        return False
    line = layout.tokens.window(layout.tokens.sentences[at])
    is_duty = not (cues.obligations.isdisjoint(line.lower) or (cues.verify | cues.verified).isdisjoint(line.lower))
    return not is_duty and next(find_triggers(line), None) is None


def _guess(layout: Layout, known: Mapping[int, Caveat], settled: Collection[int]) -> Iterator[tuple[int, CaveatGuess]]:
    """Yield what the model makes of the sentences that may hold a caveat, by words or by rule, unless it is settled."""
    asked = [at for at in _asked(layout, known) if at not in settled and (at in known or _is_open(layout, at))]
    if not asked:
        return
    model = load_caveat_model()
    near = {i for at in asked for i in range(at - REACH, at + REACH + 1)}
    lines = lines_of(model.tokenizer, layout, lambda sentence: sentence.index in near and sentence.boilerplate in READ)
    places = {line.sentence: place for place, line in enumerate(lines)}
    for at in asked:
        glance = partial(model.guess, lines, most=GLANCE_TOKENS, marked=False)
        if at in places and (at in known or glance(places[at]).probability >= GLANCED):
            yield at, model.guess(lines, places[at])


def buckets(words: Sequence[str]) -> Iterator[int]:
    """Yield the buckets of a sentence's words, in lower case, and of pairs of them up to one word apart."""
    plain = ["0" if word.isdigit() else "'" if word in "'’" else word.replace("’", "'") for word in words]
    for i, word in enumerate(plain):
        yield crc32(word.encode("utf-8", "replace")) % BUCKETS
        for gap, after in enumerate(plain[i + 1 : i + 3]):
            yield crc32(f"{word}{' _'[gap]}{after}".encode("utf-8", "replace")) % BUCKETS


@cache
def _weights() -> tuple[npt.NDArray[np.int8], float]:
    with WEIGHTS.open("rb") as stream, np.load(stream) as stored:
        return stored["weights"], float(stored["least"])


def likeness(words: Sequence[str]) -> float:
    """Return how much a sentence's words are like a caveat's; 0 and more: the model should look at it."""
    weights, least = _weights()
    found = np.fromiter(set(buckets(words)), dtype=np.int64)
    return float(weights[found].sum(dtype=np.int64)) - least if found.size else -least


def _asked(layout: Layout, known: Mapping[int, Caveat]) -> list[int]:
    """Return the indexes of the sentences that the model should look at, in order."""
    tokens = layout.tokens
    like = [
        (sentence.index in known, likeness(tokens.lower[line.start : line.stop]), sentence.index)
        for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
        if sentence.boilerplate in READ
    ]
    return sorted(at for is_known, alike, at in sorted(like, reverse=True)[:MOST] if is_known or alike >= 0)


def _joined(caveat: Caveat, guess: CaveatGuess | None, open_to: Collection[int]) -> Caveat:
    """Return a caveat of the rules with what the model adds to what it covers, and doubts of it."""
    if guess is None:
        return caveat
    shares = dict(guess.covers)
    seen = {at: share for at, share in guess.covers if at != caveat.sentence and at in open_to}
    least = DOUBTED if max(seen.values(), default=0.0) >= SURE else 0.0
    sure = {at for at in caveat.covers if at == caveat.sentence or shares.get(at, 1.0) >= least}
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
