"""Hits -> candidates, best first: a linear model over a few named features (``docs/theory/ranking.md``)."""

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
