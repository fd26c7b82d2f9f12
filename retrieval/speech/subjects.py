"""A reporting verb -> its subject: the phrase before it, over commas, brackets and auxiliaries."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Form
from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.cues import Shape, Source
from retrieval.speech.phrases import hangs, has_verb, is_participle, lead_of, of_core, phrase, several, stops
from retrieval.text.tokens import Tokens

_SHORT_NAME = 3  # words
_RELATIVE = 15  # tokens that a relative clause before its verb may take
# No noun phrase ends with these.


def before(tokens: Tokens, low: int, cue: int) -> Source | None:
    """Return the subject of the verb at ``cue``, looking no further back than ``low``."""
    i = _over_brackets(tokens, low, skip_back(tokens, low, cue - 1))
    if i < low or (tokens.quoted[i] and i not in tokens.ending):
        return None
    word = tokens.lower[i]
    if i in tokens.ending:
        return _ending_at(tokens, low, i)
    if word in cues.PRONOUNS:
        return Source(Shape.PRONOUN, i, i, word)
    if word in cues.STANDING_ALONE and tokens.word(i - 1) not in ("and", "or", "of"):
        return Source(Shape.PHRASE, i, i, word)
    if word in ("and", "or", "but", "then"):
        return opener(tokens, low, i)
    if word in cues.COMMAS:
        return _apposed(tokens, low, i)
    if word == "who" and i - 2 >= low:
        return _before_who(tokens, low, i)
    if (
        word in ("'s", "’s")
        or word in cues.RELATIVES
        or word in cues.PREPOSITIONS
        or (word in cues.DETERMINERS and word not in cues.STANDING_ALONE)
    ):
        return None
    return _ending_at(tokens, low, i)


def _before_who(tokens: Tokens, low: int, who: int) -> Source | None:
    """Return whom the "who" at ``who`` means: a person right before it, or whom an apposition belongs to."""
    comma = tokens.lower[who - 1] == ","
    named = tokens.ending.get(who - 1 - comma)
    if named and named[1].kind is Kind.PERSON:
        return Source(Shape.NAME, named[0], who - 1 - comma, tokens.lower[who - 1 - comma], named[1])
    return _apposed(tokens, low, who - 1) if comma else _ending_at(tokens, low, who - 1)


def before_relative(tokens: Tokens, low: int, cue: int) -> Source | None:
    """Return the subject that a clause without commas parts from its verb ("a man who saw it said")."""
    for i in range(cue - 1, max(low, cue - _RELATIVE), -1):
        if tokens.quoted[i] or tokens.lower[i] in cues.COMMAS:
            return None
        if tokens.lower[i] == "who":
            return _ending_at(tokens, low, i - 1)
    return None


def right_before(tokens: Tokens, low: int, i: int) -> Source | None:
    """Return the noun phrase that ends right before ``i``, back to the nearest preposition."""
    named = tokens.ending.get(i - 1)
    if named:
        return Source(Shape.NAME, named[0], i - 1, tokens.lower[i - 1], named[1])
    first = i
    while (
        first > low
        and not stops(tokens, first - 1)
        and tokens.lower[first - 1] not in cues.PREPOSITIONS
        and not is_participle(tokens, first - 1)
    ):
        first -= 1
    return of_core(tokens, first, i - 1) if first < i else None


def _over_brackets(tokens: Tokens, low: int, i: int) -> int:
    """Return the last token before the brackets that end at ``i`` ("Lee (Lab)"), or ``i``."""
    if i < low or tokens.lower[i] not in (")", "]"):
        return i
    for j in range(i - 1, max(low - 1, i - 12), -1):
        if tokens.lower[j] in ("(", "["):
            return j - 1
    return i


def skip_back(tokens: Tokens, low: int, i: int) -> int:
    """Return the last token at or before ``i`` that is no auxiliary, adverb or date."""
    while i >= low and not tokens.quoted[i]:
        word = tokens.lower[i]
        dated = word in ("on", "in") and tokens.word(i + 1) in cues.TIMES
        if not (
            word in cues.AUXILIARIES
            or word in cues.ADVERBS
            or word in cues.NEGATIONS
            or (word.endswith("ly") and word not in cues.NOUNS_IN_LY and i not in tokens.ending)
            or (word in cues.TIMES and i not in tokens.ending)
            or dated
            or (word.isdigit() and i > low and tokens.lower[i - 1] in cues.MONTHS)
        ):
            break
        if word in ("’s", "'s") and tokens.word(i - 1) not in cues.PRONOUNS and not _has_done(tokens, i + 1):
            break
        i -= 1
    return i


def _has_done(tokens: Tokens, i: int) -> bool:
    """Return whether a "'s" before ``i`` is an auxiliary and no possessive ("Lee's proposed pier")."""
    verb = VERBS.get(tokens.word(i))
    if verb is None or verb.form in (Form.BASE, Form.THIRD):
        return False
    return verb.form is Form.ING or tokens.word(i + 1) in cues.CLAUSE_STARTS | cues.PREPOSITIONS


def _ending_at(tokens: Tokens, low: int, last: int) -> Source | None:
    """Return the noun phrase that ends with the token ``last``."""
    named = tokens.ending.get(last)
    if named:
        first, mention = named
        lead = lead_of(tokens, low, first, mention)
        if not hangs(tokens, low, lead):
            return several(tokens, low, Source(Shape.NAME, lead, last, tokens.lower[last], mention))
    first = _reach_back(tokens, low, last)
    return of_core(tokens, first, last)


def _modifies(tokens: Tokens, low: int, first: int) -> bool:
    """Return whether a participle and its preposition stand before ``first`` ("a source speaking on condition of")."""
    verb = VERBS.get(tokens.word(first - 1))
    return (
        verb is not None
        and verb.form is not Form.BASE
        and first - 2 >= low
        and tokens.lower[first] in cues.PREPOSITIONS
        and not tokens.quoted[first - 1]
        and tokens.lower[first - 2] not in cues.COMMAS | cues.AUXILIARIES | cues.CLAUSE_OPENERS | {"to"}
    )


def _reach_back(tokens: Tokens, low: int, last: int) -> int:
    first = last
    floor = max(low, last - 25)
    while first > floor and not stops(tokens, first - 1) and tokens.lower[first - 1] != "and":
        first -= 1
    if tokens.word(first - 1) == "and" and first - 2 >= low and _joins(tokens, low, first - 1):
        first = _reach_back(tokens, low, first - 2)
    while first < last and tokens.lower[first] in cues.ADVERBS | cues.TIMES:
        first += 1
    if _modifies(tokens, low, first):
        return _reach_back(tokens, low, first - 2)
    if tokens.lower[first] in cues.PREPOSITIONS:
        first = _after_front(tokens, first, last)
    return first


def _joins(tokens: Tokens, low: int, at: int) -> bool:
    """Return whether the "and" at ``at`` joins two subjects, and not a clause to another ("…, and police said").

    A comma before it belongs to a list, which has another.
    """
    if has_verb(tokens, low, at):
        return False
    return tokens.word(at - 1) not in cues.COMMAS or any(tokens.lower[i] in cues.COMMAS for i in range(low, at - 1))


def _after_front(tokens: Tokens, first: int, last: int) -> int:
    """Return where the subject begins after an opening preposition that no comma closes ("In Leeds the mayor")."""
    for i in range(last, first + 1, -1):
        if tokens.lower[i] in cues.DETERMINERS and tokens.word(i - 1) not in cues.PREPOSITIONS:
            return i
    return last


def _apposed(tokens: Tokens, low: int, comma: int) -> Source | None:
    """Return the subject that a comma, bracket or dash before the verb parts from it ("Ann Lee, the mayor, said")."""
    found: list[Source] = []
    end = comma
    for _ in range(8):
        start = end
        while start > low and tokens.lower[start - 1] not in cues.COMMAS and not tokens.is_quoted(start - 1):
            start -= 1
        if tokens.word(end - 1) in ("and", "but"):
            return opener(tokens, low, end - 1)
        source = _piece(tokens, start, end - 1)
        if source and source.mention and source.mention.kind is Kind.PERSON:
            return source
        if source and _is_first_name(tokens, source):
            return source
        if source:
            found.append(source)
        elif found and start < end and not _slips_in(tokens, start):
            break
        if start <= low or tokens.is_quoted(start - 1):
            break
        end = start - 1
    return found[-1] if found else None


def _is_first_name(tokens: Tokens, source: Source) -> bool:
    """Return whether a piece is a name too short to be found as one, beside who bears it ("his wife, Maria, said")."""
    capitals = all(tokens.words[i][0].isupper() for i in range(source.first, source.last + 1))
    return capitals and source.last - source.first < _SHORT_NAME and not tokens.named[source.first]


def _slips_in(tokens: Tokens, start: int) -> bool:
    """Return whether a piece between commas is an aside: an age, a relative clause, a participle."""
    word = tokens.lower[start]
    return (
        word.isdigit()
        or word in cues.RELATIVES
        or word in cues.PREPOSITIONS
        or word in cues.ADVERBS
        or word.endswith(("ing", "ed"))
    )


def _piece(tokens: Tokens, first: int, last: int) -> Source | None:
    """Return the source that a piece between commas is, if it is one."""
    if last < first or _slips_in(tokens, first) or tokens.lower[first] in cues.CLAUSE_OPENERS:
        while first <= last and tokens.lower[first] in ("but", "and", "that", "while", "as"):
            first += 1
        if last < first or _slips_in(tokens, first) or tokens.lower[first] in cues.CLAUSE_OPENERS:
            return None
    if has_verb(tokens, first, last + 1):
        return None
    if tokens.lower[first] in ("and", "but"):
        first += 1
    if first > last:
        return None
    named = tokens.ending.get(last)
    if named and named[1].kind is Kind.PERSON and not hangs(tokens, first, lead_of(tokens, first, named[0], named[1])):
        return Source(Shape.NAME, named[0], last, tokens.lower[last], named[1])
    return of_core(tokens, first, last)


def opener(tokens: Tokens, low: int, high: int) -> Source | None:
    """Return the phrase that opens the main clause of what stands from ``low`` to before ``high``."""
    first = _main_clause(tokens, low, high)
    if first >= high:
        return None
    if tokens.lower[first] in cues.PRONOUNS:
        return Source(Shape.PRONOUN, first, first, tokens.lower[first])
    return phrase(tokens, first, high)


def _main_clause(tokens: Tokens, low: int, high: int) -> int:
    first = low
    while first < high and (
        tokens.lower[first] in ("but", "and", "so", "yet", "however", ",") or tokens.lower[first] in cues.ADVERBS
    ):
        first += 1
    if first >= high:
        return high
    word = tokens.lower[first]
    if not (word in cues.PREPOSITIONS or word in cues.SUBORDINATORS or word.endswith("ing") or word == "asked"):
        return first
    for i in range(first, high):
        if tokens.lower[i] == "," and not tokens.quoted[i]:
            return i + 1
    for i in range(first + 1, high):
        if i in tokens.opening and not hangs(tokens, low, i) and tokens.word(i - 1) not in cues.DETERMINERS:
            return i
    return high
