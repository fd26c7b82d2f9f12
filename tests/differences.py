"""What the outputs of two commits differ in, item by item: sets of judged items, and readings of articles."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

EXAMPLES = 10  # printed of each kind of change
LONGEST = 160  # characters printed of a sentence

Row = dict[str, Any]
Figures = Mapping[str, tuple[float, float]]  # how many of how many


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    key: str  # of the output that it is judged by
    gold: Row
    words: str


def by_item(printed: str) -> Mapping[str, Row]:
    """Return the lines of output by question, by article, or by the place in a draft; its summary has none."""
    rows = [json.loads(line) for line in printed.splitlines()]
    return {str(next((row[key] for key in ("id", "article_id", "start") if key in row), "")): row for row in rows}


def sign_test(won: int, lost: int) -> float:
    """Return how likely a split at least as uneven is by chance, in either direction."""
    tail = sum(math.comb(won + lost, fewer) for fewer in range(min(won, lost) + 1))
    return min(1.0, tail / float(2 ** (won + lost - 1)))


def report(
    name: str,
    items: Sequence[Item],
    sides: Sequence[Mapping[str, Row]],
    figures: str,
    judge: Callable[[Item, Row], Figures],
) -> str:
    """Tell what each figure of a set won and lost; `judge` takes an item and its output."""
    outputs = [(item, sides[0].get(item.key, {}), sides[1].get(item.key, {})) for item in items]
    differing = sum(old != new for _, old, new in outputs)
    lines = [f"{name}: {len(items)} items, {differing} differ"]
    judged = []
    for item, old, new in outputs if differing else ():
        was = judge(item, old)
        judged.append((item, was, was if old == new else judge(item, new)))
    for sign, figure in ((word[0], word[1:]) for word in figures.split()):
        pairs = [(item, was[figure], now[figure]) for item, was, now in judged if figure in was and figure in now]
        way = 1 if sign == "+" else -1
        changes = [(item, way * (now[0] - was[0])) for item, was, now in pairs if was[0] != now[0]]
        if not changes:
            continue
        won, lost = (sum(turn * change > 0 for _, change in changes) for turn in (1, -1))
        columns = list(zip(*pairs, strict=True))[1:]
        totals = " -> ".join(f"{sum(a for a, _ in row):g}/{sum(b for _, b in row):g}" for row in columns)
        lines.append(f"    {figure}: {totals}, won {won}, lost {lost}, p {sign_test(won, lost):.3f}")
        for item, change in changes[:EXAMPLES]:
            lines.append(f"        {'won' if change > 0 else 'lost'} {item.name}: {item.words[:LONGEST]}")
    return "\n".join(lines)


def reading_changes(old: Row, new: Row) -> Iterator[tuple[str, str]]:
    """Yield each change of an article's reading: its kind, what it was and is, and the sentence."""
    before, after = ({(row["start"], row["end"]): row for row in side["sentences"]} for side in (old, new))
    for span in sorted(before.keys() | after.keys()):
        was, now = before.get(span), after.get(span)
        text = (was or now or {})["text"][:LONGEST]
        if was is None or now is None:
            yield "sentence bounds", f"{'only now' if now else 'only before'} | {text}"
        else:
            yield from ((kind, f"{one or '-'} -> {other or '-'} | {text}") for kind, one, other in _changes(was, now))


def _changes(old: Row, new: Row) -> Iterator[tuple[str, object, object]]:
    (speaker, voice), (speaker_now, voice_now) = (
        [(row["attribution"] or {}).get(key) for key in ("speaker", "voice")] for row in (old, new)
    )
    if speaker != speaker_now:
        words, others = (set(re.findall(r"\w+", (name or "").lower())) for name in (speaker, speaker_now))
        one_person = words and others and (words <= others or others <= words)
        yield "label" if one_person else "speaker", speaker, speaker_now
    elif voice != voice_now:
        yield "voice", voice, voice_now
    for kind in ("boilerplate", "denial"):
        if old[kind] != new[kind]:
            yield kind, old[kind], new[kind]
    for kind, key, names in (
        ("caveat", "caveats", ["text"]),
        ("possible caveat", "possible_caveats", ["text"]),
        ("mention", "mentions", ["text", "name", "kind"]),
    ):
        was, now = (["; ".join(row[name] for name in names) for row in side[key]] for side in (old, new))
        lost, won = ([text for text in one if text not in other] for one, other in ((was, now), (now, was)))
        if kind == "caveat":
            yield from (
                (f"caveat {verb}", *pair) for verb, pair in (("removed", (lost, [])), ("added", ([], won))) if any(pair)
            )
        elif lost or won:
            yield kind, lost, won
