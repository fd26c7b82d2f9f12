"""The versions of an article: a list of them, and what changed, sentence by sentence. Nothing here is HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from adapters.page.article_view import Cover, Row, notices, rows
from bot import messages
from bot.verbatim import collapse
from retrieval import Reading, Stretch, VersionSummary, align

MIN_COMMON_WORDS = 0.5  # of two sentences: with fewer, one was replaced by the other

Address = Callable[[VersionSummary], str]
Read = Callable[[VersionSummary], Reading | None]


@dataclass(frozen=True, slots=True)
class ChangedWords:
    """Words in a row that the other version has too, or that it has not."""

    words: str
    changed: bool


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A sentence that was removed, added or changed."""

    row: Row
    pieces: tuple[ChangedWords, ...]


@dataclass(frozen=True, slots=True)
class VersionChange:
    """Sentences of the earlier version, and of the later one in their place; either may be empty."""

    before: tuple[VersionLine, ...]
    after: tuple[VersionLine, ...]


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """Two versions: the first day of each in words (``since``, ``changed``), their URLs (``before``, ``after``).

    ``other`` is the URL of the one that is not on the page, ``notices`` the caveats on the whole of it.
    """

    since: str
    changed: str
    before: str
    after: str
    other: str
    notices: tuple[Cover, ...]
    changes: tuple[VersionChange, ...]

    @property
    def swapped(self) -> tuple[tuple[str, str], ...]:
        """The words that replaced others in sentences that are otherwise the same: those before, those after."""
        return tuple(
            (one.words, other.words)
            for change in self.changes
            for before, after in zip(change.before, change.after, strict=False)
            if len(before.pieces) > 1 and _common_words(before) == _common_words(after)
            for one, other in zip(before.pieces, after.pieces, strict=True)
            if one.changed
        )


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions beside the one on the page.

    ``superseded`` is the day on which it was replaced, empty where that is not known; ``newest`` is the URL of the
    newest, empty where that is on the page or must not be seen. ``listed`` has each version's first
    day in words, its URL, and whether it is on the page.
    """

    is_superseded: bool
    superseded: str
    newest: str
    listed: tuple[tuple[str, str, bool], ...]
    comparison: VersionComparison | None


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
    def pair(self) -> tuple[VersionSummary, VersionSummary] | None:
        """The two versions to compare: this one and the newest; for the newest, the one before and itself."""
        newest = self.history[-1]
        if newest not in self.public_versions or len(self.public_versions) == 1:
            return None
        return (self.summary if self.is_superseded else self.public_versions[-2], newest)


def _common_words(line: VersionLine) -> list[str | None]:
    """Return the words that the other version has too, and None in the place of others."""
    return [None if piece.changed else piece.words for piece in line.pieces]


def versions(opened: OpenedVersion, reading: Reading, address: Address, read: Read) -> Versions | None:
    """Return the versions beside ``reading``, which is on the page; None where there is only one."""
    if len(opened.public_versions) == 1 and not opened.is_superseded:
        return None
    newest = opened.history[-1]
    since = opened.history[opened.place + 1].since if opened.is_superseded else None
    return Versions(
        is_superseded=opened.is_superseded,
        superseded=messages.day(since),
        newest=address(newest) if newest in opened.public_versions and opened.is_superseded else "",
        listed=tuple(
            (messages.day(each.since), address(each), each is opened.summary)
            for each in reversed(opened.public_versions)
        ),
        comparison=_comparison(opened, reading, address, read),
    )


def _comparison(opened: OpenedVersion, shown: Reading, address: Address, read: Read) -> VersionComparison | None:
    if opened.pair is None:
        return None
    before, after = opened.pair
    other = after if before is opened.summary else before
    reading = read(other)
    if reading is None:  # removed this very moment
        return None
    earlier, later = (shown, reading) if before is opened.summary else (reading, shown)
    return VersionComparison(
        since=messages.day(before.since),
        changed=messages.day(after.since),
        before=address(before),
        after=address(after),
        other=address(other),
        notices=notices(reading),
        changes=changes(earlier, later),
    )


def changes(before: Reading, after: Reading) -> tuple[VersionChange, ...]:
    """Return the sentences that were removed, added or changed, in order."""
    return tuple(
        change
        for stretch in align(_sentences(before), _sentences(after))
        if not stretch.same
        for change in _changes(rows(before, stretch.before), rows(after, stretch.after))
    )


def _sentences(reading: Reading) -> list[str]:
    return [collapse(passage.sentence.span.of(reading.article.text)) for passage in reading.passages]


def _changes(before: Sequence[Row], after: Sequence[Row]) -> Iterator[VersionChange]:
    """Yield a change for each pair where there are as many sentences as before, otherwise one for all of them."""
    if len(before) == len(after):
        yield from (_change(one, other) for one, other in zip(before, after, strict=True))
    else:
        yield VersionChange(tuple(map(_changed_line, before)), tuple(map(_changed_line, after)))


def _changed_line(row: Row) -> VersionLine:
    return VersionLine(row, (ChangedWords(row.words, changed=True),))


def _change(before: Row, after: Row) -> VersionChange:
    """Return two sentences with the words marked that are not in both; all of them where too few are in both."""
    one, other = before.words.split(" "), after.words.split(" ")
    stretches = tuple(align(one, other))
    common = sum(len(stretch.before) for stretch in stretches if stretch.same)
    if common < MIN_COMMON_WORDS * max(len(one), len(other)):
        return VersionChange((_changed_line(before),), (_changed_line(after),))
    was = VersionLine(before, tuple(_pieces(one, stretches, lambda stretch: stretch.before)))
    now = VersionLine(after, tuple(_pieces(other, stretches, lambda stretch: stretch.after)))
    return VersionChange((was,), (now,))


def _pieces(
    words: Sequence[str], stretches: Sequence[Stretch], side: Callable[[Stretch], range]
) -> Iterator[ChangedWords]:
    for stretch in stretches:
        if places := side(stretch):
            yield ChangedWords(" ".join(words[places.start : places.stop]), changed=not stretch.same)
