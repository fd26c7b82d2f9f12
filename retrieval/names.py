"""Layout -> the names in each sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.kinds import Candidate, Verdict, candidate, judge
from retrieval.layout import Layout
from retrieval.model import Kind, Mention, Span
from retrieval.pieces import pieces_of
from retrieval.runs import Word, runs_of, span_of, words_of

Words = list[Word]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A candidate with what its own words and neighbours say of it."""

    candidate: Candidate
    verdict: Verdict
    rule: str
    span: Span
    name: str


def find_names(layout: Layout) -> tuple[tuple[Mention, ...], ...]:
    """Return the mentions of each sentence, in order; ``name`` is the fullest form in this article."""
    sentences = [words_of(layout, sentence) for sentence in layout.sentences]
    lower, capital = _vocabulary(sentences)
    judged = [
        [
            _judged(candidate(words, piece, lower, capital), words, layout.article.text)
            for run in runs_of(words, layout.article.text)
            for piece in pieces_of(i, run)
        ]
        for i, words in enumerate(sentences)
    ]
    known = _Known.of(j for row in judged for j in row)
    return tuple(
        tuple(mention for j in row if (mention := _mention(j, known, words)) is not None)
        for row, words in zip(judged, sentences, strict=True)
    )


def _vocabulary(sentences: Iterable[Words]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that stand in lower case, and those that stand in upper case after one in lower case."""
    lower: set[str] = set()
    capital: set[str] = set()
    for words in sentences:
        after_lower = False
        for word in words:
            if not word.capital:
                lower.add(word.text)
            elif after_lower:
                capital.add(word.text)
            after_lower = not word.capital and word.text[-1].isalpha()
    return frozenset(lower), frozenset(capital)


def _judged(found: Candidate, words: Words, text: str) -> _Judged:
    verdict, rule = judge(found)
    span = span_of(words, found.piece.first, found.piece.last)
    return _Judged(found, verdict, rule, span, " ".join(span.of(text).split()))


@dataclass(frozen=True, slots=True)
class _Known:
    """What the article as a whole shows: full names by surname, and the kind each name surely has somewhere."""

    surnames: dict[str, frozenset[str]]
    kinds: dict[str, Kind]

    @classmethod
    def of(cls, judged: Iterable[_Judged]) -> _Known:
        """Gather it from all candidates of an article."""
        surnames: dict[str, set[str]] = {}
        votes: dict[str, Counter[Kind]] = {}
        for j in judged:
            if j.verdict.kind is None or not j.verdict.sure:
                continue
            votes.setdefault(j.name, Counter())[j.verdict.kind] += 1
            if j.verdict.kind is Kind.PERSON and len(j.candidate.texts) > 1:
                surnames.setdefault(j.candidate.texts[-1], set()).add(j.name)
        kinds = {name: min(counted.items(), key=lambda item: (-item[1], item[0]))[0] for name, counted in votes.items()}
        return cls({surname: frozenset(names) for surname, names in surnames.items()}, kinds)


def _mention(j: _Judged, known: _Known, words: Words) -> Mention | None:
    """Return the mention that a candidate is in the light of the whole article."""
    role = span_of(words, *j.candidate.piece.role) if j.candidate.piece.role else None
    full = known.surnames.get(j.name)
    if full and len(j.candidate.texts) == 1 and not (j.verdict.sure and j.verdict.kind is not Kind.PERSON):
        return Mention(Kind.PERSON, next(iter(full)) if len(full) == 1 else j.name, j.span, role, "surname")
    if not j.verdict.sure and j.name in known.kinds:
        return Mention(known.kinds[j.name], j.name, j.span, role, "elsewhere in the article")
    return Mention(j.verdict.kind, j.name, j.span, role, j.rule) if j.verdict.kind is not None else None
