"""Annotated and read articles -> the model that reads who says each sentence (``models/speakers/speakers.onnx``).

    python -m training.speakers SHARED TRUNK TO [--minutes N] [--start WEIGHTS... --rate R]

``TRUNK`` is a folder with a BERT of six layers of 384 (all-MiniLM-L6-v2). It needs torch and transformers, which are no
dependency of this project, and takes a GPU where there is one. Of several ``WEIGHTS`` it starts from the mean; with
``--minutes 0`` that is what it writes. The mean of courses that differ in their seed is better than any of them.

The model reads windows as ``retrieval.models.source_windows`` cuts them. At each sentence's mark it tells the kind of
speech, and six pointers (start and end of the source, of the cue, of the speaker's fullest name) choose a token of the
window, or the first token for nowhere. It learns from ``attributions_train.jsonl`` (annotated; it tells no fullest
names), ``speakers_read/articles_train.jsonl`` (read) and ``speakers_by_reading.jsonl`` (read since, by places). The
development files are never learned from. In each pass, rare surnames are swapped for others in a part of the articles,
and a few sentences left out, so that no name is learned by heart.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import BertModel

from retrieval.intake.articles import load_articles
from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.model import Article
from retrieval.models.loading import CLS, MARK, SEP
from retrieval.models.source_model import SpeechKind
from retrieval.models.source_windows import PARAGRAPH_MARK, Line, SourceWindow, lines_of, may_report, windows_of
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from training.export import export, open_tokenizer

PAIRS, POINTER_SIZE = 3, 64  # source, cue, name; each has a start and an end
POINTERS = 2 * PAIRS
WEIGHTS = (1.0, 0.4, 0.5)  # of the pairs
WINDOW_TOKENS = (320, 384, 448, 480)  # so that a mark is seen at many places
WINDOWS = 8  # in a step
SHUFFLED = 96  # windows that are sorted by length together
DROPOUT = 0.1  # of the hidden layers, as the course has several passes
RENAMED, LEFT_OUT = 0.4, 0.04  # the shares of the articles in a pass, and of the sentences
RARE = 12  # articles: a surname in more of them may be a word
UNSURE = 0.4  # the weight of a sentence whose reader was not sure
SMOOTHED = 20  # steps over which the loss that is printed is the mean
KEPT = 0.96  # of the running mean of the weights, every so many steps
KINDS = {"direct": SpeechKind.DIRECT, "mixed": SpeechKind.MIXED, "indirect": SpeechKind.INDIRECT}
NOWHERE = [(0, 0)]
MIN_OVERLAP = 8  # characters of an attribution's content in a sentence
NOT_VERBS = (":", "according", "statement", "remarks", "interview", "words")
READ = "data/speakers_read/articles_train.jsonl"
FURTHER = Path(__file__).with_name("speakers_by_reading.jsonl")
CORPORA = tuple(
    f"{folder}.jsonl"
    for folder in ("corpus/news_2000", "corpus/news_500", "questions/realtimeqa/articles", "questions/newsqa/articles")
)

Places = tuple[tuple[int, int], ...]  # in the article's text: any of them is right


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of a sentence. A place is None where it isn't known, and empty where there is none."""

    kind: SpeechKind
    source: Places | None = ()
    cue: Places | None = ()
    name: Places | None = ()
    surname: Places = ()  # what is pointed at in a window without the fullest name
    weight: float = 1.0


Lesson = tuple[list[Line], dict[int, Label]]


def open_trunk(folder: Path, dropout: float = 0.0) -> Any:
    """Return the trunk of a model that reads windows of sentences: their marks are new, its words stay as they are."""
    trunk = BertModel.from_pretrained(
        folder,
        attn_implementation="eager",  # the others are slower backwards on a processor
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=0.0,
        add_pooling_layer=False,
    )
    with torch.no_grad():
        words = trunk.embeddings.word_embeddings.weight
        words[MARK] = words[CLS]
        words[PARAGRAPH_MARK] = words[CLS] * 0.9 + words[SEP] * 0.1
    trunk.embeddings.word_embeddings.weight.requires_grad_(requires_grad=False)
    return trunk


class SpeakerModel(nn.Module):
    """The trunk, a classifier at the marks, and pointers from the marks to all tokens."""

    def __init__(self, trunk: Path) -> None:
        super().__init__()
        self.trunk = open_trunk(trunk, DROPOUT)
        size = self.trunk.config.hidden_size
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


def annotated_lessons(path: Path, tokenizer: Tokenizer) -> Iterator[Lesson]:
    for row in path.read_text(encoding="utf-8").splitlines():
        annotated = json.loads(row)
        layout = lay_out(Article(annotated["id"], annotated["text"]), parse(annotated["text"]))
        lines = lines_of(tokenizer, layout, partial(may_report, layout))
        labels = {}
        for line in lines:
            span = layout.sentences[line.sentence].span
            labels[line.sentence] = _annotated_label(annotated["attributions"], span.start, span.end)
        if lines:
            yield lines, labels


