"""Teach the shipped reader further: ``python -m training.reader_again LISTS TO --seconds 2300``.

``LISTS`` is what ``training.reading_lists`` wrote. A list here is as long as those that the reader gets when somebody
asks: seven windows, among them the first three that are proposed, further ones that are, and others of the article
that answers. The weights of the order and of the confidence are learned on what it doesn't learn from, above all
``newsroom_2, held``.

It starts from ``reader.onnx``: its 8-bit weights are read back into a model in 32 bits. It needs torch, transformers
and onnx, which are no dependency of this project.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn
from transformers import BertConfig, BertModel

from training.reader import Lesson, Reader, Row, encoded, export, judge, loss, opened, scores

SHIPPED = Path(__file__).resolve().parent.parent / "retrieval" / "meaning" / "model"
QUESTIONS = 4  # in a step
WINDOWS = 7  # of a question
FIRST = 3  # windows that are always among them
PROPOSED = 10  # windows that further ones are drawn from
OTHERS = 0.35  # of the questions of other sets than the largest, those that are drawn in one pass
LARGEST, HELD = "newsroom_2", "newsroom_2, held"
TAUGHT = {LARGEST, "newsroom", "by reading, half 0", "by reading, half 1"}
RATE = 3e-5  # of AdamW; twice that for the head


class ShippedReader(Reader):
    """The reader that ships, with its weights in 32 bits."""

    def __init__(self, path: Path) -> None:
        nn.Module.__init__(self)
        config = BertConfig(
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            attn_implementation="eager",
        )
        self.trunk = BertModel(config, add_pooling_layer=False)
        self.dense, self.score = nn.Linear(384, 384), nn.Linear(384, 1)
        self.load_state_dict(_weights(path))
        self.trunk.embeddings.requires_grad_(requires_grad=False)


def _weights(path: Path) -> dict[str, torch.Tensor]:
    graph = onnx.load(str(path)).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}

    def whole(name: str) -> torch.Tensor:
        zero, scale = float(arrays[f"{name}_zero_point"]), float(arrays[f"{name}_scale"])
        return torch.tensor((arrays[f"{name}_quantized"].astype("float32") - zero) * scale)

    found = {
        name: torch.tensor(array)
        for name, array in arrays.items()
        if re.match(r"(trunk|dense|score)\..*\.?(bias|LayerNorm\.weight)$", name)
    }
    for kind in ("word", "token_type", "position"):
        name = f"trunk.embeddings.{kind}_embeddings.weight"
        found[name] = whole(name)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            module = node.name.strip("/").removesuffix("/MatMul_quant").replace("/", ".")
            found[f"{module}.weight"] = whole(node.input[1].removesuffix("_quantized")).T.contiguous()
    return found


def drawn(row: Row, chance: random.Random) -> list[Row]:
    """Return the windows of a question for one step; none where its answer is in no window."""
    good = [window for window in row["windows"] if any(window["right"])]
    if row["answerable"] and not good:
        return []
    proposed = [w for w in row["windows"] if w["is_proposed"] and not any(w["right"])][:PROPOSED]
    own = [w for w in row["windows"] if not w["is_proposed"] and not any(w["right"])]
    first, further = proposed[:FIRST], chance.sample(proposed[FIRST:], len(proposed[FIRST:]))
    some = chance.choice((1, 2))
    taken = [*([chance.choice(good)] if good else []), *first, *further[:some]]
    taken += chance.sample(own, min(len(own), WINDOWS - len(taken)))
    return [*taken, *further[some:]][:WINDOWS]


def lessons(rows: list[Row], chance: random.Random) -> Iterator[Lesson]:
    """Give some questions with their windows, over and over, each time in another order."""
    while True:
        every = [row for row in rows if row["set"] == LARGEST or chance.random() < OTHERS]
        some: Lesson = []
        for row in chance.sample(every, len(every)):
            if windows := drawn(row, chance):
                some.append((row, windows))
            if len(some) == QUESTIONS:
                yield some
                some = []


def train(reader: Reader, rows: list[Row], seconds: float) -> int:
    """Learn for ``seconds``, in the last six tenths ever more slowly; return the steps."""
    tokenizer = opened(SHIPPED)
    heads = [*reader.dense.parameters(), *reader.score.parameters()]
    trunk = [each for each in reader.trunk.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW([{"params": trunk, "lr": RATE}, {"params": heads, "lr": 2 * RATE}])
    rates = [group["lr"] for group in optimizer.param_groups]
    began, step = time.monotonic(), 0
    for step, some in enumerate(lessons(rows, random.Random(1))):  # noqa: S311 - no secret
        gone = (time.monotonic() - began) / seconds
        if gone >= 1:
            break
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(1.0, (step + 1) / 40, max(0.03, (1 - gone) / 0.6))
        read = scores(reader, [encoded(tokenizer, row["question"], w) for row, windows in some for w in windows])
        total, at = torch.zeros(()), 0
        for _, windows in some:
            total = total + loss(torch.cat(read[at : at + len(windows)]), windows)
            at += len(windows)
        optimizer.zero_grad()
        (total / len(some)).backward()
        nn.utils.clip_grad_norm_([*trunk, *heads], 1.0)
        optimizer.step()
        if step % 25 == 0:
            print(f"step {step}, {gone:.2f} of the time, loss {total.item() / len(some):.3f}", flush=True)
    return step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lists", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--seconds", type=float, default=2300)
    given = parser.parse_args()
    torch.manual_seed(1)
    with gzip.open(given.lists, "rt", encoding="utf-8") as lines:
        rows: list[Row] = [json.loads(line) for line in lines]
    held = [row for row in rows if row["set"] == HELD]
    reader, tokenizer = ShippedReader(SHIPPED / "reader.onnx"), opened(SHIPPED)
    print("before: first {:.3f}, within three {:.3f}".format(*judge(reader, tokenizer, held)), flush=True)
    steps = train(reader, [row for row in rows if row["set"] in TAUGHT], given.seconds)
    print("after {}: first {:.3f}, within three {:.3f}".format(steps, *judge(reader, tokenizer, held)), flush=True)
    export(reader, given.to)


if __name__ == "__main__":
    main()
