"""What a cluster holds: versions of articles and removals, each an entry, in the order in which they were put there.

Entries are never changed. Those of one ``fill`` are seen together or not at all: they carry its number, and one
document, the head, says up to which fill all is whole. Who was killed while filling has left entries that nobody reads;
the next to fill deletes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from secrets import token_hex
from typing import Any

from opensearchpy import NotFoundError, OpenSearch
from opensearchpy.helpers import streaming_bulk

from retrieval.archive.opensearch.address import Address, Credentials
from retrieval.archive.opensearch.connection import WHOLE, connect, translated
from retrieval.archive.versions import Record
from retrieval.errors import ArchiveError, StaleIndexError
from retrieval.names.aliases import Aliases

FORMAT = 1  # of entries and head; raised where an earlier program could not read them
FILL = 1 << 32  # numbers in a fill, at the most
PAGE = 100  # entries in one answer
TOGETHER = 1_000  # entries, or articles, that are deleted at once
CHUNK, CHUNK_BYTES = 500, 5_000_000  # documents and bytes in one bulk request
WRITES, PAUSE, LONGEST_PAUSE = 8, 1, 30  # how often what the cluster is too busy for is sent again; seconds
WAIT = 60  # seconds that what writes is waited for: many times what is asked otherwise
EXISTS, GONE, CONFLICT = 400, 404, 409
HEAD = "head"

Body = dict[str, Any]  # what a request is made of: JSON

_KEY: Body = {"type": "keyword"}
_STORED: Body = {"type": "keyword", "index": False, "doc_values": False}
FIELDS: Body = {
    "number": {"type": "long"},
    "fill": {"type": "long"},
    "of": _KEY,
    "digest": _KEY,
    "mark": _KEY,
    "told": _STORED,
}


@dataclass(frozen=True, slots=True)
class Head:
    """Up to which fill all is ``whole``, which one was ``begun`` last, and which were ``given_up``.

    ``removed`` are the articles of which entries from before the fill that is whole may still be there. ``identity``
    tells this archive from every other, of so many ``articles``; ``same`` and ``different`` are what is said of names.
    """

    identity: str
    whole: int = 0
    begun: int = 0
    given_up: tuple[int, ...] = ()
    removed: tuple[str, ...] = ()
    articles: int = 0
    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    format: int = FORMAT

    @property
    def aliases(self) -> Aliases:
        """What is said of names, as ``names.toml`` says it."""
        return Aliases(self.same, self.different)


@dataclass(frozen=True, slots=True)
class Entry:
    """A version that was put in, or, without one, that its article was removed with versions of these ``digests``."""

    number: int
    article_id: str
    version: Record | None
    digests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _StoredVersion:
    """A version in the log: its text's digest, and what distinguishes it from every other entry."""

    digest: str
    mark: str


