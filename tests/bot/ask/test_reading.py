"""What is read with a question: the windows of the best hits, each once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot.ask.rank import READ, UNREAD, WORDS, read, window, windows
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Hit, Window

FERRY = "The ferry Odette ran aground off Lisewood on Monday. Lifeboats took 48 passengers ashore."
LATER = " ".join(f"The mayor of Lisewood spoke of pier number {number} at some length." for number in range(80))
ARTICLE = Article("ferry", f"{FERRY} {LATER}", title="Aground", source="The Courier", published=date(2026, 3, 2))
READING = read_one(ARTICLE)
ARCHIVE = open_archive(read_separately([ARTICLE]))


def hits(*indexes: int) -> list[Hit]:
    return [Hit(ARTICLE.id, ARCHIVE.reading(ARTICLE.id).passages[index], 1.0) for index in indexes]


def test_every_sentence_of_the_report_is_in_one_window() -> None:
    cut = windows(READING)
    assert [index for indexes in cut for index in indexes] == list(range(len(READING.passages)))
    texts = [[READING.passages[index].sentence.span.of(ARTICLE.text) for index in indexes] for indexes in cut]
    assert all(len(" ".join(each).split()) <= WORDS for each in texts)
    advertised = read_one(Article("ad", f"{FERRY}\n\nSign up for our newsletter\n\nThe captain was questioned."))
    kept = {index for indexes in windows(advertised) for index in indexes}
    assert {p.sentence.index for p in advertised.passages if not p.sentence.boilerplate} == kept
    assert len(kept) < len(advertised.passages)


def test_a_window_has_its_articles_head_and_the_sentence_before() -> None:
    first, second = (window(READING, indexes) for indexes in windows(READING)[:2])
    assert (first.head, first.before) == ("The Courier · 2026-03-02 · Aground", "")
    assert second.before == first.sentences[-1]
    bare = read_one(Article("bare", ARTICLE.text))
    assert [window(bare, indexes).head for indexes in windows(bare)[:2]] == ["", first.sentences[0]]


def test_each_hit_has_the_odds_of_its_place_and_what_is_not_read_has_none() -> None:
    asked: list[tuple[str, int]] = []

    def scores(question: str, some: Sequence[Window]) -> list[tuple[float, ...]]:
        asked.append((question, len(some)))
        return [tuple(float(len(text)) for text in each.sentences) for each in some]

    lengths = [len(passage.sentence.span.of(ARTICLE.text)) for passage in READING.passages]
    assert read(hits(1, 0), "how many", ARCHIVE, scores) == (lengths[1], lengths[0])
    firsts = [indexes[0] for indexes in windows(READING)]
    assert len(firsts) > READ
    assert read(hits(*firsts), "how many", ARCHIVE, scores)[READ - 1 :] == (
        lengths[firsts[READ - 1]],
        *[UNREAD] * (len(firsts) - READ),
    )
    assert asked == [("how many", 1), ("how many", READ)]


def test_without_a_reader_there_are_no_odds() -> None:
    assert read(hits(0), "how many", ARCHIVE, lambda _question, _windows: None) == ()
