"""Files and folders -> articles; rejects, never repairs.

A folder is read with its subfolders. Skipped in silence: hidden files and folders, files of other kinds, and texts
about the folder (README, LICENSE, names, questions…).
Refused with a message, because somebody may have meant it to be read: a word processor's file, a folder or a pipe that
is named like an article, a link that leads nowhere or out of the folder.
The id of a file in a subfolder has the path to it: `2026/11/ferry.txt`.
``articles.toml`` in a folder adds metadata that the texts lack. Entries for files that are not there, and unknown keys,
are refused. Where embargoes may be missed, because the table cannot be read or names a missing file, nothing of its
folder and its subfolders is loaded: without the table, articles under embargo would become public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from hashlib import file_digest
from operator import attrgetter, itemgetter
from os import scandir
from pathlib import Path, PurePath
from typing import NamedTuple

from retrieval import errors
from retrieval.intake.files import READERS, TABLE, read_file
from retrieval.intake.metadata import KNOWN, ArticleDraft, Rejected, embargoes, finish, is_past
from retrieval.intake.publication import Keys, is_status, plain
from retrieval.limits import TABLE as TABLE_LIMIT, decode, legible, read_bytes, read_toml, shown
from retrieval.model import Article, LeftOut

# file names without their suffix
_ABOUT_FOLDERS = frozenset("readme license licence copying notice changelog contributing index names questions".split())
_WORD_PROCESSED = frozenset({".doc", ".docm", ".odt", ".pages", ".epub", ".msg", ".wpd"})

Taken = dict[str, tuple[Article, tuple[LeftOut, ...]]]  # by its id, with what its file has beside its words


class ArticleFile(NamedTuple):
    """A file that may have articles, the path to it from the named folder, and its keys in ``articles.toml``."""

    file: Path
    prefix: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Loaded:
    """The articles, in the order of the paths and then of the file names; and what was rejected, with the reason.

    What was rejected is named by its path, a line of a file as "path, line 3". ``frozen`` are folders and files of
    which nothing may be added, changed or removed, because their table is unsafe. ``left_out`` is by article what its
    file has beside its words.
    """

    articles: tuple[Article, ...]
    rejected: tuple[Rejected, ...] = ()
    frozen: tuple[str, ...] = ()
    left_out: Mapping[str, tuple[LeftOut, ...]] = field(default_factory=dict)

    def is_frozen(self, article: Article) -> bool:
        """Whether an article that was loaded earlier has to stay as it is."""
        return any(PurePath(article.path).is_relative_to(place) for place in self.frozen)

    @property
    def unsafe(self) -> str:
        """What is wrong with the tables, in words; empty where nothing is."""
        return " ".join(f"{place}: {e}" for place, e in self.rejected if isinstance(e, errors.UnsafeTableError))


def load_articles(paths: Sequence[Path], zone: tzinfo | None = None) -> Loaded:
    """Return the articles of files and folders; a file that is named twice is read once. ``zone`` as for ``finish``.

    Raises ``NoArticlesError`` where a path leads nowhere, or where there is no article at all and nothing is frozen.
    """
    tables, taken = Tables(), Taken()
    rejected, frozen = list[Rejected](), list[str]()
    files = list(_files(paths, tables))  # all of them first: a later table may make a file's folder unsafe
    unsafe = [folder.resolve() for folder in tables.unsafe]
    for each in files:
        if not isinstance(each, ArticleFile):
            rejected.append(each)
        elif unsafe and any(map(each.file.resolve().is_relative_to, unsafe)):  # be it by a link
            frozen.append(legible(each.file))
        else:
            rejected += _read(each, zone, taken)
    rejected += tables.changed()
    frozen += map(legible, tables.unsafe)
    if not (taken or frozen):
        where = ", ".join(map(legible, paths)) or "nowhere"
        reasons = "".join(f"\n{place}: {error}" for place, error in rejected)
        nothing = f"There is no article in {where}: put one there ({', '.join(READERS)})."
        raise errors.NoArticlesError(f"No article in {where} can be read.{reasons}" if reasons else nothing)
    left_out = {article.id: beside for article, beside in taken.values() if beside}
    loaded = Loaded(tuple(article for article, _ in taken.values()), tuple(rejected), tuple(frozen), left_out)
    return replace(loaded, articles=tuple(each for each in loaded.articles if not loaded.is_frozen(each)))


def _read(source: ArticleFile, zone: tzinfo | None, taken: Taken) -> Iterator[Rejected]:
    """Take the articles of a file; yield what of it is rejected."""
    file, prefix, known = source
    origin, own, path = "", legible(file.name), legible(file)
    try:
        with errors.guarded(own, "file", path):  # a library may fail on this file, but the others are read
            for draft in read_file(file):
                origin = origin or _origin(file, known)
                if isinstance(draft, ArticleDraft):
                    name = prefix + (draft.name or (f"{own}:{draft.line}" if draft.line else own))
                    whole = replace(draft, name=name, path=draft.path or path, origin=origin)
                    yield from _take(whole, known, zone, taken)
                else:
                    place, error = draft
                    yield f"{path}, {place}" if place else path, error
    except errors.ArticleError as error:
        yield path, error


def _take(draft: ArticleDraft, known: Keys, zone: tzinfo | None, taken: Taken) -> Iterator[Rejected]:
    warnings: list[Rejected] = []
    try:
        with errors.guarded(draft.name, "metadata", draft.path):
            article = finish(draft, known, zone, warnings.append)
            first, _ = taken.setdefault(article.id, (article, draft.body.left_out))
            if first is not article:
                message = f"Its id {shown(first.id)} is taken by {first.path}. Give one of them another `id`."
                yield draft.place, errors.ArticleError(message)
    except errors.ArticleError as error:
        yield draft.place, error
    yield from warnings


def _origin(file: Path, known: Keys) -> str:
    """Return a digest of a file and of its keys: only another program reads otherwise what has the same."""
    with file.open("rb") as opened:
        digest = file_digest(opened, "sha256")
    digest.update(repr(sorted(known.items(), key=itemgetter(0))).encode(errors="replace"))
    return digest.hexdigest()


def _files(paths: Sequence[Path], tables: Tables) -> Iterator[ArticleFile | Rejected]:
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise errors.NoArticlesError(f"There is no file or folder {shown(legible(path))}. Name one with articles.")
        results: Iterable[ArticleFile | Rejected] = _folder_files(path, tables)
        if not path.is_dir():
            results = (*tables.read(path.parent), ArticleFile(path, "", tables.keys(path)))
        for result in results:
            if not isinstance(result, ArticleFile):
                yield result
            elif (resolved := result.file.resolve()) not in seen:
                seen.add(resolved)
                yield result


def _folder_files(root: Path, tables: Tables) -> Iterator[ArticleFile | Rejected]:
    """Yield the files of a folder and then of its subfolders, by name; links to folders are not followed."""
    resolved = root.resolve()
    left = [root]  # no recursion: folders may be nested deeper than Python's stack
    while left:
        folder = left.pop()
        try:
            entries = sorted((entry for entry in scandir(folder) if entry.name[0] != "."), key=attrgetter("name"))
        except OSError as error:
            message = f"The folder {shown(legible(folder))} cannot be opened. Check its permissions."
            if folder == root:
                raise errors.NoArticlesError(message) from error
            yield legible(folder), errors.UnreadableArticleError(message)
            continue
        yield from tables.read(folder)
        if folder in tables.unsafe:
            continue
        if folder != root and folder.name == "_drafts":  # Jekyll's
            yield legible(folder), errors.UnpublishedError("It is a folder of drafts, which are not published.")
            continue
        prefix = legible("".join(f"{part}/" for part in folder.relative_to(root).parts))
        folders = list[Path]()
        for entry in entries:
            file = folder / entry.name
            kind = file.suffix.lower()
            is_named = kind in READERS and file.stem.lower() not in _ABOUT_FOLDERS
            is_article = is_named or kind in _WORD_PROCESSED
            if entry.is_dir(follow_symlinks=False) and not is_article:
                folders.append(file)
            elif is_article or (entry.is_symlink() and file.is_dir() and not _leads_inside(file, resolved)):
                if refusal := _refusal(file, resolved):
                    yield legible(file), errors.UnreadableArticleError(refusal)
                else:
                    yield ArticleFile(file, prefix, tables.keys(file))
        left += reversed(folders)


def _refusal(file: Path, folder: Path) -> str:
    """Say why a file with an article's name cannot be one; "" where it may be."""
    if file.is_symlink() and not _leads_inside(file, folder):
        return "It is a link that leads nowhere or out of its folder. Put the article itself there."
    return "" if file.is_file() else "It is not an ordinary file, so it is not read. Put the article itself there."


