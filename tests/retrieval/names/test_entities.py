"""The mentions of all articles -> entities."""

from __future__ import annotations

import random

import pytest

from retrieval.model import Article, Entity, Kind, Mention
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Mentions, unite
from retrieval.names.mentions import find_names
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.names.memory_tables import entities

TEXTS = {
    "a": "Defence minister Serhiy Kovalskyy met Arvo Tamm in Kiev. NATO agreed, said Kovalskyy.",
    "b": "Minister Sergey Kovalsky left Kyiv. The World Chess Union (WCU) and Nato met. The Estonians won.",
    "c": "Kovalskiy said the WCU had paid the Estonian team in the U.S. and the United States.",
    "d": "Joseph R. Berg spoke. Mr Tamm left with Arvo, 38. Joe Berg followed.",
}


def read(texts: dict[str, str]) -> dict[str, Mentions]:
    return {name: find_names(lay_out(Article(name, text), parse(text))) for name, text in texts.items()}


def known(texts: dict[str, str], aliases: Aliases | None = None) -> dict[str, Entity]:
    return {entity.name: entity for entity in entities(unite(read(texts), aliases or Aliases()), texts)}


def variants(*texts: str) -> list[tuple[str, ...]]:
    return [entity.variants for entity in known({str(i): text for i, text in enumerate(texts)}).values()]


def test_every_spelling_of_a_name_is_one_entity() -> None:
    found = known(TEXTS)
    assert found["Serhiy Kovalskyy"].variants == ("Kovalskiy", "Kovalskyy", "Sergey Kovalsky", "Serhiy Kovalskyy")
    assert (
        found["Kyiv"] == Entity("Kyiv", Kind.PLACE, ("Kiev", "Kyiv"), ("a", "b")) if "Kyiv" in found else found["Kiev"]
    )
    assert found["World Chess Union"].variants == ("WCU", "World Chess Union")
    assert found["NATO"].articles == ("a", "b")
    assert found["United States"].variants == ("U.S.", "United States")
    assert found["Joseph R. Berg"].variants == ("Joe Berg", "Joseph R. Berg")
    assert found["Estonian"].variants == ("Estonian", "Estonians")
    assert found["Arvo Tamm"].articles == ("a", "d")


def test_a_first_name_shared_with_another_is_its_own_person() -> None:
    assert known(TEXTS)["Arvo"] == Entity("Arvo", Kind.PERSON, ("Arvo",), ("d",))


def test_the_order_of_reading_changes_nothing() -> None:
    expected = entities(unite(read(TEXTS)), TEXTS)
    for seed in range(5):
        order = list(TEXTS)
        random.Random(seed).shuffle(order)  # noqa: S311 - no secret, a fixed shuffle
        shuffled = {name: TEXTS[name] for name in order}
        assert entities(unite(read(shuffled)), shuffled) == expected


@pytest.mark.parametrize(
    "texts",
    [
        ("Nurse Ivana Berg spoke to Ivanka Berg.",),
        ("Nurse Maria Berg spoke.", "Nurse Mario Berg spoke."),
        ("Nurse Robert Berg spoke.", "Nurse Martin Berg spoke."),
        ("Foreign Minister Arvo Tamm met Foreign Minister Liis Ilves.",),
        ("Nurse Robert K. Berg spoke.", "Nurse Robert L.M. Berg spoke."),
        ("Nurse Robert Berg met his son, Robert Berg Jr.",),
    ],
)
def test_two_people_are_two(texts: tuple[str, ...]) -> None:
    assert [len(spellings) for spellings in variants(*texts)] == [1, 1]


def test_a_middle_name_given_now_and_then_separates_nobody() -> None:
    assert len(known({"a": "Nurse Robert K. Berg spoke.", "b": "Nurse Robert Berg spoke."})) == 1
    assert len(known({"a": "Nurse Robert Berg Jr. spoke.", "b": "Nurse Robert Berg spoke."})) == 1
    three = {"a": "Nurse Robert K. Berg spoke.", "b": "Nurse Robert L. Berg spoke.", "c": "Nurse Robert Berg spoke."}
    assert sorted(known(three)) == ["Robert Berg", "Robert K. Berg", "Robert L. Berg"]


def test_a_bare_surname_of_two_people_stays_ambiguous() -> None:
    found = known({"a": "Nurse Robert Berg spoke.", "b": "Nurse Martin Berg spoke.", "c": "Mr Berg left."})
    assert sorted(found) == ["Berg", "Martin Berg", "Robert Berg"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("He left the Estonian Defence Ministry.", "He left the Estonian Ministry of Defense."), 2),
        (("The Estonian Fisheries Council met. The Fisheries Council paid.",), 2),
        (("They left in the Lukhova region.", "They saw the region of Luhova burn."), 2),
        (("Dr Marta Kowalczyk spoke, and Kowalczyk left. Dr Marta Kowalcyk wrote.",), 3),
    ],
)
def test_bodies_places_and_misprints_are_joined(texts: tuple[str, ...], expected: int) -> None:
    spellings = [found for found in variants(*texts) if len(found) > 1]
    assert [len(found) for found in spellings] == [expected]


