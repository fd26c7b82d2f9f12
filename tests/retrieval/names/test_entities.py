"""The mentions of all articles -> entities."""

from __future__ import annotations

from retrieval.model import Article, Entity, Kind, Mention
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Mentions, unite
from retrieval.names.mentions import find_names
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.support.entities import entities
from tests.support.tables import cases

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


def test_every_spelling_of_a_name_is_one_entity() -> None:
    found = known(TEXTS)
    assert found["Serhiy Kovalskyy"].variants == ("Kovalskiy", "Kovalskyy", "Sergey Kovalsky", "Serhiy Kovalskyy")
    assert found["Kiev"] == Entity("Kiev", Kind.PLACE, ("Kiev", "Kyiv"), ("a", "b"))
    assert found["World Chess Union"].variants == ("WCU", "World Chess Union")
    assert found["NATO"].articles == ("a", "b")
    assert found["United States"].variants == ("U.S.", "United States")
    assert found["Joseph R. Berg"].variants == ("Joe Berg", "Joseph R. Berg")
    assert found["Estonian"].variants == ("Estonian", "Estonians")
    assert found["Arvo Tamm"].articles == ("a", "d")


def test_a_first_name_shared_with_another_is_its_own_person() -> None:
    assert known(TEXTS)["Arvo"] == Entity("Arvo", Kind.PERSON, ("Arvo",), ("d",))


# Articles, with a bar before the next; and their names: the spellings of each, with a semicolon before the next.
@cases("texts, expected")
def test_spellings_of_one_name_are_one_and_others_are_not(texts: str, expected: str) -> None:
    found = known({str(number): text for number, text in enumerate(texts.split(" | "))})
    assert "; ".join(", ".join(entity.variants) for entity in found.values()) == expected


def test_a_doubtful_kind_yields_to_a_sure_one_elsewhere() -> None:
    found = known({"a": "They mentioned Kalduva twice.", "b": "They slept in Kalduva."})
    assert found["Kalduva"] == Entity("Kalduva", Kind.PLACE, ("Kalduva",), ("a", "b"))


def test_a_kind_met_now_and_then_yields_to_what_a_name_mostly_is() -> None:
    texts = {f"{n}": "Mr Tollberg spoke. Tollberg left, and Tollberg returned." for n in range(4)}
    listed = {"list": "They flew to Lisbon, Tollberg and Madrid."}
    assert {mention.kind for mention in _of("Tollberg", {**texts, **listed})} == {Kind.PERSON}
    places = {f"{n}": "They slept in Kalduva." for n in range(3)}
    assert {mention.kind for mention in _of("Kalduva", {**places, "person": "Mr Kalduva spoke."})} == {Kind.PLACE}
    del places["0"]
    assert len({mention.kind for mention in _of("Kalduva", {**places, "person": "Mr Kalduva spoke."})}) == 2


def _of(name: str, texts: dict[str, str]) -> list[Mention]:
    return [m for rows in unite(read(texts)).values() for row in rows for m in row if m.name == name]


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