def _leads_inside(file: Path, folder: Path) -> bool:
    with suppress(OSError, RuntimeError):  # it leads nowhere, or in a circle
        return file.resolve(strict=True).is_relative_to(folder)
    return False


UNTIL_THEN = (
    "Until then nothing in its folder is added or changed: what is public stays as it is,"
    " and what is under an embargo stays hidden."
)


class Tables:
    """The tables of folders, each read once; ``unsafe`` are the folders in whose table embargoes may be missed."""

    def __init__(self) -> None:
        self.unsafe: list[Path] = []
        self._read: dict[Path, Mapping[str, Keys]] = {}
        self._stamps: dict[Path, object] = {}

    def keys(self, file: Path) -> Keys:
        return self._read[file.parent].get(file.name, {})

    def read(self, folder: Path) -> Sequence[Rejected]:
        """Read a folder's table, unless it was read; return the entries that cannot be used, with the reason."""
        if folder in self._read:
            return ()
        self._read[folder] = {}
        self._stamps[folder] = _stamp(folder / TABLE)
        place = legible(folder / TABLE)
        try:
            table = _table(folder)
            refusals = [(f"{place}, {shown(name)}", error) for name, error in _unused(folder, table)]
        except (errors.ArticleError, OSError) as error:
            refusals = [(place, errors.UnsafeTableError(f"{error} {UNTIL_THEN}"))]
        if any(isinstance(error, errors.UnsafeTableError) for _, error in refusals):
            self.unsafe.append(folder)
        else:
            self._read[folder] = {name: keys for name, keys in table.items() if isinstance(keys, dict)}
        return refusals

    def changed(self) -> Iterator[Rejected]:
        """Freeze the folders whose table has changed since it was read: it may have been read half-written."""
        for folder, before in self._stamps.items():
            if folder not in self.unsafe and _stamp(folder / TABLE) != before:
                self.unsafe.append(folder)
                reason = "It was changed while its folder was read: read the folder again."
                yield legible(folder / TABLE), errors.UnsafeTableError(f"{reason} {UNTIL_THEN}")


