"""A text -> the text as it is read, without the marks that no reader sees, and the way back to its own places.

Copy from an editing system has soft hyphens, zero-width spaces and marks of direction inside its words, and accents
that are characters of their own. No rule knows a word that holds one: with a soft hyphen in it "reject" is no verb. So
what is read has none of them, and what is found in it is told by the places of the text, which never changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import TypeVar, cast

from retrieval.model import Span

T = TypeVar("T")

_COMBINING = frozenset(("Mn", "Mc", "Me"))


@dataclass(frozen=True, slots=True)
class BareText:
    """A text without marks; its character ``i`` stands at ``starts[i]`` to ``ends[i]`` of the text that it is of."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def restored(self, value: T) -> T:
        """Return what was found in the bare text, with every ``Span`` in it as it is in the text that it is of."""
        found: object = value
        if isinstance(value, Span):
            found = Span(self.starts[value.start], self.ends[value.end - 1])
        elif isinstance(value, tuple):
            found = tuple(map(self.restored, value))
        elif is_dataclass(value) and not isinstance(value, type):
            inside = {each.name: self.restored(getattr(value, each.name)) for each in fields(value)}
            found = replace(value, **inside)
        return cast("T", found)


def bare_text(text: str) -> BareText | None:
    """Return ``text`` as it is read; None where it has no marks and is read as it stands."""
    marks = _marks_in(text)
    if not marks:
        return None
    kept = list(_characters(text, re.compile(f"[{re.escape(''.join(sorted(marks)))}]+")))
    return BareText("".join([c for c, _, _ in kept]), tuple([at for _, at, _ in kept]), tuple([e for _, _, e in kept]))


def without_marks(text: str) -> str:
    """Return ``text`` as it is read."""
    bare = bare_text(text)
    return bare.text if bare else text


def _characters(text: str, marks: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each character that is read, and where it starts and ends with the marks that combine with it."""
    done = 0
    for run in marks.finditer(text):
        first = run.start()
        yield from ((text[i], i, i + 1) for i in range(done, first - 1))
        done = run.end()
        combining = [i for i in range(first, done) if unicodedata.category(text[i]) in _COMBINING]
        base = text[first - 1] if first else ""
        if base and not combining:
            yield base, first - 1, first
        elif base and _is_read_without_marks(base):
            whole = unicodedata.normalize("NFC", base + "".join([text[i] for i in combining]))
            yield whole[0], first - 1, combining[-1] + 1
        else:
            yield from ((text[i], i, i + 1) for i in [*([first - 1] if base else []), *combining])
    yield from ((text[i], i, i + 1) for i in range(done, len(text)))


def _is_read_without_marks(base: str) -> bool:
    # Latin, Greek and Cyrillic letters, punctuation and signs; in other scripts a word is another without its marks
    return base < "\u0590" or "\u1e00" <= base < "\u2c00"


def _marks_in(text: str) -> frozenset[str]:
    return frozenset() if text.isascii() else frozenset(filter(_is_mark, frozenset(text)))


@lru_cache(maxsize=1 << 12)
def _is_mark(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Cf" or category in _COMBINING
