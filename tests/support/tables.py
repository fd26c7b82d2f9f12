"""Tables of cases, as TOML beside a test: each is a list of rows, with "-" for ``None``."""

from __future__ import annotations

import tomllib
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _tables(test: str) -> dict[str, list[Any]]:
    return tomllib.loads(Path(test).with_suffix(".toml").read_text(encoding="utf-8"))


def rows(test: str, table: str, *enums: type[Enum]) -> list[Any]:
    """Return the rows of ``table`` beside ``test``; a cell "Kind.PERSON" is that member, where ``Kind`` is given."""
    members = {f"{enum.__name__}.{member.name}": member for enum in enums for member in enum} | {"-": None}

    def cell(value: Any) -> Any:  # noqa: ANN401 - whatever TOML has
        return members.get(value, value) if isinstance(value, str) else value

    return [[cell(value) for value in row] if isinstance(row, list) else cell(row) for row in _tables(test)[table]]
