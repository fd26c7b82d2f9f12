"""Hits -> candidates, best first: a linear model over a few named features, with learned weights.

Theory of operation
-------------------

A question goes through three stages. The archive's is wide and simple: BM25 over the words, in the sentence, in its
paragraph under the title and in its article, proposes thirty hits; with an encoder sixty, and forty more whose
meaning is nearest to the question's. It need not have the right one first, only among them. The second looks at each,
by features that cost nothing. The third, where there is a reader (``reading``), has the best of them read in their
context, and weighs what it makes of them as one more feature, ``reader``. Each is the same for every archive, so a
question has one answer wherever articles lie.

A hit becomes ``features``: numbers with a name, most from 0 to 1. ``sentence``, ``paragraph`` and ``article`` are the
archive's three scores, each divided by the root of what the question's words could reach: not by all of it, as a long
question is no better answered for its length, nor by none. ``type`` is 1 where the sentence holds the kind of answer
asked for (a figure for "how many"), -1 where it does not. ``meaning`` and ``context`` are an encoder's cosines with
the question, of the sentence alone and among those around it. ``near`` is the nearness to what was answered before,
for a follow-up. ``lead`` is high at the top of an article, where news has what matters most, and ``asks`` is 1 for a
sentence that is a question itself: it repeats the asker's words, and answers nothing.

The score is their weighted sum, and the weights are learned on lists of candidates of which people marked the right
ones (``make weights``): a set of weights for words alone, one with an encoder, and one with a reader beside it, since
each takes over work that words do otherwise. Each set of questions is ranked by weights that were learned on the others
before they are believed.

Each feature moves at least one figure by a point, but for ``asks``, which is there for one kind of failure. What was
tried and moved none: pairs of words, density, length, the count of names, the cosines of neighbours.

How sure a reply is, is another model (``confidence``): the score says which sentence is nearest, never whether it is
near.

An example
----------

    >>> from bot.ask.choose import choose_answer
    >>> from bot.ask.model import SearchContext
    >>> from bot.model import Question
    >>> from retrieval.archive.archive import open_archive
    >>> from retrieval.model import Article
    >>> from retrieval.pipeline import read_all, read_separately
    >>> ferry = (
    ...     "The ferry Odette ran aground off Lisewood on Monday.",
    ...     "Lifeboats took 48 passengers ashore, the coastguard said.",
    ...     "The captain was questioned for two hours.",
    ... )
    >>> quay = (
    ...     "Lisewood will rebuild its quay in spring.",
    ...     "How many passengers use the ferry?",
    ...     "The council said 900 people a day take it.",
    ... )
    >>> articles = [Article("ferry", " ".join(ferry)), Article("quay", " ".join(quay))]
    >>> asking = SearchContext(open_archive(read_separately(articles)))
    >>> choice = choose_answer(Question("how many passengers were taken off the ferry"), asking)
    >>> choice.analysis.types[0].value, [word for word, _ in choice.analysis.words]
    ('number', ['passengers', 'taken', 'ferry'])

"how many" has become the type; "were", "off" and "the" are looked for by nobody; "taken" is looked for as "take", and
meets "took":

    >>> for candidate in choice.candidates:
    ...     parts = (f"{name} {added:.2f}" for name, added in candidate.parts)
    ...     print(*candidate.place, f"{candidate.score:.2f}", ", ".join(parts), sep=" | ")
    ferry | 1 | 4.26 | sentence 1.45, paragraph 0.30, article 0.83, type 1.29, lead 0.39
    quay | 2 | 3.45 | sentence 0.74, paragraph 0.31, article 0.85, type 1.29, lead 0.26
    ferry | 2 | 2.68 | paragraph 0.30, article 0.83, type 1.29, lead 0.26
    quay | 1 | 2.03 | sentence 1.52, paragraph 0.31, article 0.85, type -1.29, lead 0.39, asks 0.25
    ferry | 0 | 1.35 | sentence 0.72, paragraph 0.30, article 0.83, type -1.29, lead 0.79
    quay | 0 | 0.65 | paragraph 0.31, article 0.85, type -1.29, lead 0.79

The reader's question (quay 1) shares two of the three words and is short: by words alone it would be first. It holds no
number. The right sentence shares two words as well, and has the figure. The second has a figure and one
word.

What it cannot do
-----------------

``type`` sees that something is counted, not what: the "two hours" of the captain, third here, share no word with the
question and are as good a number as any. And a sentence that answers in other words than the question's has only the
sentences around it to speak for it, where there is no encoder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files

from bot.ask.features import Asked, Features, features, view
from bot.ask.model import Candidate
from bot.ask.reading import read
from retrieval import Archive, Hit, Logistic, Meaning, read_logistic

COSINES = ("meaning", "context")  # of the question with the sentence alone, and in its context
FURTHER = (*COSINES, "reader")  # features that need an encoder and a reader


def weights(model: str, known: Collection[str]) -> Logistic:
    """Return the learned weights of "ranking" or "confidence" for the features that are ``known``."""
    return _weights("-".join([model, *(name for name in ("meaning", "reader") if name in known)]))


@cache
def _weights(name: str) -> Logistic:
    return read_logistic(files("bot.ask").joinpath("weights", f"{name}.toml"))


def rank(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates, best first; ties by article and place."""
    values = features(hits, asked, archive)
    by_words = _in_order(_weighed(hits, values), asked, archive)
    near = cosines(hits, asked, archive, meaning) if meaning and hits else ()
    if not meaning or not near:
        return by_words
    known = [{**each, **dict(zip(COSINES, two, strict=True))} for each, two in zip(values, near, strict=True)]
    found = _in_order(_weighed(hits, known), asked, archive)
    odds = read([candidate.hit for candidate in found], asked.analysis.wording, archive, meaning.read)
    if not odds:
        return by_words
    read_ones = [{**dict(candidate.features), "reader": each} for candidate, each in zip(found, odds, strict=True)]
    return _in_order(_weighed([candidate.hit for candidate in found], read_ones), asked, archive)


