"""Question (and the one before) -> analysis: what the archive is asked, and what type of answer is wanted.

The desk's shorthand stands for what articles write: "pm" for the prime minister, "NY" for a state.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from bot.ask.follow_up import FURNITURE, Earlier, follow, plain
from bot.ask.model import Analysis
from bot.ask.question_types import TYPE_NOUNS, types_of
from bot.model import Question
from retrieval import STOPWORDS, Boilerplate, Query, classes, is_word, term, us_states, words

if TYPE_CHECKING:
    from retrieval import Archive


_ASKED = (
    (
        re.compile(
            r"\b(?:who (?:wrote|reported|contributed|filed|edited)|helped (?:with|report|write)|contributors?"
            r"|by-?lines?|credit(?:s|ed)?|authors? of (?:the|this)|journalists? (?:on|behind))\b",
            re.IGNORECASE,
        ),
        frozenset({Boilerplate.CREDIT, Boilerplate.BYLINE}),
    ),
    (
        re.compile(r"\b(?:photos?|pictures?|images?|pix|pics?|photographers?|captions?)\b", re.IGNORECASE),
        frozenset({Boilerplate.CREDIT, Boilerplate.CAPTION}),
    ),
    (
        re.compile(r"\b(?:published|publication date|datelines?|dated|filed)\b", re.IGNORECASE),
        frozenset({Boilerplate.DATELINE}),
    ),
)


def boilerplate_kinds(text: str) -> frozenset[Boilerplate]:
    """Return the kinds of boilerplate that may answer the question ``text``."""
    return frozenset().union(*(kinds for pattern, kinds in _ASKED if pattern.search(text)))


# What a term counts for beside the asker's own word: where the word is furniture, or is taken for another.
_FURNITURE = 0.2
_MISSPELT = 0.9
_DOUBTED = 0.6
_JOINED = 0.9
# How alike a name's word must be to one that sounds alike, 0 to 1.
_HEARD = 0.5
# Letters that the second half of a word has at least, where it is written in one ("tshirt").
_HALF = 5
# Words of a question that are looked for; nobody asks with more.
MOST = 40

_MEASURES = frozenset("old big large tall fast".split()) | {"many", "much"} | {"long", "often"} | {"far", "high"}
_MIXED = re.compile(r"([^\W\d_]+)(\d+)")

Terms = tuple[tuple[str, float], ...]


def understand(
    question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = (), earlier: Earlier | None = None
) -> Analysis:
    """Return what ``question`` asks for, in the words of the articles in ``archive``.

    ``shorthand`` is the newsroom's own, as (short, written out); ``earlier`` what was asked and answered before.
    """
    text = plain(question.text)
    asked = words(text)
    written = written_out(_subject(asked), text, shorthand)
    content = dict.fromkeys((short, word) for short, meant in written for word in meant if word not in STOPWORDS)
    wanted = tuple(islice(content, MOST))
    counts = _counts([word for _, word in wanted], asked, archive)
    joined = _joined(asked, counts)
    found = [(short, _alternatives(word, archive, counts) + joined.get(word, ())) for short, word in wanted]
    analysis = Analysis(
        text=text,
        query=Query(boilerplate=boilerplate_kinds(text)),
        words=tuple((short, terms) for short, terms in found if terms),
        types=types_of(asked),
        wording=" ".join(filter(None, (question.previous, question.text))),
    )
    return with_terms(follow(analysis, earlier, archive) if earlier else analysis)


def with_terms(analysis: Analysis) -> Analysis:
    """Return ``analysis`` with the terms of its words in its query, each with the most it counts for."""
    weights: dict[str, float] = {}
    for _, terms in analysis.words:
        for name, weight in terms:
            weights[name] = max(weight, weights.get(name, 0.0))
    return replace(analysis, query=replace(analysis.query, terms=tuple(weights.items())))


def _subject(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without what only says how much is asked for ("how many", "how old")."""
    return tuple(word for i, word in enumerate(asked) if not (i and asked[i - 1] == "how" and word in _MEASURES))


def _counts(wanted: Sequence[str], asked: tuple[str, ...], archive: Archive) -> Mapping[str, int]:
    """Return how many sentences hold each term that is looked into for the words that are ``wanted``.

    They are asked for together: an archive on another machine takes as long for one as for all.
    """
    known = archive.vocabulary().frequencies({*map(term, wanted), *(one + two for one, two in _pairs(asked))})
    strange = [word for word in wanted if not known[term(word)]]
    parts = {term(part) for word in strange for part in (*_mixed(word), *_halves(word))}
    return {**known, **archive.vocabulary().frequencies(parts - known.keys())}


