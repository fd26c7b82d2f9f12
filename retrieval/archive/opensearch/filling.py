"""An archive in a file -> a cluster: what is new or changed is sent, and what is gone is deleted.

Each article is replaced at once, with all its sentences; all of them are seen when the fill has ended. Who is killed
has lost nothing: what was sent is known by its mark, and the next fill sends the rest.

What came and went has growing numbers, which each article's document says of itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from secrets import token_hex
from time import sleep, time
from typing import Any

from retrieval.archive.archive import WritableArchive
from retrieval.archive.database import Run
from retrieval.archive.opensearch.connection import ANOTHER
from retrieval.archive.opensearch.documents import Entry, article_key, drafts, entities, entity, name_key, pack, unpack
from retrieval.archive.opensearch.index import CURRENT, FILL, REMOVED, Body, Head, Index, all_of, each_of
from retrieval.archive.opensearch.names import stored_entity
from retrieval.archive.retirement import MOST, Arrived, Retired
from retrieval.archive.versions import day_of
from retrieval.errors import ArchiveError
from retrieval.model import version_key

TRIES, PAUSE = 120, 1  # of leaving no word; a cluster keeps what was deleted for half a minute, for its replicas
BATCH = 100  # changed articles that are looked up together
LATEST = (1 << 63) - 1  # a cluster's largest number

Retirement = tuple[int, str, str, bool]  # a number, the key and the digest of a version, and whether it was removed


def fill(index: Index, archive: WritableArchive, advance: Callable[[], None], *, keep: bool) -> None:
    """Have just the articles in the cluster that ``archive`` has.

    ``keep`` has an article keep versions that the file does not have. ``advance`` is called after each article.
    """
    index.make()
    with archive.rows() as run, _filling(index, advance, keep=keep) as filling:
        index.write(filling.changes(run))
        filling.lost |= not filling.head.named
        same, different = archive.aliases.same, archive.aliases.different
        filling.head = replace(filling.head, named=True, same=same, different=different)


def remove(index: Index, article_ids: Sequence[str]) -> None:
    """Delete articles with all their versions, and the names and spellings that no other article has."""
    with _filling(index, lambda: None, keep=False) as filling:
        keys = [article_key(each) for each in article_ids]
        index.write(filling.unnamed(keys))  # first, because whoever is killed then can still tell which they are
        index.write(filling.removed(keys))
        filling.head = replace(filling.head, named=False)  # others may be called otherwise now: the next fill knows


@contextmanager
def _filling(index: Index, advance: Callable[[], None], *, keep: bool) -> Iterator[_Filling]:
    """Begin a fill, and end it once all is written."""
    before, condition = index.headed()
    head = before or Head(token_hex(8))
    # numbers grow with the time, so that none comes twice, even after an older snapshot was restored
    begun = max(head.begun + 1, int(time()))
    # what a fill that was stopped has deleted may be in the files
    head = replace(head, begun=begun, clean=head.clean and head.whole == head.begun, vectors=index.has_vectors)
    condition = index.put_head(head, condition)
    index.refresh()  # what a fill that was stopped has sent counts too
    filling = _Filling(index, head, advance, keep=keep)
    yield filling
    condition = index.put_head(head, condition)  # where another has begun since, nothing of this one is shown
    index.refresh()
    head = replace(filling.head, whole=head.begun, clean=head.clean and not filling.lost)
    index.put_head(head, condition)


def expunge(index: Index) -> bool:
    """Wait until the words of what was deleted have left the cluster's files; return whether they have."""
    head, condition = index.headed()
    for _ in range(TRIES):
        if head is None or head.clean:
            return True
        if not index.expunge():
            index.put_head(replace(head, clean=True), condition)
            return True
        sleep(PAUSE)
    return False


