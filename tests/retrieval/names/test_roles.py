"""The words beside a person's name that say what its bearer is."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Kind
from retrieval.names.mentions import find_names
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def roles(text: str) -> list[tuple[str, str | None]]:
    found = find_names(lay_out(Article("a", text), parse(text)))
    people = (mention for row in found for mention in row if mention.kind is Kind.PERSON)
    return [(person.span.of(text), person.role.of(text) if person.role else None) for person in people]


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("Estonia's foreign minister, Arvo Tamm, left.", "Arvo Tamm", "Estonia's foreign minister"),
        ("Estonia’s President Arvo Tamm left.", "Arvo Tamm", "Estonia’s President"),
        ("Estonian President Arvo Tamm left.", "Arvo Tamm", "Estonian President"),
        ("City mayor Arvo Tamm left.", "Arvo Tamm", "City mayor"),
        ("The vice-chancellor, Arvo Tamm, left.", "Arvo Tamm", "vice-chancellor"),
        ("The head of the Harbour Board, Arvo Tamm, left.", "Arvo Tamm", "head of the Harbour Board"),
        ("The British ambassador to Estonia, Arvo Tamm, left.", "Arvo Tamm", "British ambassador to Estonia"),
        (
            "Arvo Tamm, an adviser to Estonia's interior minister, left.",
            "Arvo Tamm",
            "an adviser to Estonia's interior minister",
        ),
        ("Arvo Tamm, 61, editor at large at the Harbour Gazette, left.", "Arvo Tamm", "editor"),
        (
            "Arvo Tamm, a senior official of the defence ministry, left.",
            "Arvo Tamm",
            "a senior official of the defence ministry",
        ),
        ("Arvo Tamm, the mayor, left.", "Arvo Tamm", "mayor"),
        ("A 38-year-old, Arvo Tamm, left.", "Arvo Tamm", None),
        ("Arvo Tamm, tired and wet, left.", "Arvo Tamm", None),
        ("Mr Arvo Tamm left.", "Arvo Tamm", None),
        ("It was late, Arvo Tamm thought.", "Arvo Tamm", None),
        ("Arvo Tamm left.", "Arvo Tamm", None),
    ],
)
def test_a_role_is_the_words_beside_the_name(text: str, name: str, role: str | None) -> None:
    assert roles(text) == [(name, role)]
