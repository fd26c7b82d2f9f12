"""How caveats are worded and what they cover is in ``readings/caveats.toml``; here is what a table can't say."""

from __future__ import annotations

import pytest

from retrieval.caveats.scope import FARTHEST, JUDGED, reach
from retrieval.model import Article
from retrieval.pipeline import read_one


@pytest.mark.parametrize(
    ("source", "verifier"),
    [
        ("BBC News", "BBC"),
        ("NPR Online News", "NPR"),
        ("The Harbour Lantern", "Harbour Lantern"),
        ("Lantern (translated copy)", "Lantern"),
    ],
)
def test_an_outlet_is_known_by_the_source_of_the_article(source: str, verifier: str) -> None:
    (caveat,) = read_one(Article("a", f"The {verifier} could not verify the claim.", source=source)).caveats
    assert (caveat.kind, caveat.verifier) == ("own", verifier)


@pytest.mark.parametrize("caveats", [1, 250, 500, 2_000])
def test_the_more_caveats_the_nearer_is_what_each_is_held_against(caveats: int) -> None:
    looked_at = 2 * reach(caveats)
    assert looked_at * caveats <= JUDGED
    assert reach(caveats) == FARTHEST or caveats > 250


def test_an_article_of_caveats_is_read_in_proportion() -> None:
    reading = read_one(Article("a", "The claims could not be independently verified. " * 500))
    assert sum(len(caveat.judgements) for caveat in reading.caveats) <= JUDGED
    assert all(passage.is_caveat for passage in reading.passages)
