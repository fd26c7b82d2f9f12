"""Readings -> the rows of a lasting archive: versions, segments of the index, names; and out of them again.

Each step runs within the caller's transaction, so that a reader sees an article whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from retrieval.archive.corrections import Days, corrections
from retrieval.archive.lasting import name_store, versions
from retrieval.archive.lasting.database import Run
from retrieval.archive.lasting.name_store import Touched
from retrieval.archive.lasting.retirement import retire
from retrieval.archive.lasting.segments import Segment, take_out
from retrieval.archive.lasting.versions import CURRENT, EMBARGOED, SUPERSEDED, Version
from retrieval.cache.fingerprint import program_version
from retrieval.model import Reading
from retrieval.names.aliases import Aliases

BATCH = 256  # versions that are indexed together

Superseded = tuple[Version, Days] | None


def add(run: Run, readings: Sequence[Reading], aliases: Aliases, now: float) -> None:
    """Take in versions, each in place of the one before it with the same id; of one id, the last counts."""
    fresh = {reading.article.id: reading for reading in readings}
    touched = Touched()
    current: list[tuple[int, Reading]] = []
    for article_id, reading in fresh.items():
        embargo = reading.article.embargo
        if embargo and embargo.timestamp() > now:
            versions.put(run, reading, EMBARGOED, program_version(), now)
            continue
        before = _supersede(run, article_id, reading.article.digest, touched)
        number = versions.put(run, reading, CURRENT, program_version(), now)
        _correct(run, before, number, reading, now)
        current.append((number, reading))
    if not _fact(run, "built", ""):
        _fit(run, aliases)
    _index(run, current, touched, aliases)


def _index(run: Run, fresh: Sequence[tuple[int, Reading]], touched: Touched, aliases: Aliases) -> None:
    segment = Segment()
    sentence, paragraph = int(_fact(run, "sentences", "0")), int(_fact(run, "paragraphs", "0"))
    for number, reading in fresh:
        sentence, paragraph = segment.add(number, reading, sentence, paragraph)
        name_store.count_in(run, number, reading, touched)
    if fresh:
        segment.write(run)
    _set_fact(run, "sentences", str(sentence))
    _set_fact(run, "paragraphs", str(paragraph))
    name_store.settle(run, touched, aliases)
    _changed(run)


def _supersede(run: Run, article_id: str, digest: str, touched: Touched) -> Superseded:
    """Take the current version out of index and names, and return it with the days on which it was corrected.

    It stays to be opened, unless its text is the new one's.
    """
    before = versions.current(run, article_id)
    if before is None:
        return None
    days = versions.corrections(run, before.number)
    _out(run, before, touched)
    if before.article.digest == digest:
        run("DELETE FROM versions WHERE number = ?", (before.number,))
    else:
        versions.set_state(run, before.number, SUPERSEDED)
        retire(run, [(before.article.key, before.article.digest)], removed=False)
    return before, days


def _correct(run: Run, before: Superseded, number: int, reading: Reading, now: float) -> None:
    if before:
        version, days = before
        day = datetime.fromtimestamp(now, UTC).date().isoformat()
        versions.set_corrections(run, number, corrections(version.reading, days, reading, day))


def _out(run: Run, version: Version, touched: Touched) -> None:
    take_out(run, version.number, version.reading)
    name_store.count_out(run, version.number, version.reading, touched)


def remove(run: Run, article_id: str, aliases: Aliases) -> None:
    """Forget an article with all its versions; ``KeyError`` where there is none with this id."""
    before = versions.current(run, article_id)
    retire(run, versions.keys(run, article_id), removed=True)
    gone = run("DELETE FROM versions WHERE id = ?", (article_id,)).rowcount
    if not gone:
        raise KeyError(article_id)
    run("DELETE FROM pages WHERE url = ?", (article_id,))
    if before:
        touched = Touched()
        _out(run, before, touched)
        name_store.settle(run, touched, aliases)
    _changed(run)


def release(run: Run, aliases: Aliases, now: float) -> None:
    """Take in the versions whose embargo has ended."""
    touched = Touched()
    current: dict[str, tuple[int, Reading]] = {}
    for number in versions.due(run, now):
        version = versions.numbered(run, number)
        earlier = current.pop(version.article.id, None)
        if earlier:
            versions.set_state(run, earlier[0], SUPERSEDED)
        before = _supersede(run, version.article.id, version.article.digest, touched)
        versions.set_state(run, number, CURRENT)
        _correct(run, before, number, version.reading, now)
        current[version.article.id] = (number, version.reading)
    _index(run, tuple(current.values()), touched, aliases)


def reindex(run: Run, aliases: Aliases) -> None:
    """Build index and names anew from the readings of what is current."""
    for table in (
        "segments",
        "members",
        "postings",
        "words",
        "names",
        "offers",
        "seeks",
        "pairs",
        "entities",
        "lookups",
    ):
        run(f"DELETE FROM {table}")
    _set_fact(run, "sentences", "0")
    _set_fact(run, "paragraphs", "0")
    numbers = [number for (number,) in run("SELECT number FROM versions WHERE state = 'current' ORDER BY number")]
    for start in range(0, len(numbers), BATCH):
        fresh = (versions.numbered(run, number) for number in numbers[start : start + BATCH])
        _index(run, [(version.number, version.reading) for version in fresh], Touched(), aliases)
    _fit(run, aliases)


def fits(run: Run, aliases: Aliases) -> bool:
    """Return whether index and names were built by this program, and by what ``names.toml`` says now."""
    return _fact(run, "built", "") == _built(aliases)


def _fit(run: Run, aliases: Aliases) -> None:
    _set_fact(run, "built", _built(aliases))


def _built(aliases: Aliases) -> str:
    return json.dumps((program_version(), aliases.same, aliases.different))


def _fact(run: Run, name: str, default: str) -> str:
    row = run("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def _set_fact(run: Run, name: str, value: str) -> None:
    run("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def _changed(run: Run) -> None:
    _set_fact(run, "revision", str(int(_fact(run, "revision", "0")) + 1))
