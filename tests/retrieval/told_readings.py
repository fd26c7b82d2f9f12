"""Tables of sentences and how they are read -> rows for a test: what is true of them, and what is told of each."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from retrieval.model import Article, Reading
from retrieval.pipeline import read_one


@dataclass(frozen=True, slots=True)
class Told:
    """What ``says`` is true of all these sentences: each with its reading, as the room's test tells it."""

    says: str
    read: dict[str, str]

    def otherwise(self, tell: Callable[[Reading], str]) -> dict[str, str]:
        """Return the sentences that are read otherwise, with how they are."""
        found = {text: tell(read_one(Article("a", text, source="The Courier"))) for text in self.read}
        return {text: reading for text, reading in found.items() if reading != self.read[text]}


def told_in(test: str) -> tuple[Told, ...]:
    """Return the rows of the table that stands beside a test's file."""
    table = Path(test).with_suffix(".toml").read_text(encoding="utf-8")
    return tuple(Told(**row) for row in tomllib.loads(table)["told"])
