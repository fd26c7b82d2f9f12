"""The entities of a few articles, worked out by themselves."""

from collections.abc import Iterable

from retrieval.model import Entity, Kind, Reading


def entities(readings: Iterable[Reading]) -> tuple[Entity, ...]:
    """Return every entity of united readings with its spellings in them, by name."""
    variants: dict[tuple[str, Kind], set[str]] = {}
    articles: dict[tuple[str, Kind], set[str]] = {}
    for reading in readings:
        for mention in (mention for passage in reading.passages for mention in passage.mentions):
            name = (mention.name, mention.kind)
            variants.setdefault(name, set()).add(" ".join(mention.span.of(reading.article.text).split()))
            articles.setdefault(name, set()).add(reading.article.id)
    return tuple(Entity(*key, tuple(sorted(variants[key])), tuple(sorted(articles[key]))) for key in sorted(variants))
