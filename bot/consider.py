"""Question -> choice: understood, searched, chosen; the question before it first, silently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.choice import Choice, Chosen
from bot.choose import choose
from bot.followup import Earlier
from bot.model import Question
from bot.understand import understand
from retrieval.search import Archive, Hit, Query

# More than are ever shown, few enough to be read one by one.
CANDIDATES = 60
# How many sentences after an answer a follow-up may mean.
AFTER = 2


def consider(question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = ()) -> Choice:
    """Return what to show for ``question``; ``shorthand`` is the newsroom's own, as (short, written out)."""
    query = understand(question, archive, shorthand, _earlier(question, archive, shorthand))
    hits = archive.search(query, CANDIDATES)
    return choose(query, (*hits, *_beside(query, hits, archive)), archive)


def _beside(query: Query, hits: tuple[Hit, ...], archive: Archive) -> Iterator[Hit]:
    """Give what stands right after the answer before, whether it shares a word with the follow-up or not."""
    found = {(hit.article_id, hit.passage.sentence.index) for hit in hits}
    for article_id, place in query.near[:1]:
        passages = archive.reading(article_id).passages[place : place + AFTER + 1]
        yield from (Hit(article_id, p, 0.0) for p in passages if (article_id, p.sentence.index) not in found)


def _earlier(question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...]) -> Earlier | None:
    if not question.previous:
        return None
    before = consider(replace(question, text=question.previous, previous=None), archive, shorthand)
    # what was too unsure to be shown still says where the next question is likely to look
    return Earlier(
        before.query, before.chosen or tuple(Chosen(c.hit.article_id, c.hit.passage) for c in before.candidates[:1])
    )
