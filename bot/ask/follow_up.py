"""A follow-up -> the question in full, and where its answer is likely; and the words that only address the bot."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.ask.model import Analysis, Chosen
from bot.ask.question_types import AnswerType
from retrieval import STOPWORDS, VERBS, Kind, classes, term, terms, words

if TYPE_CHECKING:
    from retrieval import Archive


# Weights of words taken from the previous question: where all of it is meant ("and in Leeds?"), where a pronoun means
# a part of it, and of a person that a pronoun means.
_WHOLE = 0.7
_PART = 0.4
_PERSON = 0.8

_OPENERS = (
    *((word,) for word in ("and", "but", "or", "so")),
    *(("what", "about"), ("how", "about"), ("what", "of"), ("same", "for")),
)
_HE = frozenset("he him his she her hers".split())
_THEY = frozenset("they them their theirs".split())
_IT = frozenset("it its this that these those there then".split())
# "is there a …", "who said that …": no pronouns.
_NO_PRONOUN_AFTER = {
    "there": classes("forms_of_be"),
    "that": frozenset(word for word, verb in VERBS.items() if verb.lemma in ("say", "report")),
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """The previous question and its answer."""

    analysis: Analysis
    chosen: tuple[Chosen, ...]


def leans(asked: tuple[str, ...]) -> bool:
    """Return whether a question (its folded words) depends on the previous one."""
    return opens(asked) or pronoun(asked) is not None or len([w for w in asked if _is_content(w)]) <= 1


def is_bare(text: str) -> bool:
    """Return whether a question has no word of its own to look for: "and where?", "how many of them?"."""
    return not any(map(_is_content, words(text)))


def opens(asked: tuple[str, ...]) -> bool:
    """Return whether a question begins like one that replaces a part of the previous one ("and in Leeds?")."""
    return any(asked[: len(opener)] == opener for opener in _OPENERS)


def pronoun(asked: tuple[str, ...]) -> str | None:
    """Return the first pronoun, where it does not refer to something earlier in the question."""
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
    return word not in STOPWORDS and word not in FURNITURE


def follow(analysis: Analysis, earlier: Earlier, archive: Archive) -> Analysis:
    """Return ``analysis`` completed from the previous question and its answer."""
    asked = words(analysis.text)
    if not leans(asked):
        return analysis
    whole = opens(asked) or pronoun(asked) is None
    analysis = _carry(analysis, earlier.analysis, archive, _WHOLE if whole else _PART)
    if pronoun(asked) in _HE and (person := _person(earlier, archive)):
        analysis = replace(analysis, words=(*analysis.words, *_new(person, analysis)))
    types = earlier.analysis.types if whole and analysis.types == (AnswerType.ANY,) else analysis.types
    near = tuple((chosen.article_id, chosen.passage.sentence.index) for chosen in earlier.chosen)
    return replace(analysis, types=types, near=near, named=_named(asked, archive))


def _named(asked: tuple[str, ...], archive: Archive) -> tuple[tuple[frozenset[str], ...], ...]:
    """Return the entities that the follow-up names, each by the terms of its spellings."""
    # articles need not have a bare surname as it is typed
    single = archive.register().meant(" ".join(word for word in asked if _is_content(word)))
    found = archive.register().named(asked) or ((single,) if single else ())
    return tuple(
        tuple(filter(None, (frozenset(terms(spelt)) for spelt in (entity.name, *entity.variants)))) for entity in found
    )


def _carry(analysis: Analysis, before: Analysis, archive: Archive, share: float) -> Analysis:
    """Return ``analysis`` with the words of ``before``, except names replaced by another of the same kind."""
    kinds = {entity.kind for entity in archive.register().named(words(analysis.text))}
    replaced = (entity for entity in archive.register().named(words(before.text)) if entity.kind in kinds)
    replaced_terms = {t for entity in replaced for variant in (entity.name, *entity.variants) for t in terms(variant)}
    known = _terms(analysis) | replaced_terms
    carried = tuple(
        (word, tuple((name, weight * share) for name, weight in found))
        for word, found in before.words
        if known.isdisjoint(name for name, _ in found)
    )
    return replace(analysis, words=(*analysis.words, *carried))


def _terms(analysis: Analysis) -> set[str]:
    return {name for _, found in analysis.words for name, _ in found}


def _person(earlier: Earlier, archive: Archive) -> str | None:
    """Return whom "he" or "she" means: the person asked about before, else one named in the answer, or its speaker."""
    asked = [e.name for e in archive.register().named(words(earlier.analysis.text)) if e.kind is Kind.PERSON]
    if asked:
        return asked[0]
    for chosen in earlier.chosen[:1]:
        named = [m.name for m in chosen.passage.mentions if m.kind is Kind.PERSON]
        return named[0] if named else chosen.passage.speaker
    return None


def _new(person: str, analysis: Analysis) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    found = dict.fromkeys(term(word) for word in words(person) if term(word))
    return tuple((name, ((name, _PERSON),)) for name in found if name not in _terms(analysis))


# Courtesies, and words of asking. They count little where articles have them, and nothing elsewhere.
_FURNITURE = """
need needs pls please plz thanks thx cheers hi hello hey morning ta mate guys folks anyone anybody else
got have give gimme get find show check remind wondering wonder know knows looking want wanna can could
quote quotes quoted line lines wording word words exact exactly verbatim precise precisely actual actually
statement comment comments say says said saying tell told mention mentions mentioned call calls called describe
describes described according story stories article articles piece report reports reported reporting author
true thing things stuff something anything everything someone somebody about regarding re bit part sort kind type way
lot much many number figure figures happen happens happened happening going person people man woman which what who whom
whose when where why how ever really just even still yet anyway again also basically name names
"""
FURNITURE = frozenset(_FURNITURE.split())

_GREETING = re.compile(
    r"^\s*(?:(?:hi|hello|hey|morning|afternoon|evening)\b[\s,!.]*)?"
    r"(?:(?:\w+ ){0,2}(?:desk|team|subs?)(?: here)?\s*[-–—:,]+\s*)?",
    re.IGNORECASE,
)
# References to the asker's own day, or to the page in front of them, which no article has.
_DEIXIS = re.compile(
    r"\b(?:this|the past) (?:week|month|year)\b|\b(?:recently|currently|lately|nowadays|these days|right now)\b"
    r"|\b(?:which|what|who) of the following\b"
    r"|\baccording to (?:the|this) (?:article|story|report|passage|text|author|piece|paragraph)\b",
    re.IGNORECASE,
)


def plain(question: str) -> str:
    """Return ``question`` without its greeting, and without references to the asker's day or page."""
    return _DEIXIS.sub(_question_word, _GREETING.sub("", question, count=1))


def _question_word(match: re.Match[str]) -> str:
    # the question word stays
    first = match.group().split()[0]
    return first if first.lower() in {"which", "what", "who"} else " "
