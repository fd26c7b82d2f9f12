"""Reading -> what a page shows of an article: one row a sentence, with all that stands beside it.

The words of a row are the article's, white space collapsed, and nothing else changed but what would be obeyed rather
than shown (see ``bot.visible``). Nothing here is HTML: the templates make it that, and escape every word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot import citing, messages
from bot.verbatim import collapse
from bot.visible import visible, visible_line
from retrieval import Caveat, Passage, Reading, Span, Voice


@dataclass(frozen=True, slots=True)
class Cover:
    """A caveat beside a sentence that it covers: surely, or else possibly.

    ``sentence`` is the one that holds it, ``words`` that sentence's; ``begins`` where the row above is not covered.
    """

    sentence: int
    words: str
    sure: bool
    begins: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence. ``margin`` says who says it, ``name`` is the speaker's, if it is one."""

    index: int
    words: str
    margin: str
    name: str | None
    boilerplate: str
    opens_paragraph: bool
    is_caveat: bool
    covers: tuple[Cover, ...]

    @property
    def covered(self) -> str:
        """How it is covered: "sure", "possible" or not at all."""
        if any(cover.sure for cover in self.covers):
            return "sure"
        return "possible" if self.covers else ""


@dataclass(frozen=True, slots=True)
class Proof:
    """An article set out: its heading, the caveats on it as a whole, its rows."""

    article_id: str
    digest: str
    title: str
    source: str
    notices: tuple[Cover, ...]
    rows: tuple[Row, ...]


def proof(reading: Reading) -> Proof:
    """Return an article set out for a page."""
    article = reading.article
    before: Iterable[Passage | None] = (None, *reading.passages)
    return Proof(
        article_id=article.id,
        digest=article.digest,
        title=_line(citing.heading(reading)),
        source=_line(" · ".join(filter(None, (article.source, messages.day(article.published), article.author)))),
        notices=notices(reading),
        rows=tuple(_row(reading, passage, above) for passage, above in zip(reading.passages, before, strict=False)),
    )


def notices(reading: Reading) -> tuple[Cover, ...]:
    """Return the caveats on an article as a whole."""
    return tuple(_cover(reading, notice, sure=True, begins=True) for notice in reading.notices)


def rows(reading: Reading, places: Iterable[int]) -> tuple[Row, ...]:
    """Return some of an article's rows, each as if it stood alone."""
    return tuple(_row(reading, reading.passages[place], None) for place in places)


def words(reading: Reading, span: Span) -> str:
    """Return an article's words at a place, as every reply shows them."""
    return visible(collapse(span.of(reading.article.text)))


def _line(text: str) -> str:
    return visible_line(collapse(text))


def _row(reading: Reading, passage: Passage, above: Passage | None) -> Row:
    sentence = passage.sentence
    manner = passage.attribution.manner if passage.attribution else None
    return Row(
        index=sentence.index,
        words=words(reading, sentence.span),
        margin="" if sentence.boilerplate else _line(citing.said_by(passage.voice, passage.speaker, manner)),
        name=passage.speaker if passage.voice in (Voice.NAMED, Voice.MEDIA) else None,
        boilerplate=sentence.boilerplate or "",
        opens_paragraph=above is None or above.sentence.paragraph != sentence.paragraph,
        is_caveat=passage.is_caveat,
        covers=_covers(reading, passage, above),
    )


def _covers(reading: Reading, passage: Passage, above: Passage | None) -> tuple[Cover, ...]:
    held = (above.caveats, above.possible_caveats) if above else ((), ())
    sure = (_cover(reading, c, sure=True, begins=c not in held[0]) for c in passage.caveats)
    possible = (_cover(reading, c, sure=False, begins=c not in held[1]) for c in passage.possible_caveats)
    return (*sure, *possible)


def _cover(reading: Reading, caveat: Caveat, *, sure: bool, begins: bool) -> Cover:
    span = reading.passages[caveat.sentence].sentence.span
    return Cover(caveat.sentence, words(reading, span), sure, begins)
