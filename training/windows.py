"""Windows of real copy around a word of verifying, labelled by reading (kinds: ``REAL`` and others).

``caveat_windows_train.jsonl`` and ``caveat_windows_dev.jsonl`` in SHARED hold texts and labels. ``window_labels.jsonl``
beside this module labels windows of ``caveat_windows_unlabelled.jsonl``: for each id the sentence in question (``at``),
its ``kind``, whether an editor would want it told that officials have not confirmed (``soft``), the sentences it
``covers`` and the ``border`` over which careful editors could differ. Two readers labelled 120 of the 602: they agree
in 114 on whether it is a real caveat, in 104 on the kind, and in all of 475 sentences that both scored on what is
covered; where they differ, a third reading decided.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.model import Article, Attribution, Denial
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse

LABELS = Path(__file__).parent / "window_labels.jsonl"
REAL = frozenset(("own", "relayed", "inline", "partial", "standing"))  # kinds that tell of a failed check


@dataclass(frozen=True, slots=True)
class Window:
    """``covers`` and ``border`` are indexes of ``sentences``; ``group`` is the article it comes from."""

    article: Article
    group: str
    sentences: tuple[str, ...]
    at: int
    kind: str
    soft: bool
    covers: frozenset[int]
    border: frozenset[int]

    @property
    def is_real(self) -> bool:
        return self.kind in REAL


@dataclass(frozen=True, slots=True)
class Annotated:
    layout: Layout
    attributions: tuple[Attribution | None, ...]
    denials: tuple[Denial | None, ...]


def annotate(article: Article) -> Annotated:
    layout = lay_out(article, parse(article.text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    return Annotated(layout, attributions, find_denials(layout, attributions))


def windows(shared: Path) -> Iterator[Window]:
    """Yield every labelled window; none where those are not there."""
    for name in ("train", "dev"):
        yield from map(_window, _lines(shared / "data" / f"caveat_windows_{name}.jsonl"))
    texts = {row["id"]: row for row in _lines(shared / "data" / "caveat_windows_unlabelled.jsonl")}
    yield from (_window(texts[label["id"]] | label) for label in _lines(LABELS) if label["id"] in texts)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _window(row: dict[str, Any]) -> Window:
    ends = set(row["paragraph_ends"])
    text = "".join(f"{each}\n\n" if i in ends else f"{each} " for i, each in enumerate(row["sentences"])).strip()
    return Window(
        article=Article(row["id"], text, source=row["source"] or None, title=row["title"] or None),
        group=row["url"] or row["title"] or row["id"],
        sentences=tuple(row["sentences"]),
        at=row["at"],
        kind=row["kind"],
        soft=row["soft"],
        covers=frozenset(row["covers"]),
        border=frozenset(row["border"]),
    )


def is_same(text: str, other: str) -> bool:
    """Return whether one holds the other, marks and white space aside."""
    one, two = (re.sub(r"\W+", "", each).lower() for each in (text, other))
    return bool(one and two) and (one in two or two in one)


def places(texts: Iterable[str], wanted: str) -> tuple[int, ...]:
    return tuple(i for i, text in enumerate(texts) if is_same(text, wanted))
