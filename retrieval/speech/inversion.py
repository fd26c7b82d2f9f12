"""A reporting verb before its subject ("…," said Ann Lee) -> that subject."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import Verb
from retrieval.speech import cues
from retrieval.speech.cue_match import Shape, Source
from retrieval.speech.galley import Galley
from retrieval.speech.phrases import is_speaker, phrase


def inverted(galley: Galley, line: range, i: int, verb: Verb) -> Source | None:
    """Return the subject of a verb that stands before it: "…," said Ann Lee."""
    opens = i == line.start
    quoted = galley.is_quoted(i - 1) or (galley.word(i - 1) == "," and galley.is_quoted(i - 2))
    if verb.lemma not in cues.INVERTING and (opens or not quoted):
        return None
    if not opens and not galley.is_quoted(i - 1) and galley.word(i - 1) not in cues.COMMAS - {")", "]"}:
        return None
    source = phrase(galley, i + 1, line.stop)
    if source is None and i + 1 < line.stop and galley.lower[i + 1] in cues.PRONOUNS and galley.is_quoted(i - 1):
        source = Source(Shape.PRONOUN, i + 1, i + 1, galley.lower[i + 1])
    if source is None or not _closes(galley, line, source.last + 1, after_quote=not opens and galley.is_quoted(i - 1)):
        return None
    if source.shape is Shape.PHRASE and not is_speaker(galley, source):
        return None
    if opens:
        return source if galley.lower[source.last + 1 : source.last + 2] == (":",) else None
    if quoted or galley.word(source.last + 1) == ":" or _clause_before(galley, line, i - 1):
        return source
    return None


def _closes(galley: Galley, line: range, i: int, *, after_quote: bool) -> bool:
    """Return whether the subject after an inverted verb ends before ``i``, and no verb of its own follows."""
    if i >= line.stop or galley.quoted[i]:
        return True
    word = galley.lower[i]
    return (
        word in cues.COMMAS
        or word in cues.PREPOSITIONS
        or word in cues.TIMES
        or word in cues.SUBORDINATORS
        or word in (".", "!", "?", ":", "who", "...", "…")
        or (after_quote and word.endswith(("ing", "ed")))
    )


def _clause_before(galley: Galley, line: range, comma: int) -> bool:
    """Return whether a whole clause stands before the comma, and not only a name and what it is apposed to."""
    return any(
        (galley.lower[j] in cues.AUXILIARIES and galley.lower[j] not in ("'s", "’s"))
        or (galley.lower[j].endswith("ed") and j > line.start)
        for j in range(line.start, comma)
    )
