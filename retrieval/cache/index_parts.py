"""The parts of a built index <-> bytes, kept under what the index was built from.

Each part stands by itself: one that is missing or damaged is made anew, and the others are taken as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.cache.digest_store import Contents, DigestStore

# eight parts each of the last few folders of articles; a thousand articles take about 40 MB
INDEXES = Contents("indexes", "STET_READINGS", 0x53744978, 32)
DIGEST = 16  # bytes
MOST = 900_000_000  # bytes of a part: SQLite takes no more than 1,000,000,000 in one place
ALIGNED = 8  # bytes: what arrays of numbers begin at a multiple of

Part = Mapping[str, "NDArray[np.generic] | Sequence[object]"]  # lists are of what JSON holds


class Parts(Protocol):
    """Where an index finds what was built of it before."""

    def get(self, name: str) -> Part | None:
        """Return a part; None where it has to be built."""

    def put(self, name: str, part: Part) -> None:
        """Keep a part for the next start."""


class Unkept:
    """Nothing was built before, and nothing is kept."""

    def get(self, name: str) -> Part | None:
        """Return none."""

    def put(self, name: str, part: Part) -> None:
        """Forget it."""


UNKEPT = Unkept()


class KeptParts:
    """The parts of one index in a file; ``key`` is the digest of all that the index is built from."""

    def __init__(self, kept: DigestStore, key: bytes) -> None:
        self._kept = kept
        self._key = key

    def get(self, name: str) -> Part | None:
        """Return a part; None where it has to be built."""
        digest = self._digest(name)
        try:
            return unpack(self._kept.get([digest])[digest])
        except (LookupError, TypeError, ValueError):  # not kept, or no part of ours
            return None

    def put(self, name: str, part: Part) -> None:
        """Keep a part for the next start."""
        code = pack(part)
        if len(code) <= MOST:
            self._kept.put({self._digest(name): code})

    def _digest(self, name: str) -> bytes:
        return blake2b(name.encode(), key=self._key, digest_size=DIGEST).digest()


def pack(part: Part) -> bytes:
    """Return arrays and lists of words as bytes: their names, kinds and lengths as JSON, then their contents."""
    rows: list[tuple[str, str, int]] = []
    values: list[bytes] = []
    for name, value in part.items():
        words = not isinstance(value, np.ndarray)
        values.append(json.dumps(value).encode() if words else value.tobytes())  # type: ignore[union-attr]  # told by ``words``
        rows.append((name, "" if words else value.dtype.str, len(values[-1])))  # type: ignore[union-attr]  # as above
    head = json.dumps(rows).encode()
    return b"".join(_padded(each) for each in (len(head).to_bytes(ALIGNED, "big"), head, *values))


def unpack(code: bytes) -> Part:
    """Return what was packed, without copying the arrays; ``ValueError`` where the bytes are nothing of the kind."""
    at = ALIGNED + int.from_bytes(code[:ALIGNED], "big")
    rows = json.loads(code[ALIGNED:at])
    found: dict[str, NDArray[np.generic] | Sequence[str]] = {}
    for name, kind, length in rows:
        at += -at % ALIGNED
        if at + length > len(code):
            raise ValueError(f"{name} is cut short")
        found[name] = (
            np.frombuffer(code, kind, length // np.dtype(kind).itemsize, at)
            if kind
            else json.loads(code[at : at + length])
        )
        at += length
    return found


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % ALIGNED)
