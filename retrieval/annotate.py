"""The stages in their order: articles -> readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.attribution import attribute
from retrieval.caveats import find_caveats
from retrieval.denials import find_denials
from retrieval.entities import NO_ALIASES, Aliases, unite
from retrieval.language import parse
from retrieval.model import Article, Mention, Passage, Reading
from retrieval.names import find_names
from retrieval.sentences import lay_out


def read_one(article: Article, model: str = "") -> Reading:
    """Read one article; names are as full as this article has them."""
    layout = lay_out(article, parse(article.text, model))
    mentions = find_names(layout)
    attributions = attribute(layout, mentions)
    denials = find_denials(layout, mentions, attributions)
    caveats = find_caveats(layout, mentions, attributions, denials)
    holding = {caveat.sentence for caveat in caveats}
    passages = tuple(
        Passage(
            sentence=sentence,
            mentions=mentions[i],
            attribution=attributions[i],
            caveats=tuple(caveat for caveat in caveats if i in caveat.covers),
            denial=denials[i],
            is_caveat=i in holding,
        )
        for i, sentence in enumerate(layout.sentences)
    )
    return Reading(article, passages, caveats)


def read_all(articles: Sequence[Article], aliases: Aliases = NO_ALIASES, model: str = "") -> tuple[Reading, ...]:
    """Read articles together: every name in its canonical form over all of them, in any order of reading."""
    readings = tuple(read_one(article, model) for article in articles)
    united = unite({r.article.id: tuple(p.mentions for p in r.passages) for r in readings}, aliases)
    return tuple(_renamed(reading, united[reading.article.id]) for reading in readings)


def _renamed(reading: Reading, mentions: tuple[tuple[Mention, ...], ...]) -> Reading:
    passages = zip(reading.passages, mentions, strict=True)
    return replace(reading, passages=tuple(replace(passage, mentions=found) for passage, found in passages))
