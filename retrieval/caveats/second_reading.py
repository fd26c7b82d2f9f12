"""What a model that was taught by reading makes of an article's caveats, beside what the rules found.

Rules know the usual wordings and hardly ever take anything else for a caveat; the model knows rare wordings and what a
caveat is about. Each finds what the other misses, so a caveat is what either is sure of. How it works and what each is
worth: ``docs/theory/scope.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from retrieval.caveats import patterns
from retrieval.caveats.cues import STEMS, cues
from retrieval.caveats.triggers import find_triggers
from retrieval.caveats.wording import likeness
from retrieval.model import Boilerplate, Caveat, CaveatKind, Sentence
from retrieval.models.caveat_model import CaveatGuess, CaveatModel, load_caveat_model
from retrieval.models.source_windows import Line, lines_of
from retrieval.names.outlets import AGENCIES, Press, press_of
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

# The probability from which a sentence is a caveat that no rule has found; the higher one where rules know the words of
# verifying in it, and where it would be a caveat in passing.
FOUND, FOUND_THOUGH = 0.8, 0.95
SURE, POSSIBLE = 0.65, 0.35  # from which a sentence is surely covered by such a caveat, or possibly
# From which what the rules call possible is sure, and anything else is; below which what they call sure is possible.
AGREED, ADDED, DOUBTED = 0.5, 0.8, 0.05
GLANCE_TOKENS, WORTH_READING = 192, 0.1  # a first look at few sentences, and the probability that calls for a whole one
MOST = 200  # sentences of an article that are looked at: those whose words are most like a caveat's
REACH = 30  # sentences on either side that may fit into a window
_PICTURE = (Boilerplate.CAPTION, Boilerplate.CREDIT)
_READ = (None, Boilerplate.HEADING, Boilerplate.TITLE, *_PICTURE)
_LONGEST_NAME = 6  # words
# Kinds whose words are about their own sentence, or about reporting in general: what else they mean stays as it is.
_CONFINED = (CaveatKind.PHOTO, CaveatKind.OFFICIALS)


def read_again(layout: Layout, by_rule: Sequence[Caveat], vague: Collection[int]) -> tuple[Caveat, ...]:
    """Return all caveats in order, each with the sentences it covers.

    ``vague`` are the sentences whose caveats cover no more than the rules say.
    """
    known = {caveat.sentence: caveat for caveat in by_rule}
    guesses = dict(_guesses(layout, known))
    press = press_of(layout.article) if guesses else None
    joined = [caveat if at in vague else _joined(layout, caveat, guesses.get(at)) for at, caveat in known.items()]
    for at, guess in guesses.items():
        if at not in known and press and _is_caveat(layout, at, guess):
            joined.append(_caveat(layout, at, guess, press))
    return tuple(sorted(joined, key=lambda caveat: caveat.sentence))


def _is_caveat(layout: Layout, at: int, guess: CaveatGuess) -> bool:
    """Return whether a sentence is a caveat that no rule has found.

    None is one where somebody else is unable, could not be reached, or should verify something.
    """
    text = layout.text(layout.sentences[at])
    is_known = guess.kind == CaveatKind.INLINE or any(stem in text.lower() for stem in STEMS)
    if guess.probability < (FOUND_THOUGH if is_known else FOUND) or patterns.NO_COMMENT.search(text):
        return False
    line = layout.tokens.window(layout.tokens.sentences[at])
    is_due = is_known and not cues.obligations.isdisjoint(line.lower)
    return not is_due and next(find_triggers(line), None) is None


def _guesses(layout: Layout, known: Mapping[int, Caveat]) -> Iterator[tuple[int, CaveatGuess]]:
    """Yield what the model makes of the sentences that may hold a caveat, by words or by rule."""
    asked = _asked(layout, known)
    if not asked:
        return
    model = load_caveat_model()
    near = {i for at in asked for i in range(at - REACH, at + REACH + 1)}
    lines = lines_of(model.tokenizer, layout, lambda sentence: sentence.index in near and _is_read(sentence))
    places = {line.sentence: place for place, line in enumerate(lines)}
    for at in asked:
        if at in places and (at in known or _is_worth_reading(model, lines, places[at])):
            yield at, model.guess(lines, places[at])


def _is_read(sentence: Sentence) -> bool:
    return sentence.boilerplate in _READ


def _is_worth_reading(model: CaveatModel, lines: list[Line], at: int) -> bool:
    return model.guess(lines, at, GLANCE_TOKENS).probability >= WORTH_READING


def _asked(layout: Layout, known: Mapping[int, Caveat]) -> list[int]:
    """Return the indexes of the sentences that the model should look at, in order."""
    tokens = layout.tokens
    like = [
        (sentence.index in known, likeness(tokens.lower[line.start : line.stop]), sentence.index)
        for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
        if _is_read(sentence)
    ]
    return sorted(at for is_known, alike, at in sorted(like, reverse=True)[:MOST] if is_known or alike >= 0)


def _joined(layout: Layout, caveat: Caveat, guess: CaveatGuess | None) -> Caveat:
    """Return a caveat of the rules with what the model adds to what it covers, and doubts of it."""
    if guess is None or caveat.kind in _CONFINED:
        return caveat
    seen = {at: share for at, share in guess.covers if at != caveat.sentence and _can_be_covered(layout, at)}
    sure = {at for at in caveat.covers if seen.get(at, 1.0) >= DOUBTED}
    sure |= {at for at in seen if seen[at] >= (AGREED if at in caveat.possible else ADDED)}
    possible = {*caveat.possible, *caveat.covers, *(at for at in seen if seen[at] >= POSSIBLE)}
    return replace(caveat, covers=tuple(sorted(sure)), possible=tuple(sorted(possible - sure)))


def _caveat(layout: Layout, at: int, guess: CaveatGuess, press: Press) -> Caveat:
    kind = CaveatKind.PHOTO if layout.sentences[at].boilerplate in _PICTURE else CaveatKind(guess.kind)
    judged = [each for each in guess.covers if each[0] == at or _can_be_covered(layout, each[0])]
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


def _can_be_covered(layout: Layout, at: int) -> bool:
    return layout.sentences[at].boilerplate is None


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
