"""Questions -> lists of windows to read: `python -m training.reading_lists SHARED LISTS`.

A window is a run of an article's sentences, at most ``WORDS`` words, under the article's head (title or first sentence,
outlet, day) and after the sentence before it: a reader of windows judges each sentence in its context, and reads the
context once for all of them. An article is cut into windows from its top, and what is boilerplate is in none.

A list has the windows in which the archive's first ``PROPOSED`` hits stand, best first, and after them those that hold
a right sentence and were not proposed. ``LISTS`` is gzipped JSON, a question a line. With 8 windows the right sentence
is read in .81 of the newsroom questions, with 12 in .84, with 24 in .86; 30 sentences one by one hold it in .85.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.ask.consider import understood
from bot.ask.model import Asking
from bot.evaluation.golden import squash
from bot.model import Question
from retrieval.model import Reading
from training.questions import QuestionSet, Row, answers, asking, sets

WORDS = 90
PROPOSED = 100
MOST = 12  # windows of a list, but for those that hold a right sentence


@dataclass(frozen=True, slots=True)
class Window:
    """What is read at once; ``right`` says of each sentence whether it answers, ``proposed`` whether it was found."""

    article: str
    head: str
    before: str
    sentences: tuple[str, ...]
    right: tuple[bool, ...]
    proposed: bool


@dataclass(frozen=True, slots=True)
class ReadingList:
    """A question, after the one before it if it follows one, and the windows in which its answer is looked for."""

    set: str
    question: str
    answerable: bool
    windows: tuple[Window, ...]


def windows(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """Return the sentences of an article, by index, as they are read together."""
    found: list[list[int]] = []
    room = 0
    for passage in reading.passages:
        if passage.sentence.boilerplate:
            continue
        length = len(passage.sentence.span.of(reading.article.text).split())
        if not found or length > room:
            found.append([])
            room = WORDS
        found[-1].append(passage.sentence.index)
        room -= length
    return tuple(map(tuple, found))


def reading_lists(of: QuestionSet, asked: Asking) -> Iterator[ReadingList]:
    """Give the list of each question of a set."""
    cut = {article.id: windows(asked.archive.reading(article.id)) for article in asked.archive.articles()}
    for row in of.rows():
        question = Question(row["question"], previous=row.get("previous"))
        wanted = of.wanted(row)
        hits = asked.archive.search(understood(question, asked).query, PROPOSED)
        places = ((hit.article_id, hit.passage.sentence.index) for hit in hits)
        near = [(article, window) for article, index in places for window in cut[article] if index in window]
        proposed = list(dict.fromkeys(near))[:MOST]
        right = [(article, window) for article in _meant(asked, wanted) for window in cut[article]]
        found = [_window(asked, *place, wanted, proposed=True) for place in proposed]
        further = [_window(asked, *place, wanted, proposed=False) for place in right if place not in proposed]
        text = " ".join(filter(None, (question.previous, question.text)))
        kept = (*found, *(window for window in further if any(window.right)))
        yield ReadingList(of.name, text, bool(row["answers"]), kept)


def _meant(asked: Asking, wanted: Sequence[Row]) -> Iterator[str]:
    names = {each["doc"] for each in wanted}
    return (each.id for each in asked.archive.articles() if not names.isdisjoint((each.id, Path(each.path).name)))


def _window(asked: Asking, article_id: str, indexes: Sequence[int], wanted: Sequence[Row], *, proposed: bool) -> Window:
    article = asked.archive.article(article_id)
    texts = [passage.sentence.span.of(article.text) for passage in asked.archive.reading(article_id).passages]
    day = article.published.isoformat() if article.published else None
    title = article.title or (texts[0] if indexes[0] else None)
    return Window(
        article_id,
        head=squash(" · ".join(filter(None, (article.source, day, title)))),
        before=squash(texts[indexes[0] - 1]) if indexes[0] else "",
        sentences=tuple(squash(texts[index]) for index in indexes),
        right=tuple(answers(article, texts[index], wanted) for index in indexes),
        proposed=proposed,
    )


def main(shared: Path, to: Path) -> None:
    """Write the lists of every set, and print how many of its answers a reader of so many windows can find."""
    every: list[ReadingList] = []
    for of in sets(shared):
        made = tuple(reading_lists(of, asking(of, None)))
        answerable = [each for each in made if each.answerable]
        print(f"{of.name}: {len(made)} questions", *(f"{_within(answerable, n):.3f} in {n}" for n in (4, 8, MOST)))
        every += made
    write(to, every)


def write(to: Path, lists: Iterable[ReadingList]) -> None:
    """Write lists as ``training.reader`` takes them."""
    with gzip.open(to, "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(asdict(each))}\n" for each in lists)


def _within(lists: Sequence[ReadingList], count: int) -> float:
    """Return the share of lists that hold a right sentence in their first ``count`` windows."""
    held = (any(any(w.right) for w in each.windows[:count] if w.proposed) for each in lists)
    return sum(held) / max(len(lists), 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
