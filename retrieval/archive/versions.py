"""The versions of articles as rows: each with its text, what was read in it, and its place in time.

A version is current, superseded by a later one of the same id, or embargoed: then it becomes current once its time has
come. Only what is current is searched, named and counted; a superseded one can still be opened by who was shown a
sentence of it, as long as there is a current one. Of an article one version waits at the most, and that is its newest.

A renewed one is no version any more: its file was read again, more cleanly. Only who was shown a sentence of it can
still open it, and it is removed with its article.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cached_property
from itertools import starmap
from pathlib import PurePath
from typing import Any

from rapidfuzz import fuzz

from retrieval.archive.database import IN_LIST, Run
from retrieval.cache import decode, encode, is_whole
from retrieval.model import Article, LayoutKind, LayoutSpan, Reading, Span
from retrieval.search import EVERYTHING, Listed, Scope, VersionSummary
from retrieval.text.edit_distance import align

CURRENT, SUPERSEDED, EMBARGOED, RENEWED = "current", "superseded", "embargoed", "renewed"
LIVE = "state IN ('current', 'embargoed')"

PUT = (
    "INSERT INTO versions (id, state, digest, key, path, source, published, url, taken, embargo, reader, corrections,"
    " metadata, text, reading) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# one that waited for its time has come since, whatever was taken in meanwhile
SINCE = "max(taken, coalesce(embargo, 0))"
COLUMNS = f"id, text, metadata, digest, {SINCE}, reading, number, state, corrections, reader, taken"  # of a ``Version``
TITLE = "CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$[1]') END"
COPIES = (
    "(SELECT json_group_array(v.id) FROM copies AS c CROSS JOIN versions AS v ON v.number = c.other"
    " WHERE c.one = versions.number)"
)
OUTLETS = "SELECT coalesce(source, ''), count(*), min(published), max(published), min(taken) FROM versions"
LISTED = f"SELECT id, digest, source, published, {TITLE}, url, {COPIES} FROM versions"
# that can be opened: where the newest of an article is under an embargo that was not there before, nothing of it can
OPEN = "EXISTS (SELECT 1 FROM versions WHERE id = opened.id AND state = 'current') AND state != 'embargoed'"
NEWEST_FIRST = "ORDER BY published IS NULL, published DESC, id"
# of the versions that can be opened, the one that is searched last
IN_ORDER = f"id = ? AND state IN ('current', 'superseded') ORDER BY state = 'current', {SINCE}, number"
# the moment from which on some version of an article could be opened
FIRST = (
    f"(SELECT min({SINCE}) FROM versions AS earlier WHERE earlier.id = versions.id AND earlier.state != 'embargoed')"
)


@dataclass(frozen=True)
class Version:
    """A version as it is stored; ``code`` is its own reading, which no other article changes.

    ``since`` is the time from which it is there, in seconds, ``taken`` that at which it came, ``digest`` that of its
    text as it was put in, ``reader`` the program that read it.
    """

    id: str
    text: str
    metadata: str
    digest: str
    since: float
    code: bytes
    number: int = 0
    state: str = CURRENT
    corrections: str = "{}"
    reader: str = ""
    taken: float = 0.0

    @cached_property
    def article(self) -> Article:
        return article_of(self.id, self.text, self.metadata)

    @property
    def has_whole_text(self) -> bool:
        return self.article.digest == self.digest

    @property
    def is_whole(self) -> bool:
        """Whether neither its text nor what was read in it has changed on the disk."""
        return self.has_whole_text and is_whole(self.article, self.code)

    @property
    def reading(self) -> Reading:
        return decode(self.article, self.code)


def put(run: Run, reading: Reading, state: str, reader: str, now: float) -> int:
    """Store a version that is taken in ``now``; ``reader`` names the program that read it. Return its number."""
    article = reading.article
    published = article.published.isoformat() if article.published else None
    until = article.embargo.isoformat() if article.embargo else None
    layout = [(part.kind, part.span.start, part.span.end) for part in article.layout]
    metadata = (article.path, *_metadata(article), until, layout, article.origin)
    embargo = article.embargo.timestamp() if article.embargo else None
    names = (article.id, state, article.digest, article.key, article.path, article.source, published, article.url)
    stored = run(
        PUT, (*names, now, embargo, reader, "{}", json.dumps(metadata, default=str), article.text, encode(reading))
    )
    return int(stored.lastrowid or 0)


def every(run: Run, condition: str, *values: object) -> Iterator[Version]:
    """Yield the versions that meet a condition; it knows a version as ``opened``."""
    return starmap(Version, run(f"SELECT {COLUMNS} FROM versions AS opened WHERE {condition}", values))


def current(run: Run, article_id: str) -> Version | None:
    """Return the version of an article that is searched."""
    return next(every(run, "id = ? AND state = 'current'", article_id), None)


def number_of(run: Run, article_id: str, scope: Scope = EVERYTHING) -> int:
    """Return the number of an article's current version; ``KeyError`` without one within the scope."""
    condition, values = within_scope(scope)
    row = run(f"SELECT number FROM versions WHERE id = ? AND {condition}", (article_id, *values)).fetchone()
    if row is None:
        raise KeyError(article_id)
    return int(row[0])


