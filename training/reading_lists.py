"""Questions -> lists of windows to read: `python -m training.reading_lists SHARED ARCHIVES LISTS`.

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

from bot.ask.choose import analyse
from bot.ask.rank import window, windows
from bot.command import Library
from bot.model import Question
from training.questions import QuestionSet, Row, answers, asking, sets

PROPOSED = 100
MOST = 12  # windows of a list, but for those that hold a right sentence


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """A window; ``right`` says of each sentence whether it answers, ``is_proposed`` whether it was found."""

    article: str
    head: str
    before: str
    sentences: tuple[str, ...]
    right: tuple[bool, ...]
    is_proposed: bool


@dataclass(frozen=True, slots=True)
class ReadingList:
    """A question, after the one before it if it follows one, and the windows in which its answer is looked for."""

    set: str
    question: str
    answerable: bool
    windows: tuple[ReadWindow, ...]


def reading_lists(of: QuestionSet, asked: Library) -> Iterator[ReadingList]:
    """Give the list of each question of a set."""
    cut = {listed.id: windows(asked.archive.reading(listed.id)) for listed in asked.archive.listed()}
    for row in of.rows():
        question = Question(row["question"], previous=row.get("previous"))
        wanted = of.wanted(row)
        hits = asked.archive.search(analyse(question, asked).query, PROPOSED)
        places = ((hit.article_id, hit.passage.sentence.index) for hit in hits)
        near = [(article, indexes) for article, index in places for indexes in cut[article] if index in indexes]
        proposals = list(dict.fromkeys(near))[:MOST]
        right = [(article, indexes) for article in _meant(asked, wanted) for indexes in cut[article]]
        found = [_window(asked, *place, wanted, is_proposed=True) for place in proposals]
        further = [_window(asked, *place, wanted, is_proposed=False) for place in right if place not in proposals]
        text = " ".join(filter(None, (question.previous, question.text)))
        kept = (*found, *(each for each in further if any(each.right)))
        yield ReadingList(of.name, text, bool(row["answers"]), kept)


def _meant(asked: Library, wanted: Sequence[Row]) -> Iterator[str]:
    names = {each["doc"] for each in wanted}
    articles = (asked.archive.article(listed.id) for listed in asked.archive.listed())
    return (each.id for each in articles if not names.isdisjoint((each.id, Path(each.path).name)))


def _window(
    asked: Library, article_id: str, indexes: Sequence[int], wanted: Sequence[Row], *, is_proposed: bool
) -> ReadWindow:
    reading = asked.archive.reading(article_id)
    made = window(reading, indexes)
    right = tuple(answers(reading.article, text, wanted) for text in made.sentences)
    return ReadWindow(article_id, made.head, made.before, made.sentences, right, is_proposed)


def main(shared: Path, archives: Path, to: Path) -> None:
    """Write the lists of every set, and print how many of its answers a reader of so many windows can find."""
    every: list[ReadingList] = []
    for of in sets(shared):
        made = tuple(reading_lists(of, asking(of, archives)))
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
    held = (any(any(w.right) for w in each.windows[:count] if w.is_proposed) for each in lists)
    return sum(held) / max(len(lists), 1)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
