"""Tables of sentences and how they are read, as TOML beside a test."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from retrieval.model import Article, Reading
from retrieval.pipeline import read_one


@dataclass(frozen=True, slots=True)
class Row:
    """What ``says`` is true of all texts in ``read``: each with its reading, as the test describes it."""

    says: str
    read: dict[str, str]

    def differences(self, describe: Callable[[Reading], str]) -> dict[str, str]:
        """Return the texts that are read differently, with how they are."""
        found = {text: describe(read_one(Article("a", text, source="The Courier"))) for text in self.read}
        return {text: reading for text, reading in found.items() if reading != self.read[text]}


def rows_beside(test: str) -> tuple[Row, ...]:
    table = Path(test).with_suffix(".toml").read_text(encoding="utf-8")
    return tuple(Row(**row) for row in tomllib.loads(table)["rows"])
