"""The two indexes of an archive in a cluster: their fields, the document that says what is in them, and requests.

A document of the first is an article with all its versions; its sentences and paragraphs are nested in it, so that one
write replaces all of them at once. One of the second is an entity. Nothing is searched before a fill has ended.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec
from opensearchpy import NotFoundError, OpenSearch, RequestError
from opensearchpy.helpers import streaming_bulk
from opensearchpy.helpers.errors import BulkIndexError

from retrieval.archive.opensearch.address import Credentials, Sharding, parse
from retrieval.archive.opensearch.connection import ANOTHER, CONFLICT, PARTLY, WHOLE, connect, translated
from retrieval.archive.vectors import DIMENSIONS
from retrieval.errors import ArchiveError, StaleIndexError, UnreachableArchiveError
from retrieval.names.aliases import Aliases
from retrieval.search import K1, B

FILL = 1 << 30  # numbers in a fill, at the most; times the seconds since 1970 that is a long
FORMAT = 3  # of the documents
PAGE = 1_000  # documents in one answer
MOST = 100_000  # documents that one answer may have, and values that one question may list
CHUNK, CHUNK_BYTES = 200, 8_000_000  # documents and bytes in one bulk request
WRITES, PAUSE, LONGEST_PAUSE = 8, 1, 30  # how often what the cluster is too busy for is sent again; seconds
WAIT = 60  # seconds that what writes is waited for: many times what is asked otherwise
PATIENT = {"request_timeout": WAIT}
MERGING = 3_600
MISSING = 404
HEAD = "head"
EXISTS = "resource_already_exists_exception"
CURRENT, REMOVED = "current", "removed"

Body = dict[str, Any]  # what a request is made of: JSON

KEY: Body = {"type": "keyword"}
STORED: Body = {"type": "keyword", "index": False, "doc_values": False}
WORDS: Body = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
DAY: Body = {"type": "date", "format": "strict_date"}
NUMBER: Body = {"type": "long"}
VECTOR: Body = {
    "type": "knn_vector",
    "dimension": DIMENSIONS,
    "data_type": "byte",
    "method": {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"},
}
LEVELS = ("sentences", "paragraphs", "articles")  # at which terms are counted
SIZES = tuple(f"{level}_{what}" for what in ("count", "terms") for level in LEVELS)
SEARCHED = ("article", "words", "backwards", "sentences", "paragraphs")  # not stored: the reading has them
ARTICLES: Body = {
    **dict.fromkeys("id state mark digest source url keys facets copies removed names spellings".split(), KEY),
    **dict.fromkeys(("title", "history", "current", "earlier", "own", "codes", "retired"), STORED),
    **dict.fromkeys(("published", "day"), DAY),
    **dict.fromkeys(("number", "retired_at"), NUMBER),
    "taken": {"type": "double"},
    **{name: {"type": "integer"} for name in SIZES},
    **dict.fromkeys(("article", "words", "backwards"), WORDS),
    "sentences": {"type": "nested", "properties": {"terms": WORDS, "kind": KEY}},
    "paragraphs": {"type": "nested", "properties": {"terms": WORDS}},
}
NAMES: Body = {
    **dict.fromkeys(("name", "kind", "called", "keys", "mark"), KEY),
    **dict.fromkeys(("members", "spelt", HEAD), STORED),
}


@dataclass(frozen=True, slots=True)
class Head:
    """Which fill has ``begun`` last, and up to which all is ``whole``; ``identity`` tells this archive from others.

    ``clean`` says that no deleted word is left in the files, ``named`` that names are those of the articles,
    ``vectors`` that sentences are found by theirs; ``same`` and ``different`` are what is said of names.
    """

    identity: str
    whole: int = 0
    begun: int = 0
    clean: bool = True
    named: bool = True
    vectors: bool = True
    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    format: int = FORMAT

    @property
    def aliases(self) -> Aliases:
        return Aliases(self.same, self.different)


def mark_of(content: object) -> str:
    """Return what tells a document from every other version of it."""
    code = json.dumps(content, default=bytes.hex, ensure_ascii=True).encode()
    return blake2b(code, digest_size=16).hexdigest()


class Index:
    """The indexes of the archive that STET_ARCHIVE names, connected to when they are first asked.

    Raises ``ArchiveError`` where it names none, where the cluster does not answer, or does not let this user do that.
    """

    def __init__(self, setting: str, credentials: Credentials, layout: Sharding = Sharding()) -> None:  # noqa: B008
        self._setting, self._credentials, self._layout = setting, credentials, layout
        self._address = address = parse(setting)
        self.articles, self.names = f"{address.prefix}-articles", f"{address.prefix}-names"
        self._both = f"{self.articles},{self.names}"
        self.place = f"{', '.join(f'{name}:{port}' for name, port in address.hosts)}/{address.prefix}"

    def __reduce__(self) -> tuple[object, ...]:
        return Index, (self._setting, self._credentials, self._layout)

    @cached_property
    def _client(self) -> OpenSearch:
        return connect(self._address, self._credentials)

    @cached_property
    def has_vectors(self) -> bool:
        """Whether sentences are found by their vectors: the cluster had its k-NN plugin when the index was made."""
        with translated():
            [found] = self._client.indices.get_mapping(index=self.articles).values()
        return "vector" in found["mappings"]["properties"]["sentences"]["properties"]

    def head(self) -> Head | None:
        """Return how far the archive is whole; None where nothing was ever put in."""
        return self.headed()[0]

    def headed(self) -> tuple[Head | None, Body]:
        """Return the head, and the condition of a write that must fail if somebody has changed it since."""
        with translated():
            try:
                found = self._client.get(index=self.names, id=HEAD)
            except NotFoundError:
                return None, {"op_type": "create"}
        content = json.loads(found["_source"][HEAD])
        if content["format"] != FORMAT:
            raise StaleIndexError(
                "The archive in the cluster was written by another version of stet: name another index in STET_ARCHIVE,"
                " and `stet fill` it."
            )
        return msgspec.convert(content, Head), _unless_written_since(found)

    def close(self) -> None:
        if "_client" in vars(self):
            self._client.close()

    def put_head(self, head: Head, condition: Body) -> Body:
        body = {HEAD: json.dumps(asdict(head))}
        with translated():
            put = self._client.index(
                index=self.names, id=HEAD, body=body, params={**condition, "ignore": CONFLICT, **PATIENT}
            )
        if put.get("status") == CONFLICT:
            raise ArchiveError(ANOTHER)
        return _unless_written_since(put)

    def search(self, bodies: Sequence[Body], index: str = "") -> list[Body]:
        """Return the answer to each search, all asked at once."""
        lines: list[Body] = []
        for body in bodies:
            # copies of a shard may find different neighbours, so one question always asks the same copies
            header = {"index": index or self.articles, "preference": mark_of(body), **WHOLE}
            lines += header, {"track_total_hits": False, **body}
        with translated():
            answers: list[Body] = self._client.msearch(body=lines)["responses"] if lines else []
            for answer in answers:
                if "error" in answer:
                    self._client.search(index=index or self.articles, body=bodies[answers.index(answer)], **WHOLE)
                    raise ArchiveError(f"The archive cannot do what it was asked ({answer['status']}).")
        return answers

    def fields(self, field: str, searches: Sequence[tuple[Body, int]], index: str = "") -> list[list[str]]:
        """Return what a field has in the hits of each search, of which there are so many at the most."""
        shown = {"_source": False, "docvalue_fields": [field]}
        answers = self.search([{"query": query, "size": most, **shown} for query, most in searches], index)
        return [[value for row in answer["hits"]["hits"] for value in row["fields"][field]] for answer in answers]

    def counted(self, conditions: Sequence[Body], aggregations: Body) -> Body:
        """Return what aggregations count in the articles that meet all conditions."""
        [answer] = self.search([{"size": 0, "query": all_of(conditions), "aggs": aggregations}])
        return dict(answer["aggregations"])

    def rows(
        self, query: Body, sort: Sequence[Body] = (), *, index: str = "", size: int = PAGE, **shown: object
    ) -> Iterator[Body]:
        """Yield all hits of a search in order, a page at a time, as they are ``shown``; ``sort`` comes before ids."""
        last = ["name", "kind"] if index == self.names else ["id"]
        page = {"query": query, **shown, "sort": [*sort, *last], "size": size}
        while True:
            [answer] = self.search([page], index)
            rows = answer["hits"]["hits"]
            yield from rows
            if len(rows) < size:
                return
            page["search_after"] = rows[-1]["sort"]

    def make(self) -> None:
        """Make the indexes, or give them their replicas; without vectors where the cluster cannot search them."""
        if self.head():
            replicas = {"number_of_replicas": self._layout.replicas}
            with translated():
                self._client.indices.put_settings(index=self._both, body={"index": replicas}, params=PATIENT)
                # an index that an earlier version made may lack a field
                self._client.indices.put_mapping(index=self.articles, body={"properties": ARTICLES}, params=PATIENT)
            return
        sentences = ARTICLES["sentences"]
        with_vectors = {**sentences, "properties": {**sentences["properties"], "vector": VECTOR}}
        self._make(self.articles, {**ARTICLES, "sentences": with_vectors}, {"knn": True})
        self._make(self.articles, ARTICLES, {})
        self._make(self.names, NAMES, {})

    def _make(self, index: str, fields: Body, more: Body) -> None:
        """Make an index, unless it is there, or the cluster does not know what goes with the settings ``more``."""
        settings = {
            "number_of_shards": self._layout.shards,
            "number_of_replicas": self._layout.replicas,
            "refresh_interval": -1,  # a fill is seen when it has ended
            "max_result_window": MOST,
            "max_terms_count": MOST,
            "similarity": {"default": {"type": "BM25", "k1": K1, "b": B}},
            # a takedown is thorough: what was deleted leaves the files when it is asked for, however little
            "merge.policy.expunge_deletes_allowed": 0,
            **more,
        }
        mappings = {"dynamic": "strict", "properties": fields}
        if index == self.articles:
            mappings["_source"] = {"excludes": list(SEARCHED)}
        with translated():
            try:
                self._client.indices.create(
                    index=index, body={"settings": settings, "mappings": mappings}, params=PATIENT
                )
            except RequestError as error:
                if error.error != EXISTS and not more:
                    raise

    def refresh(self) -> None:
        with translated():
            _by_all(self._client.indices.refresh(index=self._both, params=PATIENT))

    def expunge(self) -> int:
        """Have what was deleted leave the files; return how many documents of it are left."""
        patience = {"request_timeout": MERGING}
        with translated():
            _by_all(self._client.indices.flush(index=self._both, params={"force": "true", **patience}))
            merged = {"only_expunge_deletes": "true", **patience}
            _by_all(self._client.indices.forcemerge(index=self._both, params=merged))
            _by_all(self._client.indices.refresh(index=self._both, params=patience))
            counts = self._client.indices.stats(index=self._both, metric="docs")["_all"]["total"]["docs"]
        return int(counts["deleted"])

    def write(self, actions: Iterable[Body]) -> None:
        """Send documents as fast as the cluster takes them.

        Where its answer is lost, they are sent twice: the second is refused then, and counts as the first.
        """
        sent: dict[str, Body] = {}
        with translated():
            for is_done, result in streaming_bulk(
                self._client,
                (sent.setdefault(each["_id"], each) for each in actions),
                chunk_size=CHUNK,
                max_chunk_bytes=CHUNK_BYTES,
                max_retries=WRITES,
                initial_backoff=PAUSE,
                max_backoff=LONGEST_PAUSE,
                request_timeout=WAIT,
                raise_on_error=False,
            ):
                [item] = result.values()
                if not is_done and not self._is_written(sent[item["_id"]], item["status"]):
                    raise BulkIndexError("", [result])
                del sent[item["_id"]]

    def _is_written(self, action: Body, status: int) -> bool:
        """Return whether a write that was refused had been done before."""
        if status == CONFLICT:
            found = self._client.get(index=action["_index"], id=action["_id"], params={"_source": "mark,retired"})
            return all(found["_source"].get(each) == action["_source"].get(each) for each in ("mark", "retired"))
        return status == MISSING and action.get("_op_type") == "delete"


def all_of(conditions: Iterable[Body]) -> Body:
    return {"bool": {"filter": list(conditions)}}


def any_of(conditions: Iterable[Body]) -> Body:
    return {"bool": {"should": list(conditions), "minimum_should_match": 1}}


def nested(path: str, query: Body) -> Body:
    return {"nested": {"path": path, "query": query, "score_mode": "max"}}


def each_of(conditions: Mapping[str, Body]) -> Body:
    """Return the aggregation that counts what meets each condition, by its name."""
    return {"filters": {"filters": dict(conditions)}}


def _unless_written_since(answer: Body) -> Body:
    return {"if_seq_no": answer["_seq_no"], "if_primary_term": answer["_primary_term"]}


def _by_all(answer: Body) -> None:
    """Raise ``UnreachableArchiveError`` where a copy did not do what all were asked to do."""
    if answer["_shards"]["failed"]:
        raise UnreachableArchiveError(PARTLY)
