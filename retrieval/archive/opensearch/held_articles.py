"""Ids -> the articles that are stored under them, fetched once and looked at again when they may have changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opensearchpy import OpenSearch

from retrieval.archive.opensearch.documents import Stored, document_id, stored
from retrieval.archive.opensearch.recent import Recent
from retrieval.archive.opensearch.schema import Body
from retrieval.archive.opensearch.versions import FIELDS, fetched

AGE = 1.0  # seconds after which a change by another process is seen: what the server itself takes to show one


class HeldArticles:
    """The articles of the index ``name``; what is read of them is kept, and its stamp compared."""

    def __init__(self, client: OpenSearch, name: str) -> None:
        self._client = client
        self._name = name
        self._recent: Recent[str, Stored] = Recent(AGE)

    def of(self, article_ids: Iterable[str]) -> dict[str, Stored]:
        """Return the articles with these ids, as they are now; those that are not there are left out."""
        wanted = tuple(dict.fromkeys(article_ids))
        found = {each: held for each in wanted if (held := self._recent.get(each))}
        known = {each: held for each in wanted if each not in found and (held := self._recent.last(each))}
        stamps = {row["of"]: row["stamp"] for row in self._rows(tuple(known), ("of", "stamp"))}
        same = {each: held for each, held in known.items() if stamps.get(each) == held.stamp}
        new = tuple(each for each in wanted if not (each in found or each in same))
        fetched = {row["of"]: stored(row) for row in self._rows(new, FIELDS)}
        for article_id, held in (same | fetched).items():
            self._recent.put(article_id, held)
        found |= same | fetched
        return {each: found[each] for each in wanted if each in found}

    def clear(self) -> None:
        """Have all of them looked at again."""
        self._recent.clear()

    def _rows(self, article_ids: Sequence[str], fields: Sequence[str]) -> Iterable[Body]:
        return fetched(self._client, self._name, [document_id(each) for each in article_ids], fields)