def _stamp(table: Path) -> object:
    with suppress(OSError):
        status = table.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino
    return None


def _table(folder: Path) -> dict[str, object]:
    """Return the folder's table; raise ``ArticleError`` where it cannot be read completely."""
    file = folder / TABLE
    if not file.exists() and not file.is_symlink():
        return {}
    if refusal := _refusal(file, folder.resolve()):
        raise errors.UnreadableArticleError(refusal)
    content = read_bytes(file, TABLE_LIMIT)
    if not content.strip():  # as a file is for a moment while it is saved in place
        raise errors.UnreadableArticleError("It is empty: write it again, or delete it.")
    return read_toml(decode(content))


def _unused(folder: Path, table: Mapping[str, object]) -> Iterator[tuple[str, errors.ArticleError]]:
    names = {file.name for file in folder.iterdir()} if table else set()  # a file system may accept other spellings too
    for name, keys in table.items():
        is_file = name in names and (folder / name).is_file()
        is_missed = any(not is_past(value) for _, value in embargoes({name: keys}))
        if is_missed and not (is_file and isinstance(keys, dict)):
            message = (
                f"{shown(name)} is no file in the folder, but its entry has an embargo. Write the file's exact name"
                f' in brackets and quotation marks, as ["a.txt"], or remove the entry. {UNTIL_THEN}'
            )
            yield name, errors.UnsafeTableError(message)
        elif not isinstance(keys, dict):
            message = 'It is no table. Write the file\'s name in brackets, ["a.txt"], and its keys below.'
            yield name, errors.ArticleError(message)
        elif not is_file:
            message = "No file in the folder has this name. Correct the name or remove the entry."
            yield name, errors.ArticleError(message)
        elif unknown := ", ".join(shown(key) for key in keys if plain(key) not in KNOWN and not is_status(key)):
            known = ", ".join(sorted(KNOWN))
            yield name, errors.ArticleError(f"Unknown keys: {unknown}. The known keys are {known}.")
