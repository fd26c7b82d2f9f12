"""Two sequences, stretch by stretch."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from retrieval.text import alignment
from retrieval.text.alignment import Stretch, align

FEW = st.lists(st.sampled_from("abc"), max_size=12)


@given(FEW, FEW)
def test_the_stretches_are_all_of_both_in_order(before: list[str], after: list[str]) -> None:
    """None is empty, same ones are the same, and no two of a kind follow one another."""
    found = list(align(before, after))
    assert [place for stretch in found for place in stretch.before] == list(range(len(before)))
    assert [place for stretch in found for place in stretch.after] == list(range(len(after)))
    for stretch in found:
        one = before[stretch.before.start : stretch.before.stop]
        other = after[stretch.after.start : stretch.after.stop]
        assert one or other
        assert not stretch.same or one == other
    assert all(one.same or other.same for one, other in itertools.pairwise(found))


@given(FEW, FEW)
def test_as_much_is_kept_as_can_be(before: list[str], after: list[str]) -> None:
    """The longest common subsequence, found here the slow way."""
    longest = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i, one in enumerate(before):
        for j, other in enumerate(after):
            longest[i + 1][j + 1] = longest[i][j] + 1 if one == other else max(longest[i][j + 1], longest[i + 1][j])
    assert sum(len(stretch.before) for stretch in align(before, after) if stretch.same) == longest[-1][-1]


def test_beyond_the_limit_only_beginning_and_end_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends an article of a hundred thousand sentences waits for nothing."""
    monkeypatch.setattr(alignment, "MOST", 3)
    assert list(align("axbyc", "apbqc")) == [
        Stretch(same=True, before=range(1), after=range(1)),
        Stretch(same=False, before=range(1, 4), after=range(1, 4)),
        Stretch(same=True, before=range(4, 5), after=range(4, 5)),
    ]


def test_what_repeats_itself_a_thousand_times_is_aligned_all_the_same() -> None:
    """One sentence in two is in both, and all of those are kept."""
    found = list(align(["x"] * 2_000, ["x", "y"] * 2_000))
    assert sum(len(stretch.before) for stretch in found if stretch.same) == 2_000
