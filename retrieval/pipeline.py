"""Articles -> readings. An exception in one article becomes an ``UnreadArticleError`` for that article alone.

From ``PARALLEL_FROM`` articles on, every core reads.
"""

import logging
import os
import signal
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context

from retrieval.caveats.detection import find_caveats
from retrieval.errors import RetrievalError, UnreadArticleError, fault_of
from retrieval.model import Article, Attribution, Caveat, Denial, Passage, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entities import unite
from retrieval.names.mentions import find_names
from retrieval.processes import collect_rarely
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.bare_text import bare_text, without_marks
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse

log = logging.getLogger(__name__)

PARALLEL_FROM = 300  # articles: fewer are read sooner than a second process starts
MAX_CORES = 8
SHARE_ARTICLES = 8  # that a process reads at a time
SHARES_AHEAD = 2  # that wait for each process
BATCH_ARTICLES = 64  # saved together: half a second's reading, which is lost where the process is killed
JOINING_STAGE = "names over all articles"

Outcome = Reading | UnreadArticleError
Advance = Callable[[], None]
OnError = Callable[[UnreadArticleError], None]
Save = Callable[[Sequence[Reading]], None]


def read_one(article: Article) -> Reading:
    """Read one article; names are as full as this article has them.

    Raises ``UnreadArticleError`` where a part of it failed, and a ``RetrievalError`` as it is: a setting is wrong.
    """
    part = "words"
    try:
        bare = bare_text(article.text)
        title = without_marks(article.title) if article.title else article.title
        tokens = parse(bare.text if bare else article.text)
        part = "sentences"
        layout = lay_out(replace(article, text=bare.text, title=title) if bare else article, tokens)
        part = "names"
        layout = layout.with_names(find_names(layout))
        part = "speakers"
        attributions = attribute(layout)
        part = "denials"
        denials = find_denials(layout, attributions)
        part = "caveats"
        caveats = find_caveats(layout, attributions, denials)
        part = "passages"
        passages = _passages(layout, attributions, denials, caveats)
    except RetrievalError:
        raise
    except Exception as fault:
        raise UnreadArticleError(article.id, article.path, part, *fault_of(fault)) from fault
    return Reading(article, *(bare.restored((passages, caveats)) if bare else (passages, caveats)))


def _passages(
    layout: Layout,
    attributions: Sequence[Attribution | None],
    denials: Sequence[Denial | None],
    caveats: Sequence[Caveat],
) -> tuple[Passage, ...]:
    caveat_sentences = {caveat.sentence for caveat in caveats if caveat.by_outlet}
    sure: defaultdict[int, list[Caveat]] = defaultdict(list)
    possible: defaultdict[int, list[Caveat]] = defaultdict(list)
    for caveat in caveats:
        for i in caveat.covers:
            sure[i].append(caveat)
        for i in caveat.possible:
            possible[i].append(caveat)
    return tuple(
        Passage(
            sentence=sentence,
            mentions=layout.mentions[i],
            attribution=attribution.displayable if (attribution := attributions[i]) else None,
            caveats=tuple(sure[i]),
            denial=denials[i],
            is_caveat=i in caveat_sentences,
            possible_caveats=tuple(possible[i]),
        )
        for i, sentence in enumerate(layout.sentences)
    )


def raise_error(error: UnreadArticleError) -> None:
    raise error


def read_all(
    articles: Sequence[Article],
    aliases: Aliases = NO_ALIASES,
    advance: Advance = lambda: None,
    on_error: OnError = raise_error,
) -> tuple[Reading, ...]:
    """Read articles together: every name in its canonical form over all of them, in any order of reading.

    ``advance`` is called after each article, ``on_error`` with each that could not be read, in the order of the
    articles; it is left out.
    """
    return join_names(read_separately(articles, advance, on_error), aliases, on_error)


def read_separately(
    articles: Sequence[Article], advance: Advance = lambda: None, on_error: OnError = raise_error
) -> list[Reading]:
    """Read each article as if it were the only one; the rest is as in ``read_all``."""
    readings = list[Reading]()
    read_in_batches(articles, readings.extend, advance, on_error)
    places = {article.id: place for place, article in enumerate(articles)}
    return sorted(readings, key=lambda reading: places[reading.article.id])


