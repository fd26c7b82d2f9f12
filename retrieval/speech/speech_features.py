"""A cue and its source -> named features: whether the sentence tells what that source says; weights in ``speech.toml``.

They are learned by `make weights` (``training/speech.py``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.logistic import Logistic, read_logistic
from retrieval.speech import cues
from retrieval.speech.cues import Shape, Source, Speech
from retrieval.speech.phrases import hangs, names_speaker
from retrieval.speech.reporting import helpers, quote_follows, quote_precedes
from retrieval.speech.syntax import Tree, is_of_another, is_whole
from retrieval.text.tokens import Tokens

WEIGHTS = files("retrieval.speech") / "speech.toml"
# The probabilities from which a source is likely to say it, and sure to: beside a quotation, or where one stands in the
# sentence, somebody does speak; elsewhere it may be an act.
LIKELY_BESIDE, LIKELY = 0.5, 0.6
SURE_QUOTED, SURE = 0.5, 0.9
EXPLICIT = frozenset(("according to", "name and colon"))  # words that do nothing else than name a source
_FEW = 5  # quoted tokens, the marks included: up to so many are a term held at arm's length
_LONG = 20  # tokens before or behind from which on more tell nothing
_DEEP = 4  # words above one another, likewise
_EMBEDDED = frozenset(("relcl", "advcl", "acl", "pcomp", "csubj"))
_COMPLEMENTS = frozenset(("ccomp", "xcomp", "dobj", "prep", "dative"))
_FAR = 8  # tokens from a source to its cue from which on distance tells no more
_CLASSES = (
    ("that", frozenset(("that",))),
    ("clause", cues.CLAUSE_STARTS - cues.DETERMINERS - {"that", ":"}),
    ("determiner", cues.DETERMINERS),
    ("to", frozenset(("to",))),
    ("preposition", cues.PREPOSITIONS),
    ("time", cues.TIMES | cues.ADVERBS),
    ("comma", cues.COMMAS),
    ("colon", frozenset((":",))),
    ("stop", frozenset((".", "!", "?", "…", "..."))),
)


@cache
def model() -> Logistic:
    """Return the judgement as it was learned."""
    return read_logistic(WEIGHTS)


def weighed(tokens: Tokens, line: range, speech: Speech, tree: Tree) -> Speech | None:
    """Return ``speech`` and whether it is sure, if it is likely; hearsay and what reporters saw accuse nobody."""
    if speech.source is None or speech.observed:
        return speech
    told = features(tokens, line, speech, tree)
    probability = model().probability(told)
    if probability < (LIKELY if "quote=none" in told else LIKELY_BESIDE) and speech.rule not in EXPLICIT:
        return None
    sure = probability >= (SURE_QUOTED if "quoted share" in told else SURE) or speech.rule == "according to"
    return replace(speech, sure=sure and _is_printable(tokens, line, tree, speech, speech.source))


def _is_printable(tokens: Tokens, line: range, tree: Tree, speech: Speech, source: Source) -> bool:
    """Return whether a source may stand beside the sentence: whole, of this very verb, and no question's."""
    if not is_whole(tokens, tree, source) or is_of_another(tokens, tree, speech):
        return False
    if tokens.lower[line.stop - 1] == "?" and not any(tokens.quoted[line.start : line.stop]):
        return False
    if source.shape is not Shape.PHRASE:
        return True
    word = tokens.words[source.first]
    alone = source.first == source.last and word.isalpha() and word.islower()
    alone = alone and not word.endswith("s") and word not in cues.PLURALS
    return not alone and tokens.lower[source.last] not in cues.PREPOSITIONS | cues.DETERMINERS | cues.SUBORDINATORS


def features(tokens: Tokens, line: range, speech: Speech, tree: Tree) -> dict[str, float]:
    """Return what speaks for and against ``speech`` in the sentence of the tokens ``line``; ``tree`` is its parse."""
    source = speech.source
    if source is None:
        return {}
    told = [*_cue(tokens, line, speech), *_frame(tokens, line, speech, source), *_source(tokens, line, speech, source)]
    told += _syntax(tree, speech.cue, range(source.first, source.last + 1))
    told += _complement(tokens, tree, speech)
    return {name: float(value) for name, value in told if value}


def _cue(tokens: Tokens, line: range, speech: Speech) -> Iterator[tuple[str, float]]:
    """Tell what the cue is."""
    verb = VERBS.get(tokens.lower[speech.cue])
    yield f"rule={speech.rule}", 1
    yield f"rank={speech.rank}", 1
    if verb:
        yield f"lemma={speech.lemma or verb.lemma}", 1
        yield f"force={verb.force.name}", 1
        yield f"form={verb.form.name}", 1
    for word in helpers(tokens, line, speech.cue):
        yield f"beside={word}", 1


def beside_quotation(tokens: Tokens, line: range, speech: Speech) -> str:
    """Return on which side of the cue and its source a quotation stands."""
    source = speech.source
    if source is None:
        return "none"
    if quote_follows(tokens, line, speech.last) or quote_follows(tokens, line, max(source.last, speech.last)):
        return "after"
    return "before" if quote_precedes(tokens, line, min(source.first, speech.cue)) else "none"


