"""A quotation cut out of a larger sentence -> whether one that misleads is called exact, or an honest one isn't."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.commands.comparison import Quoted, compare
from bot.evaluation.benchmark import Observation, Row
from bot.model import Verdict
from retrieval import Article, open_archive, read_one

HONEST = "honest"


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a sentence, word for word; ``kind`` is "honest", or how it misleads."""

    sentence: str
    cut: str
    kind: str

    @classmethod
    def of(cls, row: Row) -> Cut:
        if row["cut"] not in row["sentence"]:
            raise ValueError(f"the cut is not in its sentence: {row['cut']}")
        return cls(row["sentence"], row["cut"], row["kind"])


def observe_cut(cut: Cut) -> Iterator[Observation]:
    """Check the cut against its own sentence alone."""
    check = compare(open_archive([read_one(Article("cut", cut.sentence))]), Quoted(cut.cut))
    is_exact = check.verdict is Verdict.EXACT
    if cut.kind == HONEST:
        yield "honest, flagged", not is_exact
    else:
        yield "misleading, called exact", is_exact
