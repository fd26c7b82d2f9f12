"""The versions of an article -> what its page tells of them: a list, and what changed, sentence by sentence.

Of what was removed or added every word is the version's own, as in ``article_view``; nothing here is HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from adapters.page.article_view import Cover, Row, notices, rows
from bot import messages
from bot.verbatim import collapse
from retrieval import Reading, Stretch, VersionSummary, align

ALIKE = 0.5  # of the words of two sentences, from which on the one is the other with changes

Address = Callable[[VersionSummary], str]
Read = Callable[[VersionSummary], Reading | None]


@dataclass(frozen=True, slots=True)
class Listed:
    """A version in the list: its first day in words, its address, whether it is the one on the page."""

    day: str
    address: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row, which the other version has too, or has not."""

    words: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that was removed, added or changed, with its row; ``pieces`` are its words."""

    row: Row
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences of the earlier version, and those of the later one in their place; one of both may be empty."""

    before: tuple[Line, ...]
    after: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What changed from one version to another: the first day of each in words, and the address of each.

    ``notices`` are the caveats on the whole of the ``other`` version, which is not the one on the page.
    """

    since: str
    changed: str
    before: str
    after: str
    other: str
    notices: tuple[Cover, ...]
    changes: tuple[Change, ...]

    @property
    def swapped(self) -> tuple[tuple[str, str], ...]:
        """The words that took the place of others in sentences that are else the same: those before, those after."""
        return tuple(
            (one.words, other.words)
            for change in self.changes
            for before, after in zip(change.before, change.after, strict=False)
            if len(before.pieces) > 1 and _kept(before) == _kept(after)
            for one, other in zip(before.pieces, after.pieces, strict=True)
            if one.changed
        )


@dataclass(frozen=True, slots=True)
class Versions:
    """What a page tells of an article's versions.

    ``superseded`` is the day on which another took the place of the one shown, empty where that is not known;
    ``newest`` is the address of the newest, empty where that is shown, or must not be seen.
    """

    is_superseded: bool
    superseded: str
    newest: str
    listed: tuple[Listed, ...]
    compared: Compared | None


@dataclass(frozen=True, slots=True)
class OpenedVersion:
    """The version of an article that is asked for: its place among all of them, and those that whoever asks may see.

    Of both sequences the newest is last, if it is there.
    """

    article_id: str
    place: int
    history: tuple[VersionSummary, ...]
    seen: tuple[VersionSummary, ...]

    @property
    def shown(self) -> VersionSummary:
        """The version itself."""
        return self.history[self.place]

    @property
    def is_superseded(self) -> bool:
        """Whether there is a later version."""
        return self.place < len(self.history) - 1

    @property
    def pair(self) -> tuple[VersionSummary, VersionSummary] | None:
        """The two versions to be compared: the one shown and the newest, or the newest and the one before it."""
        newest = self.history[-1]
        if newest not in self.seen or len(self.seen) == 1:
            return None
        return (self.shown if self.is_superseded else self.seen[-2], newest)


def _kept(line: Line) -> list[str | None]:
    """Return the words of a line that the other version has too, and None in the place of others."""
    return [None if piece.changed else piece.words for piece in line.pieces]


def versions(opened: OpenedVersion, reading: Reading, address: Address, read: Read) -> Versions | None:
    """Return what is told of the versions beside the ``reading`` of the one shown; None where there is one only."""
    if len(opened.seen) == 1 and not opened.is_superseded:
        return None
    newest = opened.history[-1]
    since = opened.history[opened.place + 1].since if opened.is_superseded else None
    return Versions(
        is_superseded=opened.is_superseded,
        superseded=messages.day(since),
        newest=address(newest) if newest in opened.seen and opened.is_superseded else "",
        listed=tuple(Listed(messages.day(v.since), address(v), v is opened.shown) for v in reversed(opened.seen)),
        compared=_compared(opened, reading, address, read),
    )


def _compared(opened: OpenedVersion, shown: Reading, address: Address, read: Read) -> Compared | None:
    if opened.pair is None:
        return None
    before, after = opened.pair
    other = after if before is opened.shown else before
    reading = read(other)
    if reading is None:  # removed this very moment
        return None
    earlier, later = (shown, reading) if before is opened.shown else (reading, shown)
    return Compared(
        since=messages.day(before.since),
        changed=messages.day(after.since),
        before=address(before),
        after=address(after),
        other=address(other),
        notices=notices(reading),
        changes=changes(earlier, later),
    )


def changes(before: Reading, after: Reading) -> tuple[Change, ...]:
    """Return which sentences were removed, added or changed from one version to another, in order."""
    return tuple(
        change
        for stretch in align(_sentences(before), _sentences(after))
        if not stretch.same
        for change in _changes(rows(before, stretch.before), rows(after, stretch.after))
    )


def _sentences(reading: Reading) -> list[str]:
    return [collapse(passage.sentence.span.of(reading.article.text)) for passage in reading.passages]


def _changes(before: Sequence[Row], after: Sequence[Row]) -> Iterator[Change]:
    """Yield a change for each pair where there are as many sentences as before, else one of them all."""
    if len(before) == len(after):
        yield from (_changed(one, other) for one, other in zip(before, after, strict=True))
    else:
        yield Change(tuple(map(_whole, before)), tuple(map(_whole, after)))


def _whole(row: Row) -> Line:
    return Line(row, (Piece(row.words, changed=True),))


def _changed(before: Row, after: Row) -> Change:
    """Return two sentences, the words marked that are not in both; all of them where few are."""
    one, other = before.words.split(" "), after.words.split(" ")
    stretches = tuple(align(one, other))
    common = sum(len(stretch.before) for stretch in stretches if stretch.same)
    if common < ALIKE * max(len(one), len(other)):
        return Change((_whole(before),), (_whole(after),))
    was = Line(before, tuple(_pieces(one, stretches, lambda stretch: stretch.before)))
    now = Line(after, tuple(_pieces(other, stretches, lambda stretch: stretch.after)))
    return Change((was,), (now,))


def _pieces(words: Sequence[str], stretches: Sequence[Stretch], side: Callable[[Stretch], range]) -> Iterator[Piece]:
    for stretch in stretches:
        if places := side(stretch):
            yield Piece(" ".join(words[places.start : places.stop]), changed=not stretch.same)
