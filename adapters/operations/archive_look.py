"""An archive -> how much it holds, or that it cannot be asked now."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from retrieval import Archive, ArchiveError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """How much an archive holds."""

    articles: int
    sentences: int


class ArchiveLook:
    """Looks at one archive, as often as it is asked."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._answered = True
        self.last = Held(0, 0)  # what was held when it answered last

    def answers(self) -> bool:
        """Return whether a question would find all that it is asked of; log where that has changed."""
        trouble = ""
        try:
            self.last = Held(sum(outlet.articles for outlet in self._archive.outlets()), self._archive.size())
        except ArchiveError as error:
            trouble = str(error)
        answered, self._answered = self._answered, not trouble
        if trouble and answered:
            log.warning("the articles cannot be asked: %s", trouble)
        elif not trouble and not answered:
            log.warning("the articles can be asked again")
        return self._answered
