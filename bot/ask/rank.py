"""Hits -> candidates, best first: a linear model over a few named features (``docs/theory/ranking.md``)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files

from bot.ask.features import Asked, Features, features, view
from bot.ask.model import Candidate
from retrieval import Archive, Hit, Logistic, Meaning, Reading, Window, read_logistic

COSINES = ("meaning", "context")  # of the question with the sentence alone, and in its context
FURTHER = (*COSINES, "reader")  # features that need an encoder and a reader


def weights(model: str, known: Collection[str]) -> Logistic:
    """Return the learned weights of "ranking" or "confidence" for the features that are ``known``."""
    return _read_weights("-".join([model, *(name for name in ("meaning", "reader") if name in known)]))


@cache
def _read_weights(name: str) -> Logistic:
    return read_logistic(files("bot.ask").joinpath("weights", f"{name}.toml"))


def rank(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates, best first; ties by article and place."""
    found = for_reader(hits, asked, archive, meaning)
    if not (meaning and found and COSINES[0] in dict(found[0].features)):
        return found
    odds = read([candidate.hit for candidate in found], asked.analysis.wording, archive, meaning.read)
    if not odds:
        return for_reader(hits, asked, archive, None)
    read_ones = [{**dict(candidate.features), "reader": each} for candidate, each in zip(found, odds, strict=True)]
    return _in_order(_weighed([candidate.hit for candidate in found], read_ones), asked, archive)


def for_reader(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates in the order in which the reader gets them: by words, and by meaning if it can."""
    values = features(hits, asked, archive)
    near = cosines(hits, asked, archive, meaning) if meaning and hits else ()
    if near:
        values = [{**each, **dict(zip(COSINES, two, strict=True))} for each, two in zip(values, near, strict=True)]
    return _in_order(_weighed(hits, values), asked, archive)


def _in_order(found: Iterable[Candidate], asked: Asked, archive: Archive) -> tuple[Candidate, ...]:
    """Return the best first, and before them those about what a follow-up names: "and Leeds?" asks for nothing else."""

    def order(each: Candidate) -> tuple[bool, float, str, int]:
        named = asked.analysis.named
        return bool(named) and not any(is_about(each, it, archive) for it in named), -each.score, *each.place

    return tuple(sorted(found, key=order))


def _weighed(hits: Sequence[Hit], values: Sequence[Features]) -> list[Candidate]:
    model = weights("ranking", values[0] if values else ())
    return [
        Candidate(hit, model.score(v), model.parts(v), tuple(v.items())) for hit, v in zip(hits, values, strict=True)
    ]


def is_about(candidate: Candidate, spellings: tuple[frozenset[str], ...], archive: Archive) -> bool:
    """Return whether a sentence names an entity, by the terms of its spellings, or is said by it."""
    article_id, index = candidate.place
    sentence = archive.searchable(article_id)[index]
    terms = {*sentence.own, *sentence.around, *sentence.speaker}
    return any(spelt <= terms for spelt in spellings)


def cosines(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning) -> list[tuple[float, ...]]:
    """Return the cosines of each hit with the question; nothing without an encoder.

    Where the archive has none yet, and of boilerplate, the sentence alone is encoded now and stands in for its context.
    """
    from retrieval import compared  # noqa: PLC0415 - loads numpy

    question = asked.analysis.query.vector
    if question is None:
        return []
    missing = [view(hit, asked, archive).text for hit in hits if not hit.cosines]
    codes = meaning.passages(missing) if missing else None
    if missing and codes is None:
        return []
    made = iter(() if codes is None else compared(question, codes))
    return [hit.cosines or (next(made),) * 2 for hit in hits]


# An article is cut into windows from its top, and those of the best hits are read, each as a whole: a sentence is
# scored with those around it, and these are read once for all.
WORDS = 90  # of a window
READ = 8  # windows of a question
Scores = Callable[[str, Sequence[Window]], Sequence[tuple[float, ...]] | None]
WindowPlace = tuple[str, tuple[int, ...]]  # the id of an article, the indexes of the sentences of a window
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


def window_places(hits: Iterable[Hit], archive: Archive, most: int = READ) -> tuple[WindowPlace, ...]:
    """Return the article and the sentences of the windows in which ``hits`` (best first) stand."""
    cut: dict[str, tuple[tuple[int, ...], ...]] = {}
    found: dict[WindowPlace, None] = {}
    for hit in hits:
        if len(found) >= most:
            break
        if hit.article_id not in cut:
            cut[hit.article_id] = windows(archive.reading(hit.article_id))
        index = hit.passage.sentence.index
        found |= {(hit.article_id, each): None for each in cut[hit.article_id] if index in each}
    return tuple(found)


def read(hits: Sequence[Hit], question: str, archive: Archive, scores: Scores) -> tuple[float, ...]:
    """Return the log-odds of each of ``hits`` (best first), ``UNREAD`` where it was not read; none without a reader."""
    given = window_places(hits, archive)
    found = scores(question, [window(archive.reading(name), indexes) for name, indexes in given])
    if found is None:
        return ()
    odds = {
        (name, index): score
        for (name, indexes), each in zip(given, found, strict=True)
        for index, score in zip(indexes, each, strict=True)
    }
    return tuple(odds.get((hit.article_id, hit.passage.sentence.index), UNREAD) for hit in hits)
