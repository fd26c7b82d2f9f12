"""The parts of an index come back as they were, and what is no part is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from retrieval.cache import index_parts as module
from retrieval.cache.digest_store import DigestStore
from retrieval.cache.index_parts import INDEXES, KeptParts, pack, unpack

KINDS = st.sampled_from([np.int32, np.int64, np.float64])
ARRAYS = KINDS.flatmap(lambda kind: arrays(kind, st.integers(0, 9)))
# halves of characters among them
WORDS = st.lists(st.text(st.characters(), max_size=5), max_size=5)


@given(st.dictionaries(st.text(max_size=5), st.one_of(ARRAYS, WORDS), max_size=5))
def test_a_part_comes_back_as_it_was(part: dict[str, object]) -> None:
    """Every array to the bit and of the same kind, every list in its order."""
    back = unpack(pack(part))  # type: ignore[arg-type]  # arrays and lists of words
    assert list(back) == list(part)
    for name, value in part.items():
        found = back[name]
        if isinstance(value, np.ndarray):
            assert isinstance(found, np.ndarray)
            assert (found.dtype, found.tobytes()) == (value.dtype, value.tobytes())
            assert found.flags.aligned
        else:
            assert found == value


@pytest.mark.parametrize("code", [b"", b"\xff" * 40, pack({"a": np.arange(9)})[:-40], (2).to_bytes(8, "big") + b"{}x"])
def test_what_is_cut_short_or_no_part_is_refused(code: bytes) -> None:
    """Or has nothing in it."""
    try:
        assert unpack(code) == {}
    except (ValueError, TypeError, LookupError):
        return
    assert b"{}" in code


def test_each_index_has_parts_of_its_own(tmp_path: Path) -> None:
    """By what it was built from."""
    kept = DigestStore(tmp_path / "indexes.sqlite", INDEXES)
    one, other = KeptParts(kept, b"one"), KeptParts(kept, b"other")
    one.put("words", {"words": ["ferry"]})
    assert one.get("words") == {"words": ["ferry"]}
    assert one.get("names") is None
    assert other.get("words") is None
    kept.close()


def test_a_part_beyond_what_sqlite_takes_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is built anew each time, and the file is not taken for damaged."""
    kept = DigestStore(tmp_path / "indexes.sqlite", INDEXES)
    parts = KeptParts(kept, b"key")
    monkeypatch.setattr(module, "MOST", 100)
    parts.put("words", {"words": ["ferry"] * 40})
    assert parts.get("words") is None
    parts.put("words", {"words": ["ferry"]})
    assert parts.get("words") is not None
    kept.close()