def test_an_acronym_is_joined_where_some_article_introduces_it() -> None:
    played = "The TBN paid, and they called it the Trivial Brine Network."
    assert sorted(known({"a": played, "b": "They watched the TBN."})) == ["TBN", "Trivial Brine Network"]
    introduced = {"a": "The Tollen Brine Network paid the TBN crew.", "b": "They watched the TBN."}
    assert known(introduced)["Tollen Brine Network"].articles == ("a", "b")
    both = sorted(known({**introduced, "c": played}))
    assert both == ["TBN", "Tollen Brine Network", "Trivial Brine Network"]


def test_a_word_that_opens_a_name_is_no_acronym() -> None:
    told = {"a": "The Council of Aged River Eels (CARE) met.", "b": "They met the Care for Eels team, and CARE."}
    assert known(told)["Council of Aged River Eels"].variants == ("CARE", "Council of Aged River Eels")


def test_initials_are_the_body_that_an_article_introduces_them_for() -> None:
    told = "The Harbour Safety Board (HSB) met."
    assert sorted(known({"a": told, "b": "They saw the HSB there."})) == ["Harbour Safety Board"]
    apart = known({"a": "The Harbour Safety Board met.", "b": "They saw the HSB there."})
    assert sorted(apart) == ["HSB", "Harbour Safety Board"]
    several = known({"a": told, "b": "The Hillside Sports Board (HSB) met.", "c": "They saw the HSB there."})
    assert {"Harbour Safety Board", "Hillside Sports Board"} <= set(several)


def test_a_doubtful_kind_yields_to_a_sure_one_elsewhere() -> None:
    found = known({"a": "They mentioned Kalduva twice.", "b": "They slept in Kalduva."})
    assert found["Kalduva"] == Entity("Kalduva", Kind.PLACE, ("Kalduva",), ("a", "b"))


def test_a_kind_met_now_and_then_yields_to_what_a_name_mostly_is() -> None:
    texts = {f"{n}": "Mr Tollberg spoke. Tollberg left, and Tollberg returned." for n in range(4)}
    listed = {"list": "They flew to Lisbon, Tollberg and Madrid."}
    assert {mention.kind for mention in _of("Tollberg", {**texts, **listed})} == {Kind.PERSON}


def _of(name: str, texts: dict[str, str]) -> list[Mention]:
    return [m for rows in unite(read(texts)).values() for row in rows for m in row if m.name == name]


def test_initials_that_all_know_need_no_introduction() -> None:
    found = known({"a": "The United Nations met.", "b": "The U.N. paid.", "c": "The Utland Navy sailed."})
    assert found["United Nations"].variants == ("U.N.", "United Nations")
    found = known({"a": "The Associated Press reported it.", "b": "The AP said so.", "c": "The Abalone Party met."})
    assert found["Associated Press"].variants == ("AP", "Associated Press")


def test_a_party_goes_by_its_nickname_and_a_capital_by_its_district() -> None:
    found = known({"a": "The Republican Party met in Washington.", "b": "The GOP paid. It rained in the D.C. suburbs."})
    assert found["Republican Party"].variants == ("GOP", "Republican Party")
    assert found["Washington"].variants == ("D.C.", "Washington")


def test_an_adjective_in_cratic_is_of_those_in_crat() -> None:
    assert ("Democratic", "Democrats") in variants("The Democrats left.", "Two Democratic voters stayed.")


def test_an_editor_joins_and_names() -> None:
    texts = {"a": "Nurse Arvo Tamm met Dr Liis Ilves.", "b": "Mr Oskar Raud left."}
    found = known(texts, Aliases(same=(("Oskar Raud", "Arvo Tamm"),)))
    assert found["Oskar Raud"].variants == ("Arvo Tamm", "Oskar Raud")


def test_an_editor_separates() -> None:
    texts = {"a": "Nurse Sergey Berg spoke.", "b": "Nurse Serhiy Berg spoke."}
    assert sorted(known(texts)) == ["Sergey Berg"]
    assert sorted(known(texts, Aliases(different=(("Sergey Berg", "Serhiy Berg"),)))) == ["Sergey Berg", "Serhiy Berg"]


def test_no_articles_have_no_entities() -> None:
    assert entities(unite({}), {}) == ()
