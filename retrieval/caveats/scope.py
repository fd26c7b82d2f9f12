"""An article's caveats, as rules find them -> the same with the sentences each covers, and those the rules miss.

Rules find the usual wordings. A model that was taught by reading says which sentences each of these caveats covers, and
finds caveats in rarer wordings. How it works, and what it is worth: ``docs/theory/scope.md``.

It looks for such caveats only where a sentence's words and pairs of words are like a caveat's. Their weights are
learned with the model (``training.caveats``): of what a reader calls a caveat hardly any is missed, and of ordinary
sentences a few in a hundred are let through.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from zlib import crc32

import numpy as np
import numpy.typing as npt

from retrieval.caveats import patterns
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import find_triggers
from retrieval.model import Attribution, Boilerplate, Caveat, CaveatKind, Voice
from retrieval.models.caveat_model import CaveatGuess, load_caveat_model
from retrieval.models.source_windows import lines_of
from retrieval.names.outlets import AGENCIES, Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

FOUND = 0.5  # the probability from which a sentence is a caveat without a rule, or one whose scope no rule limits
GLANCED, GLANCE_TOKENS = 0.02, 192  # the least probability in a first look, at little around it
DENIED = 0.98  # from which such a caveat covers a denial, too
SURE, POSSIBLE = 0.3, 0.02  # from which a sentence before a caveat is surely covered by it, or any possibly
# From which a sentence behind a caveat is covered, or any but its own where the claim that is meant is beside it.
CERTAIN = 0.995  # the model's probabilities are rounded to hundredths
AHEAD = 0.8  # the same, where no sentence before the caveat is covered
SPOKEN = 0.9  # from which all that one speaker says in a row before a caveat is covered, as one of it is
BUCKETS = 1 << 16  # that words and pairs of words are hashed into
WEIGHTS = files("retrieval.models").joinpath("caveats", "words.npz")  # of these
MOST = 60  # sentences of an article that are looked at because their words are like a caveat's: those most like one
MOST_KNOWN = 120  # caveats of an article, the first, whose scope is judged; no news copy has so many
REACH = 30  # sentences on either side that may fit into a window
_PICTURE = (Boilerplate.CAPTION, Boilerplate.CREDIT)
READ = (None, Boilerplate.HEADING, Boilerplate.TITLE, *_PICTURE)
_LONGEST_NAME = 6  # words


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a caveat may reach that the model doubts.

    ``confined``: only its own sentence. ``has_claim``: the claim that is meant is beside it, so that others hardly are.
    ``includes_denials``: denials, too ("neither account could be verified").
    """

    confined: bool = False
    has_claim: bool = False
    includes_denials: bool = False


def with_scopes(
    layout: Layout,
    by_rule: Sequence[tuple[Caveat, Limits]],
    attributions: Sequence[Attribution | None],
    denied: frozenset[int],
) -> tuple[Caveat, ...]:
    """Return all caveats of an article in order, each with the sentences it covers.

    The caveats of the rules come in order, and cover at most their own sentence. A sentence in ``denied`` is covered
    only where a rule or the model is sure that denials are included. None covers what the outlet saw.
    """
    ruled = {caveat.sentence: (caveat, limits) for caveat, limits in by_rule}
    read = [at for at, (caveat, _) in ruled.items() if caveat.kind is not CaveatKind.PHOTO]
    known = sorted(read, key=lambda at: ruled[at][1].confined)[:MOST_KNOWN]
    alike = _alike(layout, ruled)
    if not (ruled or alike):
        return ()
    look = _looking(layout, {*known, *alike})
    seen = {at for at, said in enumerate(attributions) if said and said.voice is Voice.OBSERVED}
    open_to = frozenset(s.index for s in layout.sentences if s.boilerplate is None and s.index not in seen)
    countered = {s.index for s in layout.sentences if patterns.COUNTERING.search(layout.text(s))}
    doubtful = open_to & (denied | countered)
    undenied = open_to - doubtful
    speakers = [said.speaker if said else None for said in attributions]
    found = []
    for at in sorted({*ruled, *alike}):
        caveat, limits = ruled.get(at, (None, Limits()))
        is_worth_a_look = at in known or (at in alike and look(at, most=GLANCE_TOKENS).probability >= GLANCED)
        guess = look(at) if is_worth_a_look else None
        is_sure = guess is not None and guess.probability >= FOUND and (caveat is None or caveat.by_outlet)
        if guess and is_sure:
            own = _caveat(layout, at, guess, undenied)
            if caveat is None:
                caveat = own
            elif not limits.confined:
                caveat = replace(caveat, covers=caveat.covers or own.covers)
            limits = replace(limits, confined=own.kind is CaveatKind.PHOTO, has_claim=False)
        if caveat is None:
            continue
        reach = open_to if limits.includes_denials else undenied
        if guess and not (caveat.by_outlet and limits.confined):
            caveat = with_scope(caveat, guess, reach, speakers, has_claim=limits.has_claim)
            if is_sure and not limits.includes_denials:
                doubted = {i for i, share in guess.covers if i in doubtful and i != at and share >= DENIED}
                caveat = replace(caveat, covers=tuple(sorted({*caveat.covers, *doubted})))
        if not caveat.by_outlet:
            # none of the outlet tried: it is only noted, where the model is sure and on the claim right before it
            before = next((i for i in range(at - 1, -1, -1) if i in reach), None)
            claim = {before} if before is not None and attributions[before] and not limits.confined else set()
            caveat = replace(caveat, covers=(), possible=tuple(sorted({*caveat.covers, *claim})))
        found.append(caveat)
    return tuple(caveat for caveat in found if caveat.by_outlet or caveat.possible)


