"""Layout -> the names in each sentence, and the words beside them. What each rule takes is in ``test_kinds.toml``."""

from __future__ import annotations

from itertools import pairwise

import pytest

from retrieval.model import Article, Kind, Mention
from retrieval.names.mentions import find_names
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def read(text: str) -> list[Mention]:
    article = Article("a", text)
    return [mention for row in find_names(lay_out(article, parse(text))) for mention in row]


def spelt(text: str) -> list[str]:
    return [f"{mention.kind} {mention.span.of(text)}" for mention in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They met in Tallinn with Ms. Tamm’s sister.", "PLACE Tallinn; PERSON Tamm"),
        ("Prime Minister Liis Ilves met Gen. Jaan Roos.", "PERSON Liis Ilves; PERSON Jaan Roos"),
        ("It angered President of Estonia Arvo Tamm.", "PLACE Estonia; PERSON Arvo Tamm"),
        ("It angered Mayor of Philadelphia Michael Tamm.", "PLACE Philadelphia; PERSON Michael Tamm"),
        ("It angered the Minister of Fisheries.", ""),
        ("It angered Director of National Transportation Robert Quill.", "PERSON Robert Quill"),
        ("It angered Mayor of San Jose Robert Quill.", "PLACE San Jose; PERSON Robert Quill"),
        ("It angered President of Robert Quill College.", "ORG Robert Quill College"),
        ("Robert Quill Robert Quill, a medic, left.", "PERSON Robert Quill"),
        ("It angered Lance Corporal Robert Quill.", "PERSON Robert Quill"),
        ('They praised Robert C. "Bobby" Stone.', 'PERSON Robert C. "Bobby" Stone'),
        ("They saw Pope Gregory and Queen Margrethe II.", "PERSON Pope Gregory; PERSON Queen Margrethe II"),
        ("Harvests failed again.", ""),
        ("On Monday they met again in May.", ""),
        ("He moved to Houston in May.", "PLACE Houston"),
        ("He sued under the Clean Rivers Act.", ""),
        ("They watched Space Shuttle Meridian land.", ""),
        ("The EB-5 visa is for Rep. Ada Quill (D-Ohio).", "PERSON Ada Quill"),
        ("A clerk of the Anti-Smuggling League resigned.", "ORG Anti-Smuggling League"),
        ("A cook of the 14th Engineer Brigade resigned.", "ORG 14th Engineer Brigade"),
        ("She runs the Baltic Women's Cup.", "EVENT Baltic Women's Cup"),
        ("He asked the Estonian Prosecutor General's Office.", "ORG Estonian Prosecutor General's Office"),
        ("He sued the Securities and Exchange Commission.", "ORG Securities and Exchange Commission"),
        ("He left the Centre for Disease Control and Prevention.", "ORG Centre for Disease Control and Prevention"),
        (
            "He left the Centre for Infectious Disease Control and Prevention.",
            "ORG Centre for Infectious Disease Control; ORG Prevention",
        ),
        ("They told Parliament and NATO.", "ORG Parliament; ORG NATO"),
        ("He heard it on Radio Ladoga.", "ORG Radio Ladoga"),
        ("The Estonians and the Muslims went home.", "GROUP Estonians; GROUP Muslims"),
        ("Texans voted, and so did African-Americans.", "GROUP Texans; GROUP African-Americans"),
        ("It was built after the Battle of Narva.", "EVENT Battle of Narva"),
        ("It began after World War II.", "EVENT World War II"),
        ("Hurricane Zelda hit Florida.", "EVENT Hurricane Zelda; PLACE Florida"),
        ("They crossed Lake Peipus and the Narva River.", "PLACE Lake Peipus; PLACE Narva River"),
        ("She lives in Eugene, Ore., near Salem.", "PLACE Eugene; PLACE Ore.; PLACE Salem"),
        ("He was tried in The Hague.", "PLACE The Hague"),
        ("The towns of Paldu, Kaldu and Tallinn burned.", "PLACE Paldu; PLACE Kaldu; PLACE Tallinn"),
        ("He read it in the Washington Post.", "ORG Washington Post"),
        ("The Independent has not seen the letter.", "ORG Independent"),
        ("A guardian of the peace, Guardian in all but name.", ""),
        ("She spoke to the Press Trust of India in the lobby.", "ORG Press Trust of India"),
        ("She praised Marc Lamont Hill.", "PERSON Marc Lamont Hill"),
        ("The Kalduva region and the Narva Law Center agreed.", "PLACE Kalduva; ORG Narva Law Center"),
        ("They saw NASA Robert Quill and Al Qaeda.", "ORG NASA; PERSON Robert Quill; ORG Al Qaeda"),
        ("He met Museum of Flight CEO Ada Quill.", "PLACE Museum of Flight; PERSON Ada Quill"),
        ("They came with Agence France-Ladoga.", "ORG Agence France-Ladoga"),
        ("They asked the Kalduva Sisters and the Quiet Ones.", "ORG Kalduva Sisters; ORG Quiet Ones"),
        ("SAVE THE FERRY they cried at Kalduva, and Kim Quill, who wept, left.", "ORG Kalduva; PERSON Kim Quill"),
        ("She lives at Reading and in Bergen.", "PLACE Reading; PLACE Bergen"),
        ("It angered Estonian Attorney General Tarmo King.", "GROUP Estonian; PERSON Tarmo King"),
        ("It angered Sen. Barbara Boxer and Mr. Michael Woods.", "PERSON Barbara Boxer; PERSON Michael Woods"),
        ("It angered General Motors and the Writers Hall.", "ORG General Motors; PLACE Writers Hall"),
        ("The pilot, Anna Dane, met the Danes. Dane left.", "PERSON Anna Dane; GROUP Danes; PERSON Dane"),
        ("Ada Quill met a Georgia Democrat.", "PERSON Ada Quill; GROUP Georgia Democrat"),
        ("The coach, Noh Su-bin, met Moon Jae-in.", "PERSON Noh Su-bin; PERSON Moon Jae-in"),
        ("Su-bin Noh met Chow Yun-fat.", "PERSON Su-bin Noh; PERSON Chow Yun-fat"),
        ("A Hong Kong-born man met a San Jose-based one.", "PLACE Hong Kong; PLACE San Jose"),
        ("Peter Quill wept. “All,” his mother, Grace Quill, said.", "PERSON Peter Quill; PERSON Grace Quill"),
        (
            "Peter Quill wept. Dawn Quill told him. Hope Quill left.",
            "PERSON Peter Quill; PERSON Dawn Quill; PERSON Hope Quill",
        ),
        ("Peter Quill wept. Describing Quill, he stopped.", "PERSON Peter Quill; PERSON Quill"),
        ("His brothers, Will Tamm and June Tamm, left.", "PERSON Will Tamm; PERSON June Tamm"),
        ("Will Quill, his brother, left. April Quill said so.", "PERSON Will Quill; PERSON April Quill"),
        ("Peter Quill left. Will Quill resign? In June Quill left.", "PERSON Peter Quill; PERSON Quill; PERSON Quill"),
        ("He met Christian Tamm of Christian Aid.", "PERSON Christian Tamm; GROUP Christian"),
        ("Ban Geun-hye spoke. Then Geun-hye left.", "PERSON Ban Geun-hye; PERSON Geun-hye"),
        ("Nurse Ada van der Meer spoke. Later van der Meer left.", "PERSON Ada van der Meer; PERSON van der Meer"),
        (
            "Nurse Ada Martin met Dr Martin Quill. Then Martin left.",
            "PERSON Ada Martin; PERSON Martin Quill; PERSON Martin",
        ),
        ("Nurse Ada Quill spoke, and later they asked Ada.", "PERSON Ada Quill; PERSON Ada"),
        ("Russian-backed and pro-European forces met.", "GROUP Russian; GROUP European"),
        ("He met Aino Maria Liis Katre Kask.", "PERSON Aino Maria Liis Katre Kask"),
        ("He met Aino Maria Liis Katre Mari Kask.", "ORG Aino Maria Liis Katre Mari Kask"),
        ("He sued Brimble Vans.", "PERSON Brimble Vans"),
        ("He sued Brimble Ropes.", "ORG Brimble Ropes"),
        ("They sailed from PERU.", "ORG PERU"),
        ("They sailed from TURKU.", "PLACE TURKU"),
        (
            "They saw Ada Quill in Estonia. Describing Estonia, Quill wept.",
            "PERSON Ada Quill; PLACE Estonia; PLACE Estonia; PERSON Quill",
        ),
    ],
)
def test_people_bodies_places_peoples_and_events_are_distinguished(text: str, expected: str) -> None:
    assert "; ".join(spelt(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mayor Olha Koch spoke. Then Kokh left.", "PERSON Olha Koch"),
        ("Mayor Olha Cox spoke. Then Kox left.", "ORG Kox"),
        ("Mayor Aino Bremer spoke. Then Bramer left.", "PERSON Aino Bremer"),
        ("Mayor Aino Brems spoke. Then Brams left.", "ORG Brams"),
        ("It rained in Lisewood." + " Lisewood said no." * 3, "PLACE Lisewood"),
        ("It rained in Lisewood." + " Lisewood said no." * 4, "PERSON Lisewood"),
    ],
)
def test_a_name_is_read_otherwise_beyond_the_edge(text: str, expected: str) -> None:
    last = read(text)[-1]
    assert f"{last.kind} {last.name}" == expected


