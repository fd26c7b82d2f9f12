"""Hits and a question -> the cross-encoder's log-odds that each answers, read in its context.

An article is cut into windows from its top, and the windows of the best hits are read, each as a whole. So a sentence
is scored with those around it, and these are read once for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval import Archive, Hit, Reading, Window

WORDS = 90  # of a window
READ = 8  # windows of a question
Scores = Callable[[str, Sequence[Window]], Sequence[tuple[float, ...]] | None]
UNREAD = -7.0  # log-odds of what was not read: as low as the reader goes


def windows(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """Return the windows of an article as indexes of sentences, without boilerplate."""
    found: list[list[int]] = []
    room = 0
    for passage in reading.passages:
        if passage.sentence.boilerplate:
            continue
        length = len(passage.sentence.span.of(reading.article.text).split())
        if not found or length > room:
            found.append([])
            room = WORDS
        found[-1].append(passage.sentence.index)
        room -= length
    return tuple(map(tuple, found))


def window(reading: Reading, indexes: Sequence[int]) -> Window:
    """Return a window with the article's head and the sentence before it."""
    article = reading.article
    texts = {
        index: " ".join(reading.passages[index].sentence.span.of(article.text).split())
        for index in {0, indexes[0] - 1, *indexes}
        if index >= 0
    }
    day = article.published.isoformat() if article.published else None
    title = article.title or (texts[0] if indexes[0] else None)
    return Window(
        head=" · ".join(filter(None, (article.source, day, title))),
        before=texts.get(indexes[0] - 1, ""),
        sentences=tuple(texts[index] for index in indexes),
    )


def read(hits: Sequence[Hit], question: str, archive: Archive, scores: Scores) -> tuple[float, ...]:
    """Return the log-odds of each of ``hits`` (best first), ``UNREAD`` where it was not read; none without a reader."""
    readings: dict[str, Reading] = {}
    places: dict[tuple[str, tuple[int, ...]], None] = {}
    for hit in hits:
        if len(places) < READ:
            if hit.article_id not in readings:
                readings[hit.article_id] = archive.reading(hit.article_id)
            cut = windows(readings[hit.article_id])
            places |= {(hit.article_id, each): None for each in cut if hit.passage.sentence.index in each}
    found = scores(question, [window(readings[name], indexes) for name, indexes in places])
    if found is None:
        return ()
    odds = {
        (name, index): score
        for (name, indexes), each in zip(places, found, strict=True)
        for index, score in zip(indexes, each, strict=True)
    }
    return tuple(odds.get((hit.article_id, hit.passage.sentence.index), UNREAD) for hit in hits)
