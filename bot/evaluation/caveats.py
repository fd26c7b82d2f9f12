"""A passage with a caveat, or with what looks like one -> whether it is recognised, and which sentences it covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.evaluation.benchmark import Observation, Row, passages_at
from retrieval import Article, Span, read_one

CAVEATS = frozenset({"own", "relayed", "inline", "partial", "standing"})
LOOKALIKES = frozenset({"none", "verified"})  # the other kinds aren't scored: readers differ about them
BEFORE = 2  # sentences that the simple rule takes for covered


@dataclass(frozen=True, slots=True)
class CaveatCase:
    """``spans`` are those of the sentences; ``at``, ``covers`` and ``border`` (not scored) are indexes of them."""

    article: Article
    spans: tuple[Span, ...]
    at: int
    kind: str
    covers: frozenset[int]
    border: frozenset[int]

    @classmethod
    def of(cls, row: Row) -> CaveatCase:
        text, spans, ends = "", list[Span](), set(row["paragraph_ends"])
        for index, sentence in enumerate(row["sentences"]):
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += sentence + ("\n\n" if index in ends else " ")
        spans[row["at"]]  # IndexError
        article = Article(row["id"], text.rstrip(), title=row.get("title") or None, source=row.get("source") or None)
        kind = "soft" if row.get("soft") else row["kind"]
        return cls(article, tuple(spans), row["at"], kind, frozenset(row["covers"]), frozenset(row["border"]))


def observe_caveat(case: CaveatCase) -> Iterator[Observation]:
    """Read the passage as an article of its own. The simple rule is told which sentence is the caveat."""
    reading = read_one(case.article)
    places = [passages_at(reading, span) for span in case.spans]
    is_recognised = any(passage.is_caveat for passage in places[case.at])
    if case.kind in LOOKALIKES:
        yield "no caveat, taken for one", is_recognised
    if case.kind not in CAVEATS:
        return
    yield "caveats recognised", is_recognised
    here = {passage.sentence.index for passage in places[case.at]}
    for index, passages in enumerate(places):
        if index in case.border or (index == case.at and index not in case.covers):
            continue
        within = index == case.at and is_recognised  # its own words are beside the claim
        sure = within or any(caveat.sentence in here for passage in passages for caveat in passage.caveats)
        may = any(caveat.sentence in here for passage in passages for caveat in passage.possible_caveats)
        due = "sentences covered" if index in case.covers else "sentences covered wrongly"
        yield due, sure
        yield f"{due}, or noted", sure or may
        yield f"{due}, by the simple rule", case.at - BEFORE <= index <= case.at
