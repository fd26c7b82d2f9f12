"""An archive -> how much it holds, or that it cannot be asked now, within seconds, whatever it does.

A cluster that hangs is waited for by a thread of its own, and by no probe longer than ``PATIENCE``.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock, Thread

from retrieval import Archive, ArchiveError

PATIENCE = 3.0  # seconds that whoever asks waits
BEGINNING = "zzzz"  # of hardly a name: their index is asked all the same, and has nothing to gather

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """How much an archive holds."""

    articles: int
    sentences: int


class ArchiveLook:
    """Looks at one archive, once at a time: who comes while a look is under way waits for that one."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._lock = Lock()
        self._under_way: Future[Held] | None = None
        self._answered = True
        self.last = Held(0, 0)  # what was held when it answered last

    def answers(self) -> bool:
        """Return whether a question would find all that it is asked of; log where that has changed."""
        try:
            self.last = self._begun().result(PATIENCE)
        except (ArchiveError, TimeoutError) as error:
            self._note(str(error) or "it does not answer in time")
            return False
        self._note("")
        return True

    def _begun(self) -> Future[Held]:
        with self._lock:
            if self._under_way is None or self._under_way.done():
                self._under_way = Future()
                # a daemon: the program does not wait at its end for a cluster that hangs
                Thread(target=self._look, args=(self._under_way,), name="archive", daemon=True).start()
            return self._under_way

    def _look(self, found: Future[Held]) -> None:
        try:
            archive = self._archive
            archive.register().beginning(BEGINNING, 1)
            found.set_result(Held(sum(outlet.articles for outlet in archive.outlets()), archive.size()))
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
            found.set_exception(error)

    def _note(self, trouble: str) -> None:
        answered, self._answered = self._answered, not trouble
        if trouble and answered:
            log.warning("the articles cannot be asked: %s", trouble)
        elif not trouble and not answered:
            log.warning("the articles can be asked again")