class _Filling:
    """One fill. Numbers grow with each version that comes or goes; ``lost`` says that versions were deleted."""

    def __init__(self, index: Index, head: Head, advance: Callable[[], None], *, keep: bool) -> None:
        self.head, self._index, self._advance, self._keep = head, index, advance, keep
        self._number = head.begun * FILL
        self._versions: dict[str, tuple[int, int]] = {}  # of the documents that were looked up
        self.lost = False

    def changes(self, run: Run) -> Iterator[Body]:
        """Yield what turns the cluster's documents into those of the file; entities come last."""
        marks = self._marks(self._index.articles, {"term": {"state": CURRENT}})
        changed = self._changed(run, marks)
        while some := list(islice(changed, BATCH)):
            yield from self._replaced(some)
        yield from self.removed(sorted(marks))
        yield from self._entities(run)

    def _changed(self, run: Run, marks: dict[str, str]) -> Iterator[Entry]:
        """Yield the articles whose documents have other marks, and take all articles out of ``marks``."""
        for draft in drafts(run):
            if marks.pop(article_key(draft.id), "") != draft.mark:
                yield draft
            else:
                self._advance()

    def _marks(self, index: str, query: Body) -> dict[str, str]:
        rows = self._index.rows(query, index=index, _source=False, docvalue_fields=["mark"])
        return {row["_id"]: row["fields"]["mark"][0] for row in rows}

    def stored(self, keys: list[str]) -> dict[str, Body]:
        shown = ["id", "state", "source", "number", "history", "retired", "earlier", "current", "names", "spellings"]
        found = self._index.rows({"ids": {"values": keys}}, _source=shown, seq_no_primary_term=True)
        rows = {row["_id"]: row for row in found}
        self._versions |= {key: (row["_seq_no"], row["_primary_term"]) for key, row in rows.items()}
        # whoever begins after this look changes the versions, so that the writes fail
        head = self._index.head()
        if head is None or head.begun != self.head.begun:
            raise ArchiveError(ANOTHER)
        return {key: row["_source"] for key, row in rows.items()}

    def _replaced(self, changed: list[Entry]) -> Iterator[Body]:
        stored = self.stored([article_key(each.id) for each in changed])
        for draft in changed:
            key = article_key(draft.id)
            document = draft.document(with_vectors=self.head.vectors)
            before = stored.get(key, {})
            yield self._article(key, document | self._came(draft, document, before))
            self._advance()

    def _came(self, draft: Entry, document: Body, before: Body) -> Body:
        """Return the numbers of what comes and goes; ``keep`` puts versions that the file does not have first."""
        changed = {"number": before.get("number") or 0}
        there, fresh = json.loads(before.get("history", "[]")), draft.history
        new, had = document["digest"], [each["digest"] for each in there]
        lost = [each for each in there if each["digest"] not in {each["digest"] for each in fresh}]
        if self._keep and lost:
            stored: dict[str, list[Any]] = {each[0]: each for each in unpack(before["earlier"])}
            stored[there[-1]["digest"]] = [there[-1]["digest"], *unpack(before["current"])]
            changed |= {
                "history": json.dumps([*lost, *fresh]),
                "keys": [*(version_key(draft.id, each["digest"]) for each in lost), *document["keys"]],
                "earlier": pack([*(stored[each["digest"]] for each in lost), *unpack(document["earlier"])]),
            }
            if "published" not in document:
                changed["day"] = day_of(min(each["since"] for each in (*lost, *fresh))).isoformat()
            lost = []
        self.lost |= bool(lost)
        if had[-1:] != [new]:
            changed["number"] = self._next()
        gone = dict.fromkeys(each["digest"] for each in lost)
        retired = [*json.loads(before.get("retired", "[]")), *self._retired(draft.id, gone, removed=True)]
        replaced = dict.fromkeys((*had[-1:], *(each["digest"] for each in fresh[:-1])))
        silent = {new, *gone, *(set(had) - {*had[-1:]})}
        retired += self._retired(draft.id, [each for each in replaced if each not in silent], removed=False)
        return changed | _changes(retired)

    def _retired(self, article_id: str, digests: Iterable[str], *, removed: bool) -> list[Retirement]:
        return [(self._next(), version_key(article_id, digest), digest, removed) for digest in digests]

    def removed(self, keys: list[str]) -> Iterator[Body]:
        """Yield what says that articles are there no more, without their words."""
        for key, before in self.stored(keys).items():
            if before.get("state") == REMOVED:
                continue
            digests = dict.fromkeys(each["digest"] for each in json.loads(before["history"]))
            gone = self._retired(before["id"], digests, removed=True)
            tombstone = {"id": before["id"], "state": REMOVED, **_changes([*json.loads(before["retired"]), *gone])}
            yield self._article(key, tombstone)
            self.lost = True

    def _entities(self, run: Run) -> Iterator[Body]:
        marks = self._marks(self._index.names, {"exists": {"field": "name"}})
        for document in entities(run):
            key = name_key(document["name"], document["kind"])
            if marks.pop(key, "") != document["mark"]:
                yield {"_index": self._index.names, "_id": key, "_source": document}
        for key in marks:
            yield {"_op_type": "delete", "_index": self._index.names, "_id": key}

    def unnamed(self, keys: list[str]) -> Iterator[Body]:
        """Yield what takes the names and spellings that only these articles have out of the entities."""
        gone = list(self.stored(keys).values())
        names = {("", each) for row in gone for each in row.get("names", ())}
        spellings = {(row.get("source", ""), each) for row in gone for each in row.get("spellings", ())}
        called = {"terms": {"called": sorted(key for _, key in names)}}
        found = [stored_entity(row) for row in self._index.rows(called, index=self._index.names)]
        ways = [way for each in found for way in each.ways().values() if not spellings.isdisjoint(way)]
        lost = self._lost(keys, "names", names), self._lost(keys, "spellings", set(chain.from_iterable(ways)))
        for each in found:
            members = [member for member in each.members if ("", name_key(*member)) not in lost[0]]
            spelt: dict[str, list[str]] = {}
            for (source, spelling), way in each.ways().items():
                if not lost[1].issuperset(way):
                    spelt.setdefault(source, []).append(spelling)
            action = {"_index": self._index.names, "_id": each.key}
            if not members or not spelt:
                yield {**action, "_op_type": "delete"}
            elif members != [*each.members] or spelt != each.spelt:
                own = sorted(name for name, _ in members)
                name = each.name if each.name in own else max(own, key=len)
                yield {**action, "_source": entity(name, each.kind, members, spelt)}

    def _lost(self, keys: list[str], field: str, pairs: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return those values of a field, each with a source or none, that only these articles have."""
        asked = {
            str(n): all_of([{"term": {field: value}}, *([{"term": {"source": source}}] if source else [])])
            for n, (source, value) in enumerate(pairs)
        }
        others: list[Body] = [{"term": {"state": CURRENT}}, {"bool": {"must_not": {"ids": {"values": keys}}}}]
        counts = self._index.counted(others, {"left": each_of(asked)})["left"]["buckets"] if asked else {}
        return {pair for n, pair in enumerate(pairs) if not counts[str(n)]["doc_count"]}

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _article(self, key: str, document: Body) -> Body:
        """Return the write of an article, which fails where another process has written it since it was looked up."""
        action = {"_index": self._index.articles, "_id": key, "_source": document}
        if key not in self._versions:
            return {**action, "_op_type": "create"}
        number, term = self._versions.pop(key)
        return {**action, "if_seq_no": number, "if_primary_term": term}


def _changes(retired: list[Retirement]) -> Body:
    return {
        "retired": json.dumps(retired),
        "retired_at": [number for number, *_ in retired],
        "removed": [key for _, key, _, removed in retired if removed],
    }


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


class ClusterArrivals(_Changes):
    """The versions that became public."""

    def last(self) -> int:
        query = {"range": {"number": {"lt": self._end()}}}
        rows = self._index.rows(query, [{"number": "desc"}], size=1, _source=["number"])
        return next((int(row["_source"]["number"]) for row in rows), 0)

    def after(self, number: int) -> tuple[Arrived, ...]:
        query = {"range": {"number": {"gt": number, "lt": self._end()}}}
        rows = self._index.rows(query, [{"number": "asc"}], _source=["id", "number"])
        sources = (row["_source"] for row in islice(rows, MOST))
        return tuple(Arrived(source["number"], source["id"]) for source in sources)


class ClusterRetirements(_Changes):
    """The retired versions; those that were removed are passed to ``listener`` by every process, from the first on."""

    listener: Callable[[tuple[Retired, ...]], None] | None = None
    _published = 0

    def after(self, number: int) -> tuple[Retired, ...]:
        return tuple(sorted(self._between(number, self._end()), key=lambda each: each.number))[:MOST]

    def _between(self, after: int, before: int) -> Iterator[Retired]:
        """Yield what was retired with numbers between these."""
        query = {"range": {"retired_at": {"gt": after, "lt": before}}}
        for row in self._index.rows(query, [{"retired_at": "asc"}], _source=["id", "retired"]):
            for number, key, digest, removed in json.loads(row["_source"]["retired"]):
                if after < number < before:
                    yield Retired(number, key, digest, removed, row["_source"]["id"])

    def unfinished(self) -> tuple[Retired, ...]:
        """Return what a process began to remove that was stopped then."""
        return tuple(each for each in self._between(self._end() - 1, LATEST) if each.removed)

    def publish_removals(self) -> None:
        if self.listener is None:
            return
        found = list(self._between(self._published, self._end()))
        if removed := tuple(each for each in found if each.removed):
            self.listener(removed)
        self._published = max((each.number for each in found), default=self._published)

    def is_removed(self, key: str) -> bool:
        return any(self._index.fields("removed", [({"term": {"removed": key}}, 1)]))
