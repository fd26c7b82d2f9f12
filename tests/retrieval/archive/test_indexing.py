"""An archive that grows and shrinks: who is who as if all had come at once; of what is taken down no byte is left."""

import pytest

from retrieval.archive import fields, indexing, segments
from retrieval.archive.archive import PersistentArchive
from retrieval.ingest import ingest_articles, reparse_stale
from retrieval.model import Article
from retrieval.pipeline import raise_error, read_one
from retrieval.search import Query
from retrieval.text.terms import words

SECRET = "quandrelbosky"


def test_small_segments_are_merged_and_large_left(archive: PersistentArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LARGEST", 8)
    for number in range(40):
        archive.add([read_one(Article(f"{number}", f"Harbour {number} was closed on Friday."))])
    with archive._file.reading() as run:
        assert run("SELECT count(*) FROM segments").fetchone() == (5,)
        assert segments.due(run) == []
    assert archive.vocabulary().frequencies(["harbor"]) == {"harbor": 40}
    assert [hit.article_id for hit in archive.search(Query((("33", 1.0),)), 5)] == ["33"]


def test_of_what_is_taken_down_no_byte_is_left(archive: PersistentArchive) -> None:
    others = [read_one(Article(f"{n}", f"Harbour {n} closed, Ada Bell{n} said.")) for n in range(80)]
    archive.add(others[:40])
    text = f"Mayor Ole {SECRET.title()} said the {SECRET}ish mill burned. It is {SECRET}."
    archive.add([read_one(Article("mill", text, title=f"The {SECRET}"))])
    archive.add([read_one(Article("mill", f"{text} So {SECRET} it was.", title=f"The {SECRET}"))])
    for reading in others[40:]:
        archive.add([reading])
    assert SECRET.encode() in b"".join(file.read_bytes() for file in archive.path.parent.iterdir()).lower()
    archive.remove("mill")
    for file in archive.path.parent.iterdir():
        assert SECRET.encode() not in file.read_bytes().lower(), file.name
    assert archive.search(Query((("mill", 1.0), (SECRET, 1.0))), 5) == ()


def test_what_another_program_indexed_is_removed(archive: PersistentArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """That found other terms in it: a takedown and a correction do not wait for an index that is built anew."""
    others = [read_one(Article(f"{number}", f"Harbour {number} closed on Friday.")) for number in range(3)]
    with monkeypatch.context() as earlier:
        earlier.setattr(fields, "words", lambda text: tuple(f"{word}old" for word in words(text)))
        earlier.setattr(fields, "term", lambda word: f"{word}x")
        earlier.setattr(indexing, "program_version", lambda: "an earlier program")
        mill = read_one(Article("mill", f"The {SECRET} mill burned."))
        archive.add([*others, mill, read_one(Article("ferry", "A ferry sank."))])
    archive.remove("mill")
    archive.add([read_one(Article("ferry", "A ferry sank on Friday."))])
    for file in archive.path.parent.iterdir():
        assert SECRET.encode() not in file.read_bytes().lower(), file.name
    counts = archive.vocabulary().frequencies(("milloldx", "sankoldx", "sink", "harbouroldx"))
    assert list(counts.values()) == [0, 0, 1, 3]
    assert archive.search(Query((("fridayoldx", 1.0), ("sink", 2.0))), 9)[0].article_id == "ferry"
    with monkeypatch.context() as earlier:  # it is gone back to
        earlier.setattr(indexing, "program_version", lambda: "an earlier program")
        assert not archive.fits()
        archive.remove("ferry")
    assert archive.vocabulary().frequencies(["sink"]) == {"sink": 0}
    archive.reindex()
    assert list(archive.vocabulary().frequencies(("harbouroldx", "harbor")).values()) == [0, 3]
    assert archive.fits()


def test_what_another_program_has_read_is_read_anew(archive: PersistentArchive) -> None:
    first = Article("mill", "The mill burned. Mayor Ada Quill said so on Friday.")
    ingest_articles(archive, [first], lambda: None, raise_error)
    assert archive.stale() == ()
    later = Article("mill", "The mill burned down. Mayor Ada Quill said so on Friday.")
    whole = read_one(later)
    archive.add([type(whole)(later, whole.passages[:1], ())], "an earlier program")
    day = archive.history("mill")[-1].corrections[0]
    assert len(archive.stale()) == 1
    assert archive.search(Query((("quill", 1.0),)), 5) == ()
    done: list[None] = []
    assert reparse_stale(archive, lambda: done.append(None), raise_error) == len(done) == 1
    assert archive.stale() == ()
    assert archive.reading("mill") == whole
    assert whole.passages[1] in [hit.passage for hit in archive.search(Query((("quill", 1.0),)), 5)]
    assert archive.history("mill")[-1].corrections == {0: day}
    assert len(archive.versions("mill")) == 2
