"""Other engines over the same sentences, each kept in a folder. ``make bench`` installs what they need.

Each function puts ``documents`` (terms) into the folder, if there are any, opens what is there, and returns how to ask
it for its ``limit`` best.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

Documents = Sequence[Sequence[str]]
Ask = Callable[[Sequence[str]], object]


def tantivy(folder: Path, limit: int, documents: Documents = ()) -> Ask:
    import tantivy as engine  # noqa: PLC0415 - needed for `make bench` alone

    schema = engine.SchemaBuilder().add_text_field("text", tokenizer_name="whitespace").build()
    index = engine.Index(schema, str(folder))
    if documents:
        writer = index.writer()
        for document in documents:
            writer.add_document(engine.Document(text=" ".join(document)))
        writer.commit()
    index.reload()
    searcher = index.searcher()
    return lambda terms: searcher.search(index.parse_query(" ".join(terms), ["text"]), limit)


def fts5(folder: Path, limit: int, documents: Documents = ()) -> Ask:
    connection = sqlite3.connect(folder / "fts5.sqlite")
    if documents:
        connection.execute("CREATE VIRTUAL TABLE kept USING fts5(text, content='', tokenize='ascii')")
        rows = ((number, " ".join(terms)) for number, terms in enumerate(documents))
        connection.executemany("INSERT INTO kept (rowid, text) VALUES (?, ?)", rows)
        connection.commit()
    statement = "SELECT rowid FROM kept WHERE kept MATCH ? ORDER BY rank LIMIT ?"
    return lambda terms: connection.execute(statement, (" OR ".join(f'"{t}"' for t in terms), limit)).fetchall()


def bm25s(folder: Path, limit: int, documents: Documents = ()) -> Ask:
    import bm25s as engine  # noqa: PLC0415 - as above

    if documents:
        made = engine.BM25()
        made.index([list(document) for document in documents], show_progress=False)
        made.save(folder)
    index = engine.BM25.load(folder)
    most = min(limit, index.scores["num_docs"])
    return lambda terms: index.retrieve([list(terms)], k=most, show_progress=False)


ENGINES = (tantivy, fts5, bm25s)
