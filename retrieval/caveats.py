"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.excuses import excused
from retrieval.layout import Layout
from retrieval.model import Attribution, Caveat, CaveatKind, Denial, Mention, Sentence, Span
from retrieval.outlets import Press, press_of
from retrieval.triggers import find_triggers
from retrieval.verifying import STEMS
from retrieval.whose import whose
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
        if _speaks_of_it(layout.text(sentence)):
            caveat = _caveat(layout, sentence, press)
            if caveat:
                yield caveat


def _caveat(layout: Layout, sentence: Sentence, press: Press) -> Caveat | None:
    line = wording(layout, sentence)
    for trigger in find_triggers(line):
        inability = None if excused(line, trigger) else whose(line, trigger, press)
        span = line.span(trigger.start, trigger.end)
        if inability and (inability.verifier or not _quoted(layout, span)):
            return Caveat(CaveatKind.OWN, sentence.index, span, (), inability.verifier, trigger.rule)
    return None


def _quoted(layout: Layout, span: Span) -> bool:
    """Tell whether the words are somebody's own; nobody quoted speaks of a newsroom's inability by its name."""
    return any(quotation.span.contains(span) for quotation in layout.quotations)
