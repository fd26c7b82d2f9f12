"""An archive in a file with the cluster that it is filled into whenever it has changed: put in here, asked there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.opensearch.address import Credentials, Sharding
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.filling import fill
from retrieval.archive.opensearch.index import Index
from retrieval.names.aliases import NO_ALIASES, Aliases

NOBODY = Credentials()
SPREAD = Sharding(shards=2, replicas=0)
ON_FILE = frozenset(
    "add articles close encode known meant publish_due put_vectors reindex remove"
    " stored_reading unencoded versions waiting".split()
)


class Filled:
    """What writes is done to the file; the rest is asked of the cluster, once that has what the file has."""

    def __init__(
        self, setting: str, path: Path, aliases: Aliases = NO_ALIASES, now: Callable[[], float] | None = None
    ) -> None:
        self.file = PersistentArchive(path, aliases, **({"now": now} if now else {}))
        self.index = Index(setting, NOBODY, SPREAD)
        self.cluster = ClusterArchive(self.index)
        self._filled = object()

    @property
    def current(self) -> ClusterArchive:
        self.file.publish_due()
        if self._filled != (revision := self.file.revision()):
            self.fill()
            self._filled = revision
        return self.cluster

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it is there
        return getattr(self.file if name in ON_FILE else self.current, name)

    def fill(self, *, keep: bool = False) -> None:
        fill(self.index, self.file, lambda: None, keep=keep)
