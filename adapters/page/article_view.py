"""Reading -> what a page shows of an article: its paragraphs as running text, with all that stands beside them.

The words of a sentence are the article's, white space collapsed, and nothing else changed but what would be obeyed
rather than shown (see ``bot.escaping``). Nothing here is HTML: the templates make it that, and escape every word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bot.escape_controls import escape_controls, escape_line

from bot import citing, messages
from bot.verbatim import collapse
from retrieval import Caveat, Passage, Reading, Span, Voice


@dataclass(frozen=True, slots=True)
class Cover:
    """A caveat beside a sentence that it covers: surely, or else possibly.

    ``sentence`` is the one that holds it, ``words`` that sentence's.
    """

    sentence: int
    words: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence. ``margin`` says who says it, ``name`` is the speaker's, if it is one."""

    index: int
    words: str
    margin: str
    name: str | None
    boilerplate: str
    is_caveat: bool
    covers: tuple[Cover, ...]

    @property
    def covered(self) -> str:
        """How it is covered: "sure", "possible" or not at all."""
        if any(cover.sure for cover in self.covers):
            return "sure"
        return "possible" if self.covers else ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that run on.

    ``speakers`` are the rows from which on somebody else speaks than before; ``notes`` has the mark of every caveat
    that covers one of them; ``begun`` says of those that did not cover the paragraph above at which row they begin.
    """

    rows: tuple[Row, ...]
    speakers: tuple[Row, ...]
    notes: dict[Cover, str]
    begun: dict[Cover, int]


@dataclass(frozen=True, slots=True)
class Proof:
    """An article set out: its heading, the caveats on it as a whole, its paragraphs."""

    article_id: str
    digest: str
    title: str
    source: str
    notices: tuple[Cover, ...]
    paragraphs: tuple[Paragraph, ...]


def proof(reading: Reading) -> Proof:
    """Return an article set out for a page."""
    article = reading.article
    return Proof(
        article_id=article.id,
        digest=article.digest,
        title=_line(citing.heading(reading)),
        source=_line(" · ".join(filter(None, (article.source, messages.day(article.published), article.author)))),
        notices=notices(reading),
        paragraphs=tuple(_paragraphs(reading)),
    )


def notices(reading: Reading) -> tuple[Cover, ...]:
    """Return the caveats on an article as a whole."""
    return tuple(_cover(reading, notice, sure=True) for notice in reading.notices)


def rows(reading: Reading, places: Iterable[int]) -> tuple[Row, ...]:
    """Return some of an article's rows."""
    return tuple(_row(reading, reading.passages[place]) for place in places)


def words(reading: Reading, span: Span) -> str:
    """Return an article's words at a place, as every reply shows them."""
    return escape_controls(collapse(span.of(reading.article.text)))


def _line(text: str) -> str:
    return escape_line(collapse(text))


def _paragraphs(reading: Reading) -> Iterator[Paragraph]:
    """Yield the paragraphs; a caveat that covers one after another is told beside the first of them alone."""
    above: dict[Cover, str] = {}
    margin = ""
    for _, passages in groupby(reading.passages, key=lambda passage: passage.sentence.paragraph):
        held = tuple(_row(reading, passage) for passage in passages)
        first = {cover: row.index for row in reversed(held) for cover in row.covers}
        notes = {cover: above.get(cover, f"n{index}-{place}") for place, (cover, index) in enumerate(first.items())}
        begun = {cover: index for cover, index in first.items() if cover not in above}
        margins = (margin, *(row.margin for row in held))
        speakers = tuple(row for row, before in zip(held, margins, strict=False) if row.margin not in ("", before))
        yield Paragraph(held, speakers, notes, begun)
        above, margin = notes, margins[-1]


def _row(reading: Reading, passage: Passage) -> Row:
    sentence = passage.sentence
    manner = passage.attribution.manner if passage.attribution else None
    said_by = _line(citing.said_by(passage.voice, passage.speaker, manner))
    return Row(
        index=sentence.index,
        words=words(reading, sentence.span),
        margin=f"({sentence.boilerplate})" if sentence.boilerplate else said_by,
        name=passage.speaker if passage.voice in (Voice.NAMED, Voice.MEDIA) and not sentence.boilerplate else None,
        boilerplate=sentence.boilerplate or "",
        is_caveat=passage.is_caveat,
        covers=tuple(_cover(reading, caveat, sure=True) for caveat in passage.caveats)
        + tuple(_cover(reading, caveat, sure=False) for caveat in passage.possible_caveats),
    )


def _cover(reading: Reading, caveat: Caveat, *, sure: bool) -> Cover:
    span = reading.passages[caveat.sentence].sentence.span
    return Cover(caveat.sentence, words(reading, span), sure)
