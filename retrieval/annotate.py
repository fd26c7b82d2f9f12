"""The stages in their order: articles -> readings."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
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
MOST_CORES = 8
SHARE = 8  # articles read by one process at a time
ALLOCATIONS = 1_000_000  # objects between two passes of the collector while reading


def read_one(article: Article, model: str = "") -> Reading:
    """Read one article; names are as full as this article has them."""
    layout = lay_out(article, parse(article.text, model))
    mentions = find_names(layout)
    attributions = attribute(layout, mentions)
    denials = find_denials(layout, mentions, attributions)
    caveats = find_caveats(layout, attributions, denials)
    holding = {caveat.sentence for caveat in caveats}
    passages = tuple(
        Passage(
            sentence=sentence,
            mentions=mentions[i],
            attribution=attributions[i],
            caveats=tuple(caveat for caveat in caveats if i in caveat.covers),
            denial=denials[i],
            is_caveat=i in holding,
            possible_caveats=tuple(caveat for caveat in caveats if i in caveat.possible),
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
        read: dict[int, Reading] = {}
        for place, reading in _read_each(articles, model):
            read[place] = reading
            advance()
        readings = [read[place] for place in range(len(articles))]
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


def _read_each(articles: Sequence[Article], model: str) -> Iterator[tuple[int, Reading]]:
    """Yield each article's place and its reading, as they get ready."""
    others = min(os.cpu_count() or 1, MOST_CORES) - 1
    if len(articles) < MANY or not others:
        yield from ((place, read_one(article, model)) for place, article in enumerate(articles))
        return
    # spawned, not forked: a chat client's threads may be running
    pool = ProcessPoolExecutor(others, get_context("spawn"), initializer=_collect_seldom)
    try:
        yield from _read_together(pool, articles, model)
    finally:
        pool.shutdown(cancel_futures=True)


def _read_together(pool: Executor, articles: Sequence[Article], model: str) -> Iterator[tuple[int, Reading]]:
    """Share the articles out: the pool takes them from the front, this process meanwhile from the back."""
    shares = [range(len(articles))[first : first + SHARE] for first in range(0, len(articles), SHARE)]
    left = deque((share, pool.submit(_read_share, articles[share.start : share.stop], model)) for share in shares)
    while left:
        if left[0][1].done() or not left[-1][1].cancel():
            share, reading = left.popleft()
            yield from zip(share, reading.result(), strict=True)
        else:
            share, _ = left.pop()
            yield from zip(share, _read_share(articles[share.start : share.stop], model), strict=True)


def _read_share(articles: Sequence[Article], model: str) -> tuple[Reading, ...]:
    return tuple(read_one(article, model) for article in articles)


def _renamed(reading: Reading, mentions: tuple[tuple[Mention, ...], ...]) -> Reading:
    passages = zip(reading.passages, mentions, strict=True)
    return replace(reading, passages=tuple([_with_names(passage, found) for passage, found in passages]))


def _with_names(passage: Passage, mentions: tuple[Mention, ...]) -> Passage:
    return passage if mentions == passage.mentions else replace(passage, mentions=mentions)
