"""The source and the day of an article -> fields of its documents; a scope -> the query for what is within."""

from __future__ import annotations

import json

from retrieval.archive.corrections import day_of
from retrieval.archive.opensearch.schema import Body
from retrieval.model import Article
from retrieval.search import EVERYTHING, Scope

SUPERSEDED: Body = {"exists": {"field": "number"}}


def placed(article: Article, first: float) -> Body:
    """Return the fields by which a scope is told, of an article whose first version came at a time; 0 where unknown."""
    day = article.published or (day_of(first) if first else None)
    return {"source": source_of(article.source), **({"day": day.isoformat()} if day else {})}


def source_of(source: str | None) -> str:
    """Return a source as a line of ASCII: a hostile text may hold what no server takes."""
    return json.dumps(source or "")


def filters(scope: Scope) -> list[Body]:
    """Return what a document within ``scope`` meets."""
    found: list[Body] = []
    if scope.sources is not None:
        found.append({"terms": {"source": sorted(map(source_of, filter(None, scope.sources)))}})
    if scope.since:
        late, undated = {"range": {"day": {"gte": scope.since.isoformat()}}}, {"exists": {"field": "day"}}
        found.append({"bool": {"should": [late, {"bool": {"must_not": undated}}]}})
    return found


def newest(scope: Scope = EVERYTHING) -> Body:
    """Return the query for the articles within ``scope`` as they are, and none of their earlier versions."""
    return {"bool": {"filter": filters(scope), "must_not": SUPERSEDED}}
