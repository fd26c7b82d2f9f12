"""A question that leans on the one before -> the question it would be if it stood alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.choice import Chosen
from bot.shorthand import FRAME
from retrieval.archive.terms import STOPWORDS, term, terms, words
from retrieval.model import Entity, Kind
from retrieval.search import Answering, Archive, Query

# What a word taken from the question before counts for: the whole question is meant ("and in Leeds?"), or only
# what a pronoun stands for.
_WHOLE = 0.7
_PART = 0.4
_PERSON = 0.8

_OPENERS = (("and",), ("but",), ("or",), ("so",), ("what", "about"), ("how", "about"), ("what", "of"), ("same", "for"))
_HE = frozenset({"he", "him", "his", "she", "her", "hers"})
_THEY = frozenset({"they", "them", "their", "theirs"})
_IT = frozenset({"it", "its", "this", "those", "these", "that", "there", "then"})
# "is there a …", "who said that …": no pronouns.
_NO_PRONOUN_AFTER = {
    "there": frozenset({"is", "are", "was", "were"}),
    "that": frozenset(
        {"say", "said", "says", "claim", "claimed", "claims", "think", "thinks", "deny", "denied", "report"}
    ),
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """The question before, and what was answered to it."""

    query: Query
    chosen: tuple[Chosen, ...]


def leans(asked: tuple[str, ...]) -> bool:
    """Tell whether a question (its folded words) leans on the one before it."""
    return opens(asked) or pronoun(asked) is not None or len([w for w in asked if _is_content(w)]) <= 1


def opens(asked: tuple[str, ...]) -> bool:
    """Tell whether a question begins as one that takes the other's place in part ("and in Leeds?")."""
    return any(asked[: len(opener)] == opener for opener in _OPENERS)


def pronoun(asked: tuple[str, ...]) -> str | None:
    """Return the first pronoun that nothing before it in the question can be meant by."""
    for i, word in enumerate(asked):
        if word in _HE | _THEY | _IT and not _is_no_pronoun(asked, i):
            return word
        if _is_content(word):
            return None
    return None


def _is_no_pronoun(asked: tuple[str, ...], i: int) -> bool:
    is_last = i + 1 == len(asked)
    return not is_last and i > 0 and asked[i - 1] in _NO_PRONOUN_AFTER.get(asked[i], ())


def _is_content(word: str) -> bool:
    return word not in STOPWORDS and word not in FRAME


def follow(query: Query, earlier: Earlier, archive: Archive) -> Query:
    """Return ``query`` with what it leaves unsaid taken from the question before and from its answer."""
    asked = words(query.text)
    near = tuple((c.article_id, c.passage.sentence.index) for c in earlier.chosen)
    if not leans(asked):
        return query
    whole = opens(asked) or pronoun(asked) is None
    query = _carry(query, earlier.query, archive, _WHOLE if whole else _PART)
    found = pronoun(asked)
    if found in _HE and (person := _person(earlier, archive)):
        query = _about(query, person)
        if query.speakers or Answering.QUOTATION in query.answering:
            query = replace(query, speakers=(person,))
    if whole and query.answering == (Answering.ANY,):
        query = replace(query, answering=earlier.query.answering)
    return replace(query, near=near)


def _carry(query: Query, before: Query, archive: Archive, share: float) -> Query:
    """Add the words of ``before`` to ``query``, save those whose place a name of the same kind has taken."""
    kinds = {entity.kind for entity in archive.named(words(query.text))}
    gone = {t for e in archive.named(words(before.text)) if e.kind in kinds for t in _terms(e)}
    known = {name for name, _ in query.terms}
    kept = tuple(
        (word, names) for word, names in before.words if not gone.intersection(names) and names[0] not in known
    )
    wanted = {name for _, names in kept for name in names} - known
    weights = tuple((name, weight * share) for name, weight in before.terms if name in wanted)
    return replace(query, terms=(*query.terms, *weights), words=(*query.words, *_whole(kept, weights, query)))


def _whole(
    kept: tuple[tuple[str, tuple[str, ...]], ...], weights: tuple[tuple[str, float], ...], query: Query
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    held = {name for name, _ in (*weights, *query.terms)}
    return tuple((word, tuple(n for n in names if n in held)) for word, names in kept)


def _terms(entity: Entity) -> tuple[str, ...]:
    return tuple(t for variant in (entity.name, *entity.variants) for t in terms(variant))


def _person(earlier: Earlier, archive: Archive) -> str | None:
    """Return whom "he" or "she" means: the person asked about before, else the one who answered or was named."""
    asked = [e.name for e in archive.named(words(earlier.query.text)) if e.kind is Kind.PERSON]
    if asked:
        return asked[0]
    for chosen in earlier.chosen[:1]:
        named = [m.name for m in chosen.passage.mentions if m.kind is Kind.PERSON]
        return named[0] if named else chosen.passage.speaker
    return None


def _about(query: Query, person: str) -> Query:
    found = [term(word) for word in words(person) if term(word)]
    known = {name for name, _ in query.terms}
    new = [name for name in found if name not in known]
    return replace(
        query,
        terms=(*query.terms, *((name, _PERSON) for name in new)),
        words=(*query.words, *((name, (name,)) for name in new)),
    )
