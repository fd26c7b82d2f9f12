"""The mentions of all articles -> entities; the same in any order of reading."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.model import Entity, Kind, Mention

Mentions = tuple[tuple[Mention, ...], ...]


@dataclass(frozen=True, slots=True)
class Aliases:
    """What ``names.toml`` says: names to join, names to keep apart, and desk shorthand."""

    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    shorthand: tuple[tuple[str, str], ...] = ()


NO_ALIASES = Aliases()


def unite(mentions: dict[str, Mentions], aliases: Aliases = NO_ALIASES) -> dict[str, Mentions]:
    """Return the same mentions (per article id), each with its canonical name over all the articles."""
    return mentions


def entities(mentions: dict[str, Mentions], texts: dict[str, str]) -> tuple[Entity, ...]:
    """Return every entity of united mentions with the spellings met in ``texts`` (by article id), by name."""
    found: dict[tuple[str, Kind], tuple[set[str], set[str]]] = {}
    for article_id, sentences in mentions.items():
        for mention in (m for sentence in sentences for m in sentence):
            variants, articles = found.setdefault((mention.name, mention.kind), (set(), set()))
            variants.add(" ".join(mention.span.of(texts[article_id]).split()))
            articles.add(article_id)
    return tuple(
        Entity(name, kind, tuple(sorted(variants)), tuple(sorted(articles)))
        for (name, kind), (variants, articles) in sorted(found.items())
    )
