"""Reading -> an article as its page shows it: paragraphs as running text, with speakers and caveats beside them.

Beside it are its versions: a list of them, and what changed, sentence by sentence. A sentence's words are the
article's, with white space collapsed and control characters shown as codes (``bot.escaping``). Nothing here is HTML.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

from bot import messages, source_lines
from bot.escaping import escape_controls, escape_line
from bot.verbatim import collapse
from retrieval import Caveat, Passage, Reading, Span, Stretch, VersionSummary, Voice, align

# of an article's column: what is as tall as a note, for its heading and for each character of its words
NOTE_HEAD, NOTE_WORDS = 150, 1.5
MIN_COMMON_WORDS = 0.5  # of two sentences: with fewer, one was replaced by the other


class Cover(NamedTuple):
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
        return "sure" if any(cover.sure for cover in self.covers) else "possible" if self.covers else ""


class Paragraph(NamedTuple):
    """Sentences of one paragraph.

    ``speakers`` are the rows at which the speaker changes. ``notes`` has the HTML id of every caveat on one of the
    rows; ``begun`` has the row beside which each caveat is shown, if not in the paragraph above.
    """

    rows: tuple[Row, ...]
    speakers: tuple[Row, ...]
    notes: dict[Cover, str]
    begun: dict[Cover, int]


class ArticleView(NamedTuple):
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
    return tuple(_cover(reading, notice, sure=True) for notice in reading.notices)


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
        begun = _beside(paragraph, {cover: index for cover, index in first.items() if cover not in above})
        margins = (margin, *(row.margin for row in paragraph))
        speakers = tuple(row for row, before in zip(paragraph, margins, strict=False) if row.margin not in ("", before))
        yield Paragraph(paragraph, speakers, notes, begun)
        above, margin = notes, margins[-1]


def _beside(paragraph: Sequence[Row], first: Mapping[Cover, int]) -> dict[Cover, int]:
    """Return beside which row each caveat is shown: with the one before it where that leaves no room.

    In the margin one pushes the next down, and who speaks can't stand above it.
    """
    starts = accumulate((len(row.words) for row in paragraph), initial=0)
    at = {row.index: start for row, start in zip(paragraph, starts, strict=False)}
    beside: dict[Cover, int] = {}
    place, room = -1, 0.0
    for cover, index in sorted(first.items(), key=itemgetter(1)):
        if at[index] >= room:
            place, room = index, float(at[index])
        beside[cover] = place
        room += NOTE_HEAD + NOTE_WORDS * len(cover.words)
    return beside


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


class VersionLine(NamedTuple):
    """A sentence that was removed, added or changed: its pieces, and whether each is missing from the other version."""

    row: Row
    pieces: tuple[tuple[str, bool], ...]

    @property
    def common(self) -> list[str | None]:
        """The words that the other version has too, and None in the place of others."""
        return [None if is_changed else words for words, is_changed in self.pieces]


class VersionChange(NamedTuple):
    """Sentences of the earlier version, and of the later one in their place; either may be empty."""

    before: tuple[VersionLine, ...]
    after: tuple[VersionLine, ...]


class VersionComparison(NamedTuple):
    """Two versions; ``other`` is the one that is not on the page, and ``notices`` the caveats on the whole of it."""

    before: VersionSummary
    after: VersionSummary
    other: VersionSummary
    notices: tuple[Cover, ...]
    changes: tuple[VersionChange, ...]

    @property
    def swapped(self) -> tuple[tuple[str, str], ...]:
        """The words that replaced others in sentences that are otherwise the same: those before, those after."""
        pairs = [pair for change in self.changes for pair in zip(*change, strict=False)]
        return tuple(
            (old, new)
            for was, now in pairs
            if len(was.pieces) > 1 and was.common == now.common
            for (old, is_changed), (new, _) in zip(was.pieces, now.pieces, strict=True)
            if is_changed
        )


@dataclass(frozen=True, slots=True)
class OpenedVersion:
    """The version of an article that is asked for, its place in the history, and the versions that may be seen.

    In both sequences the newest is last, if it is there.
    """

    article_id: str
    place: int
    history: tuple[VersionSummary, ...]
    public_versions: tuple[VersionSummary, ...]

    @property
    def summary(self) -> VersionSummary:
        return self.history[self.place]

    @property
    def is_superseded(self) -> bool:
        return self.place < len(self.history) - 1

    @property
    def has_others(self) -> bool:
        """Whether there is anything to say beside it: that it was superseded, or where another version is."""
        return self.is_superseded or len(self.public_versions) > 1


def comparison(
    opened: OpenedVersion, reading: Reading, read: Callable[[VersionSummary], Reading | None]
) -> VersionComparison | None:
    """Compare ``reading``, which is on the page, with the newest version; if it is the newest, with the one before.

    None where that one must not be seen, or is gone.
    """
    newest = opened.history[-1]
    if newest not in opened.public_versions or len(opened.public_versions) == 1:
        return None
    other = newest if opened.is_superseded else opened.public_versions[-2]
    compared = read(other)
    if compared is None:  # it was removed this very moment
        return None
    sides = [(opened.summary, reading), (other, compared)]
    (before, was), (after, now) = sides if opened.is_superseded else reversed(sides)
    return VersionComparison(before, after, other, notices(compared), tuple(changes(was, now)))


def changes(before: Reading, after: Reading) -> Iterator[VersionChange]:
    """Yield the sentences that were removed, added or changed, in order.

    A sentence is compared with the one in its place where there are as many as before.
    """
    texts = ([collapse(p.sentence.span.of(r.article.text)) for p in r.passages] for r in (before, after))
    for stretch in align(*texts):
        if stretch.same:
            continue
        sides = ((before, stretch.before), (after, stretch.after))
        was, now = ([_row(reading, reading.passages[place]) for place in places] for reading, places in sides)
        if len(was) == len(now):
            yield from map(_change, was, now)
        else:
            yield VersionChange(*(tuple(VersionLine(row, ((row.words, True),)) for row in side) for side in (was, now)))


def _change(before: Row, after: Row) -> VersionChange:
    """Return two sentences with the words marked that are not in both; all of them where too few are in both."""
    was, now = before.words.split(" "), after.words.split(" ")
    stretches = [*align(was, now)]
    if sum(len(stretch.before) for stretch in stretches if stretch.same) < MIN_COMMON_WORDS * max(len(was), len(now)):
        stretches = [Stretch(same=False, before=range(len(was)), after=range(len(now)))]
    removed = tuple((" ".join(was[s.before.start : s.before.stop]), not s.same) for s in stretches if s.before)
    added = tuple((" ".join(now[s.after.start : s.after.stop]), not s.same) for s in stretches if s.after)
    return VersionChange((VersionLine(before, removed),), (VersionLine(after, added),))