class Log:
    """The log at an address, connected to when it is first asked. One process may fill it, and any number read it.

    Every method raises ``ArchiveError`` where the cluster does not answer, or does not let this user do that.
    """

    def __init__(self, address: Address, credentials: Credentials) -> None:
        self._address, self._credentials = address, credentials
        self._index = f"{address.prefix}-log"
        self.place = f"{', '.join(f'{name}:{port}' for name, port in address.hosts)}/{address.prefix}"

    @cached_property
    def _client(self) -> OpenSearch:
        return connect(self._address, self._credentials)

    def head(self) -> Head | None:
        """Return how far the log is whole; None where nothing was ever put in."""
        return self._headed()[0]

    def _headed(self) -> tuple[Head | None, Body]:
        """Return the head, and the condition of a write that must fail if somebody has changed it since."""
        with translated():
            try:
                found = self._client.get(index=self._index, id=HEAD)
            except NotFoundError:
                return None, {"op_type": "create"}
        content = json.loads(found["_source"]["told"])
        if content["format"] > FORMAT:
            raise StaleIndexError("The archive in the cluster was written by a newer version of stet: use that one.")
        groups: Body = {key: tuple(map(tuple, content[key])) for key in ("same", "different")}
        lists: Body = {key: tuple(content[key]) for key in ("given_up", "removed")}
        head = Head(**content | groups | lists)
        return head, {"if_seq_no": found["_seq_no"], "if_primary_term": found["_primary_term"]}

    def entries(self, head: Head, after: int = 0) -> Iterator[Entry]:
        """Yield what was put in after the entry with this number, as far as all is whole, in order."""
        for row in self._rows(head, after, {"_source": ["number", "of", "told"]}):
            source = row["_source"]
            content = json.loads(source["told"])
            if "removed" in content:
                yield Entry(source["number"], content["removed"], None, tuple(content["digests"]))
            else:
                version = Record(**{**content, "code": content["code"].encode("ascii")})
                yield Entry(source["number"], version.id, version)

    def _rows(self, head: Head, after: int, shown: Body) -> Iterator[Body]:
        """Yield the hits of entries in order, a page at a time; entries never change."""
        there = {"range": {"number": {"gt": after, "lt": (head.whole + 1) * FILL}}}
        query = {"bool": {"filter": [there], "must_not": {"terms": {"fill": head.given_up}}}}
        body = {"query": query, "sort": [{"number": "asc"}], "size": PAGE, "track_total_hits": False, **shown}
        while True:
            with translated():
                rows = self._client.search(index=self._index, body=body, params=WHOLE)["hits"]["hits"]
            yield from rows
            if len(rows) < PAGE:
                return
            body["search_after"] = rows[-1]["sort"]

    def fill(self, articles: Iterable[Sequence[Record]], aliases: Aliases, *, keep: bool) -> None:
        """Have just these articles in the log, each with these versions, the newest last; all or nothing.

        ``keep`` has an article keep versions that are not among these; else it is removed, and added again.
        """
        with self._filling(aliases) as filling:
            stored = self._stored(filling.head)
            there = filling.counted(articles)
            self._write(
                chain.from_iterable(
                    filling.changes(versions, stored.pop(versions[0].id, ()), keep=keep) for versions in there
                )
            )
            self._write(filling.removal(article_id, there) for article_id, there in stored.items())

    def remove(self, article_id: str, digests: Iterable[str]) -> None:
        """Forget an article, of which versions with these digests were there."""
        with self._filling(None) as filling:
            self._write([filling.removal(article_id, [_StoredVersion(digest, "") for digest in digests])])
            filling.articles -= 1

    def articles(self) -> int:
        """Return how many articles are there."""
        head = self.head()
        return head.articles if head else 0

    def _stored(self, head: Head) -> dict[str, list[_StoredVersion]]:
        """Return the versions in the log of each article, the newest last."""
        stored: dict[str, list[_StoredVersion]] = {}
        shown = {"_source": ["of", "digest", "mark"]}
        for row in self._rows(head, 0, shown):
            source = row["_source"]
            article_id = json.loads(source["of"])
            if "mark" in source:
                stored.setdefault(article_id, []).append(_StoredVersion(source["digest"], source["mark"]))
            else:
                stored.pop(article_id, None)
        return stored

    @contextmanager
    def _filling(self, aliases: Aliases | None) -> Iterator[_Filling]:
        """Begin a fill, and end it once all is written; nobody sees any of it where that fails."""
        before, condition = self._headed()
        if before is None:
            self._make()
        head = before or Head(token_hex(8))
        left = {*head.given_up, *range(head.whole + 1, head.begun + 1)}
        head = replace(head, begun=head.begun + 1, given_up=tuple(sorted(left)))
        condition = self._put_head(head, condition)
        self._delete({"terms": {"fill": head.given_up}})
        head, condition = self._cleared(head, condition)
        filling = _Filling(head, self._index)
        yield filling
        self._refresh()
        head = replace(head, whole=head.begun, removed=tuple(filling.removed), articles=filling.articles)
        if aliases:
            head = replace(head, same=aliases.same, different=aliases.different)
        self._cleared(head, self._put_head(head, condition))

    def _cleared(self, head: Head, condition: Body) -> tuple[Head, Body]:
        """Delete the words of what was removed, and note that they are gone."""
        if not head.removed:
            return head, condition
        for start in range(0, len(head.removed), TOGETHER):
            these = {"terms": {"of": head.removed[start : start + TOGETHER]}}
            self._delete({"bool": {"filter": [these, {"range": {"fill": {"lt": head.whole}}}]}})
        head = replace(head, removed=())
        return head, self._put_head(head, condition)

    def _refresh(self) -> None:
        with translated():
            self._client.indices.refresh(index=self._index)

    def _make(self) -> None:
        """Make the index, unless it is there."""
        settings = {
            "number_of_shards": self._address.shards,
            "number_of_replicas": self._address.replicas,
            # a takedown is thorough: what was deleted leaves the files when it is asked for, however little
            "merge.policy.expunge_deletes_allowed": 0,
        }
        body = {"settings": settings, "mappings": {"dynamic": "strict", "properties": FIELDS}}
        with translated():
            self._client.indices.create(index=self._index, body=body, params={"ignore": EXISTS})

    def _put_head(self, head: Head, condition: Body) -> Body:
        with translated():
            response = self._client.index(
                index=self._index,
                id=HEAD,
                body={"told": json.dumps(asdict(head))},
                params={**condition, "ignore": CONFLICT},
            )
        if response.get("status") == CONFLICT:
            raise ArchiveError("Another process is filling the archive in the cluster: fill from one place only.")
        return {"if_seq_no": response["_seq_no"], "if_primary_term": response["_primary_term"]}

    def _delete(self, query: Body) -> None:
        """Delete entries, with their words; they are gone for whoever looks next."""
        body = {"query": query, "size": TOGETHER, "_source": False}
        while True:
            self._refresh()
            with translated():
                rows = self._client.search(index=self._index, body=body, params=WHOLE)["hits"]["hits"]
            if not rows:
                return
            self._write({"_op_type": "delete", "_index": self._index, "_id": row["_id"]} for row in rows)

    def _write(self, actions: Iterable[Body]) -> None:
        """Send documents as fast as the cluster takes them; what it is too busy for is sent again."""
        with translated():
            for _ in streaming_bulk(
                self._client,
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


class _Filling:
    """One fill: it numbers its entries, and knows how many articles there will be, and which were removed."""

    def __init__(self, head: Head, index: str) -> None:
        self.head, self._index = head, index
        self._number = head.begun * FILL
        self.removed: list[str] = []
        self.articles = head.articles

    def counted(self, articles: Iterable[Sequence[Record]]) -> Iterator[Sequence[Record]]:
        """Yield these articles, as all that there will be."""
        self.articles = 0
        for versions in articles:
            self.articles += 1
            yield versions

    def changes(self, versions: Sequence[Record], stored: Sequence[_StoredVersion], *, keep: bool) -> Iterator[Body]:
        """Yield what turns an article's ``stored`` entries into those of ``versions``."""
        marked = [(version, _mark(version)) for version in versions]
        if not keep and {each.digest for each in stored} - {version.digest for version in versions}:
            yield self.removal(versions[0].id, stored)
            stored = ()
        if stored and stored[-1].mark == marked[-1][1]:
            return
        there = {each.digest for each in stored}
        for version, mark in marked:
            if version is versions[-1] or version.digest not in there:
                yield self._entry(version.id, {"digest": version.digest, "mark": mark}, _content(version))

    def removal(self, article_id: str, stored: Iterable[_StoredVersion]) -> Body:
        """Return what says that an article is there no more."""
        digests = tuple(dict.fromkeys(each.digest for each in stored))
        self.removed.append(json.dumps(article_id))
        return self._entry(article_id, {}, {"removed": article_id, "digests": digests})

    def _entry(self, article_id: str, fields: Body, content: Body) -> Body:
        self._number += 1
        placed = {"number": self._number, "fill": self.head.begun, "of": json.dumps(article_id), **fields}
        return {"_index": self._index, "_id": str(self._number), "_source": {**placed, "told": json.dumps(content)}}


def _content(version: Record) -> Body:
    return {**asdict(version), "code": version.code.decode("ascii")}


def _mark(version: Record) -> str:
    """Return what tells a version, as it was read and by what it is known, from every other."""
    content = json.dumps((version.metadata, version.text)).encode() + version.code
    return blake2b(content, digest_size=16).hexdigest()
