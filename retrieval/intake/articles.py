"""Files and folders -> articles; rejects, never repairs.

A folder is read with the folders in it. In it these are no articles, and are passed over in silence: hidden files
and folders, files of other kinds, and texts about the folder (README, LICENSE, names, questions…).
What somebody meant to be read is refused aloud: a word processor's file, a folder or a pipe that is called like an
article, a link that leads nowhere or out of the folder.
A file in a folder in it goes by the way there, and not by its name alone: `2026/11/ferry.txt`.
``articles.toml`` in a folder says what its own texts do not say themselves; what a text says itself is believed first.
What stands there of no file, or under a key that nothing reads, is refused aloud too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from os import DirEntry, scandir
from pathlib import Path
from typing import NamedTuple

from retrieval.bounded import TABLE as TABLE_LIMIT, decode, legible, read_bytes, read_toml, shown
from retrieval.errors import (
    ArticleError,
    DuplicateArticleError,
    NoArticlesError,
    UnreadableArticleError,
    UnreadArticleError,
    UnusedEntryError,
    fault_of,
)
from retrieval.intake.files import READERS, read_file
from retrieval.intake.metadata import KNOWN, Draft, Keys, finish
from retrieval.model import Article

TABLE = "articles.toml"

# Told by their names, whatever follows the dot.
_ABOUT_THE_FOLDER = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "contributing", "index", "names", "questions"}
)
_WORD_PROCESSED = frozenset({".doc", ".docx", ".odt", ".rtf", ".pages", ".epub"})

Rejected = tuple[str, ArticleError]
Finished = tuple[str, Article | ArticleError]


class Laid(NamedTuple):
    """A file that may hold articles, and the way to it from the folder that was named."""

    file: Path
    way: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The articles taken, in the order of the paths and then of the file names; and what was not, with the reason.

    What was not taken is named by its path, a line of a file as "path, line 3".
    """

    articles: tuple[Article, ...]
    rejected: tuple[Rejected, ...] = ()


def load_articles(paths: Sequence[Path], zone: tzinfo | None = None) -> Loaded:
    """Return the articles of files and folders; a file that is named twice is read once. ``zone`` as for ``finish``.

    Raises ``NoArticlesError`` where a path leads nowhere, or where there is no article at all.
    """
    taken: dict[str, Article] = {}
    rejected: list[Rejected] = []
    for place, found in _finished(paths, zone):
        if isinstance(found, ArticleError):
            rejected.append((place, found))
        elif found.id in taken:
            rejected.append((place, _duplicate(taken[found.id])))
        else:
            taken[found.id] = found
    if not taken:
        raise _nothing(paths, rejected)
    return Loaded(tuple(taken.values()), tuple(rejected))


def _finished(paths: Sequence[Path], zone: tzinfo | None) -> Iterator[Finished]:
    """Yield each article, or the reason why it is none, with its place in words."""
    tables: dict[Path, Mapping[str, Keys]] = {}
    for laid in _files(paths):
        if not isinstance(laid, Laid):
            yield laid
            continue
        folder = laid.file.parent
        if folder not in tables:
            tables[folder], refusals = _table(folder)
            yield from refusals
        yield from _articles(laid, tables[folder], zone)


def _articles(laid: Laid, table: Mapping[str, Keys], zone: tzinfo | None) -> Iterator[Finished]:
    file, way = laid
    try:
        for found in read_file(file):
            if isinstance(found, Draft):
                yield _article(replace(found, name=f"{way}{found.name}"), table.get(file.name, {}), zone)
            else:
                yield found
    except ArticleError as error:
        yield legible(file), error
    except Exception as fault:  # noqa: BLE001 - whatever a file makes a library stumble over, the others are read
        yield legible(file), UnreadArticleError(legible(file.name), legible(file), "file", *fault_of(fault))


def _article(draft: Draft, known: Keys, zone: tzinfo | None) -> Finished:
    try:
        return draft.place, finish(draft, known, zone)
    except ArticleError as error:
        return draft.place, error
    except Exception as fault:  # noqa: BLE001 - as above, for each line of a file
        return draft.place, UnreadArticleError(draft.name, draft.path, "metadata", *fault_of(fault))


def _files(paths: Sequence[Path]) -> Iterator[Laid | Rejected]:
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise NoArticlesError(f"There is no file or folder {shown(legible(path))}: name one that holds articles.")
        for laid in _inside(path) if path.is_dir() else (Laid(path),):
            if not isinstance(laid, Laid):
                yield laid
            elif laid.file.resolve() not in seen:
                seen.add(laid.file.resolve())
                yield laid


def _inside(whole: Path) -> Iterator[Laid | Rejected]:
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
        way = legible("".join(f"{part}/" for part in folder.relative_to(whole).parts))
        for entry in entries:
            file = folder / entry.name
            leads_out = entry.is_symlink() and file.is_dir() and not _leads_inside(file, resolved)
            if leads_out or _is_named_like_an_article(file):
                refusal = _refusal(file, resolved)
                yield (legible(file), UnreadableArticleError(refusal)) if refusal else Laid(file, way)
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


def _table(folder: Path) -> tuple[Mapping[str, Keys], tuple[Rejected, ...]]:
    """Return what the folder's table says of each file, and its useless entries with the reason."""
    file = folder / TABLE
    if not file.exists() and not file.is_symlink():
        return {}, ()
    place = legible(file)
    try:
        refusal = _refusal(file, folder.resolve())
        if refusal:
            raise UnreadableArticleError(refusal)
        table = read_toml(decode(read_bytes(file, TABLE_LIMIT)))
    except ArticleError as error:
        return {}, ((place, error),)
    refusals = tuple((f"{place}, {shown(name)}", error) for name, error in _unused(folder, table))
    return {name: keys for name, keys in table.items() if isinstance(keys, dict)}, refusals


def _unused(folder: Path, table: Mapping[str, object]) -> Iterator[tuple[str, UnusedEntryError]]:
    for name, keys in table.items():
        if not isinstance(keys, dict):
            yield (
                name,
                UnusedEntryError('It is no table: write the file\'s name in brackets, ["a.txt"], and keys below.'),
            )
        elif not _is_file_of(folder, name):
            yield name, UnusedEntryError("No file in the folder has this name, so nobody is told what stands below it.")
        else:
            unknown = ", ".join(shown(key) for key in keys if key.strip().lower() not in KNOWN)
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
