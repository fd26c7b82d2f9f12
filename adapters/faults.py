"""The lines of ``stet check`` that say what is wrong, told from those that say what is fine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Fault(str):
    """A line that says what is wrong, and what to do."""

    __slots__ = ()


def about(subject: str, line: str) -> str:
    """Return a line with what it is about in front; of a fault, a fault."""
    return type(line)(f"{subject}: {line}")


def faults_first(lines: Iterable[str]) -> Iterator[str]:
    """Yield the faults, each for itself, then what is fine."""
    held = list(lines)
    yield from (Fault(line.strip()) for line in held if isinstance(line, Fault))
    yield from (line for line in held if not isinstance(line, Fault))
