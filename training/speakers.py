"""Annotated articles -> the model that reads who says each sentence (``retrieval/models/speakers/speakers.onnx``).

    python -m training.speakers SHARED TRUNK TO

``TRUNK`` is a folder with a BERT of six layers of 384 (all-MiniLM-L6-v2). It needs torch and transformers, which are no
dependency of this project. Three epochs take 50 minutes of one quiet core.

The model reads windows as ``retrieval.models.source_windows`` cuts them. At each sentence's mark it tells the kind of
speech, and four pointers (start and end of the source, start and end of the cue) choose a token of the window, or the
first token for nowhere. ``data/attributions_dev.jsonl`` is never learned from.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from transformers import BertModel

from retrieval.model import Article
from retrieval.models.loading import CLS, MARK, SEP
from retrieval.models.source_model import SpeechKind
from retrieval.models.source_windows import PARAGRAPH_MARK, Line, lines_of, windows_of
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from training.sureness import MIN_OVERLAP, is_speech

POINTERS, POINTER_SIZE = 4, 64
WINDOW_TOKENS = (256, 320, 384)  # so that a mark is seen at many places
WINDOWS = 6  # in a step
SHUFFLED = 96  # windows that are sorted by length together
CUE_WEIGHT = 0.4  # of a pointer to the cue, beside 1 for one to the source
IGNORED = -100
SMOOTHED = 50  # steps over which the loss that is printed is the mean
KINDS = {"direct": SpeechKind.DIRECT, "mixed": SpeechKind.MIXED, "indirect": SpeechKind.INDIRECT}


class Label(NamedTuple):
    """What is annotated of a sentence: places in the article's text, or None."""

    kind: SpeechKind
    source: tuple[int, int] | None = None
    cue: tuple[int, int] | None = None


Lesson = tuple[list[Line], dict[int, Label]]


