"""``stet backup`` and ``stet restore``: archive, state and settings in a folder, and back in their places.

Only what the manifest names is part of a backup, so replacing the manifest replaces the whole backup at once.
A restore makes all files ready beside their places, notes that, and moves them there. If it is killed after the note,
the next command finishes it; if before, the next command deletes what it left.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import retrieval
from adapters import __version__
from adapters.answer_record import erase_words
from adapters.articles import archive_path, open_archive_of
from adapters.settings import TABLE, Settings, load
from adapters.storage.database import SqliteDatabase
from adapters.storage.store import Store, default_path, is_server_address
from bot import messages
from bot.escaping import escape_line

ARCHIVE, STATE, SETTINGS, CHANNELS = "archive.sqlite", "state.sqlite", "settings.env", "channels.toml"
NAMES = {ARCHIVE, STATE, SETTINGS, CHANNELS, retrieval.ALIASES_FILE}
DATABASES = {ARCHIVE: "an archive", STATE: "a state"}
MANIFEST, NEW_MANIFEST, LOCK = "manifest.json", "manifest.json.new", "lock"
SAVED = re.compile(r"\d{8}T\d{12}Z")  # the folder of one backup, named by its moment
READY = "ready.json"  # which files a restore still has to move, and where
FORMAT = 1
PATIENCE_SECONDS = 60.0  # that a command waits for a restore to end
PLAIN = re.compile(r"[\w./:@,+-]+")
QUERY = re.compile(r"[?&]([^=&\s]*)(=?)")  # a name in an address, and whether a value follows
SECRET = re.compile(r"pass|token|key|secret|auth|sig", re.IGNORECASE)  # in the name of what may be a password
OF_SERVERS = {
    ARCHIVE: "The archive is in OpenSearch, and not part of this: make a snapshot there (docs/cluster.md).",
    STATE: "The state is in PostgreSQL, and not part of this: use pg_dump and pg_restore (docs/deploy.md).",
}


class BackupError(retrieval.RetrievalError):
    """Nothing can be saved or restored; the message says why, and what to do."""


def _places(settings: Settings) -> dict[str, Path]:
    """Return where the files of a backup belong on this machine; what a server holds has no place."""
    places = {}
    if not retrieval.is_opensearch(settings.archive):
        places[ARCHIVE] = archive_path(settings).resolve()
        places[retrieval.ALIASES_FILE] = places[ARCHIVE].with_name(retrieval.ALIASES_FILE)
    if not is_server_address(settings.state):
        places[STATE] = Path(settings.state or default_path()).resolve()
    if settings.channels:
        places[CHANNELS] = Path(settings.channels).resolve()
    return places


def save(settings: Settings, folder: Path) -> Iterator[str]:
    """Save archive, state and settings in ``folder``, in place of the backup there; yield what was saved."""
    places = _places(settings)
    sources = {name: place for name, place in places.items() if place.exists()}
    if ARCHIVE in places and ARCHIVE not in sources and not settings.articles:
        raise BackupError(f"There is no archive at {places[ARCHIVE]} yet. `stet add` creates one.")
    if not sources.keys() & DATABASES:
        raise BackupError(" ".join(["There is nothing to save.", *_uncovered(places)]))
    _refuse_other_things(folder)
    with _alone(folder / LOCK):
        folder.chmod(0o700)
        with suppress(BackupError):
            _delete_leftovers(folder, keep=_manifest(folder)["folder"])
        moment = datetime.now(UTC)
        stage = folder / f"{moment:%Y%m%dT%H%M%S%f}Z"
        stage.mkdir(mode=0o700)
        try:
            _need_room(folder, sources.values())
            manifest = _written(settings, sources, stage)
            manifest |= {"stet": __version__, "format": FORMAT, "saved": moment.isoformat(timespec="seconds")}
            _write(folder / MANIFEST, _line(manifest | {"folder": stage.name}))
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        _delete_leftovers(folder, keep=stage.name)
    yield f"Saved {_contents(manifest)} and the settings without secrets in {folder}; checked: intact."
    if secrets := manifest["left_out"]:
        yield f"Left out because they are secrets: {', '.join(secrets)}."
    if settings.articles:
        yield "The articles that STET_ARTICLES names are not part of this: copy their files."
    yield from _uncovered(places)


def _uncovered(places: dict[str, Path]) -> Iterator[str]:
    return (line for name, line in OF_SERVERS.items() if name not in places)


def _written(settings: Settings, sources: dict[str, Path], stage: Path) -> dict[str, Any]:
    """Write the files of a backup to ``stage``, and check them; return what the manifest says of them."""
    copies = replace(settings, articles=(), archive=str(stage / ARCHIVE))
    # the state first: no answer in it cites an article that is missing from the archive
    if not is_server_address(settings.state):
        copies = replace(copies, state=str(stage / STATE))
        _copy_state(settings, stage / STATE)
    for name in sources.keys() & {retrieval.ALIASES_FILE, CHANNELS}:
        _write(stage / name, sources[name].read_bytes())
    text, left_out = _without_secrets(settings)
    _write(stage / SETTINGS, text)
    counts = dict[str, int]()
    if ARCHIVE in sources:
        with closing(open_archive_of(settings)) as archive:
            archive.copy_to(stage / ARCHIVE)
        with closing(open_archive_of(copies)) as archive:
            for feed in archive.subscriptions.every():
                if _has_secret(settings, feed.url):
                    archive.subscriptions.remove(feed.url)
                    left_out.append(f"the feed {settings.redacted(feed.url).partition('?')[0]}")
            counts = _withdraw_and_count(copies, archive)
    if (stage / STATE).exists():
        counts["answers"] = _checked_answers(stage / STATE)
    _seal(stage)
    files = {file.name: {"sha256": _digest(file)} for file in stage.iterdir()}
    return {"counts": counts, "files": files, "left_out": left_out}


def _copy_state(settings: Settings, copy: Path) -> None:
    place = Path(settings.state or default_path())
    if place.exists():
        with closing(SqliteDatabase(place, read_only=True)) as state:
            state.copy_to(copy)
    with closing(Store(copy, settings.keep_days)), closing(SqliteDatabase(copy)) as state, state.writing() as run:
        # questions being answered: to answer them again after a restore would be too late
        run("UPDATE claims SET finished = claimed, payload = '' WHERE finished IS NULL")


def _withdraw_and_count(settings: Settings, archive: retrieval.PersistentArchive) -> dict[str, int]:
    """Delete the words of removed articles from the answers beside a copy of the archive; count what is in the copy.

    Raises ``BackupError`` where something is damaged.
    """
    archive.retirements.publish_removals()
    digests, last = set[str](), 0
    while retired := archive.retirements.after(last):
        digests |= {each.digest for each in retired if each.removed}
        last = retired[-1].number
    if digests and not is_server_address(settings.state):
        with Store.of(settings) as store:
            erase_words(store, archive, digests)
    if faults := [*filter(None, [archive.fault()]), *archive.damaged()]:
        raise BackupError(f"The archive is damaged, and nothing was changed. {faults[0]}")
    return dict(zip(("articles", "versions"), archive.stored(), strict=True))


def _checked_answers(file: Path) -> int:
    """Return the number of answers in a state; ``BackupError`` where it is damaged."""
    with closing(SqliteDatabase(file)) as state, state.reading() as run:
        if fault := state.fault():
            raise BackupError(f"The state is damaged ({fault}), and nothing was changed.")
        return int(run("SELECT count(*) FROM answers").fetchone()[0])


def _contents(manifest: dict[str, Any]) -> str:
    counts, parts = manifest["counts"], []
    if "articles" in counts:
        versions = messages.count(counts["versions"], "version")
        parts.append(f"{messages.count(counts['articles'], 'article')} ({versions})")
    if "answers" in counts:
        parts.append(messages.count(counts["answers"], "recorded answer"))
    return ", ".join(parts)


def _has_secret(settings: Settings, text: str) -> bool:
    is_named = any(value and SECRET.search(name) for name, value in QUERY.findall(text))
    return settings.redacted(text) != text or ("://" in text and is_named)


def _without_secrets(settings: Settings) -> tuple[str, list[str]]:
    """Return the settings that were changed, as lines for ``.env``, and the names of those that are secrets."""
    defaults, lines, secrets = load({}, Path(os.devnull)), list[str](), list[str]()
    for row in TABLE:
        value = getattr(settings, row.attribute)
        if value == getattr(defaults, row.attribute):
            continue
        text = str(int(value) if isinstance(value, bool) else value)
        if isinstance(value, tuple):
            text = (os.pathsep if row.name == "STET_ARTICLES" else ",").join(value)
        if row.secret or _has_secret(settings, text):
            secrets.append(row.name)
        else:
            escaped = text.replace("\\", "\\\\").replace("'", "\\'")
            quoted = text if PLAIN.fullmatch(text) else f"'{escaped}'"
            lines.append(f"{row.name}={quoted}")
    comments = [f"# {name} is a secret: set it again." for name in secrets]
    return "".join(f"{line}\n" for line in (*lines, *comments)), secrets


def _refuse_other_things(folder: Path) -> None:
    """Raise ``BackupError`` for a folder with anything but a backup, or what a killed one left, in it."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BackupError(f"{folder} is a file. Name a folder.")
    names = {file.name for file in folder.iterdir()} - {LOCK, NEW_MANIFEST}
    others = {name for name in names if not SAVED.fullmatch(name)}
    if others and not (others == {MANIFEST} and names > others):
        other = escape_line(min(others))
        raise BackupError(f"{folder} has other things in it ({other}). Name a new folder, or one with a backup.")


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a backup; ``BackupError`` where there is none, or it was changed."""
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        try:
            text = (folder / MANIFEST).read_text(encoding="utf-8")
        except OSError as error:
            raise BackupError(f"{folder} has no complete backup in it.") from error
        manifest: dict[str, Any] = json.loads(text)
        if _line({key: value for key, value in manifest.items() if key != "sha256"}) != text:
            raise ValueError
        if manifest["format"] > FORMAT:
            raise BackupError(f"{folder} was made by a newer version of stet, {manifest['stet']}: use that one.")
        if SAVED.fullmatch(manifest["folder"]) and manifest["files"].keys() <= NAMES:
            return manifest
    raise BackupError(f"{folder / MANIFEST} is damaged, or is not from `stet backup`. Nothing was changed.")


def _line(manifest: dict[str, Any]) -> str:
    """Return a manifest as it is written, with its own digest."""
    digest = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    return json.dumps(manifest | {"sha256": digest}, indent=1, sort_keys=True) + "\n"


def _delete_leftovers(folder: Path, keep: str) -> None:
    (folder / NEW_MANIFEST).unlink(missing_ok=True)
    for entry in folder.iterdir():
        if SAVED.fullmatch(entry.name) and entry.name != keep:
            shutil.rmtree(entry)


def restore(settings: Settings, folder: Path, *, replaces: bool, with_removed: bool) -> Iterator[str]:
    """Put a backup in its places; yield what was restored, and what stays out."""
    manifest, every = _manifest(folder), _places(settings)
    source = folder / manifest["folder"]
    for name, file in manifest["files"].items():
        if not (source / name).is_file() or _digest(source / name) != file["sha256"]:
            raise BackupError(f"{source / name} is damaged or missing. Nothing was changed.")
    places = {name: place for name, place in every.items() if name in manifest["files"]}
    if not places.keys() & DATABASES:
        raise BackupError(" ".join(["Nothing of this backup belongs here.", *_uncovered(every)]))
    present = {  # what restoring would lose
        name
        for name, place in places.items()
        if place.exists() and (name in DATABASES or place.read_bytes() != (source / name).read_bytes())
    }
    if present and not replaces:
        there = " and ".join(_described(name, places[name]) for name in sorted(present))
        raise BackupError(f"There is {there} already. Nothing was changed. Use --replace to replace it.")
    lock, ready = _notes(every)
    with _alone(lock):
        _tidy(every)
        _need_room(lock.parent, (source / name for name in places))
        try:
            for name in present & DATABASES.keys():
                _release(places[name])
            for name in places:
                retrieval.make_private(_staged(every, name))
                shutil.copyfile(source / name, _staged(every, name))
            lines = _prepared(settings, every, manifest, with_removed=with_removed)
            moves = [(str(_staged(every, name)), str(place)) for name, place in places.items()]
            _write(ready, json.dumps(moves))
        finally:
            _tidy(every)  # moves them if they are ready
    yield f"Restored {_contents(manifest)} of {_day(manifest)} from {folder}; checked: intact."
    yield from lines
    yield f"The settings of that day are in {source / SETTINGS}. Copy what you need to .env."
    if secrets := manifest["left_out"]:
        yield f"Set again, because secrets are not saved: {', '.join(secrets)}."
    yield from _uncovered(every)


def finish(settings: Settings) -> None:
    """Finish a restore that was killed when everything was ready; delete what an earlier kill left."""
    places = _places(settings)
    try:
        if not any(_staging(place).exists() for place in places.values()):
            return
    except PermissionError:  # who may not look there can finish nothing, and may still read the other files
        return
    lock, ready = _notes(places)
    is_ready = ready.exists()
    try:
        with _alone(lock, PATIENCE_SECONDS if is_ready else 0):
            _tidy(places)
    except retrieval.BusyArchiveError:
        if is_ready:  # else a restore is at work, and what it replaces can be used until it is ready
            raise


def _prepared(settings: Settings, every: dict[str, Path], manifest: dict[str, Any], *, with_removed: bool) -> list[str]:
    """Take what must not come back out of the copies, and check them; return what there is to say of that."""
    copies, lines, counts = replace(settings, articles=()), list[str](), manifest["counts"]
    has_state = STATE in manifest["files"] and STATE in every
    if has_state:
        copies = replace(copies, state=str(_staged(every, STATE)))
        Store.of(copies).close()  # examines it
    if ARCHIVE in manifest["files"] and ARCHIVE in every:
        copies = replace(copies, archive=str(_staged(every, ARCHIVE)))
        with closing(open_archive_of(copies)) as archive:
            lines = _held_back(settings, archive, every[ARCHIVE], _day(manifest), with_removed=with_removed)
            counts |= _withdraw_and_count(copies, archive)
    if has_state:
        counts["answers"] = _checked_answers(Path(copies.state))
    for folder in {_staged(every, name).parent for name in every}:
        _seal(folder)
    return lines


def _held_back(
    settings: Settings, archive: retrieval.PersistentArchive, place: Path, day: str, *, with_removed: bool
) -> list[str]:
    """Take out of a copy what the archive at ``place`` has removed, embargoed or replaced since; say what."""
    unknown = f"What was removed after {day} is not known here, and may be back: run `stet remove` for it again."
    if not place.exists():
        return [unknown]
    with ExitStack() as stack:
        try:
            now = stack.enter_context(closing(open_archive_of(settings)))
            withheld, revision = now.withheld(archive), now.revision()
        except retrieval.ArchiveError as error:
            # another program's file, or a newer version's, is not replaced; a damaged one is
            if isinstance(error, retrieval.BusyArchiveError) or not isinstance(error.__cause__, sqlite3.DatabaseError):
                raise
            return [f"The archive that was here is damaged. {unknown}"]
        removed = [_name(archive, article_id) for article_id in sorted(withheld.removed)]
        altered = [_name(now, article_id) for article_id in sorted(withheld.altered)]
        for article_id in withheld.altered if with_removed else withheld.altered | withheld.removed:
            archive.take_over(article_id, now)
        archive.take_log(now)
        if now.revision() != revision:
            raise retrieval.BusyArchiveError(
                f"{place} was changed meanwhile. Nothing was restored: run the command again."
            )
    lines = [] if withheld.is_later else [unknown]
    if removed:
        state = "brought back" if with_removed else "left out (--with-removed brings them back)"
        lines += [f"{messages.count(len(removed), 'article')} removed after {day}: {state}.", *removed]
    if altered:
        count = messages.count(len(altered), "article")
        lines += [f"{count} embargoed or replaced after {day}: as in the archive before.", *altered]
    return lines


def _name(archive: retrieval.PersistentArchive, article_id: str) -> str:
    title = next((reading.article.title for reading in archive.versions(article_id)[::-1]), None)
    return escape_line(f"  “{title}” ({article_id})" if title else f"  {article_id}")


def _day(manifest: dict[str, Any]) -> str:
    saved = datetime.fromisoformat(manifest["saved"])
    return f"{messages.day(saved.date())}, {saved:%H:%M} UTC"


def _notes(places: dict[str, Path]) -> tuple[Path, Path]:
    """Return the lock of a restore, and its note of what is ready: both beside the archive, else beside the state."""
    main = places.get(ARCHIVE) or places[STATE]
    return main.with_name(f"{main.name}-restore"), _staging(main) / READY


def _staging(place: Path) -> Path:
    return place.with_name(f"{place.name}.restoring")


def _staged(places: dict[str, Path], name: str) -> Path:
    # names.toml beside the archive, which is opened with it
    return _staging(places[ARCHIVE if name == retrieval.ALIASES_FILE else name]) / name


def _tidy(places: dict[str, Path]) -> None:
    """Move what is ready to its place; delete everything else that a restore made."""
    _, ready = _notes(places)
    if ready.exists():
        for staged, place in (map(Path, move) for move in json.loads(ready.read_text(encoding="utf-8"))):
            if not staged.exists():  # moved before the restore was killed
                continue
            if staged.name in DATABASES:
                if place.exists():
                    _release(place)
                for journal in _journals(place):
                    journal.unlink(missing_ok=True)
            staged.replace(place)
            _sync(place.parent)
        ready.unlink()
    for place in places.values():
        shutil.rmtree(_staging(place), ignore_errors=True)


def _journals(place: Path) -> tuple[Path, ...]:
    return tuple(place.with_name(place.name + ending) for ending in ("-wal", "-shm", "-journal"))


def _release(place: Path) -> None:
    """Have a database without a journal; ``BusyArchiveError`` where another process has it open."""
    gc.collect()  # what this process itself has left open
    try:
        with closing(sqlite3.connect(place, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            how = "Stop `stet run`, `stet follow` and everything else that uses it, then run the command again"
            raise retrieval.BusyArchiveError(f"{place} is in use. {how}.") from error
        # a damaged one is replaced


def _described(name: str, place: Path) -> str:
    kind = DATABASES.get(name, "a file")
    with suppress(retrieval.ArchiveError, sqlite3.Error):
        if name == ARCHIVE:
            with closing(retrieval.PersistentArchive(place)) as archive:
                kind += f" with {messages.count(archive.stored()[0], 'article')}"
        elif name == STATE:
            with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as state:
                [answers] = state.execute("SELECT count(*) FROM answers").fetchone()
                kind += f" with {messages.count(answers, 'recorded answer')}"
    return f"{kind} at {escape_line(str(place))}"


@contextmanager
def _alone(file: Path, patience: float = 0.0) -> Iterator[None]:
    """Keep other backups and restores out; a process that is killed lets them in again."""
    retrieval.make_private(file)
    with closing(sqlite3.connect(file, timeout=patience, isolation_level=None)) as lock:
        try:
            lock.execute("PRAGMA journal_mode=OFF")  # or a file stays when the process is killed
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as busy:
            raise retrieval.BusyArchiveError("Another backup or restore is at work. Wait until it has ended.") from busy
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def _need_room(folder: Path, files: Iterable[Path]) -> None:
    needed = sum(file.stat().st_size for place in files for file in (place, *_journals(place)) if file.exists())
    free = shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free
    if free < needed:
        raise BackupError(f"{folder} has room for {free / 1e6:,.0f} MB, and {needed / 1e6:,.0f} are needed. Make room.")


def _seal(folder: Path) -> None:
    """Delete what opening the copies left beside them, and have the copies on the disk."""
    for file in [*folder.glob("*.sqlite-*")]:
        file.unlink()
    for file in (*folder.glob("*"), folder):
        _sync(file)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _write(file: Path, content: str | bytes) -> None:
    """Write a file for nobody else to read, whole or not at all."""
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    retrieval.make_private(new)
    new.write_bytes(content.encode() if isinstance(content, str) else content)
    _sync(new)
    new.replace(file)
    _sync(file.parent)


def _sync(place: Path) -> None:
    opened = os.open(place, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
