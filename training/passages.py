"""The development passages, and further ones labelled for this project -> rows to learn the scope of caveats on.

``caveat_scope_dev.json`` holds passages with the sentences a caveat covers and those it must not.
``scope_labels.toml`` beside this module labels rows of ``caveats_dev.jsonl``: for each id the places (code points of
context, row and context, joined by a space) where the sentences begin that the row's caveat covers, and of those
that two readers could part over; every other one but the caveats themselves is not covered.
``window_labels.jsonl`` labels windows of ``caveat_windows_unlabelled.jsonl`` by reading: for each id the sentence in
question (``at``), its ``kind``, whether an editor would want it told that officials have not confirmed (``soft``), the
sentences it ``covers`` and the ``border`` over which careful editors could differ. Two readers labelled 120 of the 602
windows: they agree in 114 on whether it is a real caveat, in 104 on the kind, and in all of 475 sentences that both
scored on what is covered; where they differ, a third reading decided. ``caveat_windows_train.jsonl`` holds further
windows with the same labels. The copy written for this project's tests has what an editor says of it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from retrieval.caveats.detection import CaveatCandidate, contexts, kind_of
from retrieval.caveats.scope import CaveatContext, eligible, features
from retrieval.intake.articles import load_articles
from retrieval.model import Article, CaveatKind
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.passages import CAVEATS, text_of
from tests.support.gold import FIXTURES, GoldSentence, load_gold

LABELS = Path(__file__).parent / "scope_labels.toml"
WINDOWS = Path(__file__).parent / "window_labels.jsonl"
REAL = frozenset(("own", "relayed", "inline", "partial", "standing"))  # kinds that tell of a failed check
WINDOW = 0.4  # what a sentence of a window counts for: most are far from the caveat, and tell one thing over and over
_SHORTEST = 12  # characters from which two strings that hold one another are one sentence
Pair = tuple[CaveatCandidate, CaveatContext]


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
    layout = lay_out(article, parse(article.text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    found = contexts(layout, attributions, find_denials(layout, attributions))
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
        own = sum(_same(found[1].own.text, text) for text in covered) if found and found[0].inside else 0
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


def windows(shared: Path) -> tuple[Row, ...]:
    """Return the rows of the labelled windows; none where those are not there."""
    labels = {label["id"]: label for label in map(json.loads, WINDOWS.read_text(encoding="utf-8").splitlines())}
    paths = (shared / "data" / f"caveat_windows_{name}.jsonl" for name in ("unlabelled", "train"))
    lines = [line for path in paths if path.exists() for line in path.read_text(encoding="utf-8").splitlines()]
    rows: list[Row] = []
    for row in map(json.loads, lines):
        label = labels.get(row["id"], row)
        if label.get("kind") not in REAL:
            continue
        sentences = [squash(sentence) for sentence in row["sentences"]]
        ends = set(row["paragraph_ends"])
        text = "".join(f"{each}\n\n" if i in ends else f"{each} " for i, each in enumerate(row["sentences"]))
        found = _meant(text, row["source"], sentences[label["at"]])
        scored = [i for i in range(len(sentences)) if i not in (label["at"], *label["border"])]
        covered = [sentences[i] for i in scored if i in label["covers"]]
        spared = [sentences[i] for i in scored if i not in label["covers"]]
        if found:
            rows += judged_rows(row["url"] or row["id"], row["id"], found, _told(found, covered, spared))
    return tuple(replace(row, weight=WINDOW) for row in rows)


def own_copy() -> tuple[Row, ...]:
    """Return the rows of the articles in ``tests/fixtures`` and of our own passages."""
    return (*_of_fixtures(), *_of_passages())


def _of_fixtures() -> Iterator[Row]:
    articles = {article.path.rsplit("/", 1)[-1]: article for article in load_articles([FIXTURES / "articles"]).articles}
    for gold in load_gold():
        for pair in scenes_in(articles[gold.path.name]):
            yield from judged_rows(gold.path.name, f"{gold.path.name} {pair[1].at}", pair, _gold(pair, gold.sentences))


def _gold(pair: Pair, sentences: tuple[GoldSentence, ...]) -> Iterator[tuple[int, bool]]:
    """Give each sentence of which gold says that this caveat covers it, or that none does."""
    scene = pair[1]
    own = squash(scene.own.text)
    for footing in scene.ground:
        row = next((row for row in sentences if row.words in squash(footing.text)), None)
        if row and row.uncovered:
            yield footing.index, False
        elif row and row.caveat:
            yield footing.index, row.caveat in own


def _of_passages() -> Iterator[Row]:
    for name, lines in CAVEATS.items():
        for pair in scenes_in(Article("a", text_of(lines))):
            yield from judged_rows(name, f"{name} {pair[1].at}", pair, _marked(pair, lines))


def _marked(pair: Pair, lines: list[str]) -> Iterator[tuple[int, bool]]:
    """Give each sentence as it is marked, up to the next caveat on either side, which has marks of its own."""
    scene = pair[1]
    for footing in scene.ground:
        marks = [line[0] for line in lines if line and squash(line[2:]) in squash(footing.text)]
        others = any(f.holds_caveat for f in scene.between(footing.index))
        if marks and marks[0] in "+-":
            yield footing.index, marks[0] == "+" and not others


def _meant(text: str, outlet: str | None, caveat: str) -> Pair | None:
    """Return the caveat whose sentence is ``caveat``; none where it is not found, or not judged by its neighbours."""
    pairs = scenes_in(Article("passage", text, source=outlet or None))
    meant = (pair for pair in pairs if _same(pair[1].own.text, caveat))
    return next((pair for pair in meant if kind_of(pair[0]) is not CaveatKind.PHOTO), None)


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
    if pair and kind_of(pair[0]) is not CaveatKind.PHOTO:
        context = pair[1]
        mine = ((i, label) for i, label in told if eligible(context, i))
        yield from (Row(group, name, context.object.kind, features(context, i), label) for i, label in mine)