class SpeakerModel(nn.Module):
    """The trunk, a classifier at the marks, and pointers from the marks to all tokens."""

    def __init__(self, trunk: Path) -> None:
        super().__init__()
        self.trunk = BertModel.from_pretrained(
            trunk,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            add_pooling_layer=False,
        )
        size = self.trunk.config.hidden_size
        with torch.no_grad():
            words = self.trunk.embeddings.word_embeddings.weight
            words[MARK] = words[CLS]
            words[PARAGRAPH_MARK] = words[CLS] * 0.9 + words[SEP] * 0.1
        self.trunk.embeddings.word_embeddings.weight.requires_grad_(requires_grad=False)
        self.kind = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Linear(size, len(SpeechKind)))
        self.query = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Linear(size, POINTERS * POINTER_SIZE))
        self.key = nn.Linear(size, POINTERS * POINTER_SIZE)

    def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any, marks: Any) -> tuple[Any, Any]:
        """Return kinds (windows, marks, kinds) and places (windows, pointers, marks, tokens), all before softmax."""
        read = self.trunk(input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        tokens = read.last_hidden_state
        marked = torch.gather(tokens, 1, marks.unsqueeze(-1).expand(-1, -1, tokens.shape[-1]))
        windows, count, _ = marked.shape
        query = self.query(marked).view(windows, count, POINTERS, POINTER_SIZE).permute(0, 2, 1, 3)
        key = self.key(tokens).view(windows, tokens.shape[1], POINTERS, POINTER_SIZE).permute(0, 2, 3, 1)
        padding = (1.0 - attention_mask[:, None, None, :].to(tokens.dtype)) * -10000.0
        return self.kind(marked), (query @ key) / POINTER_SIZE**0.5 + padding


def lessons(path: Path, tokenizer: Tokenizer) -> Iterator[Lesson]:
    for row in path.read_text(encoding="utf-8").splitlines():
        annotated = json.loads(row)
        layout = lay_out(Article(annotated["id"], annotated["text"]), parse(annotated["text"]))
        lines = lines_of(tokenizer, layout)
        labels = {}
        for line in lines:
            span = layout.sentences[line.sentence].span
            labels[line.sentence] = _label(annotated["attributions"], span.start, span.end)
        if lines:
            yield lines, labels


def _label(attributions: Sequence[dict[str, Any]], start: int, end: int) -> Label:
    """Return the label of the attribution that fills most of a sentence."""

    def overlap(attribution: dict[str, Any]) -> int:
        return sum(max(0, min(end, part["end"]) - max(start, part["start"])) for part in attribution["content"])

    best = max(filter(is_speech, attributions), key=overlap, default=None)
    if best is not None and overlap(best) >= MIN_OVERLAP:
        return Label(KINDS[best["quote_type"]], _longest(best["source"]), _longest(best["cue"]))
    return Label(SpeechKind.ATTITUDE if any(map(overlap, attributions)) else SpeechKind.NONE)


def _longest(parts: Sequence[dict[str, Any]]) -> tuple[int, int] | None:
    part = max(parts, key=lambda each: each["end"] - each["start"], default=None)
    return (part["start"], part["end"]) if part else None


def batches(data: Sequence[Lesson], chance: random.Random) -> Iterator[list[tuple[Any, dict[int, Label]]]]:
    """Cut the articles anew, each from another sentence, and give their windows in batches of similar length."""
    windows = []
    for lines, labels in data:
        cut = chance.randrange(min(6, len(lines)))
        for part in (lines[:cut], lines[cut:]):
            windows += [(window, labels) for window in windows_of(part, chance.choice(WINDOW_TOKENS))]
    chance.shuffle(windows)
    groups = (windows[i : i + SHUFFLED] for i in range(0, len(windows), SHUFFLED))
    by_length = [sorted(group, key=lambda each: len(each[0].ids)) for group in groups]
    parts = [group[i : i + WINDOWS] for group in by_length for i in range(0, len(group), WINDOWS)]
    chance.shuffle(parts)
    yield from parts


def tensors(batch: Sequence[tuple[Any, dict[int, Label]]]) -> tuple[tuple[Any, ...], Any]:
    """Return the model's inputs, and the targets (windows, marks, kind and pointers)."""
    length, count = max(len(w.ids) for w, _ in batch), max(len(w.marks) for w, _ in batch)
    inputs = torch.zeros(3, len(batch), length, dtype=torch.long)
    marks = torch.zeros(len(batch), count, dtype=torch.long)
    targets = torch.full((len(batch), count, 1 + POINTERS), IGNORED, dtype=torch.long)
    for i, (window, labels) in enumerate(batch):
        size = len(window.ids)
        inputs[:, i, :size] = torch.tensor([window.ids, window.quoted, [1] * size])
        marks[i, : len(window.marks)] = torch.tensor(window.marks)
        rows = [
            [label.kind, *_places(window, label.source), *_places(window, label.cue)]
            for label in (labels[sentence] for sentence in window.sentences)
        ]
        targets[i, : len(rows)] = torch.tensor(rows)
    return (*inputs, marks), targets


def _places(window: Any, span: tuple[int, int] | None) -> tuple[int, int]:
    if span is None:
        return 0, 0
    inside = [
        i
        for i in range(1, len(window.ids) - 1)
        if window.starts[i] < window.ends[i] and window.starts[i] < span[1] and window.ends[i] > span[0]
    ]
    return (inside[0], inside[-1]) if inside else (0, 0)


def loss(kinds: Any, places: Any, targets: Any) -> Any:
    total = functional.cross_entropy(kinds.flatten(0, 1), targets[..., 0].flatten(), ignore_index=IGNORED)
    for pointer in range(POINTERS):
        weight = 1.0 if pointer < POINTERS // 2 else CUE_WEIGHT
        wanted = targets[..., pointer + 1].flatten()
        scores = places[:, pointer].flatten(0, 1)
        total = total + weight * functional.cross_entropy(scores, wanted, ignore_index=IGNORED)
    return total


def train(model: SpeakerModel, data: Sequence[Lesson], epochs: float, chance: random.Random) -> None:
    trunk = [each for each in model.trunk.parameters() if each.requires_grad]
    heads = [each for name, each in model.named_parameters() if not name.startswith("trunk")]
    groups = [{"params": trunk, "lr": 1.5e-4}, {"params": heads, "lr": 6e-4}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    count = int(sum(1 for _ in batches(data, random.Random(0))) * epochs)  # noqa: S311 - no secret
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 80, max(0.03, (count - step) / (0.6 * count)))
    )
    step, mean = 0, 0.0
    while step < count:
        for batch in batches(data, chance):
            inputs, targets = tensors(batch)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                kinds, places = model(*inputs)
            cost = loss(kinds.float(), places.float(), targets)
            optimizer.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_([*trunk, *heads], 1.0)
            optimizer.step()
            schedule.step()
            mean += (cost.item() - mean) / min(step + 1, SMOOTHED)
            step += 1
            if step % SMOOTHED == 0:
                print(f"step {step} of {count}, loss {mean:.3f}", flush=True)
            if step == count:
                break


def export(model: SpeakerModel, to: Path) -> None:
    """Write the model as ``speakers.onnx``, its matrices in 8 bits."""
    from onnxruntime.quantization import quantize_dynamic  # noqa: PLC0415 - only where it is written

    names, outputs = ["input_ids", "token_type_ids", "attention_mask", "marks"], ["kinds", "places"]
    axes = {name: {0: "windows", 1: "tokens"} for name in names[:3]} | {"marks": {0: "windows", 1: "marks"}}
    axes |= {"kinds": {0: "windows", 1: "marks"}, "places": {0: "windows", 2: "marks", 3: "tokens"}}
    whole = to / "whole.onnx"
    inputs = (*(torch.ones(1, 12, dtype=torch.long) for _ in names[:3]), torch.tensor([[1, 5, 7]]))
    torch.onnx.export(
        model.eval(), inputs, whole, input_names=names, output_names=outputs, dynamic_axes=axes, dynamo=False
    )
    quantize_dynamic(whole, to / "speakers.onnx")
    whole.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("trunk", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    tokenizer = Tokenizer.from_file(str(options.trunk / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    data = list(lessons(options.shared / "data" / "attributions_train.jsonl", tokenizer))
    model = SpeakerModel(options.trunk)
    train(model, data, options.epochs, random.Random(options.seed))  # noqa: S311 - no secret
    options.to.mkdir(parents=True, exist_ok=True)
    export(model, options.to)


if __name__ == "__main__":
    main()