@pytest.mark.parametrize(
    ("headline", "found"),
    [("Ferry Owners Face Port Ellis Inquiry", "Port Ellis"), ("Owners Face Port Ellis", "Face Port Ellis")],
)
def test_a_headline_has_four_long_words_at_least(headline: str, found: str) -> None:
    text = f"{headline}\n\nThe inquiry in Port Ellis began."
    assert [mention.span.of(text) for mention in read(text)] == [found, "Port Ellis"]


@pytest.mark.parametrize(
    "furniture",
    [
        "Hide Caption 1 of 2 Photos: Ada Quill's life Nurse Liis Ilves met Ada Quill.",
        "MUST WATCH Liis Ilves Meets Ada Quill 02:11",
        "By signing up, you agree to our privacy policy and to that of Liis Ilves.",
        "Rain Stuns Liis Ilves , Says Mayor As Crowds In The North Of Town Are Left In It -LRB- AP -RRB- -- Rain fell.",
    ],
)
def test_furniture_has_no_names_but_those_of_the_report(furniture: str) -> None:
    names = {mention.name for mention in read(f"{furniture}\n\nNurse Ada Quill left.\n\nThey saw rain.")}
    assert names == {"Ada Quill"}


def test_a_list_of_links_is_no_part_of_a_name() -> None:
    found = spelt("Sen. Ada Quill Ada Ruth QuillRain stuns Liis Ilves MORE (D-Mass.) said it rained.")
    assert found[0] == "PERSON Ada Quill"
    assert "Liis" not in " ".join(found)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nurse Olha Schevtschuk spoke. Then Shevchuk left.", ["Olha Schevtschuk"] * 2),
        ("Lydia Bruckmann spoke. Ms Brukman left.", ["Lydia Bruckmann"] * 2),
        ("They heard Arvo Tamm. TAMM: I was there.", ["Arvo Tamm"] * 2),
        ("They heard Arvo Tamm. A 30-year-old man, Arvo, 30, left.", ["Arvo Tamm", "Arvo"]),
        ("The U.S. Lake Survey (USLS) met. USLS paid.", ["U.S. Lake Survey"] * 3),
        ("Rush Tamberg spoke. Then Tamberg left.", ["Rush Tamberg"] * 2),
        ("They heard Ada Quill. Describing Quill, they wept.", ["Ada Quill"] * 2),
    ],
)
def test_a_short_form_carries_the_full_name_where_only_one_is_meant(text: str, names: list[str]) -> None:
    assert [mention.name for mention in read(text)] == names


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The World Chess Union met. The WCU paid.", True),
        ("The WCU paid. The World Chess Union met.", False),
        ("The World Chess Union and the World Checkers Union met. The WCU paid.", False),
        ("The Lake Ferry Trust met. They saw Lft there.", True),
        ("The Lake Union met. The LU paid.", True),
        ("They wore Velvet Spoon hats. The VS paid.", False),
        ("They praised Velvet Brine Spoons. The VBS paid.", True),
    ],
)
def test_an_acronym_is_spelt_out_by_the_one_name_before_it(text: str, told: bool) -> None:  # noqa: FBT001
    assert ("spelt out" in [mention.rule for mention in read(text)]) is told


