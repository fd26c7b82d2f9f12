"""A guess of the source model -> how probable it is that the source is right, by whether marks and grammar agree.

The weights are learned on annotated and judged sentences by ``training.sureness``.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from retrieval.logistic import Logistic, read_logistic
from retrieval.models.source_model import SourceGuess, SpeechKind
from retrieval.speech.cues import Shape, Source, cues
from retrieval.speech.phrases import has_verb
from retrieval.speech.subjects import clause_subject
from retrieval.text.tokens import Tokens

# The probabilities from which a source is shown: of quoted words all in all, and of others those of speech and of the
# place, with no verb beside the source, with some verb, and with a verb of saying. They were chosen on half of the
# annotated and of the judged sentences.
SURE = 0.78
ALONE, BESIDE, AGREED = (0.9, 0.8), (0.45, 0.45), (0.9, 0.3)
QUOTED = frozenset((SpeechKind.DIRECT, SpeechKind.MIXED))
WEIGHTS = files(__package__) / "sureness.toml"
_NEAR_TOKENS = 4  # from a name to its verb
_EXTREME = 0.005  # a probability nearer to 0 or 1 tells no more
_ASKED_TOKENS = 10  # behind "asked", in which it says what for
_ABOUT = frozenset(("about", "for"))
_ASKING = frozenset(("whether", "if", "why", "how", "what", "who", "when", "where", "to", "that", ",", ":", '"', "“"))
_SUBORDINATORS = frozenset(("after", "before", "since", "because", "when", "where", "what", "which", "whom", "until"))


def is_sure(tokens: Tokens, line: range, guess: SourceGuess, source: Source) -> bool:
    """Return whether the sentence of tokens ``line`` surely reports ``source``."""
    found = signs(tokens, line, guess, source)
    if "marks" in found and guess.speech > BESIDE[0]:
        return True
    if guess.kind in QUOTED:
        return _model().probability(found) >= SURE
    force = _verb_beside(tokens, tokens.within(guess.source)) if guess.source else None
    if found.keys() & {"subordinate", "left open"} or ("relative" in found and force is not Force.SAYING):
        return False
    if force in (Force.ACT, Force.CLAUSE) and _is_act(tokens, line, guess):
        return False
    is_plain = force is Force.SAYING and source.shape is not Shape.PRONOUN
    enough = (BESIDE if force else ALONE, AGREED if is_plain else BESIDE if force else ALONE)
    return any(guess.speech >= speech and guess.probability >= place for speech, place in enough)


@cache
def _model() -> Logistic:
    return read_logistic(WEIGHTS)


def signs(tokens: Tokens, line: range, guess: SourceGuess, source: Source) -> dict[str, float]:
    """Return what speaks for and against a source."""
    own = tokens.within(guess.source) if guess.source else range(0)
    cue = tokens.within(guess.cue) if guess.cue else range(0)
    force = _verb_beside(tokens, own)
    found = {
        "speech": _log_odds(guess.speech),
        "place": _log_odds(guess.probability),
        "quoted": sum(tokens.quoted[line.start : line.stop]) / len(line),
        f"{guess.kind.name.lower()}, {force.name.lower() if force else 'no verb'}": 1.0,
    }
    observed = {
        "marks": _is_marked(tokens, source),
        "subordinate": _is_subordinate(tokens, own[0]),
        # "have not commented", but "asked not to be named"
        "left open": any(tokens.lower[i] in cues.leaving_open and tokens.word(i + 1) != "to" for i in cue),
        "relative": tokens.lower[own[0]] in ("who", "which"),
        "pronoun": source.shape is Shape.PRONOUN,
        "in another sentence": source.first not in line,
        f"{guess.kind.name.lower()}, subject": _is_subject(tokens, line, source),
    }
    return found | {name: 1.0 for name, value in observed.items() if value}


def _log_odds(probability: float) -> float:
    p = min(1 - _EXTREME, max(_EXTREME, probability))
    return math.log(p / (1 - p))


def _is_subject(tokens: Tokens, line: range, source: Source) -> bool:
    subject = clause_subject(tokens, line.start, line.stop) if source.first in line else None
    return subject is not None and subject.first <= source.last and source.first <= subject.last


def _is_subordinate(tokens: Tokens, first: int) -> bool:
    """Return whether the outlet itself may say most of the sentence: "The dollar fell after Lee said …"."""
    before = first - 1
    while tokens.word(before) in cues.determiners:
        before -= 1
    return tokens.word(before) in _SUBORDINATORS


def _verb_beside(tokens: Tokens, own: range) -> Force | None:
    """Return the force of the verb whose subject a phrase is, by their places: "Lee also said", "said Lee"."""
    if f"{tokens.word(own[0] - 2)} {tokens.word(own[0] - 1)}" == "according to":
        return Force.SAYING
    for i in tokens.after(own[-1], _NEAR_TOKENS):
        verb = VERBS.get(tokens.lower[i])
        if verb:
            is_passive = verb.form is not Form.ING and tokens.lower[i - 1] in cues.being  # "Lee was asked"
            return None if is_passive else verb.force
        if tokens.lower[i] not in cues.adverbs | cues.auxiliaries | cues.times:
            break
    passive = tokens.word(own[0] - 1) == "by"  # "reported by Lee"
    before = VERBS.get(tokens.word(own[0] - (2 if passive else 1)))
    return before.force if before and not tokens.quoted[own[0]] else None


def _is_act(tokens: Tokens, line: range, guess: SourceGuess) -> bool:
    """Return whether the cue has a thing for its object: "Lee proposed a new pier"; but "called for a new pier".

    "Lee asked the mayor about the pier" and "asked for help" are acts as well.
    """
    cue = tokens.within(guess.cue) if guess.cue else range(0)
    first = cue[-1] + 1 if cue else 0
    if any((verb := VERBS.get(tokens.lower[i])) and verb.lemma == "ask" for i in cue):
        behind = (tokens.lower[i] for i in tokens.after(cue[0], _ASKED_TOKENS))
        return next((word for word in behind if word in _ABOUT | _ASKING), "") in _ABOUT
    if tokens.word(first) not in cues.indefinites or tokens.word(first - 1) in cues.prepositions or first not in line:
        return False
    end = next((i for i in range(first, line.stop) if tokens.lower[i] in cues.commas), line.stop)
    return not has_verb(tokens, first, end)


def _is_marked(tokens: Tokens, source: Source) -> bool:
    """Return whether the marks agree with the model: "“…,” said Lee", "“…,” Lee told us", "Lee: …"."""
    if tokens.quoted[source.first]:
        return False
    inverted = tokens.word(source.first - 1) in VERBS
    first = source.first - inverted
    if tokens.sentences[tokens.sentence_at(first)].start == first:
        return tokens.word(source.last + 1) == ":"
    verb = inverted or not VERBS.keys().isdisjoint(tokens.lower[source.last + 1 : source.last + 1 + _NEAR_TOKENS])
    return verb and tokens.word(first - 1) in cues.closing_marks
