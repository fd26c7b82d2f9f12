"""Files and folders -> articles; rejects, never repairs.

A folder is read with the folders in it. In it these are no articles, and are passed over in silence: hidden files
and folders, files of other kinds, and texts about the folder (README, LICENSE, names, questions…).
What somebody meant to be read is refused aloud: a word processor's file, a folder or a pipe that is called like an
article, a link that leads nowhere or out of the folder.
A file in a folder in it goes by the way there, and not by its name alone: `2026/11/ferry.txt`.
``articles.toml`` in a folder says what its own texts do not say themselves; what a text says itself is believed first.
What stands there of no file, or under a key that nothing reads, is refused aloud too. Where embargoes in it may be
missed, because it cannot be read whole or names a file that is not there, nothing of its folder is loaded, nor of the
folders in it: without the table, what is under an embargo there would be public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from os import DirEntry, scandir
from pathlib import Path, PurePath
from typing import NamedTuple

from retrieval.errors import (
    ArticleError,
    DuplicateArticleError,
    NoArticlesError,
    UnreadableArticleError,
    UnreadArticleError,
    UnsafeTableError,
    UnusedEntryError,
    fault_of,
)
from retrieval.intake.files import READERS, TABLE, read_file
from retrieval.intake.metadata import KNOWN, Draft, Keys, embargoes, finish, is_past, plain
from retrieval.limits import TABLE as TABLE_LIMIT, decode, legible, read_bytes, read_toml, shown
from retrieval.model import Article

# Told by their names, whatever follows the dot.
_ABOUT_THE_FOLDER = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "contributing", "index", "names", "questions"}
)
_WORD_PROCESSED = frozenset({".doc", ".docx", ".odt", ".rtf", ".pages", ".epub"})

Rejected = tuple[str, ArticleError]
Finished = tuple[str, Article | ArticleError]


class Laid(NamedTuple):
    """A file that may hold articles, the way to it from the folder that was named, and what its table says."""

    file: Path
    way: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Loaded:
    """The articles taken, in the order of the paths and then of the file names; and what was not, with the reason.

    What was not taken is named by its path, a line of a file as "path, line 3". ``frozen`` are the paths of folders and
    files of which nothing may be added, changed or removed, as their table is unsafe.
    """

    articles: tuple[Article, ...]
    rejected: tuple[Rejected, ...] = ()
    frozen: tuple[str, ...] = ()

    def is_frozen(self, article: Article) -> bool:
        """Return whether an article that was loaded earlier has to stay as it is."""
        return any(PurePath(article.path).is_relative_to(place) for place in self.frozen)

    @property
    def unsafe(self) -> str:
        """What is wrong with the tables, in words; empty where nothing is."""
        return " ".join(f"{place}: {error}" for place, error in self.rejected if isinstance(error, UnsafeTableError))


def load_articles(paths: Sequence[Path], zone: tzinfo | None = None) -> Loaded:
    """Return the articles of files and folders; a file that is named twice is read once. ``zone`` as for ``finish``.

    Raises ``NoArticlesError`` where a path leads nowhere, or where there is no article at all and nothing is frozen.
    """
    tables = Tables()
    taken: dict[str, Article] = {}
    rejected: list[Rejected] = []
    files = list(_files(paths, tables))
    left, frozen = _parted(files, tables)
    for place, found in _finished(left, zone):
        if isinstance(found, ArticleError):
            rejected.append((place, found))
        elif found.id in taken:
            rejected.append((place, _duplicate(taken[found.id])))
        else:
            taken[found.id] = found
    rejected.extend(tables.changed())
    loaded = Loaded(tuple(taken.values()), tuple(rejected), (*frozen, *map(legible, tables.unsafe)))
    if not (taken or loaded.frozen):
        raise _nothing(paths, rejected)
    return replace(loaded, articles=tuple(each for each in loaded.articles if not loaded.is_frozen(each)))


def _parted(files: Sequence[Laid | Rejected], tables: Tables) -> tuple[list[Laid | Rejected], list[str]]:
    """Return what may be read, and the paths of files that lie, by a link or another name, in an unsafe folder."""
    folders = [folder.resolve() for folder in tables.unsafe]
    left, frozen = list[Laid | Rejected](), list[str]()
    for each in files:
        resolved = each.file.resolve() if folders and isinstance(each, Laid) else None
        if isinstance(each, Laid) and resolved and any(resolved.is_relative_to(folder) for folder in folders):
            frozen.append(legible(each.file))
        else:
            left.append(each)
    return left, frozen


def _finished(files: Sequence[Laid | Rejected], zone: tzinfo | None) -> Iterator[Finished]:
    """Yield each article, or the reason why it is none, with its place in words."""
    for laid in files:
        if isinstance(laid, Laid):
            yield from _articles(laid, zone)
        else:
            yield laid


def _articles(laid: Laid, zone: tzinfo | None) -> Iterator[Finished]:
    file, way, known = laid
    try:
        for found in read_file(file):
            if isinstance(found, Draft):
                yield _article(replace(found, name=f"{way}{found.name}"), known, zone)
            else:
                yield found
    except ArticleError as error:
        yield legible(file), error
    except Exception as fault:  # noqa: BLE001 - whatever a file makes a library stumble over, the others are read
        yield (
            legible(file),
            UnreadArticleError(legible(file.name), legible(file), "file", *fault_of(fault)),
        )


def _article(draft: Draft, known: Keys, zone: tzinfo | None) -> Finished:
    try:
        return draft.place, finish(draft, known, zone)
    except ArticleError as error:
        return draft.place, error
    except Exception as fault:  # noqa: BLE001 - as above, for each line of a file
        return draft.place, UnreadArticleError(draft.name, draft.path, "metadata", *fault_of(fault))


def _files(paths: Sequence[Path], tables: Tables) -> Iterator[Laid | Rejected]:
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise NoArticlesError(f"There is no file or folder {shown(legible(path))}: name one that holds articles.")
        for laid in _inside(path, tables) if path.is_dir() else _alone(path, tables):
            if not isinstance(laid, Laid):
                yield laid
            elif laid.file.resolve() not in seen:
                seen.add(laid.file.resolve())
                yield laid


def _alone(file: Path, tables: Tables) -> Iterator[Laid | Rejected]:
    yield from tables.read(file.parent)
    if file.parent not in tables.unsafe:
        yield Laid(file, "", tables.keys(file))


def _inside(whole: Path, tables: Tables) -> Iterator[Laid | Rejected]:
    """Yield the files of a folder and then of the folders in it, by name; a link to a folder leads nowhere new."""
    resolved = whole.resolve()
    left = [whole]  # no function that calls itself: folders may be deeper in one another than calls
    while left:
        folder = left.pop()
        try:
            entries = _entries(folder)
        except OSError as error:
            told = f"The folder {shown(legible(folder))} cannot be opened: see to its permissions."
            if folder == whole:
                raise NoArticlesError(told) from error
            yield legible(folder), UnreadableArticleError(told)
            continue
        yield from tables.read(folder)
        if folder in tables.unsafe:
            continue
        way = legible("".join(f"{part}/" for part in folder.relative_to(whole).parts))
        for entry in entries:
            file = folder / entry.name
            leads_out = entry.is_symlink() and file.is_dir() and not _leads_inside(file, resolved)
            if leads_out or _is_named_like_an_article(file):
                refusal = _refusal(file, resolved)
                yield (
                    (legible(file), UnreadableArticleError(refusal)) if refusal else Laid(file, way, tables.keys(file))
                )
        left.extend(folder / entry.name for entry in reversed(entries) if _is_read_too(entry))


def _entries(folder: Path) -> list[DirEntry[str]]:
    with scandir(folder) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _is_read_too(entry: DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not _is_named_like_an_article(Path(entry.name))


def _is_named_like_an_article(file: Path) -> bool:
    kind = file.suffix.lower()
    return (kind in READERS and file.stem.lower() not in _ABOUT_THE_FOLDER) or kind in _WORD_PROCESSED


def _refusal(file: Path, folder: Path) -> str:
    """Return why a file with an article's name cannot be one; "" where it may be."""
    if file.is_symlink() and not _leads_inside(file, folder):
        return "It is a link that leads out of its folder, or nowhere: put the article itself there."
    return (
        "" if file.is_file() else "It is no ordinary file, and what is in it is not read: put the article itself there."
    )


