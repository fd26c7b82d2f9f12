"""The short text that travels with a button or a command, so that "more" and "context" need no memory.

It names sentences: ``1f0c9a2b.12.15-77aa01ce.3`` are sentences 12 and 15 of the article version with the key 1f0c9a2b,
and sentence 3 of another; ``1f0c9a2b.12_13`` are two that are shown as one quotation. A ``~`` before it means that the
answer was unsure, so what comes next is unsure too.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from bot.errors import BrokenStateError
from bot.model import Extract
from retrieval import KEY, version_key

LENGTH = 80  # characters; Discord allows 100 for a button in all
UNSURE = "~"
_SENTENCES = rf"[0-9a-f]{{{KEY}}}(?:\.\d{{1,6}}(?:_\d{{1,6}})*)+"
_STATE = re.compile(rf"{UNSURE}?{_SENTENCES}(?:-{_SENTENCES})*", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}")  # that a database can hold


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of a sentence; ``continues`` is set where it is shown as one quotation with the one before it."""

    key: str
    index: int
    continues: bool = False


def read_number(text: str) -> int | None:
    """Return the number that came back with a button, a cursor or a command; None where it is none of ours.

    Python's own ``int`` takes other scripts' digits, spaces and "1_000", and fails on thousands of digits.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def address(extract: Extract) -> Pointer:
    return Pointer(version_key(extract.citation.article_id, extract.citation.digest), extract.index)


def addresses(quotation: Iterable[Extract]) -> Iterator[Pointer]:
    """Yield the current addresses of the sentences of a quotation."""
    for place, extract in enumerate(quotation):
        yield replace(address(extract.newest), continues=place > 0)


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
    return "-".join(key + "".join(f"{'_' if a.continues else '.'}{a.index}" for a in run) for key, run in runs)


def is_state(text: str) -> bool:
    return _STATE.fullmatch(text) is not None


def is_sure(state: str) -> bool:
    return not state.startswith(UNSURE)


def decode(state: str) -> tuple[Pointer, ...]:
    """Return the addresses in ``state``; ``BrokenStateError`` where it is not one."""
    return sum(quotations(state), ())


def quotations(state: str) -> tuple[tuple[Pointer, ...], ...]:
    """Return the same, the sentences of each quotation together."""
    if not is_state(state):
        raise BrokenStateError(state)
    runs = (run.split(".") for run in state.removeprefix(UNSURE).split("-"))
    each = ((key, quotation.split("_")) for key, *quotations in runs for quotation in quotations)
    return tuple(tuple(Pointer(key, int(at), continues=at != places[0]) for at in places) for key, places in each)
