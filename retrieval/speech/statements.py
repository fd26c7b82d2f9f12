"""A noun for what is said ("issued a statement", "the ministry's claim that …") -> the speech it tells of."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import Force, Form, Verb
from retrieval.speech import cues
from retrieval.speech.cue_match import ASIDE, Shape, Source, Speech
from retrieval.speech.phrases import OWNS, is_speaker, phrase
from retrieval.speech.reporting import can_speak, helpers, parts, rank_of
from retrieval.speech.subjects import before, right_before
from retrieval.text.tokens import Tokens

_FAR = 6  # tokens from "issued" to what is issued
_ADJECTIVES = 3  # that may stand between an owner and his claim


def issued(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "issued a statement", "made a fresh plea"."""
    noun = next((j for j in range(i + 1, min(i + _FAR, line.stop)) if tokens.lower[j] in cues.STATEMENTS), None)
    if (
        noun is None
        or "no" in tokens.lower[i:noun]
        or any(parts(tokens, j) or tokens.quoted[j] for j in range(i + 1, noun))
    ):
        return None
    source = before(tokens, line.start, i)
    if source is None or helpers(tokens, line, i) & (cues.BEING | cues.NEGATIONS | {"to"}):
        return None
    verb = Verb("issue", Form.PAST, Force.ACT)
    if not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, noun, rank_of(tokens, line, source, verb) or ASIDE, "made a statement")


def claimed(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "Lee's claim that …" and "claims by the ministry that …"."""
    if tokens.word(i + 1) == "that":
        source = _owner(tokens, line, i)
    elif tokens.word(i + 1) in ("by", "from", "of"):
        source = phrase(tokens, i + 2, line.stop)
        source = source if source and tokens.word(source.last + 1) == "that" else None
    else:
        return None
    if source is None or (source.shape is Shape.PHRASE and not is_speaker(tokens, source)):
        return None
    return Speech(source, i, i, ASIDE, "claim of")


def _owner(tokens: Tokens, line: range, i: int) -> Source | None:
    """Return whose the noun at ``i`` is."""
    for j in range(i - 1, max(line.start, i - 2 - _ADJECTIVES), -1):
        if tokens.quoted[j] or tokens.lower[j] in cues.DETERMINERS:
            return None
        if tokens.lower[j] in OWNS:
            return right_before(tokens, line.start, j)
    return None
