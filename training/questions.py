"""The development questions: sets of articles with questions and their right sentences, ready to be ranked."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.ask.choose import analyse, propose
from bot.ask.rank import Asked, Features, features
from bot.command import Library
from bot.evaluation.golden import load as load_golden, squash
from bot.model import Question
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.interface import Archive
from retrieval.cache import program_version
from retrieval.ingest import encode, ingest_articles, reparse
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from retrieval.search import Hit, Meaning
from training.fit import drawn, part

Row = dict[str, Any]

OWN = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Example:
    """A question asked of its set: what the archive proposed, its features, and which of it is right.

    ``article`` is what it is about, as ``about`` says.
    """

    asked: Asked
    archive: Archive
    hits: tuple[Hit, ...]
    features: list[Features]
    right: tuple[bool, ...]
    answerable: bool
    article: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A set by name; ``also_good`` says whether its further right sentences count, ``half`` which of a file's it is.

    With a ``size``, so many of the articles, and the questions about those; the smaller archive is part of the larger.
    Of a set that was ``read``, the reader learned from the questions about so many quarters of the articles.
    """

    name: str
    articles: tuple[Path, ...]
    questions: Path
    also_good: bool = False
    half: int | None = None
    size: int | None = None
    block: int = 0  # which of the archives of this size
    read: int = 0

    def ids(self) -> frozenset[str]:
        """Return the ids of its articles."""
        ordered = sorted((drawn(article.id), article.id) for article in load_articles(self.articles).articles)
        first = self.block * (self.size or 0)
        return frozenset(name for _, name in ordered[first : first + self.size if self.size else None])

    def rows(self) -> list[Row]:
        """Return its questions as they stand in the file; what answers by its place, by its words."""
        if self.questions.suffix == ".toml":
            return [_golden_row(golden) for golden in load_golden(self.questions)]
        lines = self.questions.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        if self.size is not None:
            ids = self.ids()
            return [row for row in rows if row["article"] in ids]
        if self.half is None:
            return rows
        texts = {article.id: article.text for article in load_articles(self.articles).articles}
        return [_row_by_place(row, texts[row["article"]]) for row in rows if row["half"] == self.half]

    def kept_back(self) -> list[Row]:
        """Return its questions without those that the reader learned from: order and confidence are learned on them."""
        return [row for row in self.rows() if quarter(about(row)) >= self.read]

    def wanted(self, row: Row) -> list[Row]:
        """Return the places that answer one of its questions."""
        return [*row["answers"], *(row.get("also_good", []) if self.also_good else [])]


def off_topic(read: int = 0) -> list[Row]:
    """Return questions that no newsroom's article answers, without so many quarters, which the reader learned from."""
    lines = (OWN / "training" / "off_topic.txt").read_text(encoding="utf-8").splitlines()
    return [{"question": line, "answers": []} for line in lines if quarter(line) >= read]


def about(row: Row) -> str:
    """Return the id of the article that a question is about; of one that none answers, itself."""
    answers = row.get("answers")
    return str(row.get("article") or (answers[0]["doc"] if answers else row["question"]))


def quarter(article_id: str) -> int:
    """Return in which quarter of the articles this one is, 0 to 3."""
    return part(article_id, 4)


def nested(shared: Path) -> tuple[QuestionSet, ...]:
    """Return the questions over all of the newsroom's articles, asked of archives of several sizes."""
    return tuple(
        replace(each, name=f"{size} articles, {block}, {each.name}", size=size, block=block)
        for each in sets(shared)
        if each.name in ("newsroom_2", "newsroom_3")
        for size, blocks in ((30, 4), (300, 1), (1000, 1))
        for block in range(blocks)
    )


def _golden_row(golden: Any) -> Row:
    answers = [{"doc": wanted.article, "must_contain": wanted.words} for wanted in golden.answers]
    return {"question": golden.question, "previous": golden.previous, "answers": answers}


def _row_by_place(row: Row, text: str) -> Row:
    def places(spans: Sequence[Sequence[int]]) -> list[Row]:
        return [{"doc": row["article"], "must_contain": text[start:end]} for start, end in spans]

    return {**row, "answers": places(row["answers"]), "also_good": places(row["also_good"])}


