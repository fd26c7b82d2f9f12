"""The edges of the names' rules: a sentence on either side of each number that decides."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Kind
from retrieval.pipeline import read_one

PERSON, ORG, PLACE = Kind.PERSON, Kind.ORG, Kind.PLACE

SAID = " Lisewood said no."


def _last(text: str) -> tuple[str, Kind]:
    mention = [m for passage in read_one(Article("a", text)).passages for m in passage.mentions][-1]
    return mention.name, mention.kind


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        pytest.param("He met Aino Maria Liis Katre Kask.", "Aino Maria Liis Katre Kask", PERSON, id="five words"),
        pytest.param("He met Aino Maria Liis Katre Mari Kask.", "Aino Maria Liis Katre Mari Kask", ORG, id="six words"),
        pytest.param("He sued Brimble Vans.", "Brimble Vans", PERSON, id="a plural of four letters"),
        pytest.param("He sued Brimble Ropes.", "Brimble Ropes", ORG, id="a plural of five letters"),
        pytest.param("They sailed from PERU.", "PERU", ORG, id="four capitals may be an acronym"),
        pytest.param("They sailed from TURKU.", "TURKU", PLACE, id="five capitals spell a place"),
        pytest.param("Mayor Olha Koch spoke. Then Kokh left.", "Olha Koch", PERSON, id="four letters are heard"),
        pytest.param("Mayor Olha Cox spoke. Then Kox left.", "Kox", ORG, id="three letters are not"),
        pytest.param("Mayor Aino Bremer spoke. Then Bramer left.", "Aino Bremer", PERSON, id="a slip in six letters"),
        pytest.param("Mayor Aino Brems spoke. Then Brams left.", "Brams", ORG, id="a slip in five letters"),
        pytest.param(
            "He left the Centre for Disease Control and Prevention.",
            "Centre for Disease Control and Prevention",
            ORG,
            id="two words of matter before and",
        ),
        pytest.param(
            "He left the Centre for Infectious Disease Control and Prevention.",
            "Prevention",
            ORG,
            id="three words of matter before and",
        ),
        pytest.param("It rained in Lisewood." + SAID * 3, "Lisewood", PLACE, id="one sure place against three"),
        pytest.param("It rained in Lisewood." + SAID * 4, "Lisewood", PERSON, id="one sure place against four"),
    ],
)
def test_a_name_is_read_otherwise_beyond_the_edge(text: str, name: str, kind: Kind) -> None:
    assert _last(text) == (name, kind)


@pytest.mark.parametrize(
    ("headline", "found"),
    [
        pytest.param("Ferry Owners Face Port Ellis Inquiry", ["Port Ellis"], id="four long words"),
        pytest.param("Owners Face Port Ellis", ["Face Port Ellis"], id="two long words are no headline"),
    ],
)
def test_a_headline_has_four_long_words_at_least(headline: str, found: list[str]) -> None:
    text = f"{headline}\n\nThe inquiry in Port Ellis began."
    mentions = read_one(Article("a", text)).passages[0].mentions
    assert [mention.span.of(text) for mention in mentions] == found
