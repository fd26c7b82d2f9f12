"""The public tests of ``stet eval NAME``."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from bot.evaluation.benchmark import BUNDLED, GROUP, SIMPLE, Observation, Row, figures, load_rows
from bot.evaluation.caveats import CaveatCase, observe_caveat
from bot.evaluation.cuts import Cut, observe_cut
from bot.evaluation.evaluate import Share
from bot.evaluation.premises import Premise, observe_premise
from bot.evaluation.speakers import SpeakerCase, observe_speakers
from bot.service import QuestionService
from retrieval import program_version

BENCHMARKS: Mapping[str, tuple[Callable[[Row], Any], Callable[..., Iterator[Observation]]]] = {
    "caveats": (CaveatCase.of, observe_caveat),
    "cuts": (Cut.of, observe_cut),
    "premises": (Premise.of, observe_premise),
    "speakers": (SpeakerCase.of, observe_speakers),
}


def run_benchmark(name: str, file: Path | None, service: Callable[[], QuestionService]) -> dict[str, Share]:
    """Run the test on the cases of ``file``, or on its own; ``service`` is for the one that asks."""
    parse, observe = BENCHMARKS[name]
    rows = load_rows(file or BUNDLED / f"{name}.jsonl", lambda row: (parse(row), row.get("layout") or row.get("kind")))
    if name == "premises":
        observe = partial(observe, service())
    return figures(chain.from_iterable(_observed(observe(case), group) for case, group in rows))


def _observed(observations: Iterable[Observation], group: str | None) -> Iterator[Observation]:
    """Yield each for all cases, and for those of its layout or kind."""
    for what, verdict in observations:
        yield what, verdict
        if group and not what.endswith(SIMPLE):
            yield f"{what}{GROUP}{group}", verdict


def record(name: str, file: Path | None, shares: Mapping[str, Share]) -> dict[str, object]:
    """Return the figures with the day, and the digests of the cases, the models and the rest of the reading program."""
    cases = (file,) if file else sorted(BUNDLED.glob(f"{name}*.jsonl"))
    models = sorted(Path(str(files("retrieval"))).glob("models/*/*.onnx"))
    return {
        "test": name,
        "day": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "program": program_version(),
        "digests": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*cases, *models)},
        "figures": {what: (share.part, share.whole) for what, share in shares.items()},
    }


def _commit() -> str:
    """Return the commit that the program is a checkout of, with a plus where files differ from it; else nothing."""
    command = ("git", "-C", str(BUNDLED), "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=+")
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""
