"""What is asked of the sentences -> the bodies of requests; their answers -> places and scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from retrieval.archive.opensearch.connection import WHOLE
from retrieval.archive.opensearch.documents import cut
from retrieval.archive.opensearch.schema import Body
from retrieval.archive.opensearch.scoping import filters
from retrieval.model import Boilerplate
from retrieval.search import ARTICLE, PARAGRAPH, Query, Scope

# The three fields of a score and what each counts for; the name of its part in the answer is the field's.
WEIGHTS = {"own": 1.0, "paragraph": PARAGRAPH, "article": ARTICLE}
MOST_TERMS = 300  # in a query: three times as many clauses, of which the server takes 1,024
MOST_HITS = 10_000  # that the server gives at once
FIELDS = ("of", "stamp", "index")
NOBODY: Body = {"term": {"stamp": ""}}

# By score, and ties by article and place, as everywhere.
BY_SCORE = ["_score", {"of": "asc"}, {"index": "asc"}]
BY_PLACE = [{"of": "asc"}, {"index": "asc"}]

SEARCHED = {
    "search_type": "dfs_query_then_fetch",  # a term is worth the same on every shard
    "include_named_queries_score": "true",
    **WHOLE,
}


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence that was found: its place, the stamp of its article, and its score in each field."""

    article_id: str
    stamp: str
    index: int
    sentence: float
    paragraph: float
    article: float

    @property
    def score(self) -> float:
        """What it is ordered by."""
        return self.sentence + PARAGRAPH * self.paragraph + ARTICLE * self.article


def scored(query: Query, limit: int) -> Body:
    """Return the request for the best ``limit`` sentences."""
    shown = {kind.value for kind in query.boilerplate}
    hidden = sorted({kind.value for kind in Boilerplate} - shown)
    heaviest = sorted(query.terms, key=lambda term: -term[1])[:MOST_TERMS]
    return {
        "size": min(limit, MOST_HITS),
        "track_total_hits": False,
        "track_scores": True,
        "_source": False,
        "docvalue_fields": list(FIELDS),
        "sort": BY_SCORE,
        "query": {
            "bool": {
                "should": [_in_field(field, weight, heaviest) for field, weight in WEIGHTS.items()],
                "minimum_should_match": 1,
                "filter": [_kept(each) for each in filters(query.scope)],
                "must_not": [{"terms": {"kind": hidden}}] if hidden else [],
            }
        },
    }


def _kept(condition: Body) -> Body:
    """Return a condition that a shard does not take for met by nobody, though nothing on it meets it.

    It would make nothing of the whole query then, and leave its sentences out of what a term is worth everywhere.
    """
    return {"bool": {"should": [condition, NOBODY]}}


def same_copies(query: Query) -> str:
    """Return what has one question always asked of the same copies of the shards.

    Copies delete what is replaced at different times, and count it until then.
    """
    return blake2b(repr(query.terms).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def holding(terms: Collection[str], scope: Scope) -> Body:
    """Return the query for every sentence within ``scope`` that holds all of ``terms``, in it or around it."""
    each = [{"bool": {"should": [_is(f, term) for f in ("own", "around")]}} for term in terms]
    return {"bool": {"filter": [*filters(scope), *each]}}


def counted(terms: Collection[str], scope: Scope) -> list[Body]:
    """Return the requests for how many sentences within ``scope`` hold each term; for ``""``, how many there are.

    Each is a search by itself: the server knows of a term alone how many have it, and goes through no sentence.
    """
    every = ([{"term": {"own": cut(term)}}] if term else [] for term in terms)
    bodies = ({"size": 0, "track_total_hits": True, "query": _all([*each, *filters(scope)])} for each in every)
    return [line for body in bodies for line in ({"allow_partial_search_results": False}, body)]


def _all(conditions: list[Body]) -> Body:
    return conditions[0] if len(conditions) == 1 else {"bool": {"filter": conditions}}


def _is(field: str, term: str) -> Body:
    return {"term": {field: cut(term)}}


def _in_field(field: str, weight: float, terms: Collection[tuple[str, float]]) -> Body:
    clauses = [{"term": {field: {"value": cut(term), "boost": weight * each}}} for term, each in terms]
    return {"bool": {"should": clauses, "_name": field}}


def found(hits: Collection[Body]) -> Iterator[Found]:
    """Yield what each hit of ``scored`` says."""
    for hit in hits:
        scores = hit["matched_queries"]
        parts = [scores.get(field, 0.0) / weight for field, weight in WEIGHTS.items()]
        yield Found(*(hit["fields"][field][0] for field in FIELDS), *parts)
