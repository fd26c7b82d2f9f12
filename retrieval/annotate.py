"""The stages in their order: articles -> readings."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

from retrieval.caveats.caveats import find_caveats
from retrieval.language import parse
from retrieval.model import Article, Mention, Passage, Reading
from retrieval.names.entities import NO_ALIASES, Aliases, unite
from retrieval.names.names import find_names
from retrieval.sentences.sentences import lay_out
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials

MANY = 300  # articles from which a second core earns what it takes to start it
MOST_WORKERS = 8
CHUNK = 16  # articles handed to a worker at once
ALLOCATIONS = 1_000_000  # objects between two passes of the collector while reading


def read_one(article: Article, model: str = "") -> Reading:
    """Read one article; names are as full as this article has them."""
    layout = lay_out(article, parse(article.text, model))
    mentions = find_names(layout)
    attributions = attribute(layout, mentions)
    denials = find_denials(layout, mentions, attributions)
    caveats = find_caveats(layout, mentions, attributions, denials)
    holding = {caveat.sentence for caveat in caveats}
    passages = tuple(
        Passage(
            sentence=sentence,
            mentions=mentions[i],
            attribution=attributions[i],
            caveats=tuple(caveat for caveat in caveats if i in caveat.covers),
            denial=denials[i],
            is_caveat=i in holding,
        )
        for i, sentence in enumerate(layout.sentences)
    )
    return Reading(article, passages, caveats)


def read_all(
    articles: Sequence[Article],
    aliases: Aliases = NO_ALIASES,
    model: str = "",
    advance: Callable[[], None] = lambda: None,
) -> tuple[Reading, ...]:
    """Read articles together: every name in its canonical form over all of them, in any order of reading.

    ``advance`` is called after each article; from ``MANY`` articles on, every core reads.
    """
    with _seldom_collected():
        readings = []
        for reading in _read_each(articles, model):
            readings.append(reading)
            advance()
        united = unite({r.article.id: tuple(p.mentions for p in r.passages) for r in readings}, aliases)
        return tuple(_renamed(reading, united[reading.article.id]) for reading in readings)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Let the collector pass over what is being read: it is a tree that only grows, and the passes cost a third."""
    before = gc.get_threshold()
    _collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _collect_seldom() -> None:
    gc.set_threshold(ALLOCATIONS)


def _read_each(articles: Sequence[Article], model: str) -> Iterator[Reading]:
    workers = min(os.cpu_count() or 1, MOST_WORKERS)
    if len(articles) < MANY or workers == 1:
        yield from (read_one(article, model) for article in articles)
        return
    # spawned, not forked: a chat client's threads may be running
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_collect_seldom) as pool:
        yield from pool.map(partial(read_one, model=model), articles, chunksize=CHUNK)


def _renamed(reading: Reading, mentions: tuple[tuple[Mention, ...], ...]) -> Reading:
    passages = zip(reading.passages, mentions, strict=True)
    return replace(reading, passages=tuple(replace(passage, mentions=found) for passage, found in passages))
