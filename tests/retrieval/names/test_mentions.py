"""Layout -> the names in each sentence."""

from __future__ import annotations

from itertools import pairwise

import pytest

from retrieval.model import Article, Kind, Mention
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_one
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse

PERSON, ORG, PLACE, GROUP, EVENT = Kind.PERSON, Kind.ORG, Kind.PLACE, Kind.GROUP, Kind.EVENT


def read(text: str) -> list[Mention]:
    article = Article("a", text)
    return [mention for row in find_names(lay_out(article, parse(text))) for mention in row]


def spelt(text: str) -> list[tuple[str, Kind]]:
    return [(mention.span.of(text), mention.kind) for mention in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr Arvo Tamm left early.", [("Arvo Tamm", PERSON)]),
        ("They met in Tallinn with Ms. Tamm’s sister.", [("Tallinn", PLACE), ("Tamm", PERSON)]),
        ("Prime Minister Liis Ilves met Gen. Jaan Roos.", [("Liis Ilves", PERSON), ("Jaan Roos", PERSON)]),
        ("It angered Secretary of State Ada Quill.", [("Ada Quill", PERSON)]),
        ("It angered President of Estonia Arvo Tamm.", [("Estonia", PLACE), ("Arvo Tamm", PERSON)]),
        ("It angered Mayor of Philadelphia Michael Tamm.", [("Philadelphia", PLACE), ("Michael Tamm", PERSON)]),
        ("It angered the Minister of Fisheries.", []),
        ("It angered Director of National Transportation Robert Quill.", [("Robert Quill", PERSON)]),
        ("It angered Mayor of San Jose Robert Quill.", [("San Jose", PLACE), ("Robert Quill", PERSON)]),
        ("It angered President of Robert Quill College.", [("Robert Quill College", ORG)]),
        ("Robert Quill Robert Quill, a medic, left.", [("Robert Quill", PERSON)]),
        ("It angered Lance Corporal Robert Quill.", [("Robert Quill", PERSON)]),
        ("The nurse Ursula van der Meer came.", [("Ursula van der Meer", PERSON)]),
        (
            "They praised Khalid al-Rasheed and Jean-Luc Moreau.",
            [("Khalid al-Rasheed", PERSON), ("Jean-Luc Moreau", PERSON)],
        ),
        ('They praised Robert C. "Bobby" Stone.', [('Robert C. "Bobby" Stone', PERSON)]),
        ("They saw Pope Gregory and Queen Margrethe II.", [("Pope Gregory", PERSON), ("Queen Margrethe II", PERSON)]),
        ("Harvests failed again.", []),
        ("On Monday they met again in May.", []),
        ("He sued under the Clean Rivers Act.", []),
        ("They watched Space Shuttle Meridian land.", []),
        ("The EB-5 visa is for Rep. Ada Quill (D-Ohio).", [("Ada Quill", PERSON)]),
    ],
)
def test_people_are_found_without_titles_or_possessives(text: str, expected: list[tuple[str, Kind]]) -> None:
    assert spelt(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A clerk of the Ministry of Fisheries resigned.", [("Ministry of Fisheries", ORG)]),
        ("A clerk of the Anti-Smuggling League resigned.", [("Anti-Smuggling League", ORG)]),
        ("A cook of the 14th Engineer Brigade resigned.", [("14th Engineer Brigade", ORG)]),
        ("She runs the Baltic Women's Cup.", [("Baltic Women's Cup", EVENT)]),
        ("He asked the Estonian Prosecutor General's Office.", [("Estonian Prosecutor General's Office", ORG)]),
        ("He joined the Food and Harbour Authority.", [("Food and Harbour Authority", ORG)]),
        ("He sued the Securities and Exchange Commission.", [("Securities and Exchange Commission", ORG)]),
        (
            "He left the Centre for Disease Control and Prevention.",
            [("Centre for Disease Control and Prevention", ORG)],
        ),
        ("They told Parliament and NATO.", [("Parliament", ORG), ("NATO", ORG)]),
        ("He works for Marks & Sons.", [("Marks & Sons", ORG)]),
        ("He heard it on Radio Ladoga.", [("Radio Ladoga", ORG)]),
        ("The Estonians and the Muslims went home.", [("Estonians", GROUP), ("Muslims", GROUP)]),
        ("Texans voted, and so did African-Americans.", [("Texans", GROUP), ("African-Americans", GROUP)]),
        ("It was built after the Battle of Narva.", [("Battle of Narva", EVENT)]),
        ("It began after World War II.", [("World War II", EVENT)]),
        ("Hurricane Zelda hit Florida.", [("Hurricane Zelda", EVENT), ("Florida", PLACE)]),
        ("They crossed Lake Peipus and the Narva River.", [("Lake Peipus", PLACE), ("Narva River", PLACE)]),
        ("They left the village of Uuskula and South Asia.", [("Uuskula", PLACE), ("South Asia", PLACE)]),
        ("She lives in Eugene, Ore., near Salem.", [("Eugene", PLACE), ("Ore.", PLACE), ("Salem", PLACE)]),
        ("He was tried in The Hague.", [("The Hague", PLACE)]),
        ("The towns of Paldu, Kaldu and Tallinn burned.", [("Paldu", PLACE), ("Kaldu", PLACE), ("Tallinn", PLACE)]),
        ("He read it in the Washington Post.", [("Washington Post", ORG)]),
        ("She praised Marc Lamont Hill.", [("Marc Lamont Hill", PERSON)]),
        ("The Kalduva region and the Narva Law Center agreed.", [("Kalduva", PLACE), ("Narva Law Center", ORG)]),
        ("They saw NASA Robert Quill and Al Qaeda.", [("NASA", ORG), ("Robert Quill", PERSON), ("Al Qaeda", ORG)]),
        ("He met Museum of Flight CEO Ada Quill.", [("Museum of Flight", PLACE), ("Ada Quill", PERSON)]),
        (
            "They flew to Upper Kalduva with Agence France-Ladoga.",
            [("Upper Kalduva", PLACE), ("Agence France-Ladoga", ORG)],
        ),
        ("They asked the Kalduva Sisters and the Quiet Ones.", [("Kalduva Sisters", ORG), ("Quiet Ones", ORG)]),
        (
            "SAVE THE FERRY they cried at Kalduva, and Kim Quill, who wept, left.",
            [("Kalduva", ORG), ("Kim Quill", PERSON)],
        ),
        ("She lives at Reading and in Bergen.", [("Reading", PLACE), ("Bergen", PLACE)]),
        ("Ban Geun-hye spoke. Then Geun-hye left.", [("Ban Geun-hye", PERSON), ("Geun-hye", PERSON)]),
        (
            "Nurse Ada van der Meer spoke. Later van der Meer left.",
            [("Ada van der Meer", PERSON), ("van der Meer", PERSON)],
        ),
        (
            "Nurse Ada Martin met Dr Martin Quill. Then Martin left.",
            [("Ada Martin", PERSON), ("Martin Quill", PERSON), ("Martin", PERSON)],
        ),
        ("Nurse Ada Quill spoke, and later they asked Ada.", [("Ada Quill", PERSON), ("Ada", PERSON)]),
        ("Russian-backed and pro-European forces met.", [("Russian", GROUP), ("European", GROUP)]),
    ],
)
def test_bodies_places_peoples_and_events_are_distinguished(text: str, expected: list[tuple[str, Kind]]) -> None:
    assert spelt(text) == expected


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
    text = "Sen. Ada Quill Ada Ruth QuillRain stuns Liis Ilves MORE (D-Mass.) said it rained."
    assert spelt(text)[0] == ("Ada Quill", PERSON)
    assert "Liis" not in " ".join(name for name, _ in spelt(text))


