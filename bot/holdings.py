"""What the desk's commands look into."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ask.model import DEFAULT, Asking, Thresholds
from retrieval.names.entities import NO_ALIASES, Aliases
from retrieval.search import Archive, Meaning


@dataclass(frozen=True, slots=True)
class Holdings:
    """The archive, the hand-written names, and the files that were left out, each with the reason in words.

    ``meaning`` compares sentences with a question; without it words alone are compared.
    """

    archive: Archive
    aliases: Aliases = NO_ALIASES
    left_out: tuple[tuple[str, str], ...] = ()
    meaning: Meaning | None = None
    thresholds: Thresholds = DEFAULT

    @property
    def asking(self) -> Asking:
        """What a question is asked of."""
        return Asking(self.archive, self.meaning, self.aliases.shorthand, self.thresholds)