def with_scope(
    caveat: Caveat,
    guess: CaveatGuess,
    open_to: frozenset[int],
    speakers: Sequence[str | None],
    *,
    has_claim: bool = False,
) -> Caveat:
    """Return a caveat with the sentences of ``open_to`` that it covers beside its own, by the model's ``guess``.

    ``speakers`` are those of the article's sentences, None where nobody is named.
    """
    shares = [(at, share) for at, share in guess.covers if at in open_to and at != caveat.sentence]
    before = [(at, share) for at, share in shares if at < caveat.sentence and not has_claim]
    sure = {at for at, share in before if share >= SURE}
    least = CERTAIN if sure or has_claim else AHEAD
    sure |= {at for at, share in shares if share >= (least if at > caveat.sentence else CERTAIN)}
    for _, said in groupby(before, lambda judged: speakers[judged[0]] or judged[0]):
        places, probabilities = zip(*said, strict=True)
        sure |= {*places} if max(probabilities) >= SPOKEN else set()
    possible = {at for at, share in shares if share >= POSSIBLE}
    return replace(
        caveat,
        covers=tuple(sorted({*caveat.covers, *sure})),
        possible=tuple(sorted(possible - sure)),
        judgements=tuple(shares),
    )


def _looking(layout: Layout, asked: Collection[int]) -> Callable[..., CaveatGuess]:
    """Return a function by which the model looks at one of the sentences ``asked``, among those around it."""
    near = {i for at in asked for i in range(at - REACH, at + REACH + 1)}
    model = load_caveat_model()
    lines = lines_of(
        model.tokenizer, layout, lambda each: each.index in asked or (each.index in near and each.boilerplate in READ)
    )
    places = {line.sentence: place for place, line in enumerate(lines)}
    return lambda at, **how: model.guess(lines, places[at], **how)


def _is_open(layout: Layout, at: int) -> bool:
    """Return whether rules leave it open that a sentence is a caveat.

    They rule it out where somebody else is unable, could not be reached, or should verify something.
    """
    if patterns.NO_COMMENT.search(layout.text(layout.sentences[at])):
        return False
    line = layout.tokens.window(layout.tokens.sentences[at])
    is_duty = not (cues.obligations.isdisjoint(line.lower) or (cues.verify | cues.verified).isdisjoint(line.lower))
    return not is_duty and next(find_triggers(line), None) is None


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


def _alike(layout: Layout, ruled: Collection[int]) -> frozenset[int]:
    """Return the indexes of the sentences, but for those in ``ruled``, whose words are most like a caveat's."""
    tokens = layout.tokens
    ranked = [
        (likeness(tokens.lower[line.start : line.stop]), sentence.index)
        for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
        if sentence.boilerplate in READ and sentence.index not in ruled
    ]
    most = sorted(ranked, reverse=True)[:MOST]
    return frozenset(at for alike, at in most if alike >= 0 and _is_open(layout, at))


def _caveat(layout: Layout, at: int, guess: CaveatGuess, open_to: frozenset[int]) -> Caveat:
    """Return a caveat as the model reads it, with its own sentence where it claims something, too."""
    kind = CaveatKind.PHOTO if layout.sentences[at].boilerplate in _PICTURE else CaveatKind(guess.kind)
    line = layout.tokens.window(layout.tokens.sentences[at])
    return Caveat(
        kind=kind,
        sentence=at,
        span=layout.sentences[at].span,
        covers=(at,) if kind is CaveatKind.PHOTO or (at in open_to and dict(guess.covers)[at] >= SURE) else (),
        verifier=next(_newsrooms(line, press_of(layout.article), relayed=kind is CaveatKind.RELAYED), None),
        rule=f"read, {guess.probability:.2f}",
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
