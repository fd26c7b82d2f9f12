"""Layout -> the names in each sentence."""

from __future__ import annotations

import pytest

from retrieval.language import parse
from retrieval.model import Article, Kind, Mention
from retrieval.names import find_names
from retrieval.sentences import lay_out


def read(text: str) -> list[Mention]:
    """Return the mentions of an article of this text."""
    article = Article("a", text)
    return [m for row in find_names(lay_out(article, parse(text))) for m in row]


def spelt(text: str) -> list[tuple[str, Kind]]:
    """Return each mention's words as they stand, and its kind."""
    return [(m.span.of(text), m.kind) for m in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr Arvo Tamm left early.", [("Arvo Tamm", Kind.PERSON)]),
        ("They met in Tallinn with Ms. Tamm’s sister.", [("Tallinn", Kind.PLACE), ("Tamm", Kind.PERSON)]),
        ("A clerk of the Ministry of Fisheries resigned.", [("Ministry of Fisheries", Kind.ORG)]),
        ("The Estonians went home.", [("Estonians", Kind.GROUP)]),
        ("It was built after the Battle of Narva.", [("Battle of Narva", Kind.EVENT)]),
        ("Harvests failed again.", []),
        ("On Monday they met again in May.", []),
    ],
)
def test_a_name_is_found_at_its_place_with_its_kind(text: str, expected: list[tuple[str, Kind]]) -> None:
    """The span leaves out titles and the possessive, and the kind follows from the words and their neighbours."""
    assert spelt(text) == expected


def test_a_surname_carries_the_full_name_met_before() -> None:
    """Within an article a surname is the person introduced with it."""
    assert [m.name for m in read("Minister Arvo Tamm spoke first. Later Tamm sat down.")] == ["Arvo Tamm", "Arvo Tamm"]
