"""What the desk's commands look into."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.names.entities import NO_ALIASES, Aliases
from retrieval.search import Archive


@dataclass(frozen=True, slots=True)
class Holdings:
    """The archive, the hand-written names, and the files that were left out, each with the reason in words."""

    archive: Archive
    aliases: Aliases = NO_ALIASES
    left_out: tuple[tuple[str, str], ...] = ()
