"""``stet draw`` and ``stet judge``: a draw into a file to be judged by reading, and the figures of one that was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import click

from adapters import json_contract
from adapters.evaluation.evaluating import EvaluationError
from bot.desk import Desk
from bot.errors import JudgementError
from bot.evaluation import judging
from bot.evaluation.judging import Asserted, Judged
from bot.evaluation.scores import Share

SURE = 1.96  # standard deviations: 95 in 100 draws have the true share within


def draw(desk: Desk, file: Path, kinds: Sequence[str], count: int, seed: int) -> None:
    """Write a draw of each kind asked for (of all without one) to ``file``, which must not be there yet."""
    try:
        wanted = tuple(Asserted(kind) for kind in kinds) or tuple(Asserted)
    except ValueError as error:
        raise EvaluationError(f"{error}; a kind is one of {', '.join(Asserted)}.") from error
    cases = tuple(judging.draw(desk.holdings, wanted, count, seed))
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(judging.written(cases))
    except OSError as error:
        raise EvaluationError(f"{file} cannot be written: {error.strerror}.") from error
    click.echo(f"{len(cases)} cases are in {file}: write a verdict behind each, then `stet judge {file}`.")


def show(file: Path, keep: Path | None, *, as_json: bool) -> None:
    """Print the shares of each verdict in a file that was judged; add the verdicts by place to ``keep``."""
    try:
        judged = judging.read(file.read_text(encoding="utf-8"))
        if keep:
            _keep(keep, judged)
    except (JudgementError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{file}: {error}") from error
    except OSError as error:
        raise EvaluationError(f"{error.filename} cannot be read or written: {error.strerror}.") from error
    shares = judging.shares(judged)
    if as_json:
        click.echo(
            json_contract.line({k: {v: [s.part, s.whole] for v, s in told.items()} for k, told in shares.items()})
        )
        return
    if not shares:
        click.echo("No case has a verdict yet.")
    for kind, told in shares.items():
        click.echo(f"{kind}: " + ", ".join(f"{verdict} {_share(share)}" for verdict, share in told.items()))


def _share(share: Share) -> str:
    low, high = margin(share)
    return f"{share.part} of {share.whole} ({low:.2f} to {high:.2f})"


def margin(share: Share) -> tuple[float, float]:
    """Return within which shares the true one lies in 95 of 100 draws (Wilson's interval)."""
    n, p = share.whole, share.value or 0.0
    middle, wide = p + SURE**2 / (2 * n), SURE * sqrt(p * (1 - p) / n + SURE**2 / (4 * n**2))
    return max(0.0, (middle - wide) / (1 + SURE**2 / n)), min(1.0, (middle + wide) / (1 + SURE**2 / n))


def _keep(file: Path, judged: Sequence[Judged]) -> None:
    """Write the verdicts to those in ``file``, a line each, in order; the later verdict on a place stands."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    held = {tuple(row.values())[:4]: row for row in rows}
    for one in judged:
        place = (one.kind.value, one.article_id, one.start, one.end)
        held[place] = dict(zip(("kind", "article_id", "start", "end", "verdict"), (*place, one.verdict), strict=True))
    lines = [json.dumps(held[place], ensure_ascii=False) for place in sorted(held)]
    file.write_text("\n".join((*lines, "")), encoding="utf-8")
