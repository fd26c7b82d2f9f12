"""A question that takes something for granted, rightly or wrongly -> whether the reply shows what is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.evaluation.benchmark import BUNDLED, Observation, Row
from bot.model import Answer, Question
from bot.service import QuestionService
from retrieval import Query, terms

ARTICLES = BUNDLED / "premises_articles.jsonl"
SEEN = 3  # extracts that are looked at
PROPOSED = 40  # sentences by which the simple rule chooses


@dataclass(frozen=True, slots=True)
class Premise:
    """A question; ``words`` are those of the sentences that answer it or, where its premise is false, correct it."""

    question: str
    is_true: bool
    words: tuple[str, ...]

    @classmethod
    def of(cls, row: Row) -> Premise:
        words = tuple(_bare(answer["must_contain"]) for answer in row["answers"])
        return cls(row["question"], {"true": True, "false": False}[row["premise"]], words)

    def is_met_by(self, text: str) -> bool:
        return any(words in _bare(text) for words in self.words)


def observe_premise(service: QuestionService, premise: Premise) -> Iterator[Observation]:
    """Ask the question. The simple rule shows the sentence with the best BM25."""
    reply = service.answer(Question(premise.question))
    extracts = reply.extracts[:SEEN] if isinstance(reply, Answer) else ()
    met = [premise.is_met_by(f"{part.before.text if part.before else ''} {part.text}") for part in extracts]
    is_sure = isinstance(reply, Answer) and reply.sure
    what = "true premises, answered" if premise.is_true else "false premises, corrected"
    yield f"{what} first", met[:1] == [True]
    yield f"{what} by one of three", any(met)
    yield f"{what} first, by the simple rule", premise.is_met_by(_best_match(service, premise.question))
    if premise.is_true:
        yield "true premises, called an answer", is_sure
    else:
        yield "false premises, called an answer without a correction", is_sure and not any(met)


def _best_match(service: QuestionService, question: str) -> str:
    archive = service.library.archive
    query = Query(tuple((term, 1.0) for term in dict.fromkeys(terms(question))))
    best = max(archive.search(query, PROPOSED), key=lambda hit: hit.sentence, default=None)
    return best.passage.sentence.span.of(archive.article(best.article_id).text) if best else ""


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