def _leads_inside(file: Path, folder: Path) -> bool:
    try:
        return file.resolve(strict=True).is_relative_to(folder)
    except (OSError, RuntimeError):  # it leads nowhere, or round in a circle
        return False


UNTIL_THEN = (
    "Until then nothing in its folder is added or changed: what is public stays as it is,"
    " and what is under an embargo stays hidden."
)


class Tables:
    """The tables of folders, each read once; ``unsafe`` are the folders in whose table embargoes may be missed."""

    def __init__(self) -> None:
        self.unsafe: list[Path] = []
        self._read: dict[Path, Mapping[str, object]] = {}
        self._stamps: dict[Path, object] = {}

    def keys(self, file: Path) -> Keys:
        """Return what the table beside a file says of it."""
        keys = self._read[file.parent].get(file.name)
        return keys if isinstance(keys, dict) else {}

    def read(self, folder: Path) -> tuple[Rejected, ...]:
        """Read a folder's table, unless it was read; return what cannot be used in it, with the reason."""
        if folder in self._read:
            return ()
        self._read[folder] = {}
        self._stamps[folder] = _stamp(folder / TABLE)
        place = legible(folder / TABLE)
        try:
            table = _table(folder)
            refusals = [(f"{place}, {shown(name)}", error) for name, error in _unused(folder, table)]
        except (ArticleError, OSError) as error:
            return ((place, self._freeze(folder, str(error))),)
        if any(isinstance(error, UnsafeTableError) for _, error in refusals):
            self.unsafe.append(folder)
        else:
            self._read[folder] = table
        return tuple(refusals)

    def changed(self) -> Iterator[Rejected]:
        """Freeze the folders whose table was written since it was read: it may have been read half-written."""
        for folder, before in self._stamps.items():
            if folder not in self.unsafe and _stamp(folder / TABLE) != before:
                reason = "It was changed while its folder was read: read the folder again."
                yield legible(folder / TABLE), self._freeze(folder, reason)

    def _freeze(self, folder: Path, reason: str) -> UnsafeTableError:
        self.unsafe.append(folder)
        return UnsafeTableError(f"{reason} {UNTIL_THEN}")


