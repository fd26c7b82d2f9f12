"""A reporting verb -> its subject: the phrase before it, over commas, brackets and auxiliaries."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Form
from retrieval.model import Kind
from retrieval.speech.cues import Shape, Source, cues
from retrieval.speech.phrases import (
    core_source,
    ends_phrase,
    follows_preposition,
    has_verb,
    is_participle,
    phrase,
    role_start,
)
from retrieval.text.tokens import Tokens

_SHORT_NAME_TOKENS = 3  # words
_NO_SUBJECT_ENDS = cues.relatives | cues.prepositions | (cues.determiners - cues.subject_determiners) | {"'s", "’s"}
_SKIPPED = cues.auxiliaries | cues.adverbs | cues.negations
_ASIDE_OPENERS = cues.relatives | cues.prepositions | cues.adverbs


def subject_before(tokens: Tokens, low: int, cue: int) -> Source | None:
    i = _over_brackets(tokens, low, skip_back(tokens, low, cue - 1))
    if i < low or (tokens.quoted[i] and i not in tokens.ending):
        return None
    word = tokens.lower[i]
    if i in tokens.ending:
        return _ending_at(tokens, low, i)
    if word in cues.pronouns:
        return Source(Shape.PRONOUN, i, i, word)
    if word in cues.subject_determiners and tokens.word(i - 1) not in ("and", "or", "of"):
        return Source(Shape.PHRASE, i, i, word)
    if word in ("and", "or", "but", "then"):
        return clause_subject(tokens, low, i)
    if word in cues.commas:
        return _apposed(tokens, low, i)
    if word == "who" and i - 2 >= low:
        return before_who(tokens, low, i)
    return None if word in _NO_SUBJECT_ENDS else _ending_at(tokens, low, i)


def before_who(tokens: Tokens, low: int, who: int) -> Source | None:
    comma = tokens.lower[who - 1] == ","
    named = tokens.ending.get(who - 1 - comma)
    if named and named[1].kind is Kind.PERSON:
        return Source(Shape.NAME, named[0], who - 1 - comma, tokens.lower[who - 1 - comma], named[1])
    return _apposed(tokens, low, who - 1) if comma else _ending_at(tokens, low, who - 1)


def phrase_before(tokens: Tokens, low: int, i: int) -> Source | None:
    named = tokens.ending.get(i - 1)
    if named:
        return Source(Shape.NAME, named[0], i - 1, tokens.lower[i - 1], named[1])
    first = i
    while (
        first > low
        and not ends_phrase(tokens, first - 1)
        and tokens.lower[first - 1] not in cues.prepositions
        and not is_participle(tokens, first - 1)
    ):
        first -= 1
    return core_source(tokens, first, i - 1) if first < i else None


def _over_brackets(tokens: Tokens, low: int, i: int) -> int:
    """Skip brackets that end at ``i`` ("Lee (Lab)")."""
    if i < low or tokens.lower[i] not in (")", "]"):
        return i
    for j in range(i - 1, max(low - 1, i - 12), -1):
        if tokens.lower[j] in ("(", "["):
            return j - 1
    return i


def skip_back(tokens: Tokens, low: int, i: int) -> int:
    """Skip auxiliaries, adverbs and dates backwards from ``i``."""
    while i >= low and not tokens.quoted[i]:
        word = tokens.lower[i]
        dated = word in ("on", "in") and tokens.word(i + 1) in cues.times
        if not (
            word in _SKIPPED
            or (word.endswith("ly") and word not in cues.nouns_in_ly and i not in tokens.ending)
            or (word in cues.times and i not in tokens.ending)
            or dated
            or (word.isdigit() and i > low and tokens.lower[i - 1] in cues.months)
        ):
            break
        if word in ("’s", "'s") and tokens.word(i - 1) not in cues.pronouns and not _has_done(tokens, i + 1):
            break
        i -= 1
    return i


def _has_done(tokens: Tokens, i: int) -> bool:
    """Return whether the "'s" before ``i`` is an auxiliary and no possessive ("Lee's proposed pier")."""
    verb = VERBS.get(tokens.word(i))
    if verb is None or verb.form in (Form.BASE, Form.THIRD):
        return False
    return verb.form is Form.ING or tokens.word(i + 1) in cues.clause_starts | cues.prepositions


def _ending_at(tokens: Tokens, low: int, last: int) -> Source | None:
    named = tokens.ending.get(last)
    if named:
        lead = role_start(tokens, low, *named)
        if not follows_preposition(tokens, low, lead):
            return Source(Shape.NAME, lead, last, tokens.lower[last], named[1])
    return core_source(tokens, _reach_back(tokens, low, last), last)


def _modifies(tokens: Tokens, low: int, first: int) -> bool:
    """Match "a source speaking on condition of anonymity"."""
    verb = VERBS.get(tokens.word(first - 1))
    return (
        verb is not None
        and verb.form is not Form.BASE
        and first - 2 >= low
        and tokens.lower[first] in cues.prepositions
        and not tokens.quoted[first - 1]
        and tokens.lower[first - 2] not in cues.commas | cues.auxiliaries | cues.clause_openers | {"to"}
    )


def _reach_back(tokens: Tokens, low: int, last: int) -> int:
    first = last
    floor = max(low, last - 25)
    while first > floor and not ends_phrase(tokens, first - 1) and tokens.lower[first - 1] != "and":
        first -= 1
    if tokens.word(first - 1) == "and" and first - 2 >= low and _joins(tokens, low, first - 1):
        first = _reach_back(tokens, low, first - 2)
    while first < last and tokens.lower[first] in cues.adverbs | cues.times:
        first += 1
    if _modifies(tokens, low, first):
        return _reach_back(tokens, low, first - 2)
    if tokens.lower[first] in cues.prepositions:
        first = _after_front(tokens, first, last)
    return first


def _joins(tokens: Tokens, low: int, at: int) -> bool:
    """Return whether the "and" at ``at`` joins two subjects, and not a clause to another ("…, and police said").

    A comma before it belongs to a list, which has another.
    """
    if has_verb(tokens, low, at):
        return False
    return tokens.word(at - 1) not in cues.commas or any(tokens.lower[i] in cues.commas for i in range(low, at - 1))


def _after_front(tokens: Tokens, first: int, last: int) -> int:
    """Return where the subject begins in "In Leeds the mayor", which has no comma."""
    for i in range(last, first + 1, -1):
        if tokens.lower[i] in cues.determiners and tokens.word(i - 1) not in cues.prepositions:
            return i
    return last


def _apposed(tokens: Tokens, low: int, comma: int) -> Source | None:
    """Return the subject before an apposition ("Ann Lee, the mayor, said")."""
    found: list[Source] = []
    end = comma
    for _ in range(8):
        start = end
        while start > low and tokens.lower[start - 1] not in cues.commas and not tokens.is_quoted(start - 1):
            start -= 1
        if tokens.word(end - 1) in ("and", "but"):
            return clause_subject(tokens, low, end - 1)
        source = _piece(tokens, start, end - 1)
        if source and source.mention and source.mention.kind is Kind.PERSON:
            return source
        if source and _is_first_name(tokens, source):
            return source
        if source:
            found.append(source)
        elif found and start < end and not _is_aside(tokens, start):
            break
        if start <= low or tokens.is_quoted(start - 1):
            break
        end = start - 1
    return found[-1] if found else None


def _is_first_name(tokens: Tokens, source: Source) -> bool:
    """Match "his wife, Maria, said": the name is too short to be recognised."""
    capitals = all(tokens.words[i][0].isupper() for i in range(source.first, source.last + 1))
    return capitals and source.last - source.first < _SHORT_NAME_TOKENS and not tokens.named[source.first]


def _is_aside(tokens: Tokens, start: int) -> bool:
    """Return whether a piece between commas is an age, a relative clause or a participle."""
    word = tokens.lower[start]
    return word.isdigit() or word in _ASIDE_OPENERS or word.endswith(("ing", "ed"))


def _piece(tokens: Tokens, first: int, last: int) -> Source | None:
    if last < first or _is_aside(tokens, first) or tokens.lower[first] in cues.clause_openers:
        while first <= last and tokens.lower[first] in ("but", "and", "that", "while", "as"):
            first += 1
        if last < first or _is_aside(tokens, first) or tokens.lower[first] in cues.clause_openers:
            return None
    if has_verb(tokens, first, last + 1):
        return None
    if tokens.lower[first] in ("and", "but"):
        first += 1
    if first > last:
        return None
    named = tokens.ending.get(last)
    is_person = named and named[1].kind is Kind.PERSON
    if named and is_person and not follows_preposition(tokens, first, role_start(tokens, first, *named)):
        return Source(Shape.NAME, named[0], last, tokens.lower[last], named[1])
    return core_source(tokens, first, last)


def clause_subject(tokens: Tokens, low: int, high: int) -> Source | None:
    first = _main_clause(tokens, low, high)
    if first >= high:
        return None
    if tokens.lower[first] in cues.pronouns:
        return Source(Shape.PRONOUN, first, first, tokens.lower[first])
    return phrase(tokens, first, high)


def _main_clause(tokens: Tokens, low: int, high: int) -> int:
    first = low
    while first < high and (
        tokens.lower[first] in ("but", "and", "so", "yet", "however", ",") or tokens.lower[first] in cues.adverbs
    ):
        first += 1
    if first >= high:
        return high
    word = tokens.lower[first]
    if not (word in cues.prepositions or word in cues.subordinators or word.endswith("ing") or word == "asked"):
        return first
    for i in range(first, high):
        if tokens.lower[i] == "," and not tokens.quoted[i]:
            return i + 1
    for i in range(first + 1, high):
        opens = i in tokens.opening and tokens.word(i - 1) not in cues.determiners
        if opens and not follows_preposition(tokens, low, i):
            return i
    return high
