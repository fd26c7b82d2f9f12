"""The facets by which articles are found among all: who speaks in them, what describes people, caveats and denials."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.archive.database import Run, run_many
from retrieval.model import Reading
from retrieval.text.terms import fold, terms

CAVEAT, DENIAL = "caveat", "denial"


def said_by(speaker: str) -> str:
    """Return the facet of the articles in which ``speaker`` says something, however that is spelt in capitals."""
    return f"said by {fold(speaker)}"


def described_by(term: str) -> str:
    """Return the facet of the articles in which ``term`` describes a speaker, or the bearer of a name."""
    return f"told by {term}"


def facets(reading: Reading) -> frozenset[str]:
    text, passages = reading.article.text, reading.passages
    speakers = {passage.speaker for passage in passages if passage.speaker}
    roles = {mention.role.of(text) for passage in passages for mention in passage.mentions if mention.role}
    beside = {described_by(term) for words in speakers | roles for term in terms(words)}
    caveats = {CAVEAT for caveat in reading.caveats if caveat.by_outlet}
    denials = {DENIAL for passage in passages if passage.denial}
    return frozenset(beside | {said_by(speaker) for speaker in speakers} | caveats | denials)


def put(run: Run, fresh: Iterable[tuple[int, Reading]]) -> None:
    for number, reading in fresh:
        run_many(run, "INSERT INTO facets VALUES (?, ?)", [(facet, number) for facet in sorted(facets(reading))])


def take_out(run: Run, number: int) -> None:
    run("DELETE FROM facets WHERE version = ?", (number,))


def describing(run: Run, term: str) -> set[int]:
    """Return the versions in which ``term`` describes a speaker, or the bearer of a name."""
    return {number for (number,) in run("SELECT version FROM facets WHERE facet = ?", (described_by(term),))}