def _in_order(found: Iterable[Candidate], asked: Asked, archive: Archive) -> tuple[Candidate, ...]:
    """Return the best first, and before them those about what a follow-up names: "and Leeds?" asks for nothing else."""

    def order(each: Candidate) -> tuple[bool, float, str, int]:
        named = asked.analysis.named
        return bool(named) and not any(is_about(each, it, archive) for it in named), -each.score, *each.place

    return tuple(sorted(found, key=order))


def _weighed(hits: Sequence[Hit], values: Sequence[Features]) -> list[Candidate]:
    model = weights("ranking", values[0] if values else ())
    return [
        Candidate(hit, model.score(v), model.parts(v), tuple(v.items())) for hit, v in zip(hits, values, strict=True)
    ]


def is_about(candidate: Candidate, spellings: tuple[frozenset[str], ...], archive: Archive) -> bool:
    """Return whether a sentence names an entity, by the terms of its spellings, or is said by it."""
    article_id, index = candidate.place
    sentence = archive.searchable(article_id)[index]
    terms = {*sentence.own, *sentence.around, *sentence.speaker}
    return any(spelt <= terms for spelt in spellings)


def cosines(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning) -> list[tuple[float, ...]]:
    """Return the cosines of each hit with the question; nothing without an encoder.

    Where the archive has none yet, and of boilerplate, the sentence alone is encoded now and stands in for its context.
    """
    from retrieval import compared  # noqa: PLC0415 - loads numpy

    question = asked.analysis.query.vector
    if question is None:
        return []
    missing = [view(hit, asked, archive).text for hit in hits if not hit.cosines]
    codes = meaning.passages(missing) if missing else None
    if missing and codes is None:
        return []
    made = iter(() if codes is None else compared(question, codes))
    return [hit.cosines or (next(made),) * 2 for hit in hits]
