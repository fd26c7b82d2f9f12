"""What the public tests share: files of JSON lines, one of which comes with the program, and the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from bot.errors import GoldenError
from bot.evaluation.evaluate import Share
from bot.evaluation.golden import json_rows
from retrieval import Passage, Reading, Span

BUNDLED = Path(str(files("bot.evaluation")))  # the folder of the cases that come with the program
GROUP = " · "  # between what was looked at and the layout or kind of the cases
SIMPLE = ", by the simple rule"
SAME = 0.4  # share of a labelled sentence that one of the program's must have, to be compared with it

T = TypeVar("T")
Row = Mapping[str, Any]
Observation = tuple[str, bool]  # what was looked at, and whether it is so


def load_rows(path: Path, parse: Callable[[Row], T]) -> tuple[T, ...]:
    """Read a file of JSON lines; ``GoldenError`` says what is wrong, and where."""
    rows = list[T]()
    for place, row in json_rows(path):
        try:
            rows.append(parse(row))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GoldenError(f"{place}, is no case of this test: {error!r}.") from error
    if not rows:
        raise GoldenError(f"{path} has no case: each is a line of JSON.")
    return tuple(rows)


def figures(observations: Iterable[Observation]) -> dict[str, Share]:
    """Return of how many each thing is so, in order of name."""
    seen: dict[str, list[bool]] = {}
    for name, verdict in observations:
        seen.setdefault(name, []).append(verdict)
    return {name: Share(sum(verdicts), len(verdicts)) for name, verdicts in sorted(seen.items())}


def passages_at(reading: Reading, span: Span) -> tuple[Passage, ...]:
    """Return the passages with a good part of the sentence at ``span``, however the program cuts sentences."""
    parts = ((passage, passage.sentence.span) for passage in reading.passages)
    least = SAME * (span.end - span.start)
    return tuple(passage for passage, part in parts if min(part.end, span.end) - max(part.start, span.start) > least)