def _stamp(table: Path) -> object:
    try:
        found = table.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _table(folder: Path) -> dict[str, object]:
    """Return what the folder's table says; raise ``ArticleError`` where that cannot be read whole."""
    file = folder / TABLE
    if not file.exists() and not file.is_symlink():
        return {}
    if refusal := _refusal(file, folder.resolve()):
        raise UnreadableArticleError(refusal)
    content = read_bytes(file, TABLE_LIMIT)
    if not content.strip():  # as it is for a moment whenever a file is saved in place
        raise UnreadableArticleError("It is empty: write it again, or delete it.")
    return read_toml(decode(content))


def _unused(folder: Path, table: Mapping[str, object]) -> Iterator[tuple[str, ArticleError]]:
    names = {file.name for file in folder.iterdir()} if table else set()  # a file system may find other spellings too
    for name, keys in table.items():
        is_file = name in names and _is_file_of(folder, name)
        is_missed = any(not is_past(value) for _, value in embargoes({name: keys}))
        if is_missed and not (is_file and isinstance(keys, dict)):
            told = (
                f"{shown(name)} is no file in the folder, and an embargo stands there: write the file's name as it is,"
                f' in brackets and quotation marks, as ["a.txt"], or take the entry away. {UNTIL_THEN}'
            )
            yield name, UnsafeTableError(told)
        elif not isinstance(keys, dict):
            yield (
                name,
                UnusedEntryError('It is no table: write the file\'s name in brackets, ["a.txt"], and keys below.'),
            )
        elif not is_file:
            yield name, UnusedEntryError("No file in the folder has this name, so nobody is told what stands below it.")
        else:
            unknown = ", ".join(shown(key) for key in keys if plain(key) not in KNOWN)
            if unknown:
                known = ", ".join(sorted(KNOWN))
                yield name, UnusedEntryError(f"Nothing reads {unknown}; what is read is {known}.")


def _is_file_of(folder: Path, name: str) -> bool:
    return "\0" not in name and Path(name).name == name and (folder / name).is_file()


def _duplicate(first: Article) -> DuplicateArticleError:
    return DuplicateArticleError(f"Its id {shown(first.id)} is taken by {first.path}: give one of them another `id`.")


def _nothing(paths: Sequence[Path], rejected: list[Rejected]) -> NoArticlesError:
    where = ", ".join(map(legible, paths)) or "nowhere"
    if rejected:
        reasons = "".join(f"\n{path}: {error}" for path, error in rejected)
        return NoArticlesError(f"No article in {where} can be read.{reasons}")
    kinds = ", ".join(READERS)
    return NoArticlesError(f"There is no article in {where}: put one there ({kinds}).")
