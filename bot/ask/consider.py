"""Question -> choice: understood, searched, ranked, chosen; the question before it first, silently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.ask.choose import choose
from bot.ask.confidence import SHOWN
from bot.ask.features import Asked
from bot.ask.follow_up import Earlier
from bot.ask.model import Analysis, Asking, Choice, Chosen
from bot.ask.rank import rank
from bot.ask.understand import understand
from bot.model import Question
from retrieval import Archive, Hit

# What the archive proposes: with 60 the answer is there no more often.
CANDIDATES = 30
# How many sentences after an answer a follow-up may mean.
AFTER = 2


def consider(question: Question, asking: Asking) -> Choice:
    """Return what to show for ``question``."""
    analysis = understood(question, asking)
    asked = Asked.of(analysis, asking.archive)
    return choose(asked, rank(proposed(analysis, asking.archive), asked, asking.archive, asking.meaning), asking)


def understood(question: Question, asking: Asking) -> Analysis:
    """Return what ``question`` asks for, after the one before it."""
    return understand(question, asking.archive, asking.shorthand, _earlier(question, asking))


def proposed(analysis: Analysis, archive: Archive) -> tuple[Hit, ...]:
    """Return what the archive proposes, and what stands right after the answer before."""
    hits = archive.search(analysis.query, CANDIDATES)
    return (*hits, *_after(analysis, hits, archive))


def _after(analysis: Analysis, hits: tuple[Hit, ...], archive: Archive) -> Iterator[Hit]:
    """Yield what stands right after the answer before, whether it shares a word with the follow-up or not."""
    found = {(hit.article_id, hit.passage.sentence.index) for hit in hits}
    for article_id, place in analysis.near[:1]:
        for passage in archive.reading(article_id).passages[place : place + AFTER + 1]:
            kind = passage.sentence.boilerplate
            if (article_id, passage.sentence.index) not in found and (not kind or kind in analysis.query.boilerplate):
                yield Hit(article_id, passage, 0.0)


def _earlier(question: Question, asking: Asking) -> Earlier | None:
    if not question.previous:
        return None
    before = consider(replace(question, text=question.previous, previous=None), asking)
    # what was too unsure to be shown still says where the next question is likely to look
    likely = (Chosen(c.hit.article_id, c.hit.passage) for c in before.candidates[:SHOWN])
    return Earlier(before.analysis, before.chosen or tuple(likely))
