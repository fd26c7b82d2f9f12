"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.excuses import excused
from retrieval.inability import whose
from retrieval.layout import Layout
from retrieval.model import Attribution, Caveat, CaveatKind, Denial, Mention
from retrieval.outlets import press_of
from retrieval.triggers import STEMS, find_triggers
from retrieval.wording import wording


def find_caveats(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    return tuple(_caveats(layout))


def _speaks_of_it(text: str) -> bool:
    lowered = text.lower()
    return any(stem in lowered for stem in STEMS)


def _caveats(layout: Layout) -> Iterator[Caveat]:
    if not _speaks_of_it(layout.article.text):
        return
    press = press_of(layout.article)
    for sentence in layout.sentences:
        if not _speaks_of_it(layout.text(sentence)):
            continue
        line = wording(layout, sentence)
        for trigger in find_triggers(line):
            inability = None if excused(line, trigger) else whose(line, trigger, press)
            if inability:
                yield Caveat(
                    CaveatKind.OWN,
                    sentence.index,
                    line.span(trigger.start, trigger.end),
                    (),
                    inability.verifier,
                    trigger.rule,
                )
                break