def test_a_dateline_in_capitals_is_a_place() -> None:
    assert spelt("TALLINN - The ferry sank, they said.")[0] == ("TALLINN", PLACE)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Minister Arvo Tamm spoke first. Later Tamm sat down.", ["Arvo Tamm", "Arvo Tamm"]),
        ("Nurse Olha Schevtschuk spoke. Then Shevchuk left.", ["Olha Schevtschuk", "Olha Schevtschuk"]),
        ("Lydia Bruckmann spoke. Ms Brukman left.", ["Lydia Bruckmann", "Lydia Bruckmann"]),
        ("They heard Arvo Tamm. TAMM: I was there.", ["Arvo Tamm", "Arvo Tamm"]),
        ("They heard Arvo Tamm and Liis Tamm. Later Tamm left.", ["Arvo Tamm", "Liis Tamm", "Tamm"]),
        ("They heard Arvo Tamm. A 30-year-old man, Arvo, 30, left.", ["Arvo Tamm", "Arvo"]),
        ("The World Chess Union (WCU) met. WCU paid.", ["World Chess Union"] * 3),
        ("The U.S. Lake Survey (USLS) met. USLS paid.", ["U.S. Lake Survey"] * 3),
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


def test_an_everyday_word_that_opens_a_sentence_gives_way_to_the_name_behind_it() -> None:
    text = "They saw Ada Quill in Estonia. Describing Estonia, Quill wept."
    assert spelt(text)[2:] == [("Estonia", PLACE), ("Quill", PERSON)]


def test_a_first_name_that_is_a_word_may_open_a_sentence() -> None:
    assert [m.name for m in read("Rush Tamberg spoke. Then Tamberg left.")] == ["Rush Tamberg"] * 2
    told = read("They heard Ada Quill. Describing Quill, they wept.")
    assert [m.name for m in told] == ["Ada Quill", "Ada Quill"]


def test_a_heading_has_only_names_known_from_the_prose() -> None:
    text = "Harbour Chief Ada Quill Walks Out Of Estonia Talks\n\nAda Quill left the talks in Estonia on Monday.\n"
    assert [(m.span.of(text), m.rule) for m in read(text)][:2] == [("Ada Quill", "heading"), ("Estonia", "heading")]


def test_a_doubtful_name_is_what_it_surely_is_elsewhere() -> None:
    text = "Kaldu was quiet. They slept in Kaldu. Then Kaldu burned."
    assert {mention.kind for mention in read(text)} == {PLACE}


@pytest.mark.parametrize(
    "text", ["", " \n ", "“" * 500, "A" * 5000, "Ab " * 3000, "\u202eشمس\u202c Ab.", "\x00\x07 Ab", "'s 's of of The"]
)
def test_hostile_text_is_read_without_an_exception(text: str) -> None:
    spans = [mention.span for mention in read(text)]
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(span.of(text).strip() for span in spans)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Two of them told the Guardian that it had rained.", ["Guardian"]),
        ("The Independent has not seen the letter.", ["Independent"]),
        ("A guardian of the peace, Guardian in all but name.", []),
        ("She spoke to the Press Trust of India in the lobby.", ["Press Trust of India"]),
        ("He moved to Houston in May.", ["Houston"]),
    ],
)
def test_a_newsroom_is_known_by_its_name_and_by_the_short_one_with_an_article(text: str, named: list[str]) -> None:
    reading = read_one(Article("a", text))
    found = [m for passage in reading.passages for m in passage.mentions]
    assert [m.span.of(text) for m in found] == named
    assert all(m.kind is (Kind.PLACE if m.name == "Houston" else Kind.ORG) for m in found)
