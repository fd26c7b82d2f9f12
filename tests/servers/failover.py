"""Many ask a cluster while one of its nodes is killed -> what each was told, when, and whether it was right."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median, quantiles
from time import monotonic

from bot import messages
from bot.desk import Desk
from bot.model import Answer, Message, Question, Reply

ASKERS = 20


@dataclass(frozen=True, slots=True)
class Told:
    """A reply: when it was asked for (seconds after the kill, negative before), how long it took, and what it was."""

    at: float
    took: float
    right: bool
    away: bool


def asked(
    desk: Desk, right: Mapping[Question, object], kill: Callable[[], None], before: int, after: int
) -> list[Told]:
    """Have twenty ask every question so many times ``before`` and ``after`` the ``kill``, each in an order of its own.

    ``right`` are the questions, each with what ``shown`` gives of the reply that is right.
    """
    questions = tuple(right)
    warm = threading.Barrier(ASKERS + 1)

    def ask(asker: int) -> list[tuple[float, float, Reply, bool]]:
        found = []
        turned = asker * len(questions) // ASKERS
        for turn in range(before + after):
            if turn == before:
                warm.wait()
            for question in (*questions[turned:], *questions[:turned]):
                began = monotonic()
                reply = desk.answer(question)
                found.append((began, monotonic() - began, reply, shown(reply) == right[question]))
        return found

    with ThreadPoolExecutor(ASKERS) as pool:
        asking = [pool.submit(ask, asker) for asker in range(ASKERS)]
        warm.wait()
        killed = monotonic()
        kill()
        replies = [each for future in asking for each in future.result()]
    return [Told(at - killed, took, ok, reply == Message(messages.AWAY)) for at, took, reply, ok in replies]


def shown(reply: Reply) -> object:
    """Return what a reply shows: how sure it is may differ in the last digit from one copy of a shard to the next."""
    return tuple((e.text, e.citation) for e in reply.extracts) if isinstance(reply, Answer) else reply


def wrong(told: Sequence[Told]) -> int:
    """Return how many replies were neither right nor said that the archive is away."""
    return sum(not each.right and not each.away for each in told)


def failover(told: Sequence[Told]) -> float:
    """Return how many seconds after the kill the last one was told that the archive is away; 0 where nobody was."""
    return max((each.at + each.took for each in told if each.away), default=0.0)


def report(told: Sequence[Told]) -> str:
    """Say how long replies took before and after, and how many were no answers."""
    parts = (("before", [t.took for t in told if t.at < 0]), ("after", [t.took for t in told if t.at >= 0]))
    lines = [f"{ASKERS} askers, {name} the kill: {latency(taken)}" for name, taken in parts]
    away = [each for each in told if each.away]
    longest = max(each.took for each in told)
    lines.append(
        f"{wrong(told)} wrong; {len(away)} told that the archive is away, the last {failover(told):.1f} s after the"
        f" kill; the longest reply took {longest:.1f} s"
    )
    return "\n".join(lines)


def latency(taken: Sequence[float]) -> str:
    """Say how long so many replies took."""
    late = quantiles(taken, n=20)[-1]
    return f"{len(taken)} replies, median {1000 * median(taken):.0f} ms, p95 {1000 * late:.0f} ms"