def is_speech(attribution: dict[str, Any]) -> bool:
    """Return whether words are reported: of indirect ones, attitudes ("wants", "fears") are left out."""
    cue = " ".join(part["text"] for part in attribution["cue"]).lower()
    return attribution["quote_type"] != "indirect" or any(
        word in VERBS or word in NOT_VERBS for word in cue.replace(":", " : ").split()
    )


def _annotated_label(attributions: Sequence[dict[str, Any]], start: int, end: int) -> Label:
    """Return the label of the attribution that fills most of a sentence."""

    def overlap(attribution: dict[str, Any]) -> int:
        return sum(max(0, min(end, part["end"]) - max(start, part["start"])) for part in attribution["content"])

    best = max(filter(is_speech, attributions), key=overlap, default=None)
    if best is not None and overlap(best) >= MIN_OVERLAP:
        return Label(KINDS[best["quote_type"]], _longest(best["source"]), _longest(best["cue"]), None)
    return Label(SpeechKind.ATTITUDE if any(map(overlap, attributions)) else SpeechKind.NONE)


def _longest(parts: Sequence[dict[str, Any]]) -> Places:
    part = max(parts, key=lambda part: part["end"] - part["start"], default=None)
    return ((part["start"], part["end"]),) if part else ()


def read_lessons(shared: Path, tokenizer: Tokenizer, *files: Path) -> Iterator[Lesson]:
    rows = {row["article_id"]: row["sentences"] for file in files for row in map(json.loads, file.open())}
    for article in load_articles([shared / "data" / name for name in CORPORA]).articles:
        if article.id in rows:
            layout = lay_out(article, parse(article.text))
            lines = lines_of(tokenizer, layout, partial(may_report, layout))
            labels = read_labels(layout, rows[article.id])
            if lines:
                yield lines, {line.sentence: labels.get(line.sentence, Label(SpeechKind.NONE)) for line in lines}


def read_labels(layout: Layout, rows: Sequence[dict[str, Any]]) -> dict[int, Label]:
    """Return the labels of the sentences that ``rows`` tell something about; both are in the article's order."""
    text = layout.article.text
    spans: list[tuple[int, int] | None] = []
    position = 0
    for row in rows:
        match = None if "at" in row else _pattern(row["text"]).search(text, position)
        where = match.span() if match else row.get("at")
        spans.append(where)
        position = where[1] if where else position
    labels = {}
    for sentence in layout.sentences:
        middle = (sentence.span.start + sentence.span.end) // 2
        for row, span in zip(rows, spans, strict=True):
            if span and span[0] <= middle < span[1]:
                labels[sentence.index] = _read_label(text, row, span, spans)
                break
    return labels


def _read_label(text: str, row: dict[str, Any], own: tuple[int, int], spans: Sequence[tuple[int, int] | None]) -> Label:
    weight = 1.0 if row.get("sure", True) else UNSURE
    if not row.get("speaker"):
        return Label(SpeechKind.ATTITUDE if row.get("why") else SpeechKind.NONE, weight=weight)
    mixed, quoted = row.get("mixed"), row["manner"] == "quoted"
    kind = SpeechKind.MIXED if mixed else SpeechKind.DIRECT if quoted else SpeechKind.INDIRECT
    if "at" not in row:
        index = row["source_i"]
        home = spans[index] if index is not None and 0 <= index < len(spans) else None
        source = _places_of(row["source"], text, home) if row["source"] and home else ()
        cue = _places_of(row["cue"], text, own) or (_places_of(row["cue"], text, home) if home else ())
    else:
        source, cue = (tuple((start, end) for start, end in row.get(part) or ()) for part in ("source", "cue"))
    words = row["speaker"].split()
    name = _places_of(row["speaker"], text, (0, len(text)))
    is_name = len(words) > 1 and words[0][0].isupper() and words[-1][0].isupper()
    surname = _places_of(words[-1], text, (0, len(text))) if is_name else ()
    cue = cue or (None if row.get("cue", "") != "" else ())
    return Label(kind, source or None, cue, name or surname or None, surname, weight)


def _places_of(words: str, text: str, within: tuple[int, int]) -> Places:
    return tuple(where.span() for where in _pattern(words).finditer(text, *within))


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)")


