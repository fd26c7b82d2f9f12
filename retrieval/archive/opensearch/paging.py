"""A query -> every document it finds, a page at a time, as they all were at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from opensearchpy import OpenSearch

from retrieval.archive.opensearch.connection import WHOLE, translated
from retrieval.archive.opensearch.schema import Body

PAGE = 1000  # documents in one answer
KEPT = "1m"  # for which the moment is kept between two pages


def every(
    client: OpenSearch, index: str, query: Body, sort: Sequence[Body], shown: Mapping[str, object]
) -> Iterator[Body]:
    """Yield every hit of ``query`` in the order of ``sort``, in which no two are alike.

    ``shown`` says what comes with each.
    """
    with _moment(client, index) as moment:
        body = {**shown, "size": PAGE, "track_total_hits": False, "query": query, "sort": sort}
        body["pit"] = {"id": moment, "keep_alive": KEPT}
        hits = _page(client, body)
        while hits:
            yield from hits
            hits = _page(client, body | {"search_after": hits[-1]["sort"]}) if len(hits) == PAGE else []


def _page(client: OpenSearch, body: Body) -> list[Body]:
    with translated():
        found = client.search(body=body, params=WHOLE)
    return list(found["hits"]["hits"])


@contextmanager
def _moment(client: OpenSearch, index: str) -> Iterator[str]:
    with translated():
        moment = client.create_pit(index=index, params={"keep_alive": KEPT})["pit_id"]
    try:
        yield moment
    finally:
        with translated():
            client.delete_pit(body={"pit_id": [moment]})
