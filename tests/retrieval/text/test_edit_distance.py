"""Two sequences, stretch by stretch; an unknown word -> the words of the articles that it may be meant for."""

import itertools

import pytest
from hypothesis import given, strategies as st

from retrieval.text import edit_distance
from retrieval.text.edit_distance import Stretch, align, counted, spellings

FEW = st.lists(st.sampled_from("abc"), max_size=12)


@given(FEW, FEW)
def test_stretches_keep_both_sequences_and_match_the_longest_common_one(before: list[str], after: list[str]) -> None:
    found = list(align(before, after))
    assert [place for stretch in found for place in stretch.before] == list(range(len(before)))
    assert [place for stretch in found for place in stretch.after] == list(range(len(after)))
    for stretch in found:
        one = before[stretch.before.start : stretch.before.stop]
        other = after[stretch.after.start : stretch.after.stop]
        assert one or other
        assert not stretch.same or one == other
    assert all(one.same or other.same for one, other in itertools.pairwise(found))
    longest = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i, one in enumerate(before):
        for j, other in enumerate(after):
            longest[i + 1][j + 1] = longest[i][j] + 1 if one == other else max(longest[i][j + 1], longest[i + 1][j])
    assert sum(len(stretch.before) for stretch in found if stretch.same) == longest[-1][-1]


def test_beyond_the_limit_only_the_common_beginning_and_end_are_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit_distance, "MAX_PAIRS", 3)
    assert list(align("axbyc", "apbqc")) == [
        Stretch(same=True, before=range(1), after=range(1)),
        Stretch(same=False, before=range(1, 4), after=range(1, 4)),
        Stretch(same=True, before=range(4, 5), after=range(4, 5)),
    ]


def test_a_sequence_that_repeats_itself_is_aligned() -> None:
    found = list(align(["x"] * 2_000, ["x", "y"] * 2_000))
    assert sum(len(stretch.before) for stretch in found if stretch.same) == 2_000


HELD = {"quay": 9, "harbor": 3, "liner": 2, "miner": 5, "lighthous": 4, "captains": 1, "f16": 7}
HELD |= {"minister": 9, "ministry": 4}


MEANT = """\
quey: ; quays: quay; harbr: harbor; hrabor: harbor; hrabro: ; captian: ; captiain: captains; lihgthuos: lighthous;
lihgthusoe: ; finer: miner liner; lines: liner; liner: ; f1600: ; ministery: ministry minister; minyster: minister"""


def _found(word: str, limit: int) -> tuple[str, ...]:
    return spellings(word, lambda length: {w: n for w, n in HELD.items() if len(w) == length and counted(w)}, limit)


def test_a_slip_is_found_and_two_in_a_word_of_eight_letters() -> None:
    """A word of four has too many neighbours, and one of seven may have one slip; the more frequent goes first."""
    for row in MEANT.split(";"):
        word, meant = row.split(":")
        assert _found(word.strip(), 5) == tuple(meant.split()), word
    assert _found("finer", 1) == ("miner",)
