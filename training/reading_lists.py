"""Questions -> lists of windows to read: `python -m training.reading_lists SHARED ARCHIVES LISTS`.

A list has the first windows that the program itself would read, in its order, and after them those that hold a right
sentence and are not among these. ``LISTS`` is gzipped JSON, a question a line. Questions that no article of the
newsroom's answers (``off_topic.txt``, and some of other sets) are asked beside the sets' own.
"""

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from bot.ask.choose import analyse, propose
from bot.ask.rank import Asked, for_reader, window, window_places, windows
from bot.command import Library
from bot.model import Question
from retrieval.models.on_demand import MeaningOnDemand
from training.questions import QuestionSet, Row, about, answers, asking, off_topic, quarter, sets, some

FOREIGN, MOST_FOREIGN = ("squad2", "squad1_train", "multirc"), 120  # asked of the newsroom's articles as well
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
    """A question with what it leaves unsaid, and the windows in which its answer is looked for."""

    set: str
    learned: bool  # whether the reader may learn from it
    question: str
    answerable: bool
    windows: tuple[ReadWindow, ...]


def reading_lists(of: QuestionSet, rows: Iterable[Row], asked: Library) -> Iterator[ReadingList]:
    """Give the list of each question of a set."""
    cut = {listed.id: windows(asked.archive.reading(listed.id)) for listed in asked.archive.listed()}
    for row in rows:
        analysis = analyse(Question(row["question"], previous=row.get("previous")), asked)
        wanted = of.wanted(row)
        hits = propose(analysis, asked.archive)
        candidates = for_reader(hits, Asked.of(analysis, asked.archive), asked.archive, asked.meaning)
        proposals = window_places((each.hit for each in candidates), asked.archive, MOST)
        right = [(article, indexes) for article in _meant(asked, wanted) for indexes in cut[article]]
        found = [_window(asked, *place, wanted, is_proposed=True) for place in proposals]
        further = [_window(asked, *place, wanted, is_proposed=False) for place in right if place not in proposals]
        kept = (*found, *(each for each in further if any(each.right)))
        yield ReadingList(of.name, quarter(about(row)) < of.read, analysis.wording, bool(row["answers"]), kept)


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
    known = {each.name: each for each in sets(shared)}
    for of in known.values():
        rows = of.rows()
        if of.name == "newsroom_2":
            foreign = chain.from_iterable(some(known[name].rows(), MOST_FOREIGN) for name in FOREIGN if name in known)
            rows += [*off_topic(), *({"question": row["question"], "answers": []} for row in foreign)]
        made = tuple(reading_lists(of, rows, asking(of, archives, MeaningOnDemand())))
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
