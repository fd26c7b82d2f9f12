"""The stages in their order, each article guarded by itself: articles -> readings.

A stage takes what the stages before it have found in one article and adds what it finds itself. What raises in one
costs that article and no other: it is handed on as an ``UnreadArticleError``, as spaCy hands a document that fails to
the pipeline's error handler.
"""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import NamedTuple

from retrieval.caveats.detection import find_caveats
from retrieval.errors import RetrievalError, UnreadArticleError, fault_of
from retrieval.model import Article, Attribution, Caveat, Denial, Passage, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entities import unite, with_mentions
from retrieval.names.mentions import find_names
from retrieval.processes import collect_rarely, rare_collection
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.bare_text import bare_text, without_marks
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import Tokens, parse

log = logging.getLogger(__name__)

MANY = 300  # articles from which a second core earns what it takes to start it
MOST_CORES = 8
SHARE = 8  # articles read by one process at a time
KEPT = 8  # articles read between two times that readings are kept: a start that is killed has not read for nothing
MANY_KEPT = 64  # the same, where it costs less to keep many at once: half a second's reading
AHEAD = 2  # shares that each process has before it
TOGETHER = "names over all articles"  # the stage that is no article's own


@dataclass(slots=True)
class Annotations:
    """What the stages have found in one article so far; each fills in a field and reads those before it."""

    article: Article
    tokens: Tokens = field(init=False)
    layout: Layout = field(init=False)
    attributions: tuple[Attribution | None, ...] = field(init=False)
    denials: tuple[Denial | None, ...] = field(init=False)
    caveats: tuple[Caveat, ...] = field(init=False)
    passages: tuple[Passage, ...] = field(init=False)


class Stage(NamedTuple):
    """A step of reading: its name, as a person is told it, and what it does to an article's annotations."""

    name: str
    run: Callable[[Annotations], None]


Stages = tuple[Stage, ...]
Outcome = Reading | UnreadArticleError
Advance = Callable[[], None]
OnError = Callable[[UnreadArticleError], None]
Keep = Callable[[Sequence[Reading]], None]


def _words(found: Annotations) -> None:
    found.tokens = parse(found.article.text)


def _sentences(found: Annotations) -> None:
    found.layout = lay_out(found.article, found.tokens)


def _names(found: Annotations) -> None:
    found.layout = found.layout.with_names(find_names(found.layout))


def _speakers(found: Annotations) -> None:
    found.attributions = attribute(found.layout)


def _denials(found: Annotations) -> None:
    found.denials = find_denials(found.layout, found.attributions)


def _by_sentence(pairs: Iterable[tuple[int, Caveat]]) -> dict[int, list[Caveat]]:
    found: dict[int, list[Caveat]] = {}
    for index, caveat in pairs:
        found.setdefault(index, []).append(caveat)
    return found


def _caveats(found: Annotations) -> None:
    found.caveats = find_caveats(found.layout, found.attributions, found.denials)


def _passages(found: Annotations) -> None:
    holding = {caveat.sentence for caveat in found.caveats if caveat.by_outlet}
    surely = _by_sentence((index, caveat) for caveat in found.caveats for index in caveat.covers)
    possibly = _by_sentence((index, caveat) for caveat in found.caveats for index in caveat.possible)
    found.passages = tuple(
        Passage(
            sentence=sentence,
            mentions=found.layout.mentions[i],
            attribution=told.shown if (told := found.attributions[i]) else None,
            caveats=tuple(surely.get(i, ())),
            denial=found.denials[i],
            is_caveat=i in holding,
            possible_caveats=tuple(possibly.get(i, ())),
        )
        for i, sentence in enumerate(found.layout.sentences)
    )


PIPELINE: Stages = (
    Stage("words", _words),
    Stage("sentences", _sentences),
    Stage("names", _names),
    Stage("speakers", _speakers),
    Stage("denials", _denials),
    Stage("caveats", _caveats),
    Stage("passages", _passages),
)


def read_one(article: Article, stages: Stages = PIPELINE) -> Reading:
    """Read one article; names are as full as this article has them.

    Raises ``UnreadArticleError`` where a stage failed on it, and the error itself where a setting is wrong.
    """
    bare = bare_text(article.text)
    title = without_marks(article.title) if article.title else article.title
    found = Annotations(replace(article, text=bare.text, title=title) if bare else article)
    for stage in stages:
        try:
            stage.run(found)
        except RetrievalError:
            raise
        except Exception as fault:
            raise UnreadArticleError(article.id, article.path, stage.name, *fault_of(fault)) from fault
    if bare is None:
        return Reading(article, found.passages, found.caveats)
    return Reading(article, *bare.restored((found.passages, found.caveats)))


def raise_error(error: UnreadArticleError) -> None:
    """Raise ``error``: the default, which stops at the first article that cannot be read."""
    raise error


def read_all(
    articles: Sequence[Article],
    aliases: Aliases = NO_ALIASES,
    advance: Advance = lambda: None,
    on_error: OnError = raise_error,
    stages: Stages = PIPELINE,
) -> tuple[Reading, ...]:
    """Read articles together: every name in its canonical form over all of them, in any order of reading.

    ``advance`` is called after each article, ``on_error`` with each that could not be read, in the order of the
    articles; it is left out. From ``MANY`` articles on, every core reads.
    """
    with rare_collection():
        return join_names(tuple(read_separately(articles, advance, on_error, stages)), aliases, on_error)


