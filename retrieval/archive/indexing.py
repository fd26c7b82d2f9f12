"""Readings -> the rows of an archive: versions, segments of the index, names; and out of them again.

Each step runs within the caller's transaction, so that a reader sees an article whole or not at all.

A version's names are counted when it comes and goes, and joined when all are in. Joining looks at every name: a second
for 12,000 of them. So a large archive does it once after its articles have come (``WritableArchive.adding``), and until
then a new name stands for itself. The result depends only on the names that are there, not on their order.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from retrieval.archive import fields, near_duplicates, segments, vectors, versions
from retrieval.archive.database import ArchiveFile, Run, fact, run_many, set_fact
from retrieval.archive.register import KINDS, refresh
from retrieval.archive.retirement import forget_waiting, mark_journal_dirty, retire
from retrieval.archive.versions import CURRENT, EMBARGOED, RENEWED, SUPERSEDED, Days, Version, corrections, day_of
from retrieval.cache import encode, program_version
from retrieval.errors import DamagedIndexError
from retrieval.model import Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Name, Usage, canonical_names

NO_BUILDER = '[""]'  # in the place of the program that has built an index
BATCH = 256  # versions that are indexed together
ARRIVED = "INSERT INTO arrived (id) VALUES (?)"
# what is worked out of the versions
TABLES = ("segments members postings words names uses entities lookups facets bands copies").split()
UNRESOLVED = "names unresolved"  # a fact of the archive

NAMES_AT_ONCE = 20_000  # names that are joined with every change: in two seconds

NAME = "SELECT number, spellings, entity FROM names WHERE name = ? AND kind = ?"
USED = "SELECT n.number, n.spellings, n.entity, u.spellings FROM uses AS u JOIN names AS n ON n.number = u.name"
USAGES = (
    "SELECT n.number, n.name, n.kind, e.number, e.name, e.kind, sum(u.sure), sum(u.doubtful), sum(u.introduced),"
    " json_group_array(u.version) FROM names AS n CROSS JOIN uses AS u ON u.name = n.number"
    " JOIN entities AS e ON e.number = n.entity GROUP BY n.number"
)
ALONE = (
    "UPDATE names SET entity = (SELECT e.number FROM entities AS e"
    " WHERE e.name = names.name AND e.kind = names.kind) WHERE entity IS NULL"
)

Entities = set[int]  # the numbers of those that have other names or spellings now


@dataclass(slots=True)
class Changes:
    """Versions to index, by their numbers; entities with other names or spellings than before.

    ``unknown`` if it isn't known what the index has to lose.
    """

    fresh: list[tuple[int, Reading]] = field(default_factory=list)
    entities: Entities = field(default_factory=set)
    unknown: bool = False


def add(  # noqa: PLR0913 - each says something else of the versions
    run: Run, readings: Sequence[Reading], reader: str, aliases: Aliases, came: float, *, more: bool = False
) -> None:
    """Take in versions that ``came`` then, each in place of the one before it with the same id; the last one counts.

    ``reader`` names what has read them. One that waited for its time is never public any more, and forgotten.
    Where ``more`` are to come, names are resolved with those.
    """
    changes = Changes()
    for article_id, reading in {reading.article.id: reading for reading in readings}.items():
        if forget_waiting(run, article_id, reading.article.digest):
            mark_journal_dirty(run)
        if versions.is_early(reading.article, came):
            _hold_back(run, reading, reader, came, changes)
            continue
        before = _supersede(run, changes, article_id, reading.article.digest)
        # the same text with other particulars is there since it came
        since_before = before.since if before and before.article.digest == reading.article.digest else 0
        number = versions.put(run, reading, CURRENT, reader, since_before or came)
        if not since_before:
            run(ARRIVED, (article_id,))
        _correct(run, before, number, reading, day_of(came).isoformat())
        changes.fresh.append((number, reading))
    if not fact(run, "built"):
        set_fact(run, "built", _built(aliases))
    elif not _is_built_by_this_program(run):  # from here on it is several programs' work
        set_fact(run, "built", NO_BUILDER)
    _index(run, changes, aliases, more=more)


def reread(run: Run, readings: Sequence[Reading], reader: str, aliases: Aliases) -> None:
    """Put what ``reader`` has read in the place of what was read before, of versions that stay what they are."""
    changes = Changes()
    for reading in readings:
        same = f"id = ? AND digest = ? AND {versions.LIVE}"
        for before in list(versions.every(run, same, reading.article.id, reading.article.digest)):
            update = "UPDATE versions SET reading = ?, reader = ? WHERE number = ?"
            run(update, (encode(reading), reader, before.number))
            if not (before.is_whole and vectors.same_texts(before.reading, reading)):
                vectors.forget(run, before.number)
            if before.state == CURRENT and before.code != encode(reading):
                _correct(run, before, before.number, reading, "")
                _out(run, before, changes)
                changes.fresh.append((before.number, reading))
    _index(run, changes, aliases)


def renew(run: Run, readings: Sequence[tuple[int, Reading]], reader: str, aliases: Aliases) -> None:
    """Put what ``reader`` has read in unchanged files in the place of versions, by their numbers: none is corrected.

    What was posted of a version can be told by it, until its article is removed. Who follows changes is not told.
    """
    changes = Changes()
    for number, reading in readings:
        before = next(versions.every(run, f"number = ? AND {versions.LIVE}", number), None)
        if before is None:  # removed or replaced meanwhile
            continue
        if before.state == EMBARGOED:
            forget_waiting(run, before.id, reading.article.digest)
            mark_journal_dirty(run)
        elif before.digest == reading.article.digest:
            _out(run, before, changes)
            run("DELETE FROM versions WHERE number = ?", (number,))
        else:
            _out(run, before, changes)
            versions.set_state(run, number, RENEWED)
            vectors.forget(run, number)
        fresh = versions.put(run, reading, before.state, reader, before.since)
        _correct(run, before, fresh, reading, "")
        changes.fresh += [(fresh, reading)] if before.state == CURRENT else []
    _index(run, changes, aliases, more=True)


def _index(run: Run, changes: Changes, aliases: Aliases, *, more: bool = False) -> None:
    if changes.unknown:
        reindex(run, aliases)
        return
    segment = segments.Segment()
    sentence, paragraph = int(fact(run, "sentences", "0")), int(fact(run, "paragraphs", "0"))
    for number, reading in changes.fresh:
        sentence, paragraph = segment.add(number, reading, sentence, paragraph)
        changes.entities |= _put_names(run, number, reading)
        facets = sorted(fields.facets(reading))
        run_many(run, "INSERT INTO facets VALUES (?, ?)", [(facet, number) for facet in facets])
    if changes.fresh:
        segment.write(run)
        near_duplicates.put(run, [(number, reading.article.text) for number, reading in changes.fresh])
    set_fact(run, "sentences", str(sentence))
    set_fact(run, "paragraphs", str(paragraph))
    _settle_names(run, changes.entities)
    if more or run("SELECT count(*) FROM names").fetchone()[0] > NAMES_AT_ONCE:
        set_fact(run, UNRESOLVED, "1")
    else:
        resolve_names(run, aliases)
    note_change(run)


def _put_names(run: Run, number: int, reading: Reading) -> Entities:
    """Count the names of a version in."""
    text = reading.article.text
    usages: dict[Name, tuple[Usage, set[str]]] = {}
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        usage, spellings = usages.setdefault((mention.name, mention.kind), (Usage(), set()))
        usage.count(mention)
        spellings.add(" ".join(mention.span.of(text).split()))
    changed: Entities = set()
    uses = []
    for name, (usage, spellings) in usages.items():
        row = run(NAME, name).fetchone()
        if row is None:
            row = (run("INSERT INTO names (name, kind, spellings) VALUES (?, ?, '{}')", name).lastrowid, "{}", None)
        changed |= _respell(run, row, spellings, 1)
        counts = (usage.sure, usage.doubtful, usage.introduced)
        uses.append((row[0], number, *counts, json.dumps(sorted(spellings))))
    run_many(run, "INSERT INTO uses VALUES (?, ?, ?, ?, ?, ?)", uses)
    return changed


def _take_out_names(run: Run, number: int) -> Entities:
    rows = run(f"{USED} WHERE u.version = ?", (number,)).fetchall()
    changed = [_respell(run, row, json.loads(spellings), -1) for *row, spellings in rows]
    run("DELETE FROM uses WHERE version = ?", (number,))
    return set().union(*changed)


def _respell(run: Run, row: Sequence[object], spellings: Iterable[str], change: int) -> Entities:
    """Count in how many versions a name is spelt so; return its entity where it gains or loses a spelling."""
    number, code, entity = row
    before = Counter[str](json.loads(str(code)))
    after = before + Counter(dict.fromkeys(spellings, change))
    if after:
        run("UPDATE names SET spellings = ? WHERE number = ?", (json.dumps(after), number))
    else:
        run("DELETE FROM names WHERE number = ?", (number,))
    return {int(str(entity))} if entity is not None and before.keys() != after.keys() else set()


def _settle_names(run: Run, changed: Entities) -> None:
    """Have each new name stand for itself, and these entities be found by what they are called now."""
    fresh = run("SELECT name, kind FROM names WHERE entity IS NULL").fetchall()
    run_many(run, "INSERT OR IGNORE INTO entities (name, kind) VALUES (?, ?)", fresh)
    known = "SELECT e.number FROM names AS n JOIN entities AS e ON e.name = n.name AND e.kind = n.kind"
    alone = {number for (number,) in run(f"{known} WHERE n.entity IS NULL")}
    run(ALONE)
    refresh(run, changed | alone)


def resolve_names(run: Run, aliases: Aliases) -> None:
    """Decide which names are one entity, and write what that changes."""
    rows: dict[Name, tuple[int, int, Name]] = {}
    usages: dict[Name, Usage] = {}
    for number, name, kind, entity, its_name, its_kind, sure, doubtful, introduced, used_in in run(USAGES):
        key = (name, KINDS[kind])
        rows[key] = number, entity, (its_name, KINDS[its_kind])
        usages[key] = Usage(sure, doubtful, introduced, frozenset(json.loads(used_in)))
    names = canonical_names(usages, aliases)
    changed: Entities = set()
    for name, (number, entity, called) in rows.items():
        if called != (best := names[name]):
            run("INSERT OR IGNORE INTO entities (name, kind) VALUES (?, ?)", best)
            found = run("SELECT number FROM entities WHERE name = ? AND kind = ?", best).fetchone()
            run("UPDATE names SET entity = ? WHERE number = ?", (*found, number))
            changed |= {entity, *found}
    refresh(run, changed)
    set_fact(run, UNRESOLVED, "")


def _supersede(run: Run, changes: Changes, article_id: str, digest: str) -> Version | None:
    """Take the current version out of index and names, and return it.

    It stays to be opened, unless its text is the new one's.
    """
    before = versions.current(run, article_id)
    if before is None:
        return None
    _out(run, before, changes)
    if before.article.digest == digest:
        run("DELETE FROM versions WHERE number = ?", (before.number,))
    else:
        versions.set_state(run, before.number, SUPERSEDED)
        retire(run, "number = ? OR id = ? AND state = 'renewed'", before.number, article_id, removed=False)
    return before


def _hold_back(run: Run, reading: Reading, reader: str, now: float, changes: Changes) -> None:
    """Store a version that waits for its time; what is public of its article stays so if the words differ.

    The same words are under an embargo from now on, and with them every version of the article.
    """
    article = reading.article
    before = versions.current(run, article.id)
    days: Days = {}
    if before and before.article.digest == article.digest:
        retire(run, "id = ?", article.id, removed=True)
        _supersede(run, changes, article.id, article.digest)
        days = versions.days_of(before.corrections)
        mark_journal_dirty(run)
    versions.set_corrections(run, versions.put(run, reading, EMBARGOED, reader, now), days)


def _correct(run: Run, before: Version | None, number: int, reading: Reading, day: str) -> None:
    if before and before.is_whole:
        versions.set_corrections(run, number, corrections(before, reading, day))


def _out(run: Run, version: Version, changes: Changes) -> None:
    if not version.is_whole:  # and so it is not known what index and names have of it
        changes.unknown = True
        return
    try:
        segments.take_out(run, version.number, version.reading, same_terms=_is_built_by_this_program(run))
    except DamagedIndexError:  # it is built anew
        changes.unknown = True
        return
    changes.entities |= _take_out_names(run, version.number)
    run("DELETE FROM facets WHERE version = ?", (version.number,))
    near_duplicates.take_out(run, version.number)


def remove(run: Run, article_id: str, aliases: Aliases) -> None:
    """Forget an article with all its versions; ``KeyError`` where there is none with this id."""
    before = versions.current(run, article_id)
    retire(run, "id = ?", article_id, removed=True)
    gone = run("DELETE FROM versions WHERE id = ?", (article_id,)).rowcount
    if not gone:
        raise KeyError(article_id)
    run("DELETE FROM pages WHERE url = ?", (article_id,))
    run("DELETE FROM arrived WHERE id = ?", (article_id,))
    changes = Changes()
    if before:
        _out(run, before, changes)
    _index(run, changes, aliases)
    mark_journal_dirty(run)


def publish_due(run: Run, aliases: Aliases, now: float) -> None:
    """Index the versions whose embargo has ended, if there are any."""
    changes = Changes()
    if not (due := versions.due(run, now)):
        return
    for number in due:
        version = versions.numbered(run, number)
        before = _supersede(run, changes, version.id, version.article.digest)
        versions.set_state(run, number, CURRENT)
        run(ARRIVED, (version.id,))
        if version.is_whole:  # a damaged one is found once it has been read again
            _correct(run, before, number, version.reading, day_of(now).isoformat())
            changes.fresh.append((number, version.reading))
    _index(run, changes, aliases)


def reindex(run: Run, aliases: Aliases) -> None:
    """Rebuild index and names from the readings of current versions; damaged ones are skipped."""
    run(f"DELETE FROM vectors WHERE NOT ({vectors.whole()})")
    for table in TABLES:
        run(f"DELETE FROM {table}")
    run("DELETE FROM facts WHERE name IN ('sentences', 'paragraphs')")
    numbers = versions.numbers(run, "state = 'current' ORDER BY number")
    for start in range(0, len(numbers), BATCH):
        fresh = (versions.numbered(run, number) for number in numbers[start : start + BATCH])
        whole = [(version.number, version.reading) for version in fresh if version.is_whole]
        _index(run, Changes(whole), aliases, more=True)
        while segments.merge_due(run):
            pass
    resolve_names(run, aliases)
    note_change(run)
    set_fact(run, "built", _built(aliases))


def compact(file: ArchiveFile) -> None:
    """Put segments together where there are enough of one size, once others have seen what was put in."""
    due = True
    while due:
        with file.writing() as run:
            due = segments.merge_due(run)


def fits(run: Run, aliases: Aliases) -> bool:
    """Return whether index and names were built to the end, by this program, by what ``names.toml`` says now."""
    # nothing is built where nothing was put in
    return fact(run, "built", _built(aliases)) == _built(aliases) and not fact(run, UNRESOLVED)


def _is_built_by_this_program(run: Run) -> bool:
    program, *_ = json.loads(fact(run, "built", NO_BUILDER))
    return bool(program == program_version())


def _built(aliases: Aliases) -> str:
    return json.dumps((program_version(), aliases.same, aliases.different))


def note_change(run: Run) -> None:
    """Give the archive another revision."""
    set_fact(run, "revision", str(int(fact(run, "revision", "0")) + 1))
