"""Extracts -> the caveats that must be told below them: on an article as a whole, or on an extract possibly.

They come out of the extracts themselves, so that no command can forget them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.model import Extract, Listing, Notice, NoticeReason


def notices(extracts: Iterable[Extract]) -> tuple[Notice, ...]:
    """Return what must be told of ``extracts``, and of those before them, each caveat once.

    Of a sentence that two versions of an article have, it is the later one's.
    """
    return tuple({_said(notice): notice for extract in extracts for notice in _of(extract)}.values())


def _said(notice: Notice) -> tuple[NoticeReason, str, str]:
    """Return what a notice says and of which article, whichever version it stands in."""
    return notice.why, notice.text, notice.citation.article_id


def _of(extract: Extract) -> Iterator[Notice]:
    return (notice for part in parts(extract) for notice in part.notices)


def parts(extract: Extract) -> Iterator[Extract]:
    """Yield all quoted words that are shown with an extract, in the order they are read."""
    if extract.before:
        yield from parts(extract.before)
    yield extract
    if extract.newest is not extract:
        yield from parts(extract.newest)


def remaining_notices(listing: Listing) -> list[Notice]:
    """Return what must be told of a reply, as it is outlined, but for what its extracts tell in time."""
    shown, due = listing.extracts, notices(listing.extracts)
    return remaining((notice for notice in notices(listing.all_extracts) if notice in due), shown)


def remaining(due: Iterable[Notice], extracts: Sequence[Extract]) -> list[Notice]:
    """Return the notices but for those that stand as caveats on an extract already, no later than one needs them.

    For who reads from above to below, and sees no extract without all that come before it.
    """
    return [notice for notice in due if not _told_in_time(notice, extracts)]


def _told_in_time(notice: Notice, extracts: Iterable[Extract]) -> bool:
    for extract in extracts:
        if tells(extract, notice):
            return True
        if _said(notice) in map(_said, _of(extract)):
            return False
    return False


def tells(extract: Extract, notice: Notice) -> bool:
    """Return whether the words of a notice stand as a caveat in what is shown of ``extract``."""
    caveats = (caveat for part in parts(extract) for caveat in part.caveats)
    said = notice.text, notice.citation.article_id
    return any((caveat.text, caveat.citation.article_id) == said for caveat in caveats)
