"""The model that reads who says each sentence: a small transformer over windows of an article, on onnxruntime.

What it is, what it learned from and how good it is: ``speakers/README.md``; ``training.speakers`` makes it.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from retrieval.model import Span
from retrieval.models.loading import DIGITS, open_model
from retrieval.models.source_windows import SourceWindow, lines_of, may_report, windows_of
from retrieval.text.blocks import Layout

MAX_SOURCE_TOKENS = 40
PLACES = 16  # that are compared
MOST_NAMES = 6  # that are told apart

Floats = npt.NDArray[np.float32]
Places = tuple[tuple[Span, float], ...]


class SpeechKind(IntEnum):
    """The classes of the model, in its order."""

    NONE = 0
    DIRECT = 1
    MIXED = 2
    INDIRECT = 3
    ATTITUDE = 4


@dataclass(frozen=True, slots=True)
class SourceGuess:
    """What the model makes of one sentence: its likely source, cue and speaker's name, as places in the article's text.

    ``speech`` is the probability that the sentence reports words, ``probability`` that of the source's place.
    ``name`` is the fullest one near by for whom the source means, with the probability ``named``; ``names`` are all
    whom it may mean, likeliest first, with theirs.
    """

    kind: SpeechKind
    speech: float
    source: Span | None
    probability: float
    cue: Span | None
    name: Span | None = None
    named: float = 0.0
    names: Places = ()


class SourceModel:
    """The model, loaded. Safe to call from several threads."""

    def __init__(self) -> None:
        # one thread: articles are read on all cores already
        self._tokenizer, self._session = open_model("speakers/speakers.onnx", threads=1)

    def guesses(self, layout: Layout) -> dict[int, SourceGuess]:
        """Return the guess for each sentence that can report somebody, by its index."""
        found: dict[int, SourceGuess] = {}
        for window in windows_of(lines_of(self._tokenizer, layout, partial(may_report, layout))):
            found.update(self._read(layout.article.text, window))
        return found

    def _read(self, text: str, window: SourceWindow) -> Iterator[tuple[int, SourceGuess]]:
        inputs = {
            "input_ids": np.array([window.ids], dtype=np.int64),
            "token_type_ids": np.array([window.quoted], dtype=np.int64),
            "attention_mask": np.ones((1, len(window.ids)), dtype=np.int64),
            "marks": np.array([window.marks], dtype=np.int64),
        }
        kinds, places = self._session.run(["kinds", "places"], inputs)
        kinds, places = softmax(kinds[0]), softmax(places[0])
        for i in window.core:
            source, probability, _ = _best_places(text, window, places[0, i], places[1, i])
            cue, _, _ = _best_places(text, window, places[2, i], places[3, i])
            name, named, names = _best_places(text, window, places[4, i], places[5, i], MOST_NAMES)
            speech = kinds[i, SpeechKind.DIRECT] + kinds[i, SpeechKind.MIXED] + kinds[i, SpeechKind.INDIRECT]
            yield (
                window.sentences[i],
                SourceGuess(
                    SpeechKind(int(kinds[i].argmax())),
                    round(float(speech), DIGITS),
                    source,
                    round(probability, DIGITS),
                    cue,
                    name,
                    round(named, DIGITS),
                    names,
                ),
            )


def softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return total


def _best_places(
    text: str, window: SourceWindow, starts: Floats, ends: Floats, most: int = 1
) -> tuple[Span | None, float, Places]:
    """Return the likeliest place and its probability, or None and that of nowhere; and the ``most`` likeliest.

    Places for the same are one: "Lee", "Ms. Lee", "Ann Lee".
    """
    nowhere = float(starts[0])
    places: list[tuple[float, Span, str]] = []
    for start in map(int, np.argsort(-starts)[:PLACES]):
        line = bisect_right(window.marks, start)
        stop = window.marks[line] if line < len(window.marks) else len(ends)  # of the sentence
        following = ends[start : min(stop, start + MAX_SOURCE_TOKENS)]
        first, last = window.starts[start], window.ends[start + int(following.argmax())]
        if start and text[first:last].strip():
            places.append((float(starts[start]), Span(first, last), text[first:last].rsplit(maxsplit=1)[-1].lower()))
    is_likely = bool(places) and places[0][0] >= nowhere / 2
    found: list[tuple[Span, float]] = []
    while places and len(found) < most:
        _, span, word = places[0]
        same = [p for p in places if p[2] == word or (p[1].start < span.end and span.start < p[1].end)]
        found.append((span, sum(p[0] for p in same)))
        places = [p for p in places if p not in same]
    rounded = tuple((span, round(probability, DIGITS)) for span, probability in found)
    return (*found[0], rounded) if is_likely and found[0][1] > nowhere else (None, nowhere, rounded)


load_source_model = cache(SourceModel)
