"""A text -> the text without invisible marks, and the way back to its own offsets.

Copy from an editing system has soft hyphens, zero-width spaces and marks of direction inside its words, and accents
that are characters of their own. With a soft hyphen inside it, "reject" is no verb to any rule. So the rules read the
bare text, and what they find is moved back to the offsets of the original, which never changes.
"""

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
    """A text without marks; its character ``i`` is at ``starts[i]`` to ``ends[i]`` of the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def restored(self, value: T) -> T:
        """Move every ``Span`` inside a value (also in tuples and dataclasses) to the offsets of the original."""
        moved: object = value
        if isinstance(value, Span):
            moved = Span(self.starts[value.start], self.ends[value.end - 1])
        elif isinstance(value, tuple):
            moved = tuple(map(self.restored, value))
        elif is_dataclass(value) and not isinstance(value, type):
            moved = replace(value, **{each.name: self.restored(getattr(value, each.name)) for each in fields(value)})
        return cast("T", moved)


def bare_text(text: str, kept: str = "") -> BareText | None:
    """Remove the marks but those ``kept``; None where there are none."""
    marks = frozenset() if text.isascii() else frozenset(filter(_is_mark, frozenset(text).difference(kept)))
    if not marks:
        return None
    characters = _characters(text, re.compile(f"[{re.escape(''.join(sorted(marks)))}]+"))
    bare, starts, ends = tuple(zip(*characters, strict=True)) or ((), (), ())
    return BareText("".join(bare), starts, ends)


def without_marks(text: str) -> str:
    bare = bare_text(text)
    return bare.text if bare else text


def _characters(text: str, marks: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each visible character, and where it starts and ends with the marks that combine with it."""
    done = 0
    for run in marks.finditer(text):
        first = run.start()
        yield from ((text[i], i, i + 1) for i in range(done, first - 1))
        done = run.end()
        combining = [i for i in range(first, done) if unicodedata.category(text[i]) in _COMBINING]
        base = text[first - 1] if first else ""
        if base and not combining:
            yield base, first - 1, first
        # Latin, Greek and Cyrillic letters, punctuation and signs; in other scripts a word without its marks is another
        elif base and (base < "\u0590" or "\u1e00" <= base < "\u2c00"):
            composed = unicodedata.normalize("NFC", base + "".join([text[i] for i in combining]))
            yield composed[0], first - 1, combining[-1] + 1
        else:
            yield from ((text[i], i, i + 1) for i in [*([first - 1] if base else []), *combining])
    yield from ((text[i], i, i + 1) for i in range(done, len(text)))


@lru_cache(maxsize=1 << 12)
def _is_mark(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Cf" or category in _COMBINING
