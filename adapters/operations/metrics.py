"""What happens in this process -> figures that Prometheus reads. No word of a question or an article is in them.

An archive -> how much it holds, or that it cannot be asked now.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from adapters.storage.answer_record import outcome
from bot.model import Reply
from bot.service import QuestionService
from retrieval import Archive, ArchiveError, MeaningOnDemand

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REPLIES = Counter("stet_replies", "Replies worked out, by what became of the question.", ("platform", "outcome"))
STAGES = Histogram("stet_stage_seconds", "Seconds that a question spent in a stage.", ("stage",), buckets=SECONDS)
WAITING = Gauge("stet_questions_waiting", "Questions that wait for their person's turn.")
UNDER_WAY = Gauge("stet_questions_under_way", "Questions that are being worked on.")
DELAYED = Counter("stet_deliveries_delayed", "Answers that could not be delivered at once.", ("platform",))
EDITED = Counter("stet_answers_edited", "Posted answers edited, by what became of them.", ("platform", "outcome"))
CONNECTION = "stet_platform_connected"
CONNECTED = Gauge(CONNECTION, "Whether a platform is connected.", ("platform",))
STORE_FAILURES = Counter("stet_store_failures", "Uses of the store that failed.")
FEED_SILENCE = Gauge("stet_feed_silence_seconds", "Seconds since a feed last brought an article.", ("feed",))
FEED_SILENT = Gauge("stet_feed_silent", "Whether a feed that used to bring articles brings none any more.", ("feed",))


def stage(name: str) -> AbstractContextManager[object]:
    """Time what is inside as a stage: wait, answer, draw, deliver, or whole."""
    return STAGES.labels(name).time()


def count(platform: str, reply: Reply) -> None:
    """Count a reply."""
    REPLIES.labels(platform, outcome(reply)).inc()


def note_connected(platform: str, *, yes: bool) -> None:
    """Note that a platform is connected, or is no more."""
    CONNECTED.labels(platform).set(int(yes))


def is_connected(platform: str) -> bool:
    """Return what was noted last; not connected, where nothing was."""
    return REGISTRY.get_sample_value(CONNECTION, {"platform": platform}) == 1


def note_silences(seconds: Mapping[str, float], alarming: Collection[str]) -> None:
    """Note for how long each feed has brought nothing, and for which of them that is too long; forget all others."""
    FEED_SILENCE.clear()
    FEED_SILENT.clear()
    for feed, silent in seconds.items():
        FEED_SILENCE.labels(feed).set(silent)
        FEED_SILENT.labels(feed).set(feed in alarming)


def silent_feeds() -> tuple[str, ...]:
    """Return the feeds that were noted last as silent for too long."""
    samples = (sample for family in FEED_SILENT.collect() for sample in family.samples)
    return tuple(sorted(sample.labels["feed"] for sample in samples if sample.value))


@contextmanager
def observed(service: QuestionService, look: ArchiveProbe) -> Iterator[None]:
    """Have the figures tell of ``service`` and, whenever they are read, of its archive, for as long as this lasts."""
    collectors = (_Encoding(service), _Holding(look))
    for collector in collectors:
        REGISTRY.register(collector)
    try:
        yield
    finally:
        for collector in collectors:
            REGISTRY.unregister(collector)


class _Holding(Collector):
    """What the archive holds; while it cannot be asked, what it held last."""

    def __init__(self, look: ArchiveProbe) -> None:
        self._look = look

    def describe(self) -> Iterator[Metric]:
        """Name nothing beforehand: to be registered, the archive need not be asked."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        answers = self._look.answers()
        yield GaugeMetricFamily("stet_archive_answers", "Whether the archive can be asked.", value=answers)
        yield GaugeMetricFamily("stet_articles", "Articles held.", value=self._look.last.articles)
        yield GaugeMetricFamily("stet_sentences", "Sentences of the articles held.", value=self._look.last.sentences)


class _Encoding(Collector):
    """Where the sentences that a question was compared with had their vectors from."""

    def __init__(self, service: QuestionService) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        family = CounterMetricFamily(
            "stet_sentence_vectors",
            "Vectors of sentences that were wanted, by where they came from.",
            labels=("origin",),
        )
        meaning = self._service.holdings.meaning
        lookups = meaning.lookups() if isinstance(meaning, MeaningOnDemand) else {}
        for origin, number in lookups.items():
            family.add_metric((origin,), number)
        yield family


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """How much an archive holds."""

    articles: int
    sentences: int


class ArchiveProbe:
    """Looks at one archive, as often as it is asked."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._answered = True
        self.last = Held(0, 0)  # what was held when it answered last

    def answers(self) -> bool:
        """Return whether a question would find all that it is asked of; log where that has changed."""
        trouble = ""
        try:
            self.last = Held(
                sum(outlet.articles for outlet in self._archive.outlets()), self._archive.vocabulary().size()
            )
        except ArchiveError as error:
            trouble = str(error)
        answered, self._answered = self._answered, not trouble
        if trouble and answered:
            log.warning("the articles cannot be asked: %s", trouble)
        elif not trouble and not answered:
            log.warning("the articles can be asked again")
        return self._answered
