"""What was read in an article without its words <-> JSON, and the facets by which such articles are found."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.archive.database import AMONG, Run, run_many
from retrieval.archive.fields import synopsis
from retrieval.archive.register import KINDS
from retrieval.archive.schema import is_whole
from retrieval.model import Kind, Reading
from retrieval.names.entities import CanonicalNames
from retrieval.search import Naming, Noted, Scoped, Synopsis
from retrieval.text.terms import fold, terms

log = logging.getLogger(__name__)

CAVEAT, DENIAL = "caveat", "denial"

Row = Sequence[Any]  # what JSON holds shows when something is made of it


def said_by(speaker: str) -> str:
    """Return the facet of the articles in which ``speaker`` says something, however that is spelt in capitals."""
    return f"said by {fold(speaker)}"


def described_by(term: str) -> str:
    """Return the facet of the articles in which ``term`` describes a speaker, or the bearer of a name."""
    return f"told by {term}"


def facets(found: Synopsis) -> frozenset[str]:
    """Return by what an article is found among all: caveats, denials, who speaks in it, and what describes them."""
    speakers = {each.speaker for each in found.sentences if each.speaker}
    roles = {name.role for each in found.sentences for name in each.names if name.role}
    beside = {described_by(term) for words in speakers | roles for term in terms(words)}
    has = {facet for facet, each in ((CAVEAT, found.caveats), (DENIAL, found.denials)) if each}
    return frozenset(beside | {said_by(speaker) for speaker in speakers} | has)


def encode(found: Synopsis) -> str:
    """Return a synopsis as JSON; a name is there once, and sentences refer to it by number."""
    numbers: dict[tuple[str, str], int] = {}
    rows = [_row(each, numbers) for each in found.sentences]
    return json.dumps((list(numbers), rows, found.caveats, found.denials), separators=(",", ":"))


def _row(noted: Noted, numbers: dict[tuple[str, str], int]) -> Row:
    def number(name: Naming) -> int:
        return numbers.setdefault((name.name, name.kind.value), len(numbers))

    names = [(number(name), name.role) if name.role else number(name) for name in noted.names]
    speaker = number(noted.named) if noted.named else None
    return (
        noted.start,
        noted.end,
        int(noted.boilerplate),
        noted.speaker,
        speaker,
        int(noted.aloud),
        noted.refers,
        names,
        *((noted.voice, noted.manner, int(noted.has_reason)) if noted.voice else ()),
    )


@dataclass(frozen=True, slots=True)
class EncodedSynopsis:
    """A synopsis as JSON, taken apart as far as it is needed to know who is named in it."""

    article_id: str
    digest: str
    names: Sequence[tuple[str, Kind]]
    rows: tuple[Row, Row, Row]

    def decoded(self, called: CanonicalNames) -> Synopsis:
        names = [Naming(*called.get(name, name)) for name in self.names]
        sentences, caveats, denials = self.rows
        return Synopsis(
            self.article_id,
            self.digest,
            tuple([_noted(index, names, row) for index, row in enumerate(sentences)]),
            tuple([Scoped(at, tuple(covers), tuple(possible)) for at, covers, possible in caveats]),
            tuple(denials),
        )


def _noted(index: int, named: Sequence[Naming], row: Row) -> Noted:
    start, end, boilerplate, speaker, number, aloud, refers, its_names, *said = row
    voice, manner, has_reason = said or ("", "", 0)
    speaks = None if number is None else named[number]
    names = tuple([named[n] if isinstance(n, int) else named[n[0]]._replace(role=n[1]) for n in its_names])
    beside, by_name, reason = bool(boilerplate), bool(aloud), bool(has_reason)
    return Noted(index, start, end, beside, speaker, speaks, by_name, tuple(refers), names, voice, manner, reason)


def code_of(article_id: str, digest: str, code: str) -> EncodedSynopsis:
    """Return a synopsis that ``encode`` made, taken apart."""
    names, *rows = json.loads(code)
    return EncodedSynopsis(
        article_id, digest, [(name, KINDS[kind]) for name, kind in names], (rows[0], rows[1], rows[2])
    )


def with_names(found: Synopsis, called: CanonicalNames) -> Synopsis:

    def renamed(name: Naming) -> Naming:
        return Naming(*called.get(name[:2], name[:2]), name.role)

    sentences = (
        each._replace(named=each.named and renamed(each.named), names=tuple(map(renamed, each.names)))
        for each in found.sentences
    )
    return replace(found, sentences=tuple(sentences))


ROWS = (
    f"SELECT v.number, v.id, v.digest, s.synopsis, {is_whole('synopses', 's.')}"
    " FROM versions AS v JOIN synopses AS s ON s.version = v.number"
    f" WHERE v.number {AMONG}"
)


def put(run: Run, fresh: Iterable[tuple[int, Reading]]) -> None:
    for number, reading in fresh:
        found = synopsis(reading)
        run("INSERT INTO synopses VALUES (?1, ?2, crc32(?1, CAST(?2 AS BLOB)))", (number, encode(found)))
        run_many(run, "INSERT INTO facets VALUES (?, ?)", [(facet, number) for facet in sorted(facets(found))])


def take_out(run: Run, number: int) -> None:
    run("DELETE FROM synopses WHERE version = ?", (number,))
    run("DELETE FROM facets WHERE version = ?", (number,))


def of(run: Run, numbers: Collection[int]) -> dict[int, EncodedSynopsis]:
    """Return the synopses of versions by their numbers; none of one that is searched no more, or damaged."""
    found: dict[int, EncodedSynopsis] = {}
    for number, article_id, digest, code, whole in run(ROWS, (json.dumps(list(numbers)),)):
        if whole:
            found[number] = code_of(article_id, digest, code)
        else:
            log.error("what was noted of %r is damaged: `stet reindex` writes it again", article_id)
    return found


def damaged(run: Run) -> list[str]:
    """Return the ids of the articles whose synopsis a bad disk has changed."""
    rows = run(
        "SELECT v.id FROM synopses AS s JOIN versions AS v ON v.number = s.version"
        f" WHERE NOT {is_whole('synopses', 's.')} ORDER BY v.number"
    )
    return [article_id for (article_id,) in rows]


def telling(run: Run, term: str) -> set[int]:
    """Return the versions in which ``term`` describes a speaker, or the bearer of a name."""
    return {number for (number,) in run("SELECT version FROM facets WHERE facet = ?", (described_by(term),))}