def _pairs(asked: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each two words that articles may write as one: "cop 27" as "COP27"."""
    return ((one, two) for one, two in pairwise(asked) if two.isdigit())


def _joined(asked: tuple[str, ...], counts: Mapping[str, int]) -> dict[str, Terms]:
    """Return, for the first of two words that articles do write as one, what that one is."""
    return {one: ((one + two, _JOINED),) for one, two in _pairs(asked) if counts[one + two]}


def _alternatives(word: str, archive: Archive, counts: Mapping[str, int]) -> Terms:
    """Return the terms that ``word`` may be found by; empty where it says what is wanted, and no article has it."""
    own = term(word)
    if not own or (word in FURNITURE | TYPE_NOUNS and not counts[own]):
        return ()
    base = _FURNITURE if word in FURNITURE else 1.0
    found = {own: base}
    if not counts[own]:
        how = base * (_DOUBTED if is_word(word) else _MISSPELT)
        found |= {term(near): how for near in _meant(word, archive, counts) if term(near)}
    return tuple(found.items())


def _mixed(word: str) -> tuple[str, ...]:
    """Return the letters and the digits of a word that is some of either."""
    mixed = _MIXED.fullmatch(word)
    return mixed.groups() if mixed else ()


def _halves(word: str) -> tuple[str, ...]:
    """Return what may be the second of two words written in one."""
    return () if is_word(word) else tuple(word[at:] for at in range(1, len(word) - _HALF + 1))


def _meant(word: str, archive: Archive, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield the words of the articles that an unknown ``word`` may be meant for, as spelt or as heard."""
    yield from (part for part in _mixed(word) if counts[term(part)])
    yield from archive.vocabulary().spellings(word)
    yield from (half for half in _halves(word) if counts[term(half)])
    named = archive.register().meant(word)
    for spelt in (named.name, *named.variants) if named else ():
        yield from (near for near in words(spelt) if OSA.normalized_similarity(near, word) >= _HEARD)


Table = dict[tuple[str, ...], tuple[str, ...]]

# "OK" and its like stand alone more often than for a state; behind a town they are one: "Tulsa, OK".
_CODE = re.compile(r"\b(?!(?:HI|OH|OK)\b)[A-Z]{2}\b|(?<=, )[A-Z]{2}\b")
# "us" is a country, unless it is told, given or shown something.
_PRONOUN_AFTER = (
    (classes("basic_prepositions") - {"in", "at"})
    | {"among", "between", "against", "behind"}
    | frozenset("gave give showed let help remind".split())
    | {"tell", "told", "ask"}
    | {"find", "get", "show"}
)


@lru_cache(maxsize=1)
def _shorthand() -> Table:
    held = tomllib.loads(files("bot.ask").joinpath("shorthand.toml").read_text(encoding="utf-8"))
    return _table(held.items())


def _table(pairs: Iterable[tuple[str, str]]) -> Table:
    return {tuple(short.split()): tuple(full.lower().split()) for short, full in pairs}


def written_out(
    words: tuple[str, ...], text: str, more: tuple[tuple[str, str], ...] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each of the asker's folded ``words`` (or shorthand of several) with the words it stands for.

    A word that is no shorthand stands for itself. ``text`` is the question as typed: "NY" is a state, "in" is none.
    ``more`` is the newsroom's own shorthand; it goes before the table's.
    """
    return tuple(_each(words, _shorthand() | _table(_codes(text)) | _table(more)))


def _codes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the states' codes in a question with their names; where all is in capitals, there are none."""
    found = () if text.isupper() else _CODE.findall(text)
    return ((code.lower(), f"{code} {us_states()[code]}") for code in found if code in us_states())


def _each(words: tuple[str, ...], table: Table) -> Iterator[tuple[str, tuple[str, ...]]]:
    at, longest = 0, max(map(len, table), default=0)
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if words[at : at + n] in table), 0)
        if words[at] == "us" and at and words[at - 1] in _PRONOUN_AFTER:
            length = 0
        short = words[at : at + max(length, 1)]
        yield " ".join(short), table[short] if length else short
        at += len(short)
