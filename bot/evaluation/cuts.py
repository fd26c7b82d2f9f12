"""Quotations cut out of larger sentences -> how many that mislead are called exact, and how many honest ones aren't."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bot.commands.comparison import Quoted, compare
from bot.errors import GoldenError
from bot.evaluation.evaluate import Share
from bot.model import Verdict
from retrieval import Article, open_archive, read_one

HONEST = "honest"


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a sentence, word for word; ``kind`` is "honest", or how it misleads."""

    sentence: str
    cut: str
    kind: str


@dataclass(frozen=True, slots=True)
class CutScores:
    """By kind, of the parts that mislead those called plainly exact, and of the honest ones those with a remark."""

    kinds: tuple[tuple[str, Share], ...]

    @property
    def misleading(self) -> Share:
        shares = [share for kind, share in self.kinds if kind != HONEST]
        return Share(sum(share.part for share in shares), sum(share.whole for share in shares))


def load_cuts(file: Path | None = None) -> tuple[Cut, ...]:
    """Read a file of JSON lines, or the test that comes with the program; raises ``GoldenError``."""
    try:
        text = (file or files("bot.evaluation").joinpath("cuts.jsonl")).read_text(encoding="utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        cuts = tuple(Cut(row["sentence"], row["cut"], row["kind"]) for row in rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GoldenError(f"{file} has no cuts: each line needs a sentence, a cut and a kind ({error}).") from error
    for cut in cuts:
        if cut.cut not in cut.sentence:
            raise GoldenError(f"The cut is not in its sentence: {cut.cut}")
    return cuts


def score_cuts(cuts: Sequence[Cut]) -> CutScores:
    """Check each cut against its own sentence alone."""
    found: dict[str, list[bool]] = {}
    for cut in cuts:
        check = compare(open_archive([read_one(Article("cut", cut.sentence))]), Quoted(cut.cut))
        is_plain = check.verdict is Verdict.EXACT
        found.setdefault(cut.kind, []).append(is_plain is not (cut.kind == HONEST))
    return CutScores(tuple((kind, Share(sum(faults), len(faults))) for kind, faults in sorted(found.items())))
