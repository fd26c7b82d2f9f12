"""The versions of an article as documents beside its own: what each was, and where it stands among them.

The article's own document is its newest version. An earlier one is a document that only its key, its id and its
address lead to: it has none of the fields by which articles are counted and searched, and a ``number`` instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from opensearchpy import OpenSearch

from retrieval.archive.corrections import corrections, day_of
from retrieval.archive.opensearch.catalogue import address_of
from retrieval.archive.opensearch.connection import WHOLE, answered, every, translated
from retrieval.archive.opensearch.documents import Standing, Stored, document_id, held, stored
from retrieval.archive.opensearch.schema import Body
from retrieval.archive.opensearch.scoping import SUPERSEDED
from retrieval.errors import StaleIndexError
from retrieval.model import Reading
from retrieval.search import VersionSummary

FIELDS = ("of", "stamp", "held", "record")
BY_NUMBER: list[Body] = [{"of": "asc"}, {"number": {"order": "asc", "unmapped_type": "integer"}}]
AT_ONCE = 200  # documents in one request
SAME_KEY = 20  # versions that a key is held to stand for at most: two that differ are one too many


def succeeding(before: Stored | None, reading: Reading, now: float) -> Standing:
    """Return where a version stands that comes after ``before``, at a time in seconds; the same text is no new one."""
    if before is None:
        return Standing(taken=now, first=now)
    same = before.reading.article.digest == reading.article.digest
    day = day_of(now).isoformat()
    days = corrections(before.reading, before.standing.days, reading, day)
    kept = before.standing
    return replace(kept, days=days) if same else Standing(kept.number + 1, now, days, kept.first)


def supersede(before: Stored | None, reading: Reading, index: str) -> Iterator[Body]:
    """Yield what keeps the version before ``reading``, if there is one and its text is another."""
    if before is not None and before.reading.article.digest != reading.article.digest:
        yield kept(before, index)


def kept(version: Stored, index: str) -> Body:
    """Return what keeps an earlier version."""
    article, number = version.reading.article, version.standing.number
    document = {
        "of": article.id,
        "stamp": version.stamp,
        "version": article.key,
        "url": address_of(article.url),
        "number": number,
        **held(version.reading, version.around, version.standing),
    }
    return {"_index": index, "_id": document_id(article.id, number), "_source": document}


def fetched(client: OpenSearch, index: str, keys: Sequence[str], fields: Sequence[str] = FIELDS) -> Iterator[Body]:
    """Yield what the documents with these keys hold, as they are at this moment; none for those that are not there."""
    for start in range(0, len(keys), AT_ONCE):
        body, params = {"ids": keys[start : start + AT_ONCE]}, {"_source_includes": ",".join(fields)}
        with translated():
            found = client.mget(index=index, body=body, params=params)
        yield from (row["_source"] for row in map(answered, found["docs"]) if row.get("found"))


def before_now(client: OpenSearch, index: str, article_ids: Iterable[str]) -> dict[str, Stored]:
    """Return the newest versions held, by id; one that another program wrote, and this cannot read, is left out."""
    found: dict[str, Stored] = {}
    for row in fetched(client, index, [document_id(each) for each in article_ids]):
        try:
            found[row["of"]] = stored(row)
        except StaleIndexError:
            continue
    return found


def is_held(client: OpenSearch, index: str, article_id: str) -> bool:
    """Return whether there is a version of an article, of whatever make."""
    if any(fetched(client, index, [document_id(article_id)], ("of",))):
        return True
    body = {"size": 0, "track_total_hits": 1, "query": {"term": {"of": article_id}}}
    with translated():
        found = client.search(index=index, body=body, params=WHOLE)
    return bool(found["hits"]["total"]["value"])


def superseded(client: OpenSearch, index: str, article_id: str) -> tuple[Stored, ...]:
    """Return the earlier versions of an article, the first first."""
    query = {"bool": {"filter": [{"term": {"of": article_id}}, SUPERSEDED]}}
    return tuple(stored(hit["_source"]) for hit in every(client, index, query, BY_NUMBER, {"_source": FIELDS}))


def carried(client: OpenSearch, index: str) -> Iterator[tuple[str, str, Body]]:
    """Yield every earlier version of all articles: its article's id, its key, and the document as it is."""
    for hit in every(client, index, SUPERSEDED, BY_NUMBER, {"_source": True}):
        yield hit["_source"]["of"], hit["_id"], hit["_source"]


def keyed(client: OpenSearch, index: str, key: str) -> Reading | None:
    """Return the version that ``key`` stands for; None where it stands for none, or for several."""
    body = {"size": SAME_KEY, "query": {"term": {"version": key}}, "_source": False}
    with translated():
        hits = client.search(index=index, body=body, params=WHOLE)["hits"]["hits"]
    # as they are now: one may have been removed, or have another text, since it was found
    readings = [stored(row).reading for row in fetched(client, index, [hit["_id"] for hit in hits])]
    meant = {(each.article.id, each.article.text): each for each in readings if each.article.key == key}
    return next(iter(meant.values())) if len(meant) == 1 else None


def summary(version: Stored) -> VersionSummary:
    """Return what tells a version from the others of its article."""
    article = version.reading.article
    since = day_of(version.standing.taken) if version.standing.taken else None
    return VersionSummary(article.digest, article.source, since)
