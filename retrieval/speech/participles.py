"""A reporting verb in -ing ("is saying", "…, adding that", "with activists saying") -> the speech it tells of."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Force, Verb
from retrieval.speech import cues
from retrieval.speech.cue_match import ASIDE, MAIN, Speech
from retrieval.speech.galley import Galley
from retrieval.speech.phrases import is_speaker
from retrieval.speech.reporting import can_speak, has_clause, helpers, quote_follows, rank_of
from retrieval.speech.subjects import before, opener, right_before

_QUOTING = frozenset(("quoted", "quotes", "quote", "cited", "cites", "cite"))
_QUOTED_AS = 12  # tokens from "quoted" to "as saying"
# After them a participle has the main clause's subject: "began by saying", "praised him for saying".
_ADJOINING = cues.COMMAS | {"by", "in"}


def participle(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech that the verb in -ing at ``i`` tells of."""
    verb = VERBS[galley.lower[i]]
    if verb.force is Force.THINKING or i == line.start:
        return None
    if helpers(galley, line, i) & cues.BEING:
        return _progressive(galley, line, i, verb)
    if galley.word(i - 1) == "as" and verb.lemma == "say":
        return _quoted_as(galley, line, i)
    if galley.word(i - 1) in _ADJOINING or galley.is_quoted(i - 1):
        return _adjoined(galley, line, i, verb)
    return _joined(galley, line, i, verb)


def _says_what(galley: Galley, line: range, i: int) -> bool:
    """Return whether what is said follows: a quotation, "that" or a clause."""
    return quote_follows(galley, line, i) or has_clause(galley, line, i, strict=True)


def _progressive(galley: Galley, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "is saying", "is reporting that"."""
    source = before(galley, line.start, i)
    needs = verb.force is Force.CLAUSE or verb.lemma == "report"
    if source is None or (needs and not _says_what(galley, line, i)):
        return None
    if not can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, rank_of(galley, line, source, verb), "is saying", verb.lemma)


def _adjoined(galley: Galley, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "…, saying that …": the main clause's subject speaks."""
    acts = verb.force is Force.ACT and galley.lower[i] not in cues.NOUNS_TOO and galley.word(i - 1) in cues.COMMAS
    if verb.force is not Force.SAYING and not acts and not _says_what(galley, line, i):
        return None
    source = opener(galley, line.start, i)
    if source is None or not can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, ASIDE, "subject of a participle", verb.lemma)


def _joined(galley: Galley, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "with activists saying that …": who stands right before the verb speaks."""
    if not _says_what(galley, line, i):
        return None
    source = right_before(galley, line.start, i)
    if (
        source is None
        or source.last < i - 1
        or not (source.mention or is_speaker(galley, source))
        or source.head in cues.DOCUMENTS
    ):
        return None
    return Speech(source, i, i, ASIDE, "subject right before a participle", verb.lemma)


def _quoted_as(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "was quoted by an agency as saying", "quoted him as saying": the one quoted speaks."""
    words = galley.lower
    for j in range(i - 2, max(line.start, i - _QUOTED_AS), -1):
        if words[j] in _QUOTING and not galley.quoted[j]:
            passive = galley.word(j - 1) in cues.BEING
            source = before(galley, line.start, j) if passive else right_before(galley, j + 1, i - 1)
            return Speech(source, j, i, MAIN, "quoted as saying", "say") if source else None
    return None
