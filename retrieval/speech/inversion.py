"""A reporting verb before its subject ("…," said Ann Lee) -> that subject."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import Verb
from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.cues import Shape, Source
from retrieval.speech.phrases import is_speaker, names_speaker, phrase
from retrieval.text.tokens import Tokens

_INTRODUCING = 10  # tokens between a verb and the name of its subject
_ENDING = cues.COMMAS | cues.PREPOSITIONS | cues.AUXILIARIES | cues.SUBORDINATORS | {".", "!", "?", ":", "who", "that"}
_APPOSED = cues.DETERMINERS | {"who"}


def inverted(tokens: Tokens, line: range, i: int, verb: Verb) -> Source | None:
    """Return the subject of a verb that stands before it: "…," said Ann Lee."""
    opens = i == line.start
    quoted = tokens.is_quoted(i - 1) or (tokens.word(i - 1) == "," and tokens.is_quoted(i - 2))
    if verb.lemma not in cues.INVERTING and (opens or not quoted):
        return None
    if verb.lemma not in cues.INVERTING and not _is_parted(tokens, i):
        return None  # "“Night Ferry” tells the story of two sisters" is a title's verb
    if not opens and not tokens.is_quoted(i - 1) and tokens.word(i - 1) not in cues.COMMAS - {")", "]"}:
        return None
    after_quote = not opens and tokens.is_quoted(i - 1)
    found = (phrase(tokens, i + 1, line.stop), _introduced(tokens, line, i) if quoted else None)
    speaking = [_with_another(tokens, each) for each in found if each]
    closed = (each for each in speaking if _closes(tokens, line, each.last + 1, after_quote=after_quote))
    source = next(closed, None)
    if source is None:
        return None
    if source.shape is Shape.PHRASE and not is_speaker(tokens, source):
        return None
    if opens:
        behind = range(source.last + 1, line.stop)
        quoted_from = next((j for j in behind if tokens.is_quoted(j)), source.last + 1)
        leads = tokens.word(source.last + 1) == ":" or tokens.word(quoted_from - 1) in (":", ",")
        return source if leads else None
    sure = quoted or tokens.word(source.last + 1) == ":"
    if sure or _clause_before(tokens, line, i - 1):
        return source
    can_speak = source.shape is not Shape.PHRASE or names_speaker(source.head)
    # who tweets or comments does it as often as not to what stands behind
    speaks = can_speak and verb.lemma not in cues.NOUNS_TOO
    return source if speaks and _ends(tokens, line, source.last + 1) else None


def _with_another(tokens: Tokens, source: Source) -> Source:
    """Return a person who speaks with another one behind "and" as both of them."""
    last, mention = tokens.opening.get(source.last + 2, (0, None))
    people = {each.kind if each else None for each in (source.mention, mention)}
    if people != {Kind.PERSON} or tokens.lower[source.last + 1] != "and":
        return source
    return Source(Shape.PHRASE, source.first, last, tokens.lower[last])


def _introduced(tokens: Tokens, line: range, i: int) -> Source | None:
    """Return the name behind all that introduces it: said "the port's founder and co-director Ann Lee"."""
    for j in range(i + 1, min(i + _INTRODUCING, line.stop)):
        last, mention = tokens.opening.get(j, (j, None))
        if mention is not None and mention.kind is Kind.PERSON:
            return Source(Shape.NAME, j, last, tokens.lower[last], mention)
        if tokens.quoted[j] or tokens.lower[j] in _ENDING:
            return None
    return None


def _is_parted(tokens: Tokens, i: int) -> bool:
    """Return whether a comma or a stop parts a quotation from the verb behind it, within its marks or after them."""
    behind = tokens.text[tokens.starts[i - 2] : tokens.starts[i]] if i > 1 else ""
    return any(mark in behind for mark in ",.!?…—–-")


def _closes(tokens: Tokens, line: range, i: int, *, after_quote: bool) -> bool:
    """Return whether the subject after an inverted verb ends before ``i``, and no verb of its own follows."""
    if i >= line.stop or tokens.quoted[i]:
        return True
    word = tokens.lower[i]
    return (
        word in cues.COMMAS
        or word in cues.PREPOSITIONS
        or word in cues.TIMES
        or word in cues.SUBORDINATORS
        or word in (".", "!", "?", ":", "who", "...", "…")
        or (after_quote and word.endswith(("ing", "ed")))
    )


def _ends(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether the sentence ends before ``i``, or with no more than what the subject is apposed to.

    Or goes on with the verb of what is said: "The ferry, said Ann Lee, was late."
    """
    if i < line.stop and tokens.word(i) in cues.COMMAS:
        apposed = tokens.word(i + 1) in _APPOSED and not any(
            tokens.word(j) in cues.COMMAS for j in range(i + 1, line.stop)
        )
        return apposed or tokens.word(i + 1) in cues.AUXILIARIES
    return i >= line.stop or tokens.word(i) in (".", "!", "?", "...", "…")


def _clause_before(tokens: Tokens, line: range, comma: int) -> bool:
    """Return whether a whole clause stands before the comma, and not only a name and what it is apposed to."""
    return any(
        (tokens.lower[j] in cues.AUXILIARIES and tokens.lower[j] not in ("'s", "’s"))
        or (tokens.lower[j].endswith("ed") and j > line.start)
        for j in range(line.start, comma)
    )
