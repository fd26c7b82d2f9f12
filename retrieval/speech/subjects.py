"""A reporting verb -> its subject: the phrase before it, over commas, brackets and auxiliaries."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Form
from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.cue_match import Shape, Source
from retrieval.speech.galley import Galley
from retrieval.speech.phrases import hangs, has_verb, is_participle, lead_of, of_core, phrase, several, stops

_SHORT_NAME = 3  # words
_RELATIVE = 15  # tokens that a relative clause before its verb may take
# No noun phrase ends with these.


def before(galley: Galley, low: int, cue: int) -> Source | None:
    """Return the subject of the verb at ``cue``, looking no further back than ``low``."""
    i = _over_brackets(galley, low, skip_back(galley, low, cue - 1))
    if i < low or (galley.quoted[i] and i not in galley.ending):
        return None
    word = galley.lower[i]
    if i in galley.ending:
        return _ending_at(galley, low, i)
    if word in cues.PRONOUNS:
        return Source(Shape.PRONOUN, i, i, word)
    if word in cues.STANDING_ALONE and galley.word(i - 1) not in ("and", "or", "of"):
        return Source(Shape.PHRASE, i, i, word)
    if word in ("and", "or", "but", "then"):
        return opener(galley, low, i)
    if word in cues.COMMAS:
        return _apposed(galley, low, i)
    if word == "who" and i - 2 >= low:
        return _before_who(galley, low, i)
    if (
        word in ("'s", "’s")
        or word in cues.RELATIVES
        or word in cues.PREPOSITIONS
        or (word in cues.DETERMINERS and word not in cues.STANDING_ALONE)
    ):
        return None
    return _ending_at(galley, low, i)


def _before_who(galley: Galley, low: int, who: int) -> Source | None:
    """Return whom the "who" at ``who`` means: a person right before it, or whom an apposition belongs to."""
    comma = galley.lower[who - 1] == ","
    named = galley.ending.get(who - 1 - comma)
    if named and named[1].kind is Kind.PERSON:
        return Source(Shape.NAME, named[0], who - 1 - comma, galley.lower[who - 1 - comma], named[1])
    return _apposed(galley, low, who - 1) if comma else _ending_at(galley, low, who - 1)


def before_relative(galley: Galley, low: int, cue: int) -> Source | None:
    """Return the subject that a clause without commas parts from its verb ("a man who saw it said")."""
    for i in range(cue - 1, max(low, cue - _RELATIVE), -1):
        if galley.quoted[i] or galley.lower[i] in cues.COMMAS:
            return None
        if galley.lower[i] == "who":
            return _ending_at(galley, low, i - 1)
    return None


def right_before(galley: Galley, low: int, i: int) -> Source | None:
    """Return the noun phrase that ends right before ``i``, back to the nearest preposition."""
    named = galley.ending.get(i - 1)
    if named:
        return Source(Shape.NAME, named[0], i - 1, galley.lower[i - 1], named[1])
    first = i
    while (
        first > low
        and not stops(galley, first - 1)
        and galley.lower[first - 1] not in cues.PREPOSITIONS
        and not is_participle(galley, first - 1)
    ):
        first -= 1
    return of_core(galley, first, i - 1) if first < i else None


def _over_brackets(galley: Galley, low: int, i: int) -> int:
    """Return the last token before the brackets that end at ``i`` ("Lee (Lab)"), or ``i``."""
    if i < low or galley.lower[i] not in (")", "]"):
        return i
    for j in range(i - 1, max(low - 1, i - 12), -1):
        if galley.lower[j] in ("(", "["):
            return j - 1
    return i


def skip_back(galley: Galley, low: int, i: int) -> int:
    """Return the last token at or before ``i`` that is no auxiliary, adverb or date."""
    while i >= low and not galley.quoted[i]:
        word = galley.lower[i]
        dated = word in ("on", "in") and galley.word(i + 1) in cues.TIMES
        if not (
            word in cues.AUXILIARIES
            or word in cues.ADVERBS
            or word in cues.NEGATIONS
            or (word.endswith("ly") and word not in cues.NOUNS_IN_LY and i not in galley.ending)
            or (word in cues.TIMES and i not in galley.ending)
            or dated
            or (word.isdigit() and i > low and galley.lower[i - 1] in cues.MONTHS)
        ):
            break
        if word in ("’s", "'s") and galley.word(i - 1) not in cues.PRONOUNS and not _has_done(galley, i + 1):
            break
        i -= 1
    return i


def _has_done(galley: Galley, i: int) -> bool:
    """Return whether a "'s" before ``i`` is an auxiliary and no possessive ("Lee's proposed pier")."""
    verb = VERBS.get(galley.word(i))
    if verb is None or verb.form in (Form.BASE, Form.THIRD):
        return False
    return verb.form is Form.ING or galley.word(i + 1) in cues.CLAUSE_STARTS | cues.PREPOSITIONS


def _ending_at(galley: Galley, low: int, last: int) -> Source | None:
    """Return the noun phrase that ends with the token ``last``."""
    named = galley.ending.get(last)
    if named:
        first, mention = named
        lead = lead_of(galley, low, first, mention)
        if not hangs(galley, low, lead):
            return several(galley, low, Source(Shape.NAME, lead, last, galley.lower[last], mention))
    first = _reach_back(galley, low, last)
    return of_core(galley, first, last)


def _modifies(galley: Galley, low: int, first: int) -> bool:
    """Return whether a participle and its preposition stand before ``first`` ("a source speaking on condition of")."""
    verb = VERBS.get(galley.word(first - 1))
    return (
        verb is not None
        and verb.form is not Form.BASE
        and first - 2 >= low
        and galley.lower[first] in cues.PREPOSITIONS
        and not galley.quoted[first - 1]
        and galley.lower[first - 2] not in cues.COMMAS | cues.AUXILIARIES | cues.CLAUSE_OPENERS | {"to"}
    )


def _reach_back(galley: Galley, low: int, last: int) -> int:
    first = last
    floor = max(low, last - 25)
    while first > floor and not stops(galley, first - 1) and galley.lower[first - 1] != "and":
        first -= 1
    if galley.word(first - 1) == "and" and first - 2 >= low and _joins(galley, low, first - 1):
        first = _reach_back(galley, low, first - 2)
    while first < last and galley.lower[first] in cues.ADVERBS | cues.TIMES:
        first += 1
    if _modifies(galley, low, first):
        return _reach_back(galley, low, first - 2)
    if galley.lower[first] in cues.PREPOSITIONS:
        first = _after_front(galley, first, last)
    return first


def _joins(galley: Galley, low: int, at: int) -> bool:
    """Return whether the "and" at ``at`` joins two subjects, and not a clause to another ("…, and police said").

    A comma before it belongs to a list, which has another.
    """
    if has_verb(galley, low, at):
        return False
    return galley.word(at - 1) not in cues.COMMAS or any(galley.lower[i] in cues.COMMAS for i in range(low, at - 1))


def _after_front(galley: Galley, first: int, last: int) -> int:
    """Return where the subject begins after an opening preposition that no comma closes ("In Leeds the mayor")."""
    for i in range(last, first + 1, -1):
        if galley.lower[i] in cues.DETERMINERS and galley.word(i - 1) not in cues.PREPOSITIONS:
            return i
    return last


def _apposed(galley: Galley, low: int, comma: int) -> Source | None:
    """Return the subject that a comma, bracket or dash before the verb parts from it ("Ann Lee, the mayor, said")."""
    found: list[Source] = []
    end = comma
    for _ in range(8):
        start = end
        while start > low and galley.lower[start - 1] not in cues.COMMAS and not galley.is_quoted(start - 1):
            start -= 1
        if galley.word(end - 1) in ("and", "but"):
            return opener(galley, low, end - 1)
        source = _piece(galley, start, end - 1)
        if source and source.mention and source.mention.kind is Kind.PERSON:
            return source
        if source and _is_first_name(galley, source):
            return source
        if source:
            found.append(source)
        elif found and start < end and not _slips_in(galley, start):
            break
        if start <= low or galley.is_quoted(start - 1):
            break
        end = start - 1
    return found[-1] if found else None


def _is_first_name(galley: Galley, source: Source) -> bool:
    """Return whether a piece is a name too short to be found as one, beside who bears it ("his wife, Maria, said")."""
    capitals = all(galley.words[i][0].isupper() for i in range(source.first, source.last + 1))
    return capitals and source.last - source.first < _SHORT_NAME and not galley.named[source.first]


def _slips_in(galley: Galley, start: int) -> bool:
    """Return whether a piece between commas is an aside: an age, a relative clause, a participle."""
    word = galley.lower[start]
    return (
        word.isdigit()
        or word in cues.RELATIVES
        or word in cues.PREPOSITIONS
        or word in cues.ADVERBS
        or word.endswith(("ing", "ed"))
    )


def _piece(galley: Galley, first: int, last: int) -> Source | None:
    """Return the source that a piece between commas is, if it is one."""
    if last < first or _slips_in(galley, first) or galley.lower[first] in cues.CLAUSE_OPENERS:
        while first <= last and galley.lower[first] in ("but", "and", "that", "while", "as"):
            first += 1
        if last < first or _slips_in(galley, first) or galley.lower[first] in cues.CLAUSE_OPENERS:
            return None
    if has_verb(galley, first, last + 1):
        return None
    if galley.lower[first] in ("and", "but"):
        first += 1
    if first > last:
        return None
    named = galley.ending.get(last)
    if named and named[1].kind is Kind.PERSON and not hangs(galley, first, lead_of(galley, first, named[0], named[1])):
        return Source(Shape.NAME, named[0], last, galley.lower[last], named[1])
    return of_core(galley, first, last)


def opener(galley: Galley, low: int, high: int) -> Source | None:
    """Return the phrase that opens the main clause of what stands from ``low`` to before ``high``."""
    first = _main_clause(galley, low, high)
    if first >= high:
        return None
    if galley.lower[first] in cues.PRONOUNS:
        return Source(Shape.PRONOUN, first, first, galley.lower[first])
    return phrase(galley, first, high)


def _main_clause(galley: Galley, low: int, high: int) -> int:
    first = low
    while first < high and (
        galley.lower[first] in ("but", "and", "so", "yet", "however", ",") or galley.lower[first] in cues.ADVERBS
    ):
        first += 1
    if first >= high:
        return high
    word = galley.lower[first]
    if not (word in cues.PREPOSITIONS or word in cues.SUBORDINATORS or word.endswith("ing") or word == "asked"):
        return first
    for i in range(first, high):
        if galley.lower[i] == "," and not galley.quoted[i]:
            return i + 1
    for i in range(first + 1, high):
        if i in galley.opening and not hangs(galley, low, i) and galley.word(i - 1) not in cues.DETERMINERS:
            return i
    return high
