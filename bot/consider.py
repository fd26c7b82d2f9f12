"""Question -> choice: understood, searched, chosen; the question before it first, silently."""

from __future__ import annotations

from dataclasses import replace

from bot.choice import Choice, Chosen
from bot.choose import choose
from bot.followup import Earlier
from bot.model import Question
from bot.understand import understand
from retrieval.model import Archive

# More than are ever shown, few enough to be read one by one.
CANDIDATES = 60


def consider(question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = ()) -> Choice:
    """Return what to show for ``question``; ``shorthand`` is the newsroom's own, as (short, written out)."""
    query = understand(question, archive, shorthand, _earlier(question, archive, shorthand))
    return choose(query, archive.search(query, CANDIDATES), archive)


def _earlier(question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...]) -> Earlier | None:
    if not question.previous:
        return None
    before = consider(replace(question, text=question.previous, previous=None), archive, shorthand)
    # what was too unsure to be shown still says where the next question is likely to look
    return Earlier(
        before.query, before.chosen or tuple(Chosen(c.hit.article_id, c.hit.passage) for c in before.candidates[:1])
    )
