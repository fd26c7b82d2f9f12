"""The development passages, and further ones labelled for this project -> rows to learn the scope of caveats on.

``caveat_scope_dev.json`` holds passages with the sentences a caveat covers and those it must not.
``scope_labels.toml`` beside this module labels rows of ``caveats_dev.jsonl``: for each id the places (code points of
context, row and context, joined by a space) where the sentences begin that the row's caveat covers, and of those
that two readers could part over; every other one but the caveats themselves is not covered.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from retrieval.caveats.context import CaveatContext
from retrieval.caveats.detection import CaveatCandidate, contexts, kind_of
from retrieval.caveats.scope import eligible
from retrieval.caveats.scope_features import features
from retrieval.model import Article, CaveatKind
from training.windows import annotate, windows

LABELS = Path(__file__).parent / "scope_labels.toml"
WINDOW = 0.4  # what a sentence of a window counts for: most are far from the caveat, and tell one thing over and over
_SHORTEST = 12  # characters from which two strings that hold one another are one sentence
Pair = tuple[CaveatCandidate, CaveatContext]
_JUDGED_OTHERWISE = (CaveatKind.PHOTO,)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence beside a caveat: what is seen of it, and whether it is covered.

    ``group`` is the article it comes from: those of one are trained on, or tested on, together. ``weight`` is what it
    counts for in learning.
    """

    group: str
    passage: str
    kind: str
    features: dict[str, float]
    covered: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rows:
    """What can be learned from a set of passages.

    ``own`` counts the covered sentences that hold the caveat, which are told by rule, ``beyond`` those out of reach.
    """

    rows: tuple[Row, ...]
    own: int
    beyond: int


def squash(text: str) -> str:
    """Return ``text`` as it is compared: white space collapsed."""
    return " ".join(text.replace("\\n", " ").split())


def scenes_in(article: Article) -> tuple[Pair, ...]:
    """Return the caveats of an article with what they stand among."""
    it = annotate(article)
    found = contexts(it.layout, it.attributions, it.denials)
    return tuple(pair for pair in found if not pair[0].inability.officials)


def passages(shared: Path) -> Rows:
    """Return the rows of the development passages; ``OSError`` where the data is not there."""
    held = json.loads((shared / "data" / "caveat_scope_dev.json").read_text(encoding="utf-8"))
    rows: list[Row] = []
    within = beyond = 0
    for number, case in enumerate(held["cases"]):
        covered = [squash(text) for text in case["covers"]]
        spared = [squash(entry if isinstance(entry, str) else entry["s"]) for entry in case["not_covered"]]
        found = _meant(case["passage"], case["outlet"], squash(case["caveat"]))
        told = list(_told(found, covered, spared)) if found else []
        own = sum(_same(found[1].own.text, text) for text in covered) if found and found[0].is_inside else 0
        within += own
        beyond += max(0, len(covered) - own - sum(label for _, label in told))
        rows += judged_rows(case["url"] or case["found_in"], f"scope{number}", found, told)
    return Rows(tuple(rows), within, beyond)


def labelled(shared: Path) -> tuple[Row, ...]:
    """Return the rows of the further passages; ``OSError`` where the data is not there."""
    lines = (shared / "data" / "caveats_dev.jsonl").read_text(encoding="utf-8").splitlines()
    held = {row["id"]: row for row in map(json.loads, lines)}
    labels = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    rows: list[Row] = []
    for name, label in ((name, label) for name, label in labels.items() if name in held):
        row = held[name]
        text = " ".join(filter(None, (row.get("context_before"), row["text"], row.get("context_after"))))
        found = _meant(text, row.get("outlet"), squash(row["text"]))
        if found:
            rows += judged_rows(row.get("url") or name, name, found, _placed(found[1], text, label))
    return tuple(rows)


def in_windows(shared: Path) -> tuple[Row, ...]:
    """Return the rows of the windows that hold a caveat; none where those are not there."""
    rows: list[Row] = []
    for window in windows(shared):
        found = (
            _meant(window.article.text, window.article.source, window.sentences[window.at]) if window.is_real else None
        )
        scored = [i for i in range(len(window.sentences)) if i != window.at and i not in window.border]
        covered = [window.sentences[i] for i in scored if i in window.covers]
        spared = [window.sentences[i] for i in scored if i not in window.covers]
        if found:
            rows += judged_rows(window.group, window.article.id, found, _told(found, covered, spared))
    return tuple(replace(row, weight=WINDOW) for row in rows)


def _meant(text: str, outlet: str | None, caveat: str) -> Pair | None:
    """Return the caveat whose sentence is ``caveat``; none where it is not found, or not judged by its neighbours."""
    pairs = scenes_in(Article("passage", text, source=outlet or None))
    meant = (pair for pair in pairs if _same(pair[1].own.text, caveat))
    return next((pair for pair in meant if kind_of(pair[0]) not in _JUDGED_OTHERWISE), None)


def _same(text: str, other: str) -> bool:
    one = squash(text)
    return min(len(one), len(other)) > _SHORTEST and (one in other or other in one)


def _told(found: Pair, covered: list[str], spared: list[str]) -> Iterator[tuple[int, bool]]:
    """Give each labelled sentence and its label."""
    context = found[1]
    for i, status in enumerate(context.ground):
        text = status.text
        if any(_same(text, each) for each in covered):
            yield i, True
        elif any(_same(text, each) for each in spared):
            yield i, False


def _placed(context: CaveatContext, text: str, label: dict[str, list[int]]) -> Iterator[tuple[int, bool]]:
    """Give each sentence and its label by where it begins; the last is cut off by the end of the context."""
    at = 0
    for status in context.ground:
        at = text.index(status.text, at)
        end = at + len(status.text)
        covered = any(at <= place < end for place in label["covers"])
        spared = status.holds_caveat or any(at <= place < end for place in label.get("open", ()))
        if covered or not (spared or end == len(text.rstrip())):
            yield status.index, covered
        at = end


def judged_rows(group: str, name: str, pair: Pair | None, told: Iterable[tuple[int, bool]]) -> Iterator[Row]:
    """Give a row for each sentence of which it is told whether the caveat covers it, and that can be judged at all."""
    if pair and kind_of(pair[0]) not in _JUDGED_OTHERWISE:
        context = pair[1]
        for i, label in told:
            if eligible(context, i):
                yield Row(group, name, context.object.kind, features(context, i), label)