def read_in_batches(articles: Sequence[Article], save: Save, advance: Advance, on_error: OnError) -> None:
    """Read as ``read_separately`` does, but give the readings to ``save`` and keep none; an interrupt saves, too."""
    failed: dict[int, UnreadArticleError] = {}
    batch: list[Reading] = []
    try:
        for place, outcome in _read_each(articles):
            advance()
            if isinstance(outcome, UnreadArticleError):
                failed[place] = outcome
                continue
            batch.append(outcome)
            if len(batch) == BATCH_ARTICLES:
                save(batch)
                batch = []
    except KeyboardInterrupt:
        save(batch)
        raise
    save(batch)
    for place in sorted(failed):
        on_error(failed[place])


def _read_each(articles: Sequence[Article]) -> Iterator[tuple[int, Outcome]]:
    """Yield the index and the outcome of each article, in the order in which they are ready."""
    workers = min(os.cpu_count() or 1, MAX_CORES) - 1
    if len(articles) < PARALLEL_FROM or not workers:
        yield from ((place, _read_or_error(article)) for place, article in enumerate(articles))
        return
    # spawned, not forked: a chat client's threads may be running
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start_worker) as pool:
        try:
            yield from _read_with_pool(pool, articles, workers * SHARES_AHEAD)
        except KeyboardInterrupt:
            # the pool would wait for ever for a share that the interrupt kept from its queue
            pool.shutdown(cancel_futures=True)
            raise


def _start_worker() -> None:
    """Ignore interrupts: a terminal sends them to the main process as well, and that one handles them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()


def _read_with_pool(pool: Executor, articles: Sequence[Article], max_shares: int) -> Iterator[tuple[int, Outcome]]:
    """Let the pool read from the front, ``max_shares`` shares at once, while this process reads from the back.

    No submitted share is cancelled: a broken pool would stumble over that, and never finish the rest.
    """
    left = deque(range(len(articles))[i : i + SHARE_ARTICLES] for i in range(0, len(articles), SHARE_ARTICLES))
    submitted: deque[tuple[range, Future[tuple[Outcome, ...]] | None]] = deque()
    while left or submitted:
        while left and len(submitted) < max_shares:
            share, future = left.popleft(), None
            with suppress(BrokenExecutor):
                future = pool.submit(_read_share, articles[share.start : share.stop])
            submitted.append((share, future))
        ready = submitted[0][1] is None or submitted[0][1].done()
        share, future = submitted.popleft() if ready or not left else (left.pop(), None)
        outcomes = None
        with suppress(BrokenExecutor):  # its process died
            outcomes = future.result() if future else None
        yield from zip(share, outcomes or _read_share(articles[share.start : share.stop]), strict=True)


def _read_share(articles: Sequence[Article]) -> tuple[Outcome, ...]:
    return tuple(_read_or_error(article) for article in articles)


def _read_or_error(article: Article) -> Outcome:
    try:
        return read_one(article)
    except UnreadArticleError as error:
        return error


def join_names(readings: Sequence[Reading], aliases: Aliases, on_error: OnError) -> tuple[Reading, ...]:
    """Give every name its canonical form over all readings.

    Where that fails, the articles on which it fails by themselves are left out. Where it fails on none of them, names
    stay as each article has them: fewer are joined, and no article is lost.
    """
    try:
        return unite(readings, aliases)
    except Exception as fault:
        joinable = list[Reading]()
        for reading in readings:
            try:
                unite([reading])
            except Exception as own:  # noqa: BLE001 - as above
                article = reading.article
                on_error(UnreadArticleError(article.id, article.path, JOINING_STAGE, *fault_of(own)))
            else:
                joinable.append(reading)
        if len(joinable) < len(readings):
            return join_names(joinable, aliases, on_error)
        log.error("names are not joined over the articles: %s", fault_of(fault)[0])  # noqa: TRY400 - no traceback unless STET_DEBUG
        log.debug("", exc_info=fault)
        return tuple(readings)