def numbered(run: Run, number: int) -> Version:
    """Return a version by its number; ``KeyError`` without it."""
    for version in every(run, "number = ?", number):
        return version
    raise KeyError(number)


def article(run: Run, number: int) -> Article:
    row = run("SELECT id, text, metadata FROM versions WHERE number = ?", (number,)).fetchone()
    if row is None:
        raise KeyError(number)
    return article_of(*row)


def numbers(run: Run, condition: str, values: Sequence[object] = ()) -> list[int]:
    return [number for (number,) in run(f"SELECT number FROM versions WHERE {condition}", values)]


def within_scope(scope: Scope) -> tuple[str, list[object]]:
    """Return the condition under which a version is searched, within ``scope``, and the values in it."""
    conditions, values = ["state = 'current'"], list[object]()
    if scope.sources is not None:
        conditions.append(f"source {IN_LIST}")
        values.append(json.dumps(sorted(filter(None, scope.sources))))
    if scope.since:
        conditions.append(f"(published >= ? OR published IS NULL AND {FIRST} >= ?)")
        values += (scope.since.isoformat(), datetime.combine(scope.since, time(), UTC).timestamp())
    return " AND ".join(conditions), values


def is_early(article: Article, now: float) -> bool:
    """Return whether the embargo of an article has not ended ``now``, in seconds since 1970."""
    return article.embargo is not None and article.embargo.timestamp() > now


def due(run: Run, now: float) -> list[int]:
    """Return the numbers of the versions whose embargo has ended, in the order in which they came."""
    return numbers(run, "state = 'embargoed' AND embargo <= ? ORDER BY number", (now,))


def known(run: Run, article: Article, *, early: bool) -> bool:
    """Return whether the newest version of an article is just this one; an embargo counts while it is ``early``.

    It also is where a newer program has read the same file otherwise: that is no correction.
    """
    row = run("SELECT digest, metadata, state FROM versions WHERE id = ? ORDER BY number DESC LIMIT 1", (article.id,))
    found = row.fetchone()
    if found is None:
        return False
    before = article_of(article.id, article.text, found[1])
    until = before.embargo if found[2] == EMBARGOED else None
    waits = article.embargo if early or until == article.embargo else None
    is_same_file = before.origin == article.origin != ""
    is_same = is_same_file or (found[0] == article.digest and _metadata(before) == _metadata(article))
    return is_same and until == waits


def _metadata(article: Article) -> tuple[object, ...]:
    return (article.title, article.source, article.url, article.published, article.author, article.wire)


def damaged(run: Run) -> Iterator[Version]:
    return (version for version in every(run, f"{LIVE} ORDER BY number") if not version.is_whole)


def set_state(run: Run, number: int, state: str) -> None:
    run("UPDATE versions SET state = ? WHERE number = ?", (state, number))


