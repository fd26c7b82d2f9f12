"""A file, a folder, a line of JSON -> articles; rejects, never repairs. (First version: texts and JSON lines.)"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import yaml

from retrieval.errors import ArticleError, EmptyArticleError, NoArticlesError, UnreadableArticleError
from retrieval.model import Article


@dataclass(frozen=True, slots=True)
class Loaded:
    """The articles taken, and each file that was not, with the reason."""

    articles: tuple[Article, ...]
    rejected: tuple[tuple[str, ArticleError], ...] = ()


def load(paths: Sequence[Path]) -> Loaded:
    """Return the articles of files and folders."""
    articles: list[Article] = []
    rejected: list[tuple[str, ArticleError]] = []
    for path in paths:
        for file in _files(path):
            try:
                articles.extend(_read(file))
            except ArticleError as error:
                rejected.append((str(file), error))
    if not articles:
        raise NoArticlesError(f"No article in {', '.join(map(str, paths))}.")
    return Loaded(tuple(articles), tuple(rejected))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        wanted = (f for f in sorted(path.iterdir()) if f.suffix in (".txt", ".md", ".jsonl"))
        yield from (f for f in wanted if f.name != "README.md")
    else:
        yield path


def _read(file: Path) -> Iterator[Article]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableArticleError(f"{file} cannot be read.") from error
    if file.suffix == ".jsonl":
        for line in text.splitlines():
            row = json.loads(line)
            yield _article(row.pop("id"), row.pop("text"), str(file), row)
        return
    keys: dict[str, Any] = {}
    table = file.parent / "articles.toml"
    if table.exists():
        keys = tomllib.loads(table.read_text(encoding="utf-8")).get(file.name, {})
    if text.startswith("---\n"):
        head, _, text = text[4:].partition("\n---\n")
        keys |= yaml.safe_load(head)
    yield _article(file.name, text, str(file), keys)


def _article(name: str, text: str, path: str, keys: dict[str, Any]) -> Article:
    if not text.strip():
        raise EmptyArticleError(f"{path} is empty.")
    published = keys.get("published") or keys.get("date")
    if isinstance(published, str):
        published = datetime.fromisoformat(published).date()
    return Article(
        id=name,
        text=text,
        path=path,
        title=keys.get("title"),
        source=keys.get("source") or keys.get("publisher"),
        url=keys.get("url"),
        published=published if isinstance(published, date) else None,
        author=keys.get("author"),
        wire=keys.get("wire"),
    )
