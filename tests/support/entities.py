"""The entities of a few articles, worked out by themselves."""

from collections.abc import Mapping

from retrieval.model import Entity, Kind
from retrieval.names.entities import Mentions


def entities(mentions: Mapping[str, Mentions], texts: Mapping[str, str]) -> tuple[Entity, ...]:
    """Return every entity of united mentions with its spellings in ``texts`` (by article id), by name."""
    variants: dict[tuple[str, Kind], set[str]] = {}
    articles: dict[tuple[str, Kind], set[str]] = {}
    for article_id, rows in mentions.items():
        for mention in (mention for row in rows for mention in row):
            name = (mention.name, mention.kind)
            variants.setdefault(name, set()).add(" ".join(mention.span.of(texts[article_id]).split()))
            articles.setdefault(name, set()).add(article_id)
    return tuple(Entity(*key, tuple(sorted(variants[key])), tuple(sorted(articles[key]))) for key in sorted(variants))
