"""A cue and its source -> named features: whether the sentence reports the source; weights in ``speech.toml``.

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
from retrieval.speech.cues import Shape, Source, Speech, cues
from retrieval.speech.phrases import follows_preposition, names_speaker
from retrieval.speech.reporting import helpers, quote_follows, quote_precedes
from retrieval.speech.syntax import Tree, is_about_another, is_complete
from retrieval.text.tokens import Tokens

WEIGHTS = files("retrieval.speech") / "speech.toml"
# The probabilities from which a source is likely to say it, and sure to: beside a quotation, or where one is in the
# sentence, somebody does speak; elsewhere it may be an act.
LIKELY_BESIDE, LIKELY = 0.5, 0.6
SURE_QUOTED, SURE = 0.5, 0.9
EXPLICIT = frozenset(("according to", "name and colon"))  # words that do nothing else than name a source
_FEW_TOKENS = 5  # quoted, the marks included: up to so many are a quoted term
_LONG_TOKENS = 20  # before or behind; more make no difference
_MAX_DEPTH = 4  # words above one another, likewise
_EMBEDDED = frozenset(("relcl", "advcl", "acl", "pcomp", "csubj"))
_COMPLEMENTS = frozenset(("ccomp", "xcomp", "dobj", "prep", "dative"))
_FAR_TOKENS = 8  # from a source to its cue; more make no difference
_CLASSES = (
    ("that", frozenset(("that",))),
    ("clause", cues.clause_starts - cues.determiners - {"that", ":"}),
    ("determiner", cues.determiners),
    ("to", frozenset(("to",))),
    ("preposition", cues.prepositions),
    ("time", cues.times | cues.adverbs),
    ("comma", cues.commas),
    ("colon", frozenset((":",))),
    ("stop", frozenset((".", "!", "?", "…", "..."))),
)


@cache
def load_weights() -> Logistic:
    return read_logistic(WEIGHTS)


def weigh(tokens: Tokens, line: range, speech: Speech, tree: Tree) -> Speech | None:
    """Return ``speech`` with ``sure`` set, or None where it is unlikely; hearsay and observation need no score."""
    if speech.source is None or speech.observed:
        return speech
    values = features(tokens, line, speech, tree)
    probability = load_weights().probability(values)
    if probability < (LIKELY if "quote=none" in values else LIKELY_BESIDE) and speech.rule not in EXPLICIT:
        return None
    sure = probability >= (SURE_QUOTED if "quoted share" in values else SURE) or speech.rule == "according to"
    return replace(speech, sure=sure and _is_printable(tokens, line, tree, speech, speech.source))


def _is_printable(tokens: Tokens, line: range, tree: Tree, speech: Speech, source: Source) -> bool:
    """Return whether a source may be shown: it is complete, of this very verb, and not in a question."""
    if not is_complete(tokens, tree, source) or is_about_another(tokens, tree, speech):
        return False
    if tokens.lower[line.stop - 1] == "?" and not any(tokens.quoted[line.start : line.stop]):
        return False
    if source.shape is not Shape.PHRASE:
        return True
    word = tokens.words[source.first]
    single = source.first == source.last and word.isalpha() and word.islower()
    single = single and not word.endswith("s") and word not in cues.plurals
    return not single and tokens.lower[source.last] not in cues.prepositions | cues.determiners | cues.subordinators


def features(tokens: Tokens, line: range, speech: Speech, tree: Tree) -> dict[str, float]:
    source = speech.source
    if source is None:
        return {}
    values = [
        *_cue(tokens, line, speech),
        *_frame(tokens, line, speech, source),
        *_source(tokens, line, speech, source),
    ]
    values += _syntax(tree, speech.cue, range(source.first, source.last + 1))
    values += _complement(tokens, tree, speech)
    return {name: float(value) for name, value in values if value}


def _cue(tokens: Tokens, line: range, speech: Speech) -> Iterator[tuple[str, float]]:
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
    source = speech.source
    if source is None:
        return "none"
    if quote_follows(tokens, line, speech.last) or quote_follows(tokens, line, max(source.last, speech.last)):
        return "after"
    return "before" if quote_precedes(tokens, line, min(source.first, speech.cue)) else "none"


def _frame(tokens: Tokens, line: range, speech: Speech, source: Source) -> Iterator[tuple[str, float]]:
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
    yield "few quoted", 0 < quoted <= _FEW_TOKENS
    yield "in front", min(1.0, (first - line.start) / _LONG_TOKENS)
    yield "behind", min(1.0, (line.stop - last) / _LONG_TOKENS)
    yield "subordinate", tokens.word(first - 1) in cues.subordinators
    yield "relative", tokens.word(speech.cue - 1) in cues.relatives or tokens.word(first - 1) in cues.relatives
    yield "question", tokens.lower[line.stop - 1] == "?"


def _source(tokens: Tokens, line: range, speech: Speech, source: Source) -> Iterator[tuple[str, float]]:
    kind = source.mention.kind.name if source.mention else ""
    between = range(min(source.last, speech.last) + 1, max(source.first, speech.cue))
    yield f"shape={source.shape.name} {kind}".strip(), 1
    yield f"{source.shape.name}&rule={speech.rule}", 1
    yield "distance", math.log1p(min(len(between), _FAR_TOKENS))
    yield "comma between", any(tokens.lower[i] in cues.commas for i in between)
    yield "hangs", follows_preposition(tokens, line.start, source.first)
    match source.shape:
        case Shape.PRONOUN:
            yield f"pronoun={source.head}", 1
        case Shape.PHRASE:
            yield from _phrase(tokens, source)
        case Shape.NAME:
            after = source.last + 1
            yield "name goes on", after < line.stop and after != speech.cue and tokens.words[after][0].isupper()


def _phrase(tokens: Tokens, source: Source) -> Iterator[tuple[str, float]]:
    yield "speaks", names_speaker(source.head)
    yield "document", source.head in cues.documents
    yield "press", source.head in cues.media_nouns
    yield "one word", source.first == source.last
    yield "stands alone", source.first == source.last and source.head in cues.subject_determiners
    yield "determiner", tokens.lower[source.first] in cues.determiners
    yield "the", tokens.lower[source.first] == "the"
    yield "capital", any(tokens.words[i][0].isupper() for i in range(source.first + 1, source.last + 1))
    yield "long", min(1.0, (source.last - source.first) / _LONG_TOKENS)
    yield "plural", source.head.endswith("s") or source.head in cues.plurals


def _syntax(tree: Tree, cue: int, source: range) -> Iterator[tuple[str, float]]:
    head = tree.head(source)
    if cue not in tree.heads or head is None:
        return
    ancestors = [cue, *tree.ancestors(cue)]
    yield f"cue is {tree.labels[cue]}", 1
    for labels in _EMBEDDED & {tree.labels[i] for i in ancestors}:
        yield f"under {labels}", 1
    yield "depth", min(len(ancestors), _MAX_DEPTH) / _MAX_DEPTH
    yield f"source is {tree.labels[head]}", 1
    linked = tree.subject(cue)
    yield f"source is {tree.labels[head]} of the cue", tree.heads[head] == cue
    yield "subject", linked == head
    yield "other subject", linked is not None and linked != head
    for labels in {tree.labels[i] for i in tree.children(cue)}:
        yield f"cue has {labels}", 1


def _complement(tokens: Tokens, tree: Tree, speech: Speech) -> Iterator[tuple[str, float]]:
    verb = VERBS.get(tokens.lower[speech.cue])
    if verb is None or speech.cue not in tree.heads:
        return
    children = tree.children(speech.cue)
    for labels in {tree.labels[i] for i in children} & _COMPLEMENTS:
        yield f"{verb.force.name}&has {labels}", 1
        yield f"lemma={verb.lemma}&has {labels}", 1
    yield f"{verb.force.name}&alone", not any(tree.labels[i] in _COMPLEMENTS for i in children)
    for i in children:
        if tree.labels[i] == "dobj":
            yield "object told", tokens.lower[i] in cues.statement_nouns | cues.claim_nouns | cues.documents


def _class(tokens: Tokens, line: range, i: int) -> str:
    if not line.start <= i < line.stop:
        return "edge"
    if tokens.quoted[i]:
        return "quote"
    word = tokens.lower[i]
    return next((name for name, words in _CLASSES if word in words), "name" if tokens.named[i] else "other")
