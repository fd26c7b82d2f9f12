"""The development questions: sets of articles with questions and their right sentences, ready to be ranked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.ask.consider import proposed, understood
from bot.ask.features import Asked, Features, features
from bot.ask.model import Asking
from bot.ask.rank import cosines
from bot.evaluation.golden import load as load_golden, squash
from bot.model import Question
from retrieval.archive.opening import open_archive
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from retrieval.pipeline import read_all
from retrieval.search import Hit

Row = dict[str, Any]

OWN = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Example:
    """A question asked of its set: what the archive proposed, its features, and which of it is right."""

    asked: Asked
    hits: tuple[Hit, ...]
    features: list[Features]
    right: tuple[bool, ...]
    answerable: bool


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A set by name; ``also_good`` says whether its further right sentences count."""

    name: str
    articles: Path
    questions: Path
    also_good: bool = False
    most: int = 10_000

    def rows(self) -> list[Row]:
        """Return its questions as they stand in the file."""
        if self.questions.suffix == ".toml":
            return [_golden_row(golden) for golden in load_golden(self.questions)]
        lines = self.questions.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        return rows[:: max(1, len(rows) // self.most)]

    def wanted(self, row: Row) -> list[Row]:
        """Return the places that answer one of its questions."""
        return [*row["answers"], *(row.get("also_good", []) if self.also_good else [])]


def _golden_row(golden: Any) -> Row:
    answers = [{"doc": wanted.article, "must_contain": wanted.words} for wanted in golden.answers]
    return {"question": golden.question, "previous": golden.previous, "answers": answers}


def sets(shared: Path) -> tuple[QuestionSet, ...]:
    """Return every set to train and to measure on: of the shared ones those that are there, and this project's own."""
    data = shared / "data"
    public = data / "questions"
    known = (
        QuestionSet("reports", shared / "seeds", data / "seed_questions_dev.jsonl"),
        QuestionSet("wikinews", data / "articles_dev" / "articles", data / "articles_dev" / "questions.jsonl"),
        QuestionSet("own seeds", OWN / "seeds", OWN / "seeds" / "questions.toml"),
        QuestionSet(
            "own fixtures", OWN / "tests" / "fixtures" / "articles", OWN / "tests" / "fixtures" / "questions.toml"
        ),
        QuestionSet(
            "newsroom", data / "corpus" / "news_2000.jsonl", public / "newsroom" / "questions.jsonl", also_good=True
        ),
        *(
            QuestionSet(name, public / name / "articles.jsonl", public / name / "questions.jsonl", also_good, most)
            for name, also_good, most in (
                ("multirc", True, 10_000),
                ("realtimeqa", False, 10_000),
                ("newsqa", True, 10_000),
                ("squad2", False, 10_000),
                ("squad1_train", False, 1_500),
            )
        ),
    )
    return tuple(each for each in known if each.questions.is_file())


def examples(of: QuestionSet, asking: Asking) -> Iterator[Example]:
    """Give each question of a set as ``asking`` proposes answers to it."""
    for row in of.rows():
        question = Question(row["question"], previous=row.get("previous"))
        analysis = understood(question, asking)
        asked = Asked.of(analysis, asking.archive)
        hits = proposed(analysis, asking.archive)
        found = features(hits, asked, asking.archive, cosines(hits, asked, asking.archive, asking.meaning))
        right = tuple(_is_right(hit, of.wanted(row), asking) for hit in hits)
        yield Example(asked, hits, found, right, bool(row["answers"]))


def _is_right(hit: Hit, wanted: Sequence[Row], asking: Asking) -> bool:
    article = asking.archive.article(hit.article_id)
    return answers(article, hit.passage.sentence.span.of(article.text), wanted)


def answers(article: Article, text: str, wanted: Sequence[Row]) -> bool:
    """Return whether a sentence of ``article`` is one of those ``wanted``."""
    names, held = {article.id, Path(article.path).name}, squash(text)
    return any(each["doc"] in names and squash(each["must_contain"]) in held for each in wanted)


def asking(of: QuestionSet, meaning: Any) -> Asking:
    """Return what the set's questions are asked of."""
    return Asking(open_archive(read_all(load_articles([of.articles]).articles)), meaning)