def sets(shared: Path) -> tuple[QuestionSet, ...]:
    """Return every set to train and to measure on: of the shared ones those that are there, and this project's own."""
    data = shared / "data"
    public = data / "questions"
    newsroom = tuple(data / "corpus" / f"news_{count}.jsonl" for count in (2000, 500))
    by_reading, fixtures = OWN / "training" / "questions_by_reading.jsonl", OWN / "tests" / "fixtures"
    several = ("multirc", "newsqa")  # of these, further right sentences are known
    known = (
        QuestionSet("reports", (shared / "seeds",), data / "seed_questions_dev.jsonl"),
        QuestionSet("wikinews", (data / "articles_dev" / "articles",), data / "articles_dev" / "questions.jsonl"),
        QuestionSet("own seeds", (OWN / "seeds",), OWN / "seeds" / "questions.toml"),
        QuestionSet("own fixtures", (fixtures / "articles",), fixtures / "questions.toml"),
        *(
            QuestionSet(name, newsroom, public / name / "questions.jsonl", also_good=True, read=read)
            for name, read in (("newsroom", 0), ("newsroom_2", 2), ("newsroom_3", 3))
        ),
        *(
            QuestionSet(f"by reading, half {half}", newsroom, by_reading, also_good=True, half=half, read=3)
            for half in (0, 1, 2)
        ),
        *(
            QuestionSet(name, (folder / "articles.jsonl",), folder / "questions.jsonl", name in several, read=2)
            for name in ("multirc", "realtimeqa", "newsqa", "squad2", "squad1_train")
            for folder in (public / name,)
        ),
    )
    return tuple(each for each in known if each.questions.is_file() and all(path.exists() for path in each.articles))


def examples(of: QuestionSet, asking: Library, most: int) -> Iterator[Example]:
    """Give each question of a set as ``asking`` proposes answers to it; of more than ``most``, some."""
    for row in some(of.kept_back(), most):
        question = Question(row["question"], previous=row.get("previous"))
        analysis = analyse(question, asking)
        asked = Asked.of(analysis, asking.archive)
        hits = propose(analysis, asking.archive)
        found = features(hits, asked, asking.archive)
        right = tuple(_is_right(hit, of.wanted(row), asking) for hit in hits)
        yield Example(asked, asking.archive, hits, found, right, bool(row["answers"]), about(row))


def some(rows: list[Row], most: int) -> list[Row]:
    """Return at most so many of the rows, drawn by their words: files have a pattern of kinds."""
    return sorted(rows, key=lambda row: drawn(row["question"]))[:most]


def _is_right(hit: Hit, wanted: Sequence[Row], asking: Library) -> bool:
    article = asking.archive.article(hit.article_id)
    return answers(article, hit.passage.sentence.span.of(article.text), wanted)


def answers(article: Article, text: str, wanted: Sequence[Row]) -> bool:
    """Return whether a sentence of ``article`` is one of those ``wanted``."""
    names, held = {article.id, Path(article.path).name}, squash(text)
    return any(each["doc"] in names and squash(each["must_contain"]) in held for each in wanted)


def asking(of: QuestionSet, archives: Path, meaning: Meaning | None = None) -> Library:
    """Return what the set's questions are asked of; it is made in the folder ``archives``, and used again."""
    name = "+".join(f"{path.parent.name}-{path.stem}" for path in of.articles)
    part = f"-{of.size}-{of.block}" if of.size else ""
    archive = PersistentArchive(archives / f"{name}{part}.sqlite", read=reparse)
    if of.size and not archive.listed():
        whole = asking(replace(of, size=None), archives).archive
        archive.add([whole.reading(each) for each in sorted(of.ids())], program_version())
    elif not of.size:
        ingest_articles(archive, load_articles(of.articles).articles, lambda: None, _raise)
    if meaning:
        encode(archive, meaning, lambda: None)
    return Library(archive, meaning)


def _raise(error: Exception) -> None:
    raise error
