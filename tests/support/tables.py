"""Tables of cases, as TOML beside a test: each is a list of rows, with "-" for ``None`` and a list for a tuple."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


@cache
def _tables(test: str) -> dict[str, list[Any]]:
    return tomllib.loads(Path(test).with_suffix(".toml").read_text(encoding="utf-8"))


def rows(test: str, table: str, *enums: type[Enum]) -> list[Any]:
    """Return the rows of ``table`` beside ``test``; a cell "Kind.PERSON" is that member, where ``Kind`` is given."""
    members = {f"{enum.__name__}.{member.name}": member for enum in enums for member in enum} | {"-": None}

    def cell(value: Any) -> Any:  # noqa: ANN401 - whatever TOML has
        if isinstance(value, list):
            return tuple(map(cell, value))
        return members.get(value, value) if isinstance(value, str) else value

    return [[cell(value) for value in row] if isinstance(row, list) else cell(row) for row in _tables(test)[table]]


def cases(names: str, *enums: type[Enum]) -> Callable[[Test], Test]:
    """Run a test for each row of the table that is called as the test; the cells are its arguments, in order."""

    def decorate(test: Test) -> Test:
        table = rows(test.__code__.co_filename, test.__name__.removeprefix("test_"), *enums)
        decorated: Test = pytest.mark.parametrize(names, table)(test)
        return decorated

    return decorate
