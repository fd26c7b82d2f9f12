"""Other engines over the same sentences: how long a question takes each. ``make bench`` brings what they need."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from rank_bm25 import BM25Okapi

from retrieval.search import K1, B

FEW = 3  # questions of an engine that looks at every sentence

Documents = Sequence[Sequence[str]]  # terms
Ask = Callable[[Sequence[str]], object]


def tantivy(documents: Documents, limit: int) -> Ask:
    import tantivy as engine  # noqa: PLC0415 - needed for `make bench` alone

    index = engine.Index(engine.SchemaBuilder().add_text_field("text", tokenizer_name="whitespace").build())
    writer = index.writer()
    for document in documents:
        writer.add_document(engine.Document(text=" ".join(document)))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    return lambda terms: searcher.search(index.parse_query(" ".join(terms), ["text"]), limit)


def fts5(documents: Documents, limit: int) -> Ask:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE held USING fts5(text, content='', tokenize='ascii')")
    rows = ((number, " ".join(found)) for number, found in enumerate(documents))
    connection.executemany("INSERT INTO held (rowid, text) VALUES (?, ?)", rows)
    statement = "SELECT rowid FROM held WHERE held MATCH ? ORDER BY rank LIMIT ?"
    return lambda terms: connection.execute(statement, (" OR ".join(f'"{t}"' for t in terms), limit)).fetchall()


def bm25s(documents: Documents, limit: int) -> Ask:
    import bm25s as engine  # noqa: PLC0415 - as above

    index = engine.BM25(k1=K1, b=B)
    index.index([list(document) for document in documents], show_progress=False)
    return lambda terms: index.retrieve([list(terms)], k=min(limit, len(documents)), show_progress=False)


def rank_bm25(documents: Documents, _: int) -> Ask:
    index = BM25Okapi(documents, k1=K1, b=B)
    return lambda terms: index.get_scores(list(terms))


def milliseconds(ask: Ask, asked: Sequence[Sequence[str]]) -> float:
    taken = []
    for terms in asked:
        began = time.perf_counter()
        ask(terms)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def beside(
    documents: Documents, asked: Sequence[Sequence[str]], limit: int, *, held: bool = True
) -> Iterator[tuple[str, float]]:
    asked = [terms for terms in asked if terms]
    for engine in (tantivy, fts5, *((bm25s, rank_bm25) if held else ())):
        yield engine.__name__, milliseconds(engine(documents, limit), asked[:FEW] if engine is rank_bm25 else asked)
