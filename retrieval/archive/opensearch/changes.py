"""What came into a cluster and went, by growing numbers: each article's document says it of itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from retrieval.archive.opensearch.index import FILL, Body, Index
from retrieval.archive.retirement import MOST, Removed
from retrieval.search import Arrived, Retired


class _Changes:
    def __init__(self, index: Index) -> None:
        self._index = index

    def identity(self) -> str:
        head = self._index.head()
        return head.identity if head else ""

    def _end(self) -> int:
        """Return the number below which all is there: those of a fill that has not ended are not reported yet."""
        head = self._index.head()
        return (head.whole + 1) * FILL if head else 0

    def _after(self, field: str, number: int, shown: list[str]) -> Iterator[Body]:
        query = {"range": {field: {"gt": number, "lt": self._end()}}}
        rows = self._index.rows({"query": query, "_source": ["id", *shown]}, [{field: "asc"}])
        return (row["_source"] for row in rows)


class ClusterArrivals(_Changes):
    """The versions that became public."""

    def last(self) -> int:
        body = {"size": 1, "sort": [{"number": "desc"}], "_source": ["number"]}
        [answer] = self._index.search([{**body, "query": {"range": {"number": {"lt": self._end()}}}}])
        return max((int(row["_source"]["number"]) for row in answer["hits"]["hits"]), default=0)

    def after(self, number: int) -> tuple[Arrived, ...]:
        rows = self._after("number", number, ["number"])
        return tuple(Arrived(row["number"], row["id"]) for row, _ in zip(rows, range(MOST), strict=False))


class ClusterRetirements(_Changes):
    """The retired versions; those that were removed are passed to ``listener`` by every process, from the first on."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self.listener: Callable[[tuple[Removed, ...]], None] | None = None
        self._published = 0

    def after(self, number: int) -> tuple[Retired, ...]:
        return tuple(sorted((each for each, _ in self._retired(number)), key=lambda each: each.number))[:MOST]

    def _retired(self, after: int) -> Iterator[tuple[Retired, str]]:
        end = self._end()
        for row in self._after("retired_at", after, ["retired"]):
            for number, key, digest, removed in json.loads(row["retired"]):
                if after < number < end:
                    yield Retired(number, key, digest, removed), row["id"]

    def unfinished(self) -> tuple[Removed, ...]:
        """Return what a process began to remove that was stopped then."""
        rows = self._index.rows(
            {"query": {"range": {"retired_at": {"gte": self._end()}}}, "_source": ["id", "retired"]}
        )
        entries = ((row["_source"]["id"], each) for row in rows for each in json.loads(row["_source"]["retired"]))
        end = self._end()
        return tuple(
            Removed(key, digest, name) for name, (number, key, digest, gone) in entries if gone and number >= end
        )

    def publish_removals(self) -> None:
        if self.listener is None:
            return
        found = list(self._retired(self._published))
        if removed := tuple(Removed(each.key, each.digest, article) for each, article in found if each.removed):
            self.listener(removed)
        self._published = max((each.number for each, _ in found), default=self._published)

    def is_removed(self, key: str) -> bool:
        [answer] = self._index.search([{"size": 1, "_source": False, "query": {"term": {"removed": key}}}])
        return bool(answer["hits"]["hits"])
