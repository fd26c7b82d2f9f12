"""Figures of this process for Prometheus. No word of a question or an article is in them."""

import logging
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

from bot.model import Answer, NoAnswer, Reply
from retrieval import Archive, ArchiveError

log = logging.getLogger(__name__)

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REPLIES = Counter("stet_replies", "Replies worked out, by what became of the question.", ("platform", "outcome"))
STAGES = Histogram("stet_stage_seconds", "Seconds that a question spent in a stage.", ("stage",), buckets=SECONDS)
WAITING = Gauge("stet_questions_waiting", "Questions that wait for their person's turn.")
UNDER_WAY = Gauge("stet_questions_under_way", "Questions that are being worked on.")
DELAYED = Counter("stet_deliveries_delayed", "Answers that could not be delivered at once.", ("platform",))
EDITED = Counter("stet_answers_edited", "Posted answers edited, by what became of them.", ("platform", "outcome"))
CONNECTION = "stet_platform_connected"
CONNECTED = Gauge(CONNECTION, "Whether a platform is connected.", ("platform",))
FEED_SILENCE = Gauge("stet_feed_silence_seconds", "Seconds since a feed last brought an article.", ("feed",))
FEED_SILENT = Gauge("stet_feed_silent", "Whether a feed that used to bring articles brings none any more.", ("feed",))
ARCHIVE_ANSWERS = Gauge("stet_archive_answers", "Whether the archive can be asked.")
ARTICLES = Gauge("stet_articles", "Articles in the archive.")
SENTENCES = Gauge("stet_sentences", "Sentences of the articles in the archive.")


def stage(name: str) -> AbstractContextManager[object]:
    """Time a block as a stage: wait, answer, draw, deliver, or whole."""
    return STAGES.labels(name).time()


def outcome(reply: Reply) -> str:
    """Return the outcome of a question in one word, for metrics and logs."""
    return reply.band if isinstance(reply, Answer | NoAnswer) else type(reply).__name__.lower()


def count(platform: str, reply: Reply) -> None:
    REPLIES.labels(platform, outcome(reply)).inc()


def note_connected(platform: str, *, yes: bool) -> None:
    CONNECTED.labels(platform).set(int(yes))


def is_connected(platform: str) -> bool:
    return REGISTRY.get_sample_value(CONNECTION, {"platform": platform}) == 1


def note_silences(seconds: Mapping[str, float], alarming: Collection[str]) -> None:
    """Replace the seconds that each feed has been silent; ``alarming`` are those silent for too long."""
    FEED_SILENCE.clear()
    FEED_SILENT.clear()
    for feed, silent in seconds.items():
        FEED_SILENCE.labels(feed).set(silent)
        FEED_SILENT.labels(feed).set(feed in alarming)


def silent_feeds() -> tuple[str, ...]:
    samples = (sample for family in FEED_SILENT.collect() for sample in family.samples)
    return tuple(sorted(sample.labels["feed"] for sample in samples if sample.value))


class ArchiveProbe:
    """Finds out whether one archive can be searched, and remembers its size: articles and sentences."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._is_up = True
        self.last = (0, 0)  # when it answered last

    def answers(self) -> bool:
        """Return whether the archive can be searched; log when that changes."""
        try:
            articles = sum(outlet.articles for outlet in self._archive.outlets())
            self.last = articles, self._archive.vocabulary().size()
        except ArchiveError as error:
            if self._is_up:
                log.warning("the articles cannot be searched: %s", error)
            self._is_up = False
        else:
            if not self._is_up:
                log.warning("the articles can be searched again")
            self._is_up = True
        return self._is_up

    def export(self) -> None:
        """Export the archive's figures from now on; while it cannot be searched, its last known size.

        It is searched whenever they are read: the first of them, so that the others are of the same moment.
        """
        ARCHIVE_ANSWERS.set_function(self.answers)
        ARTICLES.set_function(lambda: self.last[0])
        SENTENCES.set_function(lambda: self.last[1])