class Renaming:
    """Which words of which articles may be swapped: the last words of full names that stand in few articles."""

    def __init__(self, data: Sequence[Lesson], tokenizer: Tokenizer) -> None:
        self._goes_on = {number for word, number in tokenizer.get_vocab().items() if word.startswith("##")}
        words = [{line.ids[first:end] for line in lines for first, end in self._words(line)} for lines, _ in data]
        often = Counter(word for own in words for word in own)
        full = [{end for label in labels.values() for start, end in label.surname} for _, labels in data]
        self._names = {
            id(lines): sorted(
                {
                    line.ids[first:end]
                    for line in lines
                    for first, end in self._words(line)
                    if line.ends[end - 1] in ends and often[line.ids[first:end]] < RARE
                }
            )
            for (lines, _), ends in zip(data, full, strict=True)
        }
        self._every = [name for names in self._names.values() for name in names]

    def _words(self, line: Line) -> Iterator[tuple[int, int]]:
        starts = [i for i, number in enumerate(line.ids) if i and number not in self._goes_on]
        return zip(starts, [*starts[1:], len(line.ids)], strict=True)

    def varied(self, lines: list[Line], chance: random.Random) -> list[Line]:
        names = self._names[id(lines)] if chance.random() < RENAMED else ()
        others = {name: chance.choice(self._every) for name in names}
        kept = [line for line in lines if chance.random() >= LEFT_OUT] or lines
        return [self._renamed(line, others) for line in kept] if others else kept

    def _renamed(self, line: Line, others: Mapping[tuple[int, ...], tuple[int, ...]]) -> Line:
        """Return a line whose new words stand, for their labels, where the old ones stood."""
        ids, starts, ends, quoted = [line.ids[0]], [line.starts[0]], [line.ends[0]], [line.quoted[0]]
        for first, end in self._words(line):
            new = others.get(line.ids[first:end])
            ids += new or line.ids[first:end]
            starts += [line.starts[first]] * len(new) if new else line.starts[first:end]
            ends += [line.ends[end - 1]] * len(new) if new else line.ends[first:end]
            quoted += [line.quoted[first]] * len(new) if new else line.quoted[first:end]
        return replace(line, ids=tuple(ids), starts=tuple(starts), ends=tuple(ends), quoted=tuple(quoted))


def batches(
    data: Sequence[Lesson], renaming: Renaming, chance: random.Random
) -> Iterator[list[tuple[SourceWindow, dict[int, Label]]]]:
    """Vary the articles, cut each from another sentence, and give their windows in batches of similar length."""
    windows = []
    for whole, labels in data:
        lines = renaming.varied(whole, chance)
        cut = chance.randrange(min(6, len(lines)))
        for part in (lines[:cut], lines[cut:]):
            windows += [(window, labels) for window in windows_of(part, chance.choice(WINDOW_TOKENS))]
    chance.shuffle(windows)
    groups = (windows[i : i + SHUFFLED] for i in range(0, len(windows), SHUFFLED))
    by_length = [sorted(group, key=lambda pair: len(pair[0].ids)) for group in groups]
    parts = [group[i : i + WINDOWS] for group in by_length for i in range(0, len(group), WINDOWS)]
    chance.shuffle(parts)
    yield from parts


def tensors(batch: Sequence[tuple[SourceWindow, dict[int, Label]]]) -> tuple[tuple[Any, ...], Any, Any, Any]:
    """Return the model's inputs, and the targets.

    These are kinds (windows, marks), their weights (0 for padding), and places (windows, pointers, marks, tokens): True
    for each right token; a pointer that is not to be learned has none.
    """
    length, count = max(len(w.ids) for w, _ in batch), max(len(w.marks) for w, _ in batch)
    inputs = torch.zeros(3, len(batch), length, dtype=torch.long)
    marks = torch.zeros(len(batch), count, dtype=torch.long)
    kinds = torch.zeros(len(batch), count, dtype=torch.long)
    weights = torch.zeros(len(batch), count)
    places = torch.zeros(len(batch), POINTERS, count, length, dtype=torch.bool)
    for i, (window, labels) in enumerate(batch):
        size = len(window.ids)
        inputs[:, i, :size] = torch.tensor([window.ids, window.quoted, [1] * size])
        marks[i, : len(window.marks)] = torch.tensor(window.marks)
        for j, sentence in enumerate(window.sentences):
            label = labels[sentence]
            kinds[i, j], weights[i, j] = label.kind, label.weight
            for pair, spans in enumerate((label.source, label.cue, label.name)):
                tokens = _tokens_of(window, spans)
                if spans is label.name and tokens == NOWHERE and label.surname:
                    tokens = _tokens_of(window, label.surname)
                for first, last in tokens:
                    places[i, 2 * pair, j, first] = True
                    places[i, 2 * pair + 1, j, last] = True
    return (*inputs, marks), kinds, weights, places


