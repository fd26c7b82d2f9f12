from __future__ import annotations

import pytest

from retrieval.text.token_patterns import TokenPattern, line_of, one_of
from retrieval.text.tokens import parse

CLASSES = {"AUX": one_of({"could", "has"}, "ly"), "DENIED": one_of({"not", "never"})}
TEXT = "The paper could really not see it, but nobody has seen the well-kept pier."


@pytest.mark.parametrize(
    ("pattern", "before", "found"),
    [
        ("AUX* DENIED", "see", "could really not"),
        ("AUX+ ~ DENIED", "see", "not"),
        ("AUX* DENIED", "it", None),
        ("(who ANY{1,2}? ) AUX*", "not", "The paper could really"),
        ("BREAK nobody", "has", "but nobody"),
        ("PLAIN{0,9}", "has", "nobody"),
        ("pier", "pier", None),
    ],
)
def test_a_pattern_matches_what_ends_before_a_token(pattern: str, before: str, found: str | None) -> None:
    tokens = parse(TEXT)
    match = TokenPattern(pattern, CLASSES).before(line_of(tokens), tokens.words.index(before))
    assert (match and tokens.spelt(match["match"].start, match["match"].stop)) == found


def test_a_pattern_matches_what_begins_with_a_token() -> None:
    tokens = parse(TEXT)
    pattern = TokenPattern("nobody (did AUX see|seen ) (?= the )", CLASSES)
    match = pattern.after(line_of(tokens), tokens.words.index("nobody"))
    assert match is not None
    assert {name: tokens.spelt(part.start, part.stop) for name, part in match.items()} == {
        "match": "nobody has seen",
        "did": "has seen",
    }
    assert pattern.after(line_of(tokens), 0) is None
