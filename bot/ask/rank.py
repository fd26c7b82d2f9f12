"""Hits -> candidates, best first: a linear model over a few named features, with learned weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from bot.ask.features import Asked, features
from bot.ask.model import Candidate, Meaning
from retrieval.logistic import Logistic, read_logistic
from retrieval.search import Archive, Hit


@lru_cache(maxsize=4)
def weights(name: str) -> Logistic:
    """Return the learned weights of ``name``: "ranking" and "confidence", and both "-words" without an encoder."""
    return read_logistic(files("bot.ask").joinpath("weights", f"{name}.toml"))


def rank(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates, best first; ties by article and place."""
    model = weights("ranking" if meaning else "ranking-words")
    found = [
        Candidate(hit, model.score(values), model.parts(values), tuple(values.items()))
        for hit, values in zip(
            hits, features(hits, asked, archive, cosines(hits, asked, archive, meaning)), strict=True
        )
    ]
    return tuple(sorted(found, key=lambda c: (-c.score, *c.place)))


def cosines(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> Sequence[float] | None:
    """Return how near each hit is to the question in meaning; None without an encoder."""
    if meaning is None or not hits:
        return None
    texts = [hit.passage.sentence.span.of(archive.article(hit.article_id).text) for hit in hits]
    return meaning.similarities(asked.analysis.text, texts)