def _tokens_of(window: SourceWindow, spans: Places | None) -> list[tuple[int, int]]:
    """Return the first and last tokens; the window's first one for nowhere; none where it isn't known."""
    if spans is None:
        return []
    places = []
    for start, end in spans:
        inside = [
            i
            for i in range(1, len(window.ids) - 1)
            if window.starts[i] < window.ends[i] and window.starts[i] < end and window.ends[i] > start
        ]
        if inside:
            places.append((inside[0], inside[-1]))
    return places or NOWHERE


def loss(kinds: Any, scores: Any, targets: tuple[Any, Any, Any]) -> Any:
    wanted, weights, right = targets
    each_kind = functional.cross_entropy(kinds.flatten(0, 1), wanted.flatten(), reduction="none")
    total = (each_kind * weights.flatten()).sum() / weights.sum()
    log_probabilities = torch.log_softmax(scores, dim=-1)
    for pointer in range(POINTERS):
        known = right[:, pointer].any(-1)
        chosen = log_probabilities[:, pointer].masked_fill(~right[:, pointer], -1e4)
        cost = -torch.logsumexp(chosen, -1)[known] * weights[known]
        # nearly all sentences have no speaker: what is learned from them counts no more than the others
        total = total + WEIGHTS[pointer // 2] * cost.sum() / weights[known].sum().clamp(min=1)
    return total


def clock() -> float:
    """Return seconds: of all processors together where they do the work, else of the day."""
    return time.monotonic() if torch.cuda.is_available() else time.process_time() / torch.get_num_threads()


def train(model: SpeakerModel, data: Sequence[Lesson], renaming: Renaming, options: argparse.Namespace) -> None:
    """Train for a time of all threads; the rates fall to nearly nothing towards its end, whose mean is what remains."""
    trunk = [p for p in model.trunk.parameters() if p.requires_grad]
    heads = [p for name, p in model.named_parameters() if not name.startswith("trunk")]
    groups = [{"params": trunk, "lr": options.rate}, {"params": heads, "lr": 4 * options.rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    count = sum(1 for _ in batches(data, renaming, random.Random(0)))  # noqa: S311 - no secret
    device = next(model.parameters()).device
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    running = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(KEPT))
    began, step, mean = clock(), 0, 0.0
    while True:
        for batch in batches(data, renaming, chance):
            done = (clock() - began) / (options.minutes * 60)
            if done >= 1:
                model.load_state_dict(running.module.state_dict())
                return
            rate = min(1.0, (step + 1) / 80, max(0.03, (1 - done) / 0.6))
            for group, highest in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * highest
            inputs, *targets = tensors(batch)
            targets = [each.to(device) for each in targets]
            with torch.autocast(device.type, dtype=torch.bfloat16):  # twice as fast where the processor has it
                kinds, places = model(*(each.to(device) for each in inputs))
            cost = loss(kinds.float(), places.float(), tuple(targets))
            optimizer.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_([*trunk, *heads], 1.0)
            optimizer.step()
            mean += (cost.item() - mean) / min(step + 1, SMOOTHED)
            step += 1
            if step % SMOOTHED == 0:
                running.update_parameters(model)
                print(f"epoch {step / count:.2f}, {done:.0%} of the time, loss {mean:.3f}", flush=True)
            if step % 500 == 0:
                torch.save(model.state_dict(), options.to / "speakers.pt")


def write(model: SpeakerModel, to: Path) -> None:
    names = ("input_ids", "token_type_ids", "attention_mask")
    axes = {name: {0: "windows", 1: "tokens"} for name in names} | {"marks": {0: "windows", 1: "marks"}}
    axes |= {"kinds": {0: "windows", 1: "marks"}, "places": {0: "windows", 2: "marks", 3: "tokens"}}
    inputs = {name: torch.ones(1, 12, dtype=torch.long) for name in names} | {"marks": torch.tensor([[1, 5, 7]])}
    export(model, inputs, ("kinds", "places"), axes, to / "speakers.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("trunk", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--start", type=Path, nargs="+", default=[])
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    tokenizer = open_tokenizer(options.trunk)
    options.to.mkdir(parents=True, exist_ok=True)
    model = SpeakerModel(options.trunk)
    if options.start:
        every = [torch.load(file, map_location="cpu") for file in options.start]
        model.load_state_dict({name: sum(each[name] for each in every) / len(every) for name in every[0]})
    if options.minutes:
        read = list(read_lessons(options.shared, tokenizer, options.shared / READ, FURTHER))
        data = list(annotated_lessons(options.shared / "data" / "attributions_train.jsonl", tokenizer))
        print(f"{len(read)} read articles, {len(data)} annotated ones", flush=True)
        every_lesson = [*data, *read]
        model.to("cuda" if torch.cuda.is_available() else "cpu")
        train(model.train(), every_lesson, Renaming(every_lesson, tokenizer), options)
        model.cpu()
    torch.save(model.state_dict(), options.to / "speakers.pt")
    write(model, options.to)


if __name__ == "__main__":
    main()
