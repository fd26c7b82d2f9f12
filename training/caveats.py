"""Labelled windows and passages -> the model that reads the outlet's caveats (``models/caveats/caveats.onnx``).

    python -m training.caveats SHARED TRUNK TO [--minutes N] [--start WEIGHTS]

It needs torch and transformers, which are no dependency of this project. At each sentence's mark the model tells what
kind of caveat the sentence is, if any; at each pair of marks, whether the first sentence's caveat covers the second.
The one that is looked at has another mark. A third of the outlets of ``caveat_windows_train_3.jsonl`` is kept back.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from retrieval.caveats.scope import BUCKETS, READ, WEIGHTS, buckets, likeness
from retrieval.caveats.triggers import find_triggers
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from retrieval.models.caveat_model import CAVEAT_MARK, CAVEATS, CLASSES
from retrieval.models.loading import CLS, MARK, SEP
from retrieval.models.source_windows import MAX_TOKENS, PARAGRAPH_MARK, lines_of
from retrieval.text.quotations import quoted_spans
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from training.caveat_sets import together
from training.export import export, open_tokenizer
from training.fit import part
from training.speakers import open_trunk

MAX_SENTENCE_TOKENS = 120
PAIR_SIZE, FARTHEST = 192, 24
WINDOWS = 8
OTHERS_WEIGHT = 0.1  # of the sentences nobody asked about
IGNORED = -1.0
MISSED, FOLDS = 0.02, 5
AROUND, MOST_SENTENCES = 20, 200
LEARNED = (
    "caveat_windows_train.jsonl",
    "caveat_windows_train_2.jsonl",
    "caveat_windows_train_3.jsonl",
    "caveat_passages_written.jsonl",
)
WRITTEN, PLAIN = 0.6, 0.35  # the shares of the rounds that a written passage, or a real sentence of no interest, is in
# A caveat and a near miss in the same place; every sixth pair is held out.
TWINS = Path(__file__).with_name("caveat_twins.jsonl")
# One passage with several caveats, in turn and together; every eighth passage is held out.
SCOPES = Path(__file__).with_name("caveat_scopes.jsonl")
TOGETHER = 0.65  # the share of the rounds that a passage with several of them is in
# Sentences of whole articles that are no caveat, for each round; two in three of them pass for one by their words.
ORDINARY, ORDINARY_WEIGHT, HARD = 1_000, 0.5, 2
ARTICLES = 1_200
BESIDE, ALONE = 0.5, 0.15  # the shares of the cases that are asked about a sentence beside, and that stand alone


@dataclass(frozen=True, slots=True)
class Case:
    """A window of sentences; ``covered`` is 1, 0 or IGNORED for each, all IGNORED where there is no caveat."""

    id: str
    source: str
    ids: tuple[tuple[int, ...], ...]  # of each sentence, its mark first
    quoted: tuple[tuple[int, ...], ...]
    at: int
    kind: int
    soft: bool
    covered: tuple[float, ...]
    share: float  # of the rounds it is learned from
    ordinary: bool = False


class CaveatModel(nn.Module):
    def __init__(self, trunk: Path) -> None:
        super().__init__()
        self.trunk = open_trunk(trunk)
        size = self.trunk.config.hidden_size
        self.mark = nn.Parameter(torch.zeros(size))
        self.kind = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Dropout(0.1), nn.Linear(size, len(CLASSES) + 1))
        self.left, self.right = nn.Linear(size, PAIR_SIZE), nn.Linear(size, PAIR_SIZE)
        self.query, self.key = nn.Linear(size, PAIR_SIZE), nn.Linear(size, PAIR_SIZE)
        self.distance = nn.Embedding(2 * FARTHEST + 1, PAIR_SIZE)
        self.cover = nn.Linear(2 * PAIR_SIZE, 1)

    def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any, marks: Any) -> tuple[Any, Any]:
        """Return kinds (windows, marks, kinds and soft) and covers (windows, caveats, marks), before softmax."""
        embedded = self.trunk.embeddings.word_embeddings(input_ids)
        embedded = embedded + (input_ids == CAVEAT_MARK).unsqueeze(-1).to(embedded.dtype) * self.mark
        read = self.trunk(inputs_embeds=embedded, token_type_ids=token_type_ids, attention_mask=attention_mask)
        tokens = read.last_hidden_state
        marked = torch.gather(tokens, 1, marks.unsqueeze(-1).expand(-1, -1, tokens.shape[-1]))
        order = torch.arange(marks.shape[1], device=marks.device)
        apart = (order[None, :] - order[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
        added = self.left(marked)[:, :, None] + self.right(marked)[:, None] + self.distance(apart)[None]
        product = self.query(marked)[:, :, None] * self.key(marked)[:, None]
        return self.kind(marked), self.cover(torch.cat((functional.gelu(added), product), -1)).squeeze(-1)


def case_of(row: dict[str, Any], tokenizer: Tokenizer, share: float | None = None) -> Case:
    ends = set(row["paragraph_ends"])
    text, starts = "", []
    for i, sentence in enumerate(row["sentences"]):
        starts.append(len(text))
        text += sentence + ("\n\n" if i in ends or str(i) in ends else " ")
    spans = quoted_spans(text)
    ids, quoted = [], []
    for i, sentence in enumerate(row["sentences"]):
        encoded = tokenizer.encode(sentence, add_special_tokens=False)
        first = i == 0 or (i - 1) in ends or str(i - 1) in ends
        ids.append((PARAGRAPH_MARK if first else MARK, *encoded.ids)[:MAX_SENTENCE_TOKENS])
        places = [starts[i], *(starts[i] + a for a, _ in encoded.offsets)][:MAX_SENTENCE_TOKENS]
        quoted.append(tuple(int(any(s.start <= p < s.end for s in spans)) for p in places))
    covers, border = ({int(x) for x in row[name]} for name in ("covers", "border"))
    known = row["kind"] in CAVEATS or bool(covers)
    covered = tuple(
        IGNORED
        if not known or i in border or (i == row["at"] and i not in covers and row["kind"] != "own")
        else float(i in covers)
        for i in range(len(ids))
    )
    if share is None:
        share = WRITTEN if row.get("by") == "written" else PLAIN if row["kind"] == "none" and not row["soft"] else 1.0
    kind, soft = CLASSES.index(row["kind"]), bool(row["soft"])
    return Case(row["id"], row["source"], tuple(ids), tuple(quoted), row["at"], kind, soft, covered, share)


def ordinary_cases(article: Article, tokenizer: Tokenizer, chance: random.Random) -> Iterator[Case]:
    """Give sentences of a whole article in which no rule finds the words of a caveat."""
    layout = lay_out(article, parse(article.text))
    tokens = layout.tokens
    lines = lines_of(tokenizer, layout, lambda each: each.boilerplate in READ and each.index < MOST_SENTENCES)
    spans = [tokens.sentences[line.sentence] for line in lines]
    plain = [i for i, span in enumerate(spans) if next(find_triggers(tokens.window(span)), None) is None]
    hard = [i for i in plain if likeness(tokens.lower[spans[i].start : spans[i].stop]) >= 0]
    for at in {*chance.sample(hard, min(HARD, len(hard))), *chance.sample(plain, min(1, len(plain)))}:
        first, last = max(0, at - AROUND), at + AROUND + 1
        ids = tuple(line.ids[:MAX_SENTENCE_TOKENS] for line in lines[first:last])
        quoted = tuple(line.quoted[:MAX_SENTENCE_TOKENS] for line in lines[first:last])
        covered = (IGNORED,) * len(ids)
        yield Case(article.id, article.id, ids, quoted, at - first, 0, False, covered, 1.0, ordinary=True)  # noqa: FBT003


def window_of(case: Case, most: int = MAX_TOKENS) -> range:
    """Return the sentences around the one under question that fit."""
    start, stop, used = case.at, case.at + 1, 2 + len(case.ids[case.at])
    while True:
        grown = False
        for before in (True, False):
            i = start - 1 if before else stop
            if 0 <= i < len(case.ids) and used + len(case.ids[i]) <= most:
                used += len(case.ids[i])
                start, stop, grown = (i, stop, True) if before else (start, i + 1, True)
        if not grown:
            return range(start, stop)


def tensors(batch: Sequence[Case]) -> tuple[tuple[Any, ...], list[range]]:
    windows = [window_of(case) for case in batch]
    length = max(2 + sum(len(case.ids[i]) for i in w) for case, w in zip(batch, windows, strict=True))
    count = max(map(len, windows))
    inputs = torch.zeros(3, len(batch), length, dtype=torch.long)
    marks = torch.zeros(len(batch), count, dtype=torch.long)
    for n, (case, window) in enumerate(zip(batch, windows, strict=True)):
        ids, quoted = [CLS], [0]
        for k, i in enumerate(window):
            marks[n, k] = len(ids)
            ids += (CAVEAT_MARK, *case.ids[i][1:]) if i == case.at else case.ids[i]
            quoted += case.quoted[i]
        ids.append(SEP)
        quoted.append(0)
        inputs[:, n, : len(ids)] = torch.tensor([ids, quoted, [1] * len(ids)])
    return (*inputs, marks), windows


def loss(kinds: Any, covers: Any, batch: Sequence[Case], windows: Sequence[range]) -> Any:
    total = 0.0
    pairs, wanted = [], []
    for n, (case, window) in enumerate(zip(batch, windows, strict=True)):
        at = case.at - window.start
        asked = functional.cross_entropy(kinds[n, at : at + 1, :-1], torch.tensor([case.kind]))
        if case.ordinary:
            total = total + ORDINARY_WEIGHT * asked
            continue
        soft = functional.binary_cross_entropy_with_logits(kinds[n, at, -1], torch.tensor(float(case.soft)))
        total = total + asked + 0.3 * soft
        if rest := [k for k in range(len(window)) if k != at]:
            others = functional.cross_entropy(kinds[n, rest, :-1], torch.zeros(len(rest), dtype=torch.long))
            total = total + OTHERS_WEIGHT * others
        for k, i in enumerate(window):
            if case.covered[i] != IGNORED:
                pairs.append(covers[n, at, k])
                wanted.append(case.covered[i])
    if pairs:
        cost = functional.binary_cross_entropy_with_logits(torch.stack(pairs), torch.tensor(wanted), reduction="none")
        total = total + 3.0 * cost.sum() / 6  # a case has some six judged sentences
    return total / len(batch)


def beside(case: Case, chance: random.Random) -> Iterator[Case]:
    """Give a sentence next to a caveat, which is none but may seem one."""
    at = case.at + chance.choice((-1, 1))
    if CLASSES[case.kind] in CAVEATS and 0 <= at < len(case.ids):
        unasked = (IGNORED,) * len(case.ids)
        yield replace(case, at=at, kind=0, soft=False, covered=unasked, ordinary=True)


def alone(case: Case) -> Case:
    """Return a case with little around it, as in a short text: nothing but the sentence and the one before."""
    first = max(0, case.at - 1)
    part = slice(first, case.at + 1)
    return replace(case, ids=case.ids[part], quoted=case.quoted[part], covered=case.covered[part], at=case.at - first)


def epoch(data: Sequence[Case], ordinary: Sequence[Case], chance: random.Random) -> Iterator[list[Case]]:
    chosen = chance.sample(ordinary, min(len(ordinary), ORDINARY))
    chosen += [case for case in data if chance.random() < case.share]
    chosen += [each for case in chosen if chance.random() < BESIDE for each in beside(case, chance)]
    chosen = [alone(case) if chance.random() < ALONE else case for case in chosen]
    chance.shuffle(chosen)
    groups = [sorted(chosen[i : i + 96], key=lambda c: sum(map(len, c.ids))) for i in range(0, len(chosen), 96)]
    batches = [group[i : i + WINDOWS] for group in groups for i in range(0, len(group), WINDOWS)]
    chance.shuffle(batches)
    yield from batches


def measure(model: CaveatModel, cases: Sequence[Case], name: str) -> None:
    model.eval()
    got, cover = [], []
    with torch.no_grad():
        for i in range(0, len(cases), 16):
            batch = cases[i : i + 16]
            inputs, windows = tensors(batch)
            kinds, covers = model(*inputs)
            for n, (case, window) in enumerate(zip(batch, windows, strict=True)):
                at = case.at - window.start
                got.append((case, torch.softmax(kinds[n, at, :-1], -1)[1:6].sum().item()))
                if CLASSES[case.kind] in CAVEATS:
                    for k, j in enumerate(window):
                        if case.covered[j] != IGNORED and j != case.at:
                            cover.append((torch.sigmoid(covers[n, at, k]).item(), case.covered[j]))
    model.train()
    real = [p for c, p in got if CLASSES[c.kind] in CAVEATS]
    no = [p for c, p in got if CLASSES[c.kind] == "verified" or (c.kind == 0 and not c.soft)]
    line = f"{name}: {len(real)} caveats, {len(no)} none;"
    for t in (0.3, 0.5, 0.7, 0.85):
        line += f" @{t} {np.mean([p > t for p in real]):.3f}/{np.mean([p > t for p in no]):.3f}"
    yes, nay = [p for p, w in cover if w == 1], [p for p, w in cover if w == 0]
    if yes and nay:
        for wrong in (0.02, 0.04, 0.06, 0.08):
            t = np.quantile(nay, 1 - wrong)
            line += f" | wrongly {wrong}: covered {np.mean([p > t for p in yes]):.3f} (t {t:.2f})"
    print(line, flush=True)


class _Looking(nn.Module):
    """The model as it is used: what one marked sentence is, and what it covers."""

    def __init__(self, model: CaveatModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Any, token_type_ids: Any, marks: Any, at: Any) -> tuple[Any, Any]:
        kinds, covers = self.model(input_ids, token_type_ids, None, marks)
        rows = torch.arange(at.shape[0])
        return kinds[rows, at], covers[rows, at]


def write(model: CaveatModel, to: Path) -> None:
    names = ("input_ids", "token_type_ids")
    axes = {name: {0: "windows", 1: "tokens"} for name in names} | {"marks": {0: "windows", 1: "marks"}}
    axes |= {"at": {0: "windows"}, "kinds": {0: "windows"}, "covers": {0: "windows", 1: "marks"}}
    inputs = {name: torch.ones(1, 12, dtype=torch.long) for name in names}
    inputs |= {"marks": torch.tensor([[1, 5, 7]]), "at": torch.tensor([1])}
    export(_Looking(model), inputs, ("kinds", "covers"), axes, to / "caveats.onnx")


def write_words(rows: Sequence[dict[str, Any]], to: Path) -> None:
    """Learn by which words and pairs a caveat is known, and write ``words.npz``.

    ``MISSED`` is the share of the caveats that the words alone may miss, those of articles that were not learned from.
    """
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only here
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    found, wanted, due, folds = [], [], [], []
    for row in rows:
        for i, sentence in enumerate(row["sentences"]):
            at = i == row["at"]
            found.append(sorted(set(buckets(parse(sentence).lower))))
            wanted.append(at and (row["kind"] not in ("none", "verified") or bool(row["soft"])))
            due.append(at and row["kind"] in CAVEATS)
            folds.append(part(row["source"], FOLDS))
    ends = np.cumsum([0, *map(len, found)])
    table = csr_matrix((np.ones(ends[-1]), np.concatenate(found), ends), shape=(len(found), BUCKETS))
    wanted, due, folds = np.array(wanted), np.array(due), np.array(folds)

    def learned(which: Any) -> Any:
        model = LogisticRegression(solver="liblinear", class_weight={0: 1, 1: 10})
        return model.fit(table[which], wanted[which]).coef_[0]

    weights = learned(np.full(len(found), fill_value=True))
    scale = 127 / np.abs(weights).max()
    likeness = np.zeros(len(found))
    for fold in range(FOLDS):
        likeness[folds == fold] = table[folds == fold] @ learned(folds != fold) * scale
    for missed in (0.01, 0.02, 0.03, 0.05):
        looked_at = np.mean(likeness[~wanted] >= np.quantile(likeness[due], missed))
        print(f"words: {missed} missed, {looked_at:.3f} of others looked at", flush=True)
    least = round(float(np.quantile(likeness[due], MISSED)))
    to.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(to / WEIGHTS.name, weights=np.round(weights * scale).astype(np.int8), least=np.float32(least))


def learn(model: CaveatModel, train: Sequence[Case], ordinary: Sequence[Case], options: argparse.Namespace) -> None:
    """Learn for the minutes of two cores that are given."""
    trunk = [p for p in model.trunk.parameters() if p.requires_grad]
    heads = [p for name, p in model.named_parameters() if not name.startswith("trunk")]
    groups = [{"params": trunk, "lr": options.rate}, {"params": heads, "lr": 5 * options.rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [g["lr"] for g in optimizer.param_groups]
    chance = random.Random(options.seed)  # noqa: S311
    began, step, mean, round_, done = time.process_time(), 0, 0.0, 0, 0.0
    while done < 1:
        round_ += 1
        for batch in epoch(train, ordinary, chance):
            done = (time.process_time() - began) / torch.get_num_threads() / (options.minutes * 60)
            if done >= 1:
                break
            rate = min(1.0, (step + 1) / 60, max(0.02, (1 - done) / 0.7))
            for group, highest in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * highest
            inputs, windows = tensors(batch)
            cost = loss(*model(*inputs), batch, windows)
            optimizer.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_([*trunk, *heads], 1.0)
            optimizer.step()
            mean += (cost.item() - mean) / min(step + 1, 30)
            step += 1
            if step % 30 == 0:
                print(f"round {round_}, step {step}, {done:.0%}, loss {mean:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("trunk", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    tokenizer = open_tokenizer(options.trunk)
    data = options.shared / "data"

    def cases(file: str | Path, share: float | None = None) -> list[Case]:
        rows = map(json.loads, (data / file).read_text(encoding="utf-8").splitlines())
        return [case_of(row, tokenizer, share) for row in rows]

    def held(text: str) -> bool:
        return part(text, 3) == 0

    *real, last, passages = LEARNED
    third = cases(last)
    out = [case for case in third if held(case.source)]
    train = [case for case in third if not held(case.source)]
    train += [case for file in real for case in cases(file)]
    written = cases(passages)
    public = set(Path(__file__).with_name("held_out_caveats.txt").read_text(encoding="utf-8").split())
    written_out = [case for case in written if case.id in public]
    twins = cases(TWINS, 1.0)
    twins_out = [case for case in twins if int(case.id[3:-1]) % 6 == 0]
    sets = together(map(json.loads, SCOPES.read_text(encoding="utf-8").splitlines()), chance)
    scopes = [*cases(SCOPES, 1.0), *(case_of(row, tokenizer, TOGETHER) for row in sets)]
    scopes_out = [case for case in scopes if part(case.id.partition("-")[0], 8) == 0]
    kept = {case.id for case in (*out, *written_out, *twins_out, *scopes_out)}
    train += [case for case in (*written, *twins, *scopes) if case.id not in kept]
    model = CaveatModel(options.trunk)
    state, own = torch.load(options.start) if options.start else {}, model.state_dict()  # of any model with the trunk
    same = {name: x for name, x in state.items() if name in own and own[name].shape == x.shape}
    model.load_state_dict(same, strict=False)
    lines = (line for file in (*LEARNED, TWINS, SCOPES) for line in (data / file).read_text("utf-8").splitlines())
    write_words([row for row in map(json.loads, lines) if row["id"] not in kept], options.to)
    every = chance.sample(load_articles([data / "corpus" / "news_2000.jsonl"]).articles, ARTICLES)
    ordinary = [case for article in every for case in ordinary_cases(article, tokenizer, chance)]
    ordinary_out = [case for case in ordinary if held(case.source)]
    print(len(train), "cases;", len(out), "held out;", len(ordinary) - len(ordinary_out), "ordinary", flush=True)
    measured = {"held-out outlets": out, "written": written_out, "twins": twins_out, "scopes": scopes_out}
    measured |= {"ordinary": ordinary_out[:400], "dev": cases("caveat_windows_dev.jsonl")}
    learn(model, train, [case for case in ordinary if not held(case.source)], options)
    if len(same) == len(own):  # of two courses the mean is better than either
        model.load_state_dict({name: (x + same[name]) / 2 for name, x in model.state_dict().items()})
    for name, kept_out in measured.items():
        measure(model, kept_out, name)
    torch.save(model.state_dict(), options.to / "caveats.pt")
    write(model, options.to)


if __name__ == "__main__":
    main()
