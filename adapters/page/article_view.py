"""Reading -> an article as its page shows it: paragraphs as running text, with speakers and caveats beside them.

A sentence's words are the article's, with white space collapsed and control characters shown as codes
(``bot.escaping``). Nothing here is HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bot import messages, source_lines
from bot.escaping import escape_controls, escape_line
from bot.verbatim import collapse
from retrieval import Caveat, Passage, Reading, Span, Voice


@dataclass(frozen=True, slots=True)
class Cover:
    """A caveat on a sentence, which it covers for ``sure`` or possibly; ``sentence`` is the index of its own."""

    sentence: int
    words: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence. ``margin`` says who says it; ``name`` is the speaker's, if named."""

    index: int
    words: str
    margin: str
    name: str | None
    boilerplate: str
    is_caveat: bool
    covers: tuple[Cover, ...]

    @property
    def covered(self) -> str:
        """The class in CSS: "sure", "possible", or "" for not at all."""
        if any(cover.sure for cover in self.covers):
            return "sure"
        return "possible" if self.covers else ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences of one paragraph.

    ``speakers`` are the rows at which the speaker changes. ``notes`` has the HTML id of every caveat on one of the
    rows; ``begun`` has the row at which each caveat begins, if not in the paragraph above.
    """

    rows: tuple[Row, ...]
    speakers: tuple[Row, ...]
    notes: dict[Cover, str]
    begun: dict[Cover, int]


@dataclass(frozen=True, slots=True)
class ArticleView:
    """An article for its page; ``notices`` are the caveats on the whole of it."""

    article_id: str
    digest: str
    title: str
    source: str
    notices: tuple[Cover, ...]
    paragraphs: tuple[Paragraph, ...]


def article_view(reading: Reading) -> ArticleView:
    article = reading.article
    return ArticleView(
        article_id=article.id,
        digest=article.digest,
        title=_line(source_lines.heading(reading)),
        source=_line(" · ".join(filter(None, (article.source, messages.day(article.published), article.author)))),
        notices=notices(reading),
        paragraphs=tuple(_paragraphs(reading)),
    )


def notices(reading: Reading) -> tuple[Cover, ...]:
    """Return the caveats on the whole article."""
    return tuple(_cover(reading, notice, sure=True) for notice in reading.notices)


def rows(reading: Reading, places: Iterable[int]) -> tuple[Row, ...]:
    return tuple(_row(reading, reading.passages[place]) for place in places)


def words(reading: Reading, span: Span) -> str:
    """Return an article's words at a place, as every reply shows them."""
    return escape_controls(collapse(span.of(reading.article.text)))


def _line(text: str) -> str:
    return escape_line(collapse(text))


def _paragraphs(reading: Reading) -> Iterator[Paragraph]:
    """Yield the paragraphs; a caveat on several in a row is shown only beside the first of them."""
    above: dict[Cover, str] = {}
    margin = ""
    for _, passages in groupby(reading.passages, key=lambda passage: passage.sentence.paragraph):
        paragraph = tuple(_row(reading, passage) for passage in passages)
        first = {cover: row.index for row in reversed(paragraph) for cover in row.covers}
        notes = {cover: above.get(cover, f"n{index}-{place}") for place, (cover, index) in enumerate(first.items())}
        begun = {cover: index for cover, index in first.items() if cover not in above}
        margins = (margin, *(row.margin for row in paragraph))
        speakers = tuple(row for row, before in zip(paragraph, margins, strict=False) if row.margin not in ("", before))
        yield Paragraph(paragraph, speakers, notes, begun)
        above, margin = notes, margins[-1]


def _row(reading: Reading, passage: Passage) -> Row:
    sentence = passage.sentence
    manner = passage.attribution.manner if passage.attribution else None
    said_by = _line(source_lines.said_by(passage.voice, passage.speaker, manner))
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