@pytest.mark.parametrize(
    "text", ["", " \n ", "“" * 500, "A" * 5000, "Ab " * 3000, "\u202eشمس\u202c Ab.", "\x00\x07 Ab", "'s 's of of The"]
)
def test_hostile_text_is_read_without_an_exception(text: str) -> None:
    spans = [mention.span for mention in read(text)]
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(span.of(text).strip() for span in spans)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Estonia's foreign minister, Arvo Tamm, left.", "Estonia's foreign minister"),
        ("Estonia’s President Arvo Tamm left.", "Estonia’s President"),
        ("Estonian President Arvo Tamm left.", "Estonian President"),
        ("City mayor Arvo Tamm left.", "City mayor"),
        ("The vice-chancellor, Arvo Tamm, left.", "vice-chancellor"),
        ("The head of the Harbour Board, Arvo Tamm, left.", "head of the Harbour Board"),
        ("The British ambassador to Estonia, Arvo Tamm, left.", "British ambassador to Estonia"),
        ("Arvo Tamm, an adviser to Estonia's interior minister, left.", "an adviser to Estonia's interior minister"),
        ("Arvo Tamm, 61, editor at large at the Harbour Gazette, left.", "editor"),
        ("Arvo Tamm, a senior official of the defence ministry, left.", "a senior official of the defence ministry"),
        ("Arvo Tamm, the mayor, left.", "mayor"),
        ("A 38-year-old, Arvo Tamm, left.", None),
        ("Arvo Tamm, tired and wet, left.", None),
        ("Mr Arvo Tamm left.", None),
        ("It was late, Arvo Tamm thought.", None),
        ("Arvo Tamm left.", None),
    ],
)
def test_a_role_is_the_words_beside_the_name(text: str, role: str | None) -> None:
    [person] = [mention for mention in read(text) if mention.kind is Kind.PERSON]
    assert (person.span.of(text), person.role and person.role.of(text)) == ("Arvo Tamm", role)
