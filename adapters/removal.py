"""What happens after a removal: its words are deleted from stored answers and cached folders.

The archive remembers what is left to do, so another process finishes it if this one is killed. Posted answers are
edited by ``adapters/updates/revising.py``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from adapters import folders, json_contract
from adapters.settings import Settings
from adapters.storage.store import Store, StoreError, default_path, is_server_address
from adapters.stored_reply import redacted
from bot.revision import is_taken_down
from retrieval import Removed

if TYPE_CHECKING:
    from retrieval import ClusterArchive, PersistentArchive  # the first loads its library

log = logging.getLogger(__name__)


def withdraw_words(store: Store, digests: Iterable[str], gone: Callable[[str], bool]) -> None:
    """Delete the words of versions that are ``gone``, by their keys, from the answers that cite them."""
    for digest in digests:
        for number, reply in store.answers_resting_on(digest):
            left = json_contract.line(dict(redacted(json.loads(reply), gone)))
            if left != reply:
                store.withdraw_words(number, left)
    store.clear_journal()


def withdraw(settings: Settings, removed: Collection[Removed], gone: Callable[[str], bool]) -> None:
    """Delete the words of removed articles from stored answers and cached folders.

    Raises ``StoreError`` where the answers cannot be reached.
    """
    place = settings.state or default_path()
    if is_server_address(place) or Path(place).exists():
        with Store.of(settings) as store:
            withdraw_words(store, {each.digest for each in removed}, gone)
            store.delete_news({each.article for each in removed if gone(each.key)})
    # a cached folder may hold a removed article
    folders.forget(settings, {each.digest for each in removed})


def listen(settings: Settings, archive: PersistentArchive | ClusterArchive) -> None:
    """Have the words of what is removed deleted from stored answers and cached folders too."""

    def delete(removed: Collection[Removed]) -> None:
        withdraw(settings, removed, lambda key: is_taken_down(archive, key))

    archive.retirements.listener = delete


def publish_removals(archive: PersistentArchive | ClusterArchive) -> None:
    """Have the archive publish what was removed; if the store cannot be reached, warn: it is published again later."""
    try:
        archive.retirements.publish_removals()
    except StoreError as error:
        log.warning("words of removed articles may still be stored: %s", error)
