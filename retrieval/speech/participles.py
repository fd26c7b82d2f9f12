"""A reporting verb in -ing ("is saying", "…, adding that", "with activists saying") -> the speech it tells of."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Force, Verb
from retrieval.speech import cues
from retrieval.speech.cues import ASIDE, MAIN, Speech
from retrieval.speech.phrases import is_speaker
from retrieval.speech.reporting import can_speak, has_clause, helpers, quote_follows, rank_of
from retrieval.speech.subjects import before, opener, right_before
from retrieval.text.tokens import Tokens

_QUOTING = frozenset(("quoted", "quotes", "quote", "cited", "cites", "cite"))
_QUOTED_AS = 12  # tokens from "quoted" to "as saying"
# After them a participle has the main clause's subject: "began by saying", "praised him for saying".
_ADJOINING = cues.COMMAS | {"by", "in"}


def participle(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech that the verb in -ing at ``i`` tells of."""
    verb = VERBS[tokens.lower[i]]
    if verb.force is Force.THINKING or i == line.start:
        return None
    if helpers(tokens, line, i) & cues.BEING:
        return _progressive(tokens, line, i, verb)
    if tokens.word(i - 1) == "as" and verb.lemma == "say":
        return _quoted_as(tokens, line, i)
    if tokens.word(i - 1) in _ADJOINING or tokens.is_quoted(i - 1):
        return _adjoined(tokens, line, i, verb)
    return _joined(tokens, line, i, verb)


def _says_what(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether what is said follows: a quotation, "that" or a clause."""
    return quote_follows(tokens, line, i) or has_clause(tokens, line, i, strict=True)


def _progressive(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "is saying", "is reporting that"."""
    source = before(tokens, line.start, i)
    needs = verb.force is Force.CLAUSE or verb.lemma == "report"
    if source is None or (needs and not _says_what(tokens, line, i)):
        return None
    if not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, rank_of(tokens, line, source, verb), "is saying", verb.lemma)


def _adjoined(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "…, saying that …": the main clause's subject speaks."""
    acts = verb.force is Force.ACT and tokens.lower[i] not in cues.NOUNS_TOO and tokens.word(i - 1) in cues.COMMAS
    if verb.force is not Force.SAYING and not acts and not _says_what(tokens, line, i):
        return None
    source = opener(tokens, line.start, i)
    if source is None or not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, ASIDE, "subject of a participle", verb.lemma)


def _joined(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "with activists saying that …": who stands right before the verb speaks."""
    if not _says_what(tokens, line, i):
        return None
    source = right_before(tokens, line.start, i)
    if (
        source is None
        or source.last < i - 1
        or not (source.mention or is_speaker(tokens, source))
        or source.head in cues.DOCUMENTS
    ):
        return None
    return Speech(source, i, i, ASIDE, "subject right before a participle", verb.lemma)


def _quoted_as(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "was quoted by an agency as saying", "quoted him as saying": the one quoted speaks."""
    words = tokens.lower
    for j in range(i - 2, max(line.start, i - _QUOTED_AS), -1):
        if words[j] in _QUOTING and not tokens.quoted[j]:
            passive = tokens.word(j - 1) in cues.BEING
            source = before(tokens, line.start, j) if passive else right_before(tokens, j + 1, i - 1)
            return Speech(source, j, i, MAIN, "quoted as saying", "say") if source else None
    return None
