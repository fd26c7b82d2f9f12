"""Which caveats must be shown below a reply: computed from its extracts, so that no command can forget them.

The caveats of the quotations themselves: ``verbatim.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.model import Extract, Listing, Notice, NoticeReason


def notices(extracts: Iterable[Extract]) -> tuple[Notice, ...]:
    """Return the notices of ``extracts`` and of the sentences shown with them, each once.

    Of a caveat in two versions of an article, the later one's is returned.
    """
    parts = (part for extract in extracts for part in quoted_parts(extract))
    return tuple({_key(notice): notice for part in parts for notice in part.notices}.values())


def _key(notice: Notice) -> tuple[NoticeReason, str, str]:
    return notice.why, *notice.identity


def quoted_parts(extract: Extract) -> Iterator[Extract]:
    """Yield an extract and the sentences that are shown with it, in reading order."""
    if extract.before:
        yield from quoted_parts(extract.before)
    yield extract
    if extract.newest is not extract:
        yield from quoted_parts(extract.newest)


def remaining_notices(listing: Listing) -> list[Notice]:
    """Return the notices that a reply needs below, without those that its extracts show in time."""
    shown, due = listing.extracts, notices(listing.extracts)
    return not_yet_shown((notice for notice in notices(listing.all_extracts) if notice in due), shown)


def not_yet_shown(due: Iterable[Notice], extracts: Sequence[Extract]) -> list[Notice]:
    """Return the notices in ``due`` that no extract shows as a caveat before, or on, the first extract that needs them.

    The reader is assumed to read ``extracts`` from the top.
    """
    return [notice for notice in due if not _is_shown_in_time(notice, extracts)]


def _is_shown_in_time(notice: Notice, extracts: Iterable[Extract]) -> bool:
    for extract in extracts:
        is_caveat_itself = (extract.text, extract.citation.article_id) == notice.identity
        if is_caveat_itself or shows_caveat(extract, notice):
            return True
        if _key(notice) in map(_key, notices((extract,))):
            return False
    return False


def shows_caveat(extract: Extract, notice: Notice) -> bool:
    return any(caveat.identity == notice.identity for part in quoted_parts(extract) for caveat in part.caveats)
