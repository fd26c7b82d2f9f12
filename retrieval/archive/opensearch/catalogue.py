"""What an index of articles says of them without their texts: of which outlet they are, which days, which version."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import date

from opensearchpy import OpenSearch

from retrieval.archive.opensearch.connection import WHOLE, every, translated
from retrieval.archive.opensearch.schema import Body
from retrieval.archive.opensearch.scoping import newest
from retrieval.model import Article
from retrieval.search import Outlet, Scope

MOST = 10_000  # outlets, and ids that are asked for at once
LONGEST = 2000  # characters of an address that count


def particulars(article: Article) -> Body:
    """Return the fields by which an article is counted and found."""
    published = {"published": article.published.isoformat()} if article.published else {}
    return {"version": article.key, "url": address_of(article.url), **published}


def address_of(address: str | None) -> str:
    """Return an address as an article is found by it, as a line of ASCII."""
    return json.dumps(address or "")[:LONGEST]


def outlets(client: OpenSearch, name: str) -> tuple[Outlet, ...]:
    """Return how many articles of each source the index ``name`` holds, and of which days, by source."""
    days = {"first": {"min": {"field": "published"}}, "last": {"max": {"field": "published"}}}
    asked = {"outlets": {"terms": {"field": "source", "size": MOST}, "aggs": days}}
    with translated():
        found = client.search(index=name, body={"size": 0, "aggs": asked}, params=WHOLE)
    return tuple(sorted(_outlets(found["aggregations"]["outlets"]["buckets"]), key=lambda outlet: outlet.source))


def _outlets(rows: list[Body]) -> Iterator[Outlet]:
    for row in rows:
        yield Outlet(json.loads(row["key"]), int(row["doc_count"]), _day(row["first"]), _day(row["last"]))


def _day(found: Body) -> date | None:
    return date.fromisoformat(found["value_as_string"]) if found["value"] is not None else None


def within(client: OpenSearch, name: str, article_ids: Collection[str], scope: Scope) -> Iterator[str]:
    """Yield those of the ids under which an article within ``scope`` is held."""
    wanted, shown = sorted(set(article_ids)), {"_source": False, "docvalue_fields": ["of"], "size": MOST}
    for start in range(0, len(wanted), MOST):
        these = {"terms": {"of": wanted[start : start + MOST]}}
        query = {"bool": {"filter": [these, newest(scope)]}}
        with translated():
            found = client.search(index=name, body={**shown, "track_total_hits": False, "query": query}, params=WHOLE)
        yield from (hit["fields"]["of"][0] for hit in found["hits"]["hits"])


def meant(client: OpenSearch, name: str, named: str) -> tuple[str, ...]:
    """Return the ids of the articles with this id or address, superseded versions' too."""
    query = {"bool": {"should": [{"term": {"of": named}}, {"term": {"url": address_of(named)}}]}}
    rows = every(client, name, query, [{"of": "asc"}, {"stamp": "asc"}], {"_source": ["of"]})
    return tuple(dict.fromkeys(row["_source"]["of"] for row in rows)) if named else ()
