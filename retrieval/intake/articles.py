"""Files and folders -> articles; rejects, never repairs.

A folder is read without the folders in it. In it these are no articles, and are passed over in silence:
hidden files, files of other kinds, and texts about the folder (README, LICENSE, names, questions…).
A word processor's file is no such thing: somebody meant it to be read, so it is refused aloud.
``articles.toml`` in a folder says what its texts do not say themselves; what a text says itself is believed first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import (
    ArticleError,
    BrokenFrontMatterError,
    DuplicateArticleError,
    NoArticlesError,
    UnreadableArticleError,
)
from retrieval.intake.files import READERS, decode, read_file
from retrieval.intake.particulars import Draft, Keys, finish
from retrieval.model import Article

TABLE = "articles.toml"

# Told by their names, whatever follows the dot.
_ABOUT_THE_FOLDER = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "contributing", "index", "names", "questions"}
)
_WORD_PROCESSED = frozenset({".doc", ".docx", ".odt", ".rtf", ".pages", ".epub"})

Rejected = tuple[str, ArticleError]
Finished = tuple[str, Article | ArticleError]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The articles taken, in the order of the paths and then of the file names; and what was not, with the reason.

    What was not taken is named by its path, a line of a file as "path, line 3".
    """

    articles: tuple[Article, ...]
    rejected: tuple[Rejected, ...] = ()


def load(paths: Sequence[Path]) -> Loaded:
    """Return the articles of files and folders; a file that is named twice is read once.

    Raises ``NoArticlesError`` where a path leads nowhere, or where there is no article at all.
    """
    taken: dict[str, Article] = {}
    rejected: list[Rejected] = []
    for place, found in _finished(paths):
        if isinstance(found, ArticleError):
            rejected.append((place, found))
        elif found.id in taken:
            rejected.append((place, _duplicate(taken[found.id])))
        else:
            taken[found.id] = found
    if not taken:
        raise _nothing(paths, rejected)
    return Loaded(tuple(taken.values()), tuple(rejected))


def _finished(paths: Sequence[Path]) -> Iterator[Finished]:
    """Yield each article, or why it is none, with its place as a person is told it."""
    tables: dict[Path, Mapping[str, Keys]] = {}
    for file in _files(paths):
        if file.parent not in tables:
            tables[file.parent], refusals = _table(file.parent)
            yield from refusals
        yield from _articles(file, tables[file.parent])


def _articles(file: Path, table: Mapping[str, Keys]) -> Iterator[Finished]:
    try:
        for found in read_file(file):
            yield _article(found, table.get(file.name, {})) if isinstance(found, Draft) else found
    except ArticleError as error:
        yield str(file), error


def _article(draft: Draft, known: Keys) -> Finished:
    try:
        return draft.place, finish(draft, known)
    except ArticleError as error:
        return draft.place, error


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise NoArticlesError(f"There is no file or folder {str(path)!r}: name one that holds articles.")
        for file in _inside(path) if path.is_dir() else (path,):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _inside(folder: Path) -> Iterator[Path]:
    try:
        files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    except OSError as error:
        raise NoArticlesError(f"The folder {str(folder)!r} cannot be opened: see to its permissions.") from error
    for file in files:
        kind = file.suffix.lower()
        if (kind in READERS and file.stem.lower() not in _ABOUT_THE_FOLDER) or kind in _WORD_PROCESSED:
            yield file


def _table(folder: Path) -> tuple[Mapping[str, Keys], tuple[Rejected, ...]]:
    """Return what the folder's table says of each file; where it cannot be read, nothing and the refusal."""
    file = folder / TABLE
    if not file.is_file():
        return {}, ()
    try:
        table = tomllib.loads(decode(file))
    except UnreadableArticleError as error:
        return {}, ((str(file), error),)
    except tomllib.TOMLDecodeError as error:
        return {}, ((str(file), BrokenFrontMatterError(f"It is not TOML, so nothing in it is known: {error}.")),)
    return {name: keys for name, keys in table.items() if isinstance(keys, dict)}, ()


def _duplicate(first: Article) -> DuplicateArticleError:
    return DuplicateArticleError(f"Its id {first.id!r} is taken by {first.path}: give one of them another `id`.")


def _nothing(paths: Sequence[Path], rejected: list[Rejected]) -> NoArticlesError:
    where = ", ".join(map(str, paths)) or "nowhere"
    if rejected:
        reasons = " ".join(f"{path}: {error}" for path, error in rejected)
        return NoArticlesError(f"No article in {where} can be read. {reasons}")
    kinds = ", ".join(READERS)
    return NoArticlesError(f"There is no article in {where}: put one there ({kinds}); folders inside it are not read.")
