"""Question (and the one before) -> query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz.distance import OSA

from bot.followup import Earlier, follow
from bot.framing import framing
from bot.kinds import kinds_of
from bot.model import Question
from bot.nations import nation
from bot.paraphrases import paraphrases
from bot.shorthand import plain, written_out
from bot.speakers import speakers_of
from retrieval.archive.terms import STOPWORDS, term, words
from retrieval.names.gazetteer import is_word
from retrieval.search import Archive, Query

# What a word counts for beside the asker's own: by the framing of the question, by misspelling, by paraphrase.
_FRAMING = 0.2
_MISSPELT = 0.9
_DOUBTED = 0.6
# How alike a name's word must be to one that sounds alike, 0 to 1.
_HEARD = 0.5
# Letters that the second half of a word has at least, where it is written in one ("tshirt").
_HALF = 5
_PARAPHRASED = 0.55
_UNDONE = 0.9


_NEGATIONS = frozenset(
    "not never no nobody none without cannot cant wont isnt arent wasnt werent dont doesnt didnt hasnt havent".split()
)
_MEASURES = frozenset({"many", "much", "old", "long", "far", "big", "large", "high", "tall", "fast", "often", "few"})


# Words of a question that are looked for; nobody asks with more.
MOST = 40


@dataclass(frozen=True, slots=True)
class Word:
    """One of the asker's words, as asked, with the terms it may be found by and what each counts for."""

    asked: str
    terms: tuple[tuple[str, float], ...]


def understand(
    question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = (), earlier: Earlier | None = None
) -> Query:
    """Return what ``question`` asks for, in the words of the articles in ``archive``.

    ``shorthand`` is the newsroom's own, as (short, written out); ``earlier`` what was asked and answered before.
    """
    text = plain(question.text)
    asked = words(text)
    kinds = kinds_of(" ".join(asked))
    frame = framing(kinds)
    written = written_out(_subject(asked), shorthand)
    content = dict.fromkeys((short, word) for short, meant in written for word in meant if word not in STOPWORDS)
    undone = not _NEGATIONS.isdisjoint(asked)
    found = tuple(
        Word(short, _alternatives(word, archive, frame) + (_undone(word, archive) if undone else ()))
        for short, word in islice(content, MOST)
    )
    query = replace(
        _query(tuple(word for word in found if word.terms)),
        names=tuple(entity.name for entity in archive.named(asked)),
        speakers=speakers_of(asked),
        answering=kinds,
        text=text,
    )
    return follow(query, earlier, archive) if earlier else query


def _undone(word: str, archive: Archive) -> tuple[tuple[str, float], ...]:
    """Return what ``word`` is where it was not done: "werent buried" may stand as "unburied"."""
    opposite = term(f"un{word}")
    return ((opposite, _UNDONE),) if archive.frequency(opposite) else ()


def _subject(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without what only says how much is asked for ("how many", "how old")."""
    return tuple(word for i, word in enumerate(asked) if not (i and asked[i - 1] == "how" and word in _MEASURES))


def _meant(word: str, archive: Archive) -> Iterator[str]:
    """Give the words of the articles that an unknown ``word`` may be meant for, as spelt or as heard."""
    yield from archive.spellings(word)
    if not is_word(word):
        yield from (word[at:] for at in range(1, len(word) - _HALF + 1) if archive.frequency(term(word[at:])))
    named = archive.register().meant(word)
    for spelt in (named.name, *named.variants) if named else ():
        yield from (near for near in words(spelt) if OSA.normalized_similarity(near, word) >= _HEARD)


def _query(found: tuple[Word, ...]) -> Query:
    weights: dict[str, float] = {}
    for word in found:
        for name, weight in word.terms:
            weights[name] = max(weight, weights.get(name, 0.0))
    return Query(
        terms=tuple(weights.items()), words=tuple((word.asked, tuple(name for name, _ in word.terms)) for word in found)
    )


def _alternatives(word: str, archive: Archive, frame: frozenset[str]) -> tuple[tuple[str, float], ...]:
    own = term(word)
    if not own or (word in frame and not archive.frequency(own)):
        return ()
    base = _FRAMING if word in frame else 1.0
    found = {own: base}
    if not archive.frequency(own):
        # a plain word that the articles lack is more likely meant than misspelt
        how = base * (_DOUBTED if is_word(word) else _MISSPELT)
        found |= {term(near): how for near in _meant(word, archive) if term(near)}
    for name in tuple(found):
        found |= {n: base * how for n, how in nation(name) if archive.frequency(n) and n not in found}
    for name in tuple(found):
        found |= {p: base * _PARAPHRASED for p in paraphrases(name) if archive.frequency(p) and p not in found}
    return tuple(found.items())