def read_separately(
    articles: Sequence[Article],
    advance: Advance = lambda: None,
    on_error: OnError = raise_error,
    stages: Stages = PIPELINE,
    keep: Keep = lambda _: None,
) -> Iterator[Reading]:
    """Read each article by itself, as no other article changes it; the rest is as in ``read_all``.

    ``keep`` is handed the readings a few at a time, as they get ready.
    """
    read = dict(_handed_on(articles, advance, stages, keep, KEPT))
    yield from _kept((read[place] for place in range(len(articles))), on_error)


def read_in_batches(
    articles: Sequence[Article], keep: Keep, advance: Advance, on_error: OnError, stages: Stages
) -> None:
    """Read each article as ``read_separately`` does, and hold no reading once ``keep`` was handed it."""
    failed = {
        place: outcome
        for place, outcome in _handed_on(articles, advance, stages, keep, MANY_KEPT)
        if isinstance(outcome, UnreadArticleError)
    }
    for place in sorted(failed):
        on_error(failed[place])


def _handed_on(
    articles: Sequence[Article], advance: Advance, stages: Stages, keep: Keep, together: int
) -> Iterator[tuple[int, Outcome]]:
    """Yield each article's place and its reading, as they get ready; hand ``keep`` so many readings at a time.

    Who interrupts it has what was read until then kept too.
    """
    fresh: list[Reading] = []
    try:
        for place, outcome in _read_each(articles, stages):
            advance()
            if isinstance(outcome, Reading):
                fresh.append(outcome)
            if len(fresh) == together:
                keep(fresh)
                fresh = []
            yield place, outcome
    except KeyboardInterrupt:
        keep(fresh)
        raise
    keep(fresh)


def _kept(outcomes: Iterator[Outcome], on_error: OnError) -> Iterator[Reading]:
    for outcome in outcomes:
        if isinstance(outcome, Reading):
            yield outcome
        else:
            on_error(outcome)


def _read_each(articles: Sequence[Article], stages: Stages) -> Iterator[tuple[int, Outcome]]:
    """Yield each article's place and its reading, as they get ready."""
    others = min(os.cpu_count() or 1, MOST_CORES) - 1
    if len(articles) < MANY or not others:
        yield from ((place, _guarded(article, stages)) for place, article in enumerate(articles))
        return
    # spawned, not forked: a chat client's threads may be running
    with ProcessPoolExecutor(others, get_context("spawn"), initializer=_begin_helping) as pool:
        yield from _read_together(pool, articles, stages, others * AHEAD)


def _begin_helping() -> None:
    """Leave it to the process that is helped to be interrupted: a terminal interrupts both."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()


def _read_together(
    pool: Executor, articles: Sequence[Article], stages: Stages, most: int
) -> Iterator[tuple[int, Outcome]]:
    """Share the articles out: the pool takes them from the front, ``most`` shares at once, this process from the back.

    What is handed out is never called back: a pool that breaks stumbles over that, and leaves the rest for ever undone.
    """
    left = deque(range(len(articles))[first : first + SHARE] for first in range(0, len(articles), SHARE))
    out: deque[tuple[range, Future[tuple[Outcome, ...]] | None]] = deque()
    while left or out:
        while left and len(out) < most:
            share = left.popleft()
            out.append((share, _handed_out(pool, articles[share.start : share.stop], stages)))
        ready = out[0][1] is None or out[0][1].done()
        share, future = out.popleft() if ready or not left else (left.pop(), None)
        yield from zip(share, _outcomes(future) or _read_share(articles[share.start : share.stop], stages), strict=True)


def _handed_out(pool: Executor, articles: Sequence[Article], stages: Stages) -> Future[tuple[Outcome, ...]] | None:
    """Return the future of a share that is handed to the pool; None where the pool is broken."""
    try:
        return pool.submit(_read_share, articles, stages)
    except BrokenExecutor:
        return None


def _outcomes(future: Future[tuple[Outcome, ...]] | None) -> tuple[Outcome, ...] | None:
    """Return what another process read; None where none was asked, or where it died first."""
    try:
        return future.result() if future else None
    except BrokenExecutor:
        return None


def _read_share(articles: Sequence[Article], stages: Stages) -> tuple[Outcome, ...]:
    return tuple(_guarded(article, stages) for article in articles)


def _guarded(article: Article, stages: Stages) -> Outcome:
    try:
        return read_one(article, stages)
    except UnreadArticleError as error:
        return error


def join_names(readings: Sequence[Reading], aliases: Aliases, on_error: OnError) -> tuple[Reading, ...]:
    """Return the readings with every name in its canonical form.

    Where that fails, the articles on which it fails by themselves are left out. Where it fails on none of them, names
    stay as each article has them: less is found under one name then, and no article is lost.
    """
    try:
        return _renamed(readings, aliases)
    except Exception as fault:
        kept = list(_kept((_alone(reading) for reading in readings), on_error))
        if len(kept) < len(readings):
            return join_names(kept, aliases, on_error)
        log.error("names are not joined over the articles: %s", fault_of(fault)[0])  # noqa: TRY400 - no traceback unless STET_DEBUG
        log.debug("", exc_info=fault)
        return tuple(readings)


def _alone(reading: Reading) -> Outcome:
    try:
        _renamed([reading], NO_ALIASES)
    except Exception as fault:  # noqa: BLE001 - as above
        return UnreadArticleError(reading.article.id, reading.article.path, TOGETHER, *fault_of(fault))
    return reading


def _renamed(readings: Sequence[Reading], aliases: Aliases) -> tuple[Reading, ...]:
    united = unite({r.article.id: tuple(p.mentions for p in r.passages) for r in readings}, aliases)
    return tuple(with_mentions(reading, united[reading.article.id]) for reading in readings)
