"""Readings -> new indexes that take the place of those that are asked; earlier versions of the articles go along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from opensearchpy import OpenSearch
from opensearchpy.helpers import streaming_bulk

from retrieval.archive.opensearch import versions
from retrieval.archive.opensearch.address import Address
from retrieval.archive.opensearch.connection import translated
from retrieval.archive.opensearch.documents import documents
from retrieval.archive.opensearch.generations import Indexes, beside, held_before
from retrieval.archive.opensearch.schema import ARTICLES, Body
from retrieval.model import Entity, Mention, Reading
from retrieval.names.entities import entities

TOGETHER = 100  # articles whose earlier versions are asked for at once
CHUNK, CHUNK_BYTES = 500, 5_000_000  # documents and bytes in one bulk request
WRITES, PAUSE, LONGEST_PAUSE = 8, 1, 30  # how often what the cluster is too busy for is sent again; seconds
WAIT = 60  # seconds that a bulk request is waited for: it is many times what is asked otherwise
GONE = 404  # of a document that somebody else has deleted meanwhile


def fill(client: OpenSearch, address: Address, readings: Mapping[str, Reading], now: float) -> None:
    """Have just these articles in the archive, at a time in seconds; whatever fails, what was there stays."""
    mentions: dict[str, tuple[tuple[Mention, ...], ...]] = {}
    texts: dict[str, str] = {}
    for each in readings.values():  # once: they may be read, or fetched, each time they are asked for
        mentions[each.article.id] = tuple(passage.mentions for passage in each.passages)
        texts[each.article.id] = each.article.text
    by_name = {entity.name: entity for entity in entities(mentions, texts)}
    del mentions, texts
    old = held_before(client, address)
    with beside(client, address) as indexes:
        write(client, _documents(client, old, readings, by_name, indexes, now))
        if old:
            write(client, _earlier(client, old, readings, indexes))


def _documents(  # noqa: PLR0913, PLR0917 - what is written, from where to where, and when
    client: OpenSearch,
    old: str,
    readings: Mapping[str, Reading],
    by_name: Mapping[str, Entity],
    indexes: Indexes,
    now: float,
) -> Iterator[Body]:
    for ids in _batches(tuple(readings)):
        before = versions.before_now(client, old, ids) if old else {}
        for reading in (readings[each] for each in ids):
            one = before.get(reading.article.id)
            yield from documents(reading, by_name, versions.succeeding(one, reading, now)).whole(indexes)
            yield from versions.supersede(one, reading, indexes[ARTICLES])


def _earlier(client: OpenSearch, old: str, readings: Mapping[str, Reading], indexes: Indexes) -> Iterator[Body]:
    for article_id, key, document in versions.carried(client, old):
        if article_id in readings:
            yield {"_index": indexes[ARTICLES], "_id": key, "_source": document}


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + TOGETHER] for start in range(0, len(ids), TOGETHER))


def write(client: OpenSearch, actions: Iterable[Body]) -> None:
    """Send documents as fast as the cluster takes them; what it is too busy for is sent again."""
    with translated():
        for _ in streaming_bulk(
            client,
            actions,
            chunk_size=CHUNK,
            max_chunk_bytes=CHUNK_BYTES,
            max_retries=WRITES,
            initial_backoff=PAUSE,
            max_backoff=LONGEST_PAUSE,
            ignore_status=GONE,
            request_timeout=WAIT,
        ):
            pass