def _frame(tokens: Tokens, line: range, speech: Speech, source: Source) -> Iterator[tuple[str, float]]:
    """Tell how what is said stands beside the cue."""
    first, last = min(source.first, speech.cue), max(source.last, speech.last)
    beside, following = beside_quotation(tokens, line, speech), _class(tokens, line, speech.last + 1)
    quoted = sum(tokens.quoted[line.start : line.stop])
    preceding, closing = _class(tokens, line, first - 1), _class(tokens, line, last + 1)
    verb = VERBS.get(tokens.lower[speech.cue])
    for force in ("", *([f"{verb.force.name}&"] if verb else [])):
        yield f"{force}quote={beside}", 1
        yield f"{force}next={following}", 1
    yield f"before={preceding}", 1
    yield f"closing={closing}", 1
    yield "quoted share", quoted / len(line)
    yield "few quoted", 0 < quoted <= _FEW
    yield "in front", min(1.0, (first - line.start) / _LONG)
    yield "behind", min(1.0, (line.stop - last) / _LONG)
    yield "subordinate", tokens.word(first - 1) in cues.SUBORDINATORS
    yield "relative", tokens.word(speech.cue - 1) in cues.RELATIVES or tokens.word(first - 1) in cues.RELATIVES
    yield "question", tokens.lower[line.stop - 1] == "?"


def _source(tokens: Tokens, line: range, speech: Speech, source: Source) -> Iterator[tuple[str, float]]:
    """Tell who speaks."""
    kind = source.mention.kind.name if source.mention else ""
    between = range(min(source.last, speech.last) + 1, max(source.first, speech.cue))
    yield f"shape={source.shape.name} {kind}".strip(), 1
    yield f"{source.shape.name}&rule={speech.rule}", 1
    yield "distance", math.log1p(min(len(between), _FAR))
    yield "comma between", any(tokens.lower[i] in cues.COMMAS for i in between)
    yield "hangs", hangs(tokens, line.start, source.first)
    match source.shape:
        case Shape.PRONOUN:
            yield f"pronoun={source.head}", 1
        case Shape.PHRASE:
            yield from _phrase(tokens, source)
        case Shape.NAME:
            after = source.last + 1
            yield "name goes on", after < line.stop and after != speech.cue and tokens.words[after][0].isupper()


def _phrase(tokens: Tokens, source: Source) -> Iterator[tuple[str, float]]:
    """Tell what a source without a name is."""
    yield "speaks", names_speaker(source.head)
    yield "document", source.head in cues.DOCUMENTS
    yield "press", source.head in cues.PRESS
    yield "one word", source.first == source.last
    yield "stands alone", source.first == source.last and source.head in cues.STANDING_ALONE
    yield "determiner", tokens.lower[source.first] in cues.DETERMINERS
    yield "the", tokens.lower[source.first] == "the"
    yield "capital", any(tokens.words[i][0].isupper() for i in range(source.first + 1, source.last + 1))
    yield "long", min(1.0, (source.last - source.first) / _LONG)
    yield "plural", source.head.endswith("s") or source.head in cues.PLURALS


def _syntax(tree: Tree, cue: int, source: range) -> Iterator[tuple[str, float]]:
    """Tell how cue and source depend on one another, and on the sentence's root."""
    head = tree.head(source)
    if cue not in tree.over or head is None:
        return
    above = [cue, *tree.above(cue)]
    yield f"cue is {tree.label[cue]}", 1
    for label in _EMBEDDED & {tree.label[i] for i in above}:
        yield f"under {label}", 1
    yield "depth", min(len(above), _DEEP) / _DEEP
    yield f"source is {tree.label[head]}", 1
    linked = tree.subject(cue)
    yield f"source is {tree.label[head]} of the cue", tree.over[head] == cue
    yield "subject", linked == head
    yield "other subject", linked is not None and linked != head
    for label in {tree.label[i] for i in tree.below(cue)}:
        yield f"cue has {label}", 1


def _complement(tokens: Tokens, tree: Tree, speech: Speech) -> Iterator[tuple[str, float]]:
    """Tell what the verb takes: a clause is said, an object may be done to."""
    verb = VERBS.get(tokens.lower[speech.cue])
    if verb is None or speech.cue not in tree.over:
        return
    below = tree.below(speech.cue)
    for label in {tree.label[i] for i in below} & _COMPLEMENTS:
        yield f"{verb.force.name}&has {label}", 1
        yield f"lemma={verb.lemma}&has {label}", 1
    yield f"{verb.force.name}&alone", not any(tree.label[i] in _COMPLEMENTS for i in below)
    for i in below:
        if tree.label[i] == "dobj":
            yield "object told", tokens.lower[i] in cues.STATEMENTS | cues.CLAIMS | cues.DOCUMENTS


def _class(tokens: Tokens, line: range, i: int) -> str:
    """Return the class of the word at ``i``."""
    if not line.start <= i < line.stop:
        return "edge"
    if tokens.quoted[i]:
        return "quote"
    word = tokens.lower[i]
    return next((name for name, words in _CLASSES if word in words), "name" if tokens.named[i] else "other")
