"""Articles that were taken down -> no word of them in what is kept beside the archive: answers, flags, readings.

The archive remembers what is left to do until it is done; so whoever is killed in between leaves it to the next.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from adapters import folders
from adapters.settings import Settings
from adapters.storage.store import Store, StoreError, default_path, is_served
from adapters.stored_reply import withdraw_words
from bot.revision import is_gone
from retrieval import LastingArchive, Removed

if TYPE_CHECKING:
    from retrieval import ClusterArchive  # loads its library

log = logging.getLogger(__name__)


def withdraw(settings: Settings, removed: Collection[Removed], gone: Callable[[str], bool]) -> None:
    """See to all that is kept by these settings; ``StoreError`` where the answers and flags cannot be reached."""
    place = settings.state or default_path()
    if is_served(place) or Path(place).exists():
        with Store.of(settings) as store:
            withdraw_words(store, {each.digest for each in removed}, gone)
            store.forget_news({each.article for each in removed if gone(each.key)})
    # what is kept between starts of folders that were asked: a removed article may stand in it
    folders.forget(settings, {each.digest for each in removed})


def finish_removals(settings: Settings, archive: LastingArchive | ClusterArchive) -> tuple[Removed, ...]:
    """Withdraw what was removed, or came under an embargo again, and is not seen to yet; return what that was.

    Raises ``StoreError`` as ``withdraw`` does; it is done the next time then.
    """
    removed = archive.retirements.unfinished()
    if removed:
        withdraw(settings, removed, lambda key: is_gone(archive, key))
        archive.retirements.finish(removed)
    return removed


def try_to_finish(settings: Settings, archive: LastingArchive | ClusterArchive) -> None:
    """Do the same where that can be done now, and else say in the log why it cannot."""
    try:
        finish_removals(settings, archive)
    except StoreError as error:
        log.warning("words of what was removed may still be kept: %s", error)
