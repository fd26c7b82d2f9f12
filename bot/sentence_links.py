"""The short text that travels with a button or a command, so that "more" and "context" need no memory.

It names sentences: ``1f0c9a2b.12.15-77aa01ce.3`` are sentences 12 and 15 of the article version with the key 1f0c9a2b,
and sentence 3 of another. A ``~`` before it means that the answer was unsure, so what comes next is unsure too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from bot.errors import BrokenStateError
from bot.model import Extract
from retrieval import KEY, version_key

LENGTH = 80  # characters; Discord allows 100 for a button in all
UNSURE = "~"
_STATE = re.compile(rf"{UNSURE}?[0-9a-f]{{{KEY}}}(\.\d{{1,6}})+(-[0-9a-f]{{{KEY}}}(\.\d{{1,6}})+)*", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}")  # that a database can hold


@dataclass(frozen=True, slots=True)
class Pointer:
    key: str
    index: int


def read_number(text: str) -> int | None:
    """Return the number that came back with a button, a cursor or a command; None where it is none of ours.

    Python's own ``int`` takes other scripts' digits, spaces and "1_000", and fails on thousands of digits.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def address(extract: Extract) -> Pointer:
    return Pointer(version_key(extract.citation.article_id, extract.citation.digest), extract.index)


def encode(addresses: Iterable[Pointer], *, sure: bool = True, most: int = LENGTH) -> str:
    """Return the state for the first ``addresses`` that fit in ``most`` characters."""
    mark = "" if sure else UNSURE
    fitting: list[Pointer] = []
    for candidate in addresses:
        if len(mark + _write([*fitting, candidate])) > most:
            break
        fitting.append(candidate)
    return mark + _write(fitting) if fitting else ""


def _write(addresses: list[Pointer]) -> str:
    runs = groupby(addresses, key=lambda a: a.key)
    return "-".join(key + "".join(f".{a.index}" for a in run) for key, run in runs)


def is_state(text: str) -> bool:
    return _STATE.fullmatch(text) is not None


def is_sure(state: str) -> bool:
    return not state.startswith(UNSURE)


def decode(state: str) -> tuple[Pointer, ...]:
    """Return the addresses in ``state``; ``BrokenStateError`` where it is not one."""
    if not is_state(state):
        raise BrokenStateError(state)
    runs = (run.split(".") for run in state.removeprefix(UNSURE).split("-"))
    return tuple(Pointer(key, int(index)) for key, *indexes in runs for index in indexes)
