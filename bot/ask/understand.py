"""A question, and the previous one -> what the archive is asked, and what type of answer is wanted.

Shorthand is written out as articles write it: "pm" as prime minister, "NY" as New York.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from itertools import islice, pairwise

from rapidfuzz.distance import OSA

from bot.ask.follow_up import FOLLOW_UP_WORDS, Earlier, follow, plain, speakers_asked, spellings
from bot.ask.model import Analysis
from bot.ask.question_types import TYPE_NOUNS, types_of
from bot.model import Question
from retrieval import STOPWORDS, Archive, Boilerplate, Query, is_word, term, us_states, words

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
    (
        re.compile(
            r"\b(?:correct(?:ed|ions?)|clarif(?:y|ied|ications?)|amended|retract(?:ed|ions?)"
            r"|(?:earlier|previous|original) versions? of (?:the|this)|(?:get|got|gotten) wrong)\b",
            re.IGNORECASE,
        ),
        frozenset({Boilerplate.CORRECTION}),
    ),
)


def boilerplate_kinds(text: str) -> frozenset[Boilerplate]:
    return frozenset().union(*(kinds for pattern, kinds in _ASKED if pattern.search(text)))


# Weights of terms: of words that only address the bot, and of what a word may be a misspelling of.
_FOLLOW_UP, _MISSPELT, _DOUBTED, _JOINED = 0.2, 0.9, 0.6, 0.9
_HEARD = 0.5  # least similarity, 0 to 1, of two names that sound alike
_HALF = 5  # letters at least of the second of two words written as one ("tshirt")
MOST = 40  # words of a question that are looked for at most

_MEASURES = frozenset("many much old big large tall fast long often far high".split())
_MIXED = re.compile(r"([^\W\d_]+)(\d+)")

Terms = tuple[tuple[str, float], ...]


def understand(
    question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = (), earlier: Earlier | None = None
) -> Analysis:
    """Return what ``question`` asks for, in the words of the articles in ``archive``.

    ``shorthand`` is the newsroom's own, as (short, written out).
    """
    text = plain(question.text)
    asked = words(text)
    # without measures ("how many", "how old")
    subject = tuple(word for i, word in enumerate(asked) if not (i and asked[i - 1] == "how" and word in _MEASURES))
    written = written_out(subject, text, shorthand)
    content = dict.fromkeys((short, word) for short, meant in written for word in meant if word not in STOPWORDS)
    wanted = tuple(islice(content, MOST))
    # articles may write two words as one: "cop 27" as "COP27"
    pairs = [(one, one + two) for one, two in pairwise(asked) if two.isdigit()]
    # fetched together: an archive on another machine takes as long for one as for all
    counts = archive.vocabulary().frequencies({*(term(word) for _, word in wanted), *(both for _, both in pairs)})
    parts = {term(part) for _, word in wanted if not counts[term(word)] for part in (*_mixed(word), *_halves(word))}
    counts = {**counts, **archive.vocabulary().frequencies(parts - counts.keys())}
    joined = {one: ((both, _JOINED),) for one, both in pairs if counts[both]}
    found = [(short, _alternatives(word, archive, counts) + joined.get(word, ())) for short, word in wanted]
    analysis = Analysis(
        text=text,
        query=Query(boilerplate=boilerplate_kinds(text)),
        words=tuple((short, terms) for short, terms in found if terms),
        types=types_of(asked),
        parties=tuple(map(spellings, speakers_asked(asked, archive))),
        wording=question.text,
    )
    if earlier:
        analysis = follow(analysis, earlier, archive)
    weights: dict[str, float] = {}
    for _, terms in analysis.words:
        for name, weight in terms:
            weights[name] = max(weight, weights.get(name, 0.0))
    return replace(analysis, query=replace(analysis.query, terms=tuple(weights.items())))


def _alternatives(word: str, archive: Archive, counts: Mapping[str, int]) -> Terms:
    """Return the terms that ``word`` may be found by; none where it only addresses the bot and no article has it."""
    own = term(word)
    if not own or (word in FOLLOW_UP_WORDS | TYPE_NOUNS and not counts[own]):
        return ()
    base = _FOLLOW_UP if word in FOLLOW_UP_WORDS else 1.0
    found = {own: base}
    if not counts[own]:
        how = base * (_DOUBTED if is_word(word) else _MISSPELT)
        found |= {term(near): how for near in _meant(word, archive, counts) if term(near)}
    return tuple(found.items())


def _mixed(word: str) -> tuple[str, ...]:
    mixed = _MIXED.fullmatch(word)
    return mixed.groups() if mixed else ()


def _halves(word: str) -> tuple[str, ...]:
    """Return what may be the second of two words written as one."""
    return () if is_word(word) else tuple(word[at:] for at in range(1, len(word) - _HALF + 1))


def _meant(word: str, archive: Archive, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield the words of the articles that an unknown ``word`` may mean, by spelling or by sound."""
    yield from (part for part in _mixed(word) if counts[term(part)])
    yield from archive.vocabulary().spellings(word)
    yield from (half for half in _halves(word) if counts[term(half)])
    named = archive.register().meant(word)
    for spelt in (named.name, *named.variants) if named else ():
        yield from (near for near in words(spelt) if OSA.normalized_similarity(near, word) >= _HEARD)


Table = dict[tuple[str, ...], tuple[str, ...]]

# "OK" and the like are seldom states, except after a town: "Tulsa, OK".
_CODE = re.compile(r"\b(?!(?:HI|OH|OK)\b)[A-Z]{2}\b|(?<=, )[A-Z]{2}\b")
# "us" is a country, except after these words.
_PRONOUN_AFTER = frozenset(
    "against among behind between by for from of on to with ask find gave get give help let remind show showed tell"
    " told".split()
)


@lru_cache(maxsize=1)
def _shorthand() -> Table:
    return _table(tomllib.loads(files("bot.ask").joinpath("shorthand.toml").read_text(encoding="utf-8")).items())


def _table(pairs: Iterable[tuple[str, str]]) -> Table:
    return {tuple(short.split()): tuple(full.lower().split()) for short, full in pairs}


def written_out(
    words: tuple[str, ...], text: str, more: tuple[tuple[str, str], ...] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each of the asker's folded ``words`` (or shorthand of several) with the words that it abbreviates.

    A word that is no shorthand is its own meaning. ``text`` is the question as typed: "NY" is a state, "in" is not.
    ``more`` is the newsroom's own shorthand, which has priority.
    """
    codes = set[str]() if text.isupper() else us_states().keys() & _CODE.findall(text)
    states = ((code.lower(), f"{code} {us_states()[code]}") for code in codes)
    table = _shorthand() | _table(states) | _table(more)
    found: list[tuple[str, tuple[str, ...]]] = []
    at, longest = 0, max(map(len, table), default=0)
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if words[at : at + n] in table), 0)
        if words[at] == "us" and at and words[at - 1] in _PRONOUN_AFTER:
            length = 0
        short = words[at : at + max(length, 1)]
        found.append((" ".join(short), table[short] if length else short))
        at += len(short)
    return tuple(found)
