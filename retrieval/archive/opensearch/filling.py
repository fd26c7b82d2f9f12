"""Readings -> new indexes that take the place of those that are asked.

They are those of articles that were read just now, and then the earlier versions that are held of them go along; or
all that another archive holds, with its own versions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

from opensearchpy import OpenSearch
from opensearchpy.helpers import streaming_bulk

from retrieval.archive.opensearch import versions
from retrieval.archive.opensearch.address import Address
from retrieval.archive.opensearch.connection import translated
from retrieval.archive.opensearch.documents import Standing, Stored, as_stored, documents
from retrieval.archive.opensearch.generations import Indexes, beside, held_before
from retrieval.archive.opensearch.schema import ARTICLES, Body
from retrieval.archive.transfer import Batch, Transferable
from retrieval.model import Entity, Reading
from retrieval.names.entities import spellings
from retrieval.processes import seldom_collected

TOGETHER = 100  # articles whose earlier versions are asked for at once
CHUNK, CHUNK_BYTES = 500, 5_000_000  # documents and bytes in one bulk request
AT_ONCE = 4  # requests that are under way: while the cluster works on them, the next one is made
WRITES, PAUSE, LONGEST_PAUSE = 8, 1, 30  # how often what the cluster is too busy for is sent again; seconds
WAIT = 60  # seconds that a bulk request is waited for: it is many times what is asked otherwise
GONE = 404  # of a document that somebody else has deleted meanwhile

Pairs = Sequence[tuple[Reading, Stored | None]]  # what was read just now, and the version that is held


def fill(client: OpenSearch, address: Address, readings: Mapping[str, Reading], now: float) -> None:
    """Have just these articles in the archive, at a time in seconds; whatever fails, what was there stays."""
    by_name = spellings(readings.values())  # which are taken once more when they are written, and none of them held
    old = held_before(client, address)
    with beside(client, address) as indexes:
        pairs = _with_earlier(client, old, readings)
        _write_each(client, (_succeeding(batch, by_name, indexes, now) for batch in pairs))
        if old:
            write(client, _earlier(client, old, readings, indexes))


def _with_earlier(client: OpenSearch, old: str, readings: Mapping[str, Reading]) -> Iterator[Pairs]:
    ids = tuple(readings)
    for start in range(0, len(ids), TOGETHER):
        batch = ids[start : start + TOGETHER]
        before = versions.before_now(client, old, batch) if old else {}
        yield [(readings[each], before.get(each)) for each in batch]


def _succeeding(pairs: Pairs, by_name: Mapping[str, Entity], indexes: Indexes, now: float) -> Iterator[Body]:
    for reading, before in pairs:
        yield from documents(reading, by_name, versions.succeeding(before, reading, now)).whole(indexes)
        yield from versions.supersede(before, reading, indexes[ARTICLES])


def _earlier(client: OpenSearch, old: str, readings: Mapping[str, Reading], indexes: Indexes) -> Iterator[Body]:
    for article_id, key, document in versions.carried(client, old):
        if article_id in readings:
            yield {"_index": indexes[ARTICLES], "_id": key, "_source": document}


def copy(client: OpenSearch, address: Address, other: Transferable) -> None:
    """Have just what the other archive holds, and no version but its; whatever fails, what was there stays."""
    with beside(client, address) as indexes, closing(other.batches()) as batches:
        _write_each(client, (_copied(batch, indexes) for batch in batches))


def _copied(batch: Batch, indexes: Indexes) -> Iterator[Body]:
    for held in batch.articles:
        first = min(version.since for version in held)
        standings = [Standing(number, version.since, version.days, first) for number, version in enumerate(held)]
        yield from documents(held[-1].reading, batch.entities, standings[-1]).whole(indexes)
        for version, standing in zip(held[:-1], standings, strict=False):
            yield versions.kept(as_stored(version.reading, batch.entities, standing), indexes[ARTICLES])


def _write_each(client: OpenSearch, batches: Iterable[Iterable[Body]]) -> None:
    """Send batches of documents, several at a time; the first that fails ends it."""
    with seldom_collected(), ThreadPoolExecutor(AT_ONCE, "stet-fill") as pool:
        under_way: deque[Future[None]] = deque()
        for batch in batches:
            under_way.append(pool.submit(write, client, batch))
            if len(under_way) > AT_ONCE:
                under_way.popleft().result()
        for each in under_way:
            each.result()


def write(client: OpenSearch, actions: Iterable[Body]) -> None:
    """Send documents as fast as the cluster takes them; what it is too busy for is sent again."""
    with translated():
        for _ in streaming_bulk(
            client,
            actions,
            expand_action_callback=_expanded,
            chunk_size=CHUNK,
            max_chunk_bytes=CHUNK_BYTES,
            max_retries=WRITES,
            initial_backoff=PAUSE,
            max_backoff=LONGEST_PAUSE,
            ignore_status=GONE,
            request_timeout=WAIT,
        ):
            pass


def _expanded(action: Body) -> tuple[Body, Body | None]:
    """Return what a bulk request says is to be done, and the document: quicker than for all that an action may have."""
    return {action.get("_op_type", "index"): {key: action[key] for key in ("_index", "_id")}}, action.get("_source")