def identity(run: Run, article: Article) -> str:
    """Return the id that an article has already, by its address or its file; else one that is free.

    A file that says nothing of its id is called by its name, or by the end of the way to it, and two folders may have
    files of one name.
    """
    newest = "SELECT id FROM versions WHERE {} = ? ORDER BY number DESC LIMIT 1"
    if article.url and (row := run(newest.format("url"), (article.url,)).fetchone()):
        return str(row[0])
    if not f"/{PurePath(article.path).as_posix()}".endswith(f"/{article.id}"):
        return article.id
    if row := run(newest.format("path"), (article.path,)).fetchone():
        return str(row[0])
    return article.path if run(newest.format("id"), (article.id,)).fetchone() else article.id


def days_of(code: str) -> Days:
    """Return the days on which sentences of a version were changed, from its ``corrections``."""
    with suppress(ValueError):
        days: Days = json.loads(code)
        return days
    return {}


def set_corrections(run: Run, number: int, days: Days) -> None:
    run("UPDATE versions SET corrections = ? WHERE number = ?", (json.dumps(days), number))


def summary(digest: str, source: str | None, since: float, corrections: str) -> VersionSummary:
    days = {int(at): date.fromisoformat(day) for at, day in days_of(corrections).items()}
    return VersionSummary(digest, source, day_of(since), days)


def article_of(article_id: str, text: str, metadata: str) -> Article:
    try:
        path, title, source, url, published, author, wire, embargo, layout, *rest = json.loads(metadata)
        until = datetime.fromisoformat(embargo) if embargo else None
        spans = tuple([LayoutSpan(LayoutKind(kind), Span(start, end)) for kind, start, end in layout])
        return Article(
            article_id, text, path, title, source, url, parse_day(published), author, wire, until, spans, *rest
        )
    except (ValueError, TypeError):  # a bad disk has changed it; without its text it counts as damaged
        return Article(article_id or "?", "")


def listed(row: Sequence[Any], copies: Iterable[str]) -> Listed:
    article_id, digest, source, published, title, url = row
    return Listed(article_id, digest, source, parse_day(published), title, url, tuple(sorted(copies)))


def parse_day(published: str | None) -> date | None:
    return date.fromisoformat(published) if published else None


LIKE = 50.0  # percent of its letters that a sentence shares with the one that it was changed to

Days = Mapping[str, str]  # the index of a sentence, and the day on which it was changed; both as JSON has them


def corrections(before: Version, after: Reading, day: str) -> Days:
    """Return the sentences of ``after`` that were changed: on ``day``, or earlier and left as they were.

    A sentence that was only added corrects nothing. Where there is no ``day``, sentences that are read otherwise keep
    the one they had.
    """
    found: dict[str, str] = {}
    days = days_of(before.corrections)
    for stretch in align(_sentences(before.reading), _sentences(after)):
        if not stretch.same and stretch.before:
            when = day or max(days.get(str(old), "") for old in stretch.before)
            found |= {str(place): when for place in stretch.after if when}
        elif stretch.same:
            pairs = zip(stretch.before, stretch.after, strict=True)
            found |= {str(place): days[str(old)] for old, place in pairs if str(old) in days}
    return found


def day_of(moment: float) -> date:
    """Return the day on which something was at a time in seconds since 1970, as all archives count days."""
    return datetime.fromtimestamp(moment, UTC).date()


def counterpart(before: Reading, index: int, after: Reading) -> int | None:
    """Return the index in ``after`` of the counterpart of a sentence of ``before``; None where there is none.

    That is the same sentence, wherever it is now, or else the most similar of those that replaced it.
    """
    one, other = _sentences(before), _sentences(after)
    same = [place for place, words in enumerate(other) if words == one[index]]
    if same:
        return min(same, key=lambda place: abs(place - index))
    for stretch in align(one, other):
        if not stretch.same and stretch.after and index in stretch.before:
            expected = stretch.after[0] + index - stretch.before[0]
            likeness = {place: fuzz.ratio(one[index], other[place]) for place in stretch.after}
            best = max(likeness, key=lambda place: (likeness[place], -abs(place - expected)))
            return best if likeness[best] >= LIKE or len(stretch.before) == len(stretch.after) == 1 else None
    return None


def _sentences(reading: Reading) -> list[str]:
    return [" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages]
