"""Hits -> candidates, best first: a linear model over a few named features, with learned weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from bot.ask.features import Asked, features
from bot.ask.model import Candidate
from retrieval import Archive, Hit, Logistic, Meaning, read_logistic

DIGITS = 4  # of a cosine: the last bits differ between machines


@lru_cache(maxsize=4)
def weights(name: str) -> Logistic:
    """Return the learned weights of ``name``: "ranking" and "confidence", and both "-words" without an encoder."""
    return read_logistic(files("bot.ask").joinpath("weights", f"{name}.toml"))


def rank(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates, best first; ties by article and place."""
    near = cosines(hits, asked, archive, meaning)
    model = weights("ranking" if near else "ranking-words")
    values = features(hits, asked, archive, near)
    found = (
        Candidate(hit, model.score(v), model.parts(v), tuple(v.items())) for hit, v in zip(hits, values, strict=True)
    )
    return tuple(sorted(found, key=lambda c: (not _is_named(c, asked, archive), -c.score, *c.place)))


def _is_named(candidate: Candidate, asked: Asked, archive: Archive) -> bool:
    """Return whether a sentence is about whom or what a follow-up names: "and Leeds?" asks about nothing else."""
    if not asked.analysis.named:
        return True
    article_id, index = candidate.place
    there = archive.searchable(article_id)[index]
    held = {*there.own, *there.around, *there.speaker}
    return any(spelt <= held for spellings in asked.analysis.named for spelt in spellings)


def cosines(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[float, ...]:
    """Return how near each hit is to the question in meaning; nothing without an encoder."""
    if meaning is None or not hits:
        return ()
    texts = [hit.passage.sentence.span.of(archive.article(hit.article_id).text) for hit in hits]
    found = meaning.similarities(asked.analysis.text, texts)
    return () if found is None else tuple(round(float(cosine), DIGITS) for cosine in found)
