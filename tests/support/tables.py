"""What a test has beside it as TOML: tables of cases, and the articles that they are about.

A table is a list of rows, with "-" for ``None`` and a list for a tuple.
"""

import tomllib
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from retrieval.model import Article

Test = TypeVar("Test", bound=Callable[..., None])


@cache
def _tables(test: str | Path) -> dict[str, Any]:
    return tomllib.loads(Path(test).with_suffix(".toml").read_text(encoding="utf-8"))


def rows(test: str, table: str, *enums: type[Enum]) -> list[Any]:
    """Return the rows of ``table`` beside ``test``; a cell "Kind.PERSON" is that member, where ``Kind`` is given."""
    members = {f"{enum.__name__}.{member.name}": member for enum in enums for member in enum} | {"-": None}

    def cell(value: Any) -> Any:  # noqa: ANN401 - whatever TOML has
        if isinstance(value, list):
            return tuple(map(cell, value))
        return members.get(value, value) if isinstance(value, str) else value

    return [[cell(value) for value in row] if isinstance(row, list) else cell(row) for row in _tables(test)[table]]


def articles(test: str | Path) -> dict[str, Article]:
    """Return the articles beside ``test`` by their names, which are their ids without ".txt"."""
    return {name: Article(f"{name}.txt", **row) for name, row in _tables(test)["articles"].items()}


def cases(names: str, *enums: type[Enum]) -> Callable[[Test], Test]:
    """Run a test for each row of the table that is called as the test; the cells are its arguments, in order."""

    def decorate(test: Test) -> Test:
        table = rows(test.__code__.co_filename, test.__name__.removeprefix("test_"), *enums)
        decorated: Test = pytest.mark.parametrize(names, table)(test)
        return decorated

    return decorate
